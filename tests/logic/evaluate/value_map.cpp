// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/value_map.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>

#include "../ordered_program.hpp"

namespace {

// A random expression of the entry X[i,k].
std::string expression(std::mt19937_64& random, int depth) {
  const auto inner = [&] { return expression(random, depth - 1); };
  if (depth == 0 || random() % 6 == 0)
    return random() % 4 == 0 ? std::to_string(1 + random() % 9) + ".5" : "X[i,k]";
  switch (random() % 9) {
    case 0:
      return "(" + inner() + " + " + inner() + ")";
    case 1:
      return "(" + inner() + " - " + inner() + ")";
    case 2:
      return inner() + " * " + inner();
    case 3:
      return inner() + " / " + inner();
    case 4:
      return "(-" + inner() + ")";
    case 5:
      return "maximum(" + inner() + ", " + inner() + ")";
    case 6:
      return "relu(" + inner() + ")";
    case 7:
      return "exp(" + inner() + ")";
    default:
      return "tanh(" + inner() + ")";
  }
}

bool fits(const std::string& source) {
  const auto p = wf_test::ordered_program(source);
  const wf::registry operators = wf::builtin_registry();
  return wf::logic::detail::value_map(p.program, operators).fits(p.program.rules[0].value);
}

}  // namespace

TEST_CASE("many entries have the values that single ones have, to the last bit") {
  std::mt19937_64 random(24);
  const std::int64_t extents[] = {19, 23};
  std::vector<double> values;
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < 19 * 23; ++i) {
    values.push_back(static_cast<double>(random() % 4001) / 500 - 4);
    order.push_back(i);
  }
  values[7] = 0, values[8] = -0.0, values[9] = INFINITY;
  std::shuffle(order.begin(), order.end(), random);
  wf::logic::database dense, sparse;
  dense.add_dense("X", extents, {values.data(), values.size()});
  wf::logic::relation shuffled(2, true);
  for (const std::uint32_t i : order) {
    const wf::logic::position at[] = {static_cast<wf::logic::position>(i / 23),
                                      static_cast<wf::logic::position>(i % 23)};
    shuffled.append(at, values[i]);
  }
  sparse.add("X", shuffled);
  int mapped = 0;
  for (int round = 0; round < 200; ++round) {
    const std::string source = "Y[i,k] = " + expression(random, 3) + "\nexport Y";
    if (source.find("X[") == std::string::npos) continue;
    CAPTURE(source);
    const auto p = wf_test::ordered_program(source, &dense);
    auto found = wf::logic::evaluate(p, dense), wanted = wf::logic::evaluate(p, sparse);
    REQUIRE(found);
    REQUIRE(wanted);
    mapped += !found->find("Y")->store().listed();
    const auto& a = found->find("Y")->entries();
    const auto& b = wanted->find("Y")->entries();
    REQUIRE(a.rows == b.rows);
    REQUIRE(a.columns == b.columns);
    for (std::size_t i = 0; i < a.rows; ++i)
      REQUIRE((std::isnan(b.values[i]) ? std::isnan(a.values[i])
                                       : std::bit_cast<std::uint64_t>(a.values[i]) ==
                                             std::bit_cast<std::uint64_t>(b.values[i])));
  }
  CHECK(mapped > 30);
}

TEST_CASE("entries that are absent have values, too, and those beyond an axis have none") {
  // A has rows 2 and 3, of an axis that goes from 0 to 6; X has three positions, the axis two.
  wf::logic::database inputs;
  inputs.add("A", wf_test::tensor_of(2, {{2, 0, 1}, {2, 1, 2}, {3, 0, 3}, {3, 1, 1}}));
  inputs.add("B", wf_test::tensor_of(1, {{0, 5}, {6, 7}}));
  inputs.add("Node", wf_test::relation_of(1, {{0}, {2}}));
  const std::int64_t square[] = {2, 2}, three[] = {3};
  const double ones[] = {1, 1, 1, 1};
  inputs.add_dense("M", square, ones);
  inputs.add_dense("X", three, {ones, 3});
  const auto p = wf_test::ordered_program(
      "Y[i,k] = exp(A[i,j] M[j,k])\nZ[i,k] = Y[i,k] + B[i]\naxis n : Node\nV[n] = exp(X[n])\n"
      "export Y, V",
      &inputs);
  wf::logic::evaluation_options options;
  auto found = wf::logic::evaluate(p, inputs, options);
  REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
  CHECK(found->find("Y")->size() == 8);  // rows 0, 2, 3 and 6
  const wf::logic::position at[] = {6, 1};
  CHECK(found->find("Y")->contains(at));
  CHECK(found->find("V")->size() == 2);
}

TEST_CASE("expressions of indices, and of operators without many elements, do not fit") {
  CHECK(fits("Y[i] = 2 * X[i] + relu(X[i])"));
  CHECK_FALSE(fits("Y[i] = X[i] * i"));
  CHECK_FALSE(fits("Y[i] = sigmoid(X[i])"));
}
