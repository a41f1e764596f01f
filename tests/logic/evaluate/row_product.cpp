// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/row_product.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>

#include "../ordered_program.hpp"

namespace {

using entries = std::map<std::vector<std::int32_t>, double>;
using wf::logic::position;
using wf::logic::relation;
using wf::logic::detail::row_product;
using wf::logic::detail::tensor_store;

relation relation_with(const entries& of, std::uint32_t rank, bool valued,
                       std::mt19937_64& random) {
  relation out(rank, valued);
  for (const auto& [at, value] : of) out.append(at.data(), value);
  if (random() % 2 == 0) return out;
  relation reversed(rank, valued);  // rows in another order
  std::int32_t at[2] = {};
  for (std::size_t row = out.rows; row-- > 0;) {
    out.positions(row, at);
    reversed.append(at, valued ? out.values[row] : 1);
  }
  return reversed;
}
entries entries_of(const relation& r) {
  entries out;
  std::int32_t at[2] = {};
  for (std::size_t row = 0; row < r.rows; ++row) {
    r.positions(row, at);
    out[std::vector<std::int32_t>(at, at + r.rank)] = r.valued ? r.values[row] : 1;
  }
  return out;
}

// A product H = F D with random orders of positions and factors, and what it is by definition.
struct random_case {
  std::string source;
  wf::logic::database inputs;
  entries expected;
  bool is_dense = true;
};
random_case make_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int32_t end) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(end));
  };
  const bool vector = below(4) == 0, boolean = below(4) == 0;
  const bool turn_f = below(2) != 0, turn_d = below(2) != 0, turn_h = below(2) != 0;
  const std::int32_t low = below(3) - 1, keys = 1 + below(9), columns = vector ? 1 : 1 + below(40);
  const auto placed = [](bool turned, std::int32_t a, std::int32_t b) {
    return turned ? std::vector<std::int32_t>{b, a} : std::vector<std::int32_t>{a, b};
  };
  const auto text = [&](const char* name, bool turned, const char* a, const char* b, char open) {
    const char close = open == '(' ? ')' : ']';
    return std::string(name) + open + (turned ? b : a) + "," + (turned ? a : b) + close;
  };
  random_case out;
  entries f, d;
  for (std::int32_t n = below(60); n > 0; --n)
    f[placed(turn_f, low + below(12), low + below(keys + 2))] = boolean ? 1 : below(7) - 3;
  for (std::int32_t j = 0; j < keys; ++j)
    for (std::int32_t k = 0; k < columns; ++k)
      d[vector ? std::vector<std::int32_t>{low + j} : placed(turn_d, low + j, low + k)] =
          below(7) - 3;
  if (below(5) == 0 && d.size() > 1) d.erase(d.begin()), out.is_dense = false;
  for (const auto& [at, factor] : f)
    for (const auto& [row, value] : d) {
      const std::int32_t i = at[turn_f ? 1 : 0], j = at[turn_f ? 0 : 1];
      if (row[!vector && turn_d ? 1 : 0] != j) continue;
      const std::int32_t k = vector ? 0 : row[turn_d ? 0 : 1];
      out.expected[vector ? std::vector<std::int32_t>{i} : placed(turn_h, i, k)] += factor * value;
    }
  const std::string factors = text("F", turn_f, "i", "j", boolean ? '(' : '[');
  const std::string dense = vector ? "D[j]" : text("D", turn_d, "j", "k", '[');
  out.source = (vector ? "H[i]" : text("H", turn_h, "i", "k", '[')) +
               " += " + (below(2) != 0 ? factors + " " + dense : dense + " " + factors);
  out.inputs.add("F", relation_with(f, 2, !boolean, random));
  out.inputs.add("D", relation_with(d, vector ? 1 : 2, true, random));
  return out;
}

constexpr double corner_while_compiling() {
  const auto program = wf::logic::stratify(*wf::logic::read_program("H[i,k] = F[i,j] D[j,k]"));
  wf::logic::database inputs;
  double ones[64] = {};
  for (double& x : ones) x = 1;
  const std::int64_t square[] = {8, 8};
  inputs.add_dense("F", square, ones);
  inputs.add_dense("D", square, ones);
  auto found = wf::logic::evaluate(*program, inputs);
  return found->find("H")->entries().values[63];
}
static_assert(corner_while_compiling() == 8);

