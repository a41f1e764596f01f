// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/linear_recursion.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>

namespace {

using namespace wf::logic;

bool is_linear(const char* source, const evaluation_options& options = {}) {
  const stratified_program p = *stratify(*read_program(source), source);
  const wf::registry operators = rule_registry();
  const database none_given;
  detail::rule_engine engine(p.program, none_given, options, operators);
  for (const stratum& s : p.strata)
    if (s.recursion == recursion::numeric) return detail::linear_recursion(engine, p, s).fits();
  return false;
}

relation matrix(const std::vector<std::vector<double>>& values) {
  relation r(2, true);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j)
      if (values[i][j] != 0) {
        const position at[] = {static_cast<position>(i), static_cast<position>(j)};
        r.append(at, values[i][j]);
      }
  return r;
}

// The solution of x = b + M x by elimination, of a matrix whose rows sum to less than 1.
std::vector<double> solved(const std::vector<std::vector<double>>& m, std::vector<double> b) {
  const std::size_t n = b.size();
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) a[i][j] = (i == j ? 1.0 : 0.0) - m[i][j];
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

}  // namespace

TEST_CASE("rules are linear if each reads the recursion once, as a factor") {
  CHECK(is_linear("x[i] += b[i]\nx[i] += M[i,j] x[j]"));
  CHECK(is_linear("x[i] += b[i]\nx[i] += (M[i,j] - 1) x[j] / (2 + c[j]) - x[i]"));
  CHECK(is_linear("x[i] += b[i] + y[i]\ny[i] += M[i,j] x[j] [i < j] sin(b[j])"));
  CHECK(!is_linear("x[i] += b[i]\nx[i] += M[i,j] x[j] x[i]"));
  CHECK(!is_linear("x[i] += b[i]\nx[i] += M[i,j] tanh(x[j])"));
  CHECK(!is_linear("x[i] += b[i]\nx[i] += M[i,j] / x[j]"));
  CHECK(!is_linear("x[i] += b[i]\nx[i] += M[i,j] x[j] [x[j] < 2]"));
  CHECK(!is_linear("x[i] avg= b[i]\nx[i] avg= M[i,j] x[j]"));
  evaluation_options cooled;
  cooled.temperatures.push_back({wf::text("*"), 0.5});
  CHECK(!is_linear("x[i] += b[i]\nx[i] += sig(M[i,j]) x[j]", cooled));
}

TEST_CASE("random linear systems have the solutions of elimination") {
  const char* const source = "x[i] += b[i]\nx[i] += M[i,j] y[j]\ny[i] += x[i]";
  const stratified_program p = *stratify(*read_program(source), source);
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random() % 12;
    std::vector<std::vector<double>> m(n, std::vector<double>(n));
    std::vector<double> b(n);
    relation given(1, true);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        if (random() % 3 == 0 && (round % 2 == 0 || j < i))
          m[i][j] = std::uniform_real_distribution<double>(-0.9, 0.9)(random) /
                    static_cast<double>(round % 2 == 0 ? n : 1);
      b[i] = random() % 4 == 0 ? 0 : std::uniform_real_distribution<double>(-1, 1)(random);
      const auto at = static_cast<position>(i);
      if (b[i] != 0) given.append(&at, b[i]);
    }
    database inputs;
    inputs.add("M", matrix(m));
    inputs.add("b", given);
    auto found = evaluate(p, inputs);
    REQUIRE(found);
    const std::vector<double> wanted = solved(m, b);
    auto& x = found->find("x")->store();
    x.index();
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = static_cast<position>(i);
      const double value = x.contains(&at) ? x.value(x.find(&at)) : 0;
      CHECK(value == doctest::Approx(wanted[i]).epsilon(1e-7));
    }
    if (round % 2 == 1) CHECK(found->strata[0].rounds == 1);  // nothing depends on itself
  }
}

TEST_CASE("what grows without end is an error that names head, round and change") {
  const char* const source = "x[i] += b[i]\nx[i] += 1.5 x[i]";
  database inputs;
  const std::int64_t extents[] = {2};
  const double values[] = {1, 0};
  inputs.add_dense("b", extents, values);
  evaluation_options options;
  options.max_rounds = 40;
  const auto found = evaluate(*stratify(*read_program(source), source), inputs, options);
  REQUIRE(!found);
  CHECK(found.error().code == wf::errc::not_converged);
  CHECK(found.error().subject == wf::text("x"));
  CHECK(std::string(found.error().message).find("40 rounds") != std::string::npos);
}

namespace {
constexpr double static_solution() {
  const char* const source = "x[i] += b[i]\nx[i] += 0.5 x[j] [j < i]\naxis i = 3\naxis j = 3";
  database inputs;
  const std::int64_t extents[] = {3};
  const double values[] = {1, 2, 4};
  inputs.add_dense("b", extents, values);
  auto found = evaluate(*stratify(*read_program(source), source), inputs);
  return found->find("x")->entries().values[2];
}
static_assert(static_solution() == 4 + 0.5 * (1 + 2.5));
}  // namespace