// Whether the rule of a program is such a product over inputs of 4 by 4.
bool is_product(const char* source, std::uint64_t most = 1000) {
  const auto p = wf_test::ordered_program(source).program;
  wf::table<tensor_store> stores;
  for (const wf::logic::tensor_info& t : p.tensors) {
    relation all(t.rank, !t.boolean);
    std::int32_t at[3] = {};
    for (at[0] = 0; at[0] < 4; ++at[0])
      for (at[1] = 0; at[1] < (t.rank > 1 ? 4 : 1); ++at[1])
        for (at[2] = 0; at[2] < (t.rank > 2 ? 4 : 1); ++at[2]) all.append(at, 1);
    stores.push_back(tensor_store(all));
  }
  return row_product(p, p.rules[0], stores).fits(1, most);
}

}  // namespace

TEST_CASE("sums of products of a sparse and a dense matrix are what they are by definition") {
  std::size_t products = 0, larger = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    random_case c = make_case(seed);
    CAPTURE(seed);
    CAPTURE(c.source);
    const auto p = wf_test::ordered_program(c.source, &c.inputs);
    auto found = wf::logic::evaluate(p, c.inputs);
    REQUIRE(found);
    REQUIRE(entries_of(found->find("H")->entries()) == c.expected);
    wf::table<tensor_store> stores;
    for (const wf::logic::tensor_info& t : p.program.tensors) {
      const wf::logic::named_relation* const given = c.inputs.find(t.name.view());
      stores.push_back(given != nullptr ? tensor_store(given->entries)
                                        : tensor_store(t.rank, !t.boolean));
    }
    row_product product(p.program, p.program.rules[0], stores);
    const bool fits = product.fits(1, 100'000);
    const relation& f = c.inputs.find("F")->entries;
    const bool turned =
        c.source.find("F[j") < c.source.size() || c.source.find("F(j") < c.source.size();
    const std::uint64_t height = wf::logic::detail::bounds_of(f.columns[turned ? 1 : 0]).size;
    if (c.is_dense) REQUIRE(fits == (f.rows != 0 && height <= 4 * f.rows));
    if (!fits) continue;
    ++products;
    larger += c.expected.size() > 64;
    tensor_store made = product.run();
    made.list();
    REQUIRE(wf::logic::is_sorted(made.entries()));
    REQUIRE(entries_of(made.entries()) == c.expected);
  }
  CHECK(products > 2000);
  CHECK(larger > 500);
}

TEST_CASE("dense matrices, in any order of positions, have the products of their entries") {
  std::mt19937_64 random(21);
  for (int round = 0; round < 400; ++round) {
    const std::string source =
        std::string("P[i,k] = ") + (round % 2 == 0 ? "F[i,j]" : "F[j,i]") +
        (round % 4 < 2 ? " D[j,k]" : " D[k,j]") +
        "\nH[i,k] = G[i,j] P[j,k]\nY[i,k] = relu(H[i,k] - 2)\nZ[i,k] = exp(P[i,k])\nexport Y, P, Z";
    CAPTURE(source);
    const auto size = [&] { return static_cast<std::int64_t>(1 + random() % 40); };
    const std::int64_t i = size(), j = size(), k = size();
    wf::logic::database dense, sparse;
    const auto add = [&](const char* name, std::int64_t rows, std::int64_t columns) {
      std::vector<double> values;
      std::vector<std::vector<std::int32_t>> listed;
      for (std::int32_t a = 0; a < rows; ++a)
        for (std::int32_t b = 0; b < columns; ++b) {
          listed.push_back({a, b, static_cast<std::int32_t>(random() % 7) - 3});
          values.push_back(listed.back()[2]);
        }
      const std::int64_t extents[] = {rows, columns};
      dense.add_dense(name, extents, {values.data(), values.size()});
      std::shuffle(listed.begin(), listed.end(), random);
      sparse.add(name, wf_test::tensor_of(2, listed));
    };
    add("F", round % 2 == 0 ? i : j, round % 2 == 0 ? j : i);
    add("D", round % 4 < 2 ? j : k, round % 4 < 2 ? k : j);
    add("G", i, i);
    const auto p = wf_test::ordered_program(source, &dense);
    auto found = wf::logic::evaluate(p, dense), wanted = wf::logic::evaluate(p, sparse);
    REQUIRE(found);
    REQUIRE(wanted);
    for (const char* name : {"Y", "P", "Z"}) {
      REQUIRE(found->find(name)->size() == static_cast<std::size_t>(i * k));
      REQUIRE(entries_of(found->find(name)->entries()) ==
              entries_of(wanted->find(name)->entries()));
    }
    // What is asked for by positions is there, too.
    const position at[] = {0, 0};
    REQUIRE(found->find("Y")->contains(at));
  }
}

TEST_CASE("rows that are far apart take no room between them") {
  const auto p = wf_test::ordered_program("H[i,k] = F[i,j] D[j,k]");
  wf::logic::database inputs;
  std::vector<double> ones(64 * 64, 1);
  const std::int64_t square[] = {64, 64};
  inputs.add_dense("D", square, {ones.data(), ones.size()});
  std::vector<std::vector<std::int32_t>> far;
  for (std::int32_t j = 0; j < 64; ++j)
    far.push_back({j % 2 == 0 ? -2147483647 : 2147483647, j, 1});
  inputs.add("F", wf_test::tensor_of(2, far));
  auto found = wf::logic::evaluate(p, inputs);
  REQUIRE(found);
  const relation& h = found->find("H")->entries();
  CHECK(h.rows == 128);
  for (const double sum : h.values) CHECK(sum == 32);
}

TEST_CASE("what is no such product is left to nested loops") {
  CHECK(is_product("H[i,k] = F[i,j] D[j,k]"));
  CHECK(is_product("H[i] += F[j,i] D[j]"));
  CHECK(is_product("H[i,k] += R(i,j) D[j,k]"));
  CHECK_FALSE(is_product("H[i,k] = F[i,j] D[j,k]", 15));  // too many cells
  for (const char* other : {"H[i,k] max= F[i,j] D[j,k]",    "H[i,k] avg= F[i,j] D[j,k]",
                            "H[i,k] += F[i,j] + D[j,k]",    "H[i,k] = F[i,j] D[j,k] [i < k]",
                            "H[i,k] = F[i,j] D[j,k] !R(i)", "H[i,k] = F[i,j] D[j,k] i",
                            "H[i,k] = F[i,j+1] D[j,k]",     "H[i+1,k] = F[i,j] D[j,k]",
                            "H[i,k] = 2 F[i,j] D[j,k]",     "H[i,j] = F[i,j] D[i,j]",
                            "H[i,j] = F[i,j] D[j,i]",       "H[i] += F[i,i] D[i]",
                            "H[i] += F[i,j] D[i]",          "H[i,k] = F[i,j] / D[j,k]",
                            "H[i,k] += F[i,j] D[j,k] E[k]", "H(i,k) = R(i,j) S(j,k)",
                            "H[i,k] += R(i,j) S(j,k)",      "H[i,k] = F[i,2] D[2,k]",
                            "H[i,k] += F[i,j] D[l,k]",      "H[i,j,k] = F[i,j] D[j,k]",
                            "H[] += F[i,j] D[j,i]"}) {
    CAPTURE(other);
    CHECK_FALSE(is_product(other));
  }
}

TEST_CASE("a product counts the rows that nested loops would visit") {
  const auto p = wf_test::ordered_program("H[i,k] = F[i,j] D[j,k]");
  wf::logic::database inputs;
  const std::vector<double> ones(64, 1);
  const std::int64_t square[] = {8, 8};
  inputs.add_dense("F", square, {ones.data(), 64});
  inputs.add_dense("D", square, {ones.data(), 64});
  wf::logic::evaluation_options options;
  options.max_bindings = 64 * 9;
  CHECK(wf::logic::evaluate(p, inputs, options));
  --options.max_bindings;
  CHECK(wf::logic::evaluate(p, inputs, options).error().code == wf::errc::execution_stopped);
}

TEST_CASE("several rules of one head, and facts beside them, add up") {
  const auto p = wf_test::ordered_program(
      "H[i,k] += F[i,j] D[j,k]\nH[i,k] += D[i,j] F[j,k]\nY[i,k] = H[i,k] + 1");
  wf::logic::database inputs;
  std::vector<double> f(64), d(64);
  for (std::size_t i = 0; i < 64; ++i) f[i] = static_cast<double>(i % 5), d[i] = 3 - f[i] * f[i];
  const std::int64_t square[] = {8, 8};
  inputs.add_dense("F", square, {f.data(), 64});
  inputs.add_dense("D", square, {d.data(), 64});
  auto found = wf::logic::evaluate(p, inputs);
  REQUIRE(found);
  const entries made = entries_of(found->find("Y")->entries());
  for (std::int32_t i = 0; i < 8; ++i)
    for (std::int32_t k = 0; k < 8; ++k) {
      double sum = 1;
      for (std::int32_t j = 0; j < 8; ++j) {
        const auto at = [](std::int32_t a, std::int32_t b) {
          return static_cast<std::size_t>(8 * a + b);
        };
        sum += f[at(i, j)] * d[at(j, k)] + d[at(i, j)] * f[at(j, k)];
      }
      REQUIRE(made.at({i, k}) == sum);
    }
}
