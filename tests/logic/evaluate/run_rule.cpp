// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/run_rule.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/relation/facts.hpp>
#include <wf/registry/domain/builtin.hpp>

#include "../ordered_program.hpp"

namespace {

using wf::logic::comparison_sign;
using wf::logic::none;
using wf::logic::position;
using wf::logic::scalar_kind;
using wf::logic::scalar_node;

constexpr double least_value = -std::numeric_limits<double>::infinity();

// A rule Y[] = value with one variable, which stands at one position, and perhaps a comparison.
class scalar_case {
 public:
  constexpr explicit scalar_case(position at = 0, wf::projection sign = wf::projection::sum) {
    wf::logic::tensor_info head;
    head.name = wf::text("Y");
    head.projection = sign;
    program_.tensors.push_back(static_cast<wf::logic::tensor_info&&>(head));
    wf::logic::rule r;
    r.projection = sign;
    r.variables.count = 1;
    program_.rules.push_back(static_cast<wf::logic::rule&&>(r));
    program_.axis_of_variable.push_back(0);
    axes_.push_back({at});
    wf::logic::detail::plan_step s;
    s.kind = wf::logic::detail::step_kind::enumerate;
    s.index = 0;
    plan_.rule = 0;
    plan_.steps.push_back(static_cast<wf::logic::detail::plan_step&&>(s));
  }
  constexpr std::uint32_t add(scalar_kind kind, std::uint32_t left = none,
                              std::uint32_t right = none, std::uint32_t other = none) {
    scalar_node n;
    n.kind = kind;
    n.left = left;
    n.right = right;
    n.other = other;
    return add(static_cast<scalar_node&&>(n));
  }
  constexpr std::uint32_t number(double value, scalar_kind kind = scalar_kind::number) {
    scalar_node n;
    n.kind = kind;
    n.number = value;
    return add(static_cast<scalar_node&&>(n));
  }
  constexpr std::uint32_t function(wf::text_view name, std::uint32_t left, std::uint32_t right) {
    const std::uint32_t made = add(scalar_kind::function, left, right);
    program_.scalars[made].name = wf::text(name);
    return made;
  }
  constexpr void compare(comparison_sign sign, std::uint32_t left, std::uint32_t right) {
    program_.comparisons.push_back({sign, left, right});
    wf::logic::detail::plan_step s;
    s.kind = wf::logic::detail::step_kind::compare;
    s.index = 0;
    plan_.steps.push_back(static_cast<wf::logic::detail::plan_step&&>(s));
  }
  // The value of the rule; `otherwise` if it contributes none, or after an error.
  constexpr double run(std::uint32_t root, double otherwise = -99,
                       const wf::registry& operators = {}) {
    program_.rules[0].value = root;
    double out = otherwise;
    const auto emit = [&](const position*, double value) { return out = value, true; };
    const wf::logic::detail::index_set indices;
    std::uint64_t left = 1000;
    wf::logic::detail::rule_run<decltype(emit)> run(program_, plan_, {}, indices, axes_, operators,
                                                    {}, {}, {}, left, emit);
    const bool done = run.run();
    failure = run.failure().code;
    return done == (failure == wf::errc::none) ? out : -98;
  }

  wf::errc failure = wf::errc::none;

 private:
  constexpr std::uint32_t add(scalar_node n) {
    program_.scalars.push_back(static_cast<scalar_node&&>(n));
    return static_cast<std::uint32_t>(program_.scalars.size() - 1);
  }

  wf::logic::tensor_program program_;
  wf::logic::detail::rule_plan plan_;
  wf::table<wf::table<position>> axes_;
};

constexpr double binary(scalar_kind kind, double a, double b, wf::errc* failure = nullptr) {
  scalar_case c;
  const std::uint32_t left = c.number(a), right = c.number(b);
  const double out = c.run(c.add(kind, left, right));
  if (failure != nullptr) *failure = c.failure;
  return out;
}
constexpr bool compared(comparison_sign sign, double a, double b) {
  scalar_case c;
  const std::uint32_t left = c.number(a), right = c.number(b);
  c.compare(sign, left, right);
  return c.run(c.number(1)) == 1;
}
constexpr double chosen(double condition) {
  scalar_case c;
  const std::uint32_t left = c.number(condition), a = c.number(3), b = c.number(4);
  return c.run(c.add(scalar_kind::choice, left, a, b));
}
constexpr double parity(position at, double odd) {
  scalar_case c(at);
  return c.run(c.number(odd, scalar_kind::parity));
}
constexpr wf::errc power_failure(double base, double exponent) {
  wf::errc out = wf::errc::none;
  (void)binary(scalar_kind::power, base, exponent, &out);
  return out;
}

// An operator that tells how its value came about: 72 as an element, 81 as a constant.
constexpr wf::kernel_spec witness{
    .name = "witness",
    .domain = "test",
    .signature = "A: number [...], B: number [...] -> C[...]",
    .costs = {{"flops", "C"}},
    .constant = [](const wf::constant_operands& of,
                   double& out) { return out = 80 + of.numbers[0], true; },
    .element = [](const wf::constant_operands& of) { return 70 + of.numbers[1]; },
    .laws = {.elementwise = true},
    .summary = "a number"};
constexpr double witnessed(wf::text_view name, wf::errc& failure) {
  wf::registry operators;
  if (!operators.add(witness)) return -97;
  scalar_case c;
  const std::uint32_t left = c.number(1), right = c.number(2);
  const double out = c.run(c.function(name, left, right), -99, operators);
  failure = c.failure;
  return out;
}
constexpr double witnessed(wf::text_view name) {
  wf::errc failure = wf::errc::none;
  return witnessed(name, failure);
}
constexpr wf::errc failure_of(wf::text_view name) {
  wf::errc failure = wf::errc::none;
  (void)witnessed(name, failure);
  return failure;
}

static_assert(binary(scalar_kind::quotient, 1, 4) == 0.25);
static_assert(binary(scalar_kind::quotient, 1, 0) == -least_value);
static_assert(binary(scalar_kind::quotient, -1, 0) == least_value);
static_assert(binary(scalar_kind::quotient, 1, -0.0) == least_value);
static_assert(binary(scalar_kind::quotient, -1, -0.0) == -least_value);
static_assert(binary(scalar_kind::quotient, 0, 0) != binary(scalar_kind::quotient, 0, 0));
static_assert(binary(scalar_kind::power, -2, 3) == -8 && binary(scalar_kind::power, 5, 0) == 1);
static_assert(binary(scalar_kind::power, 2, -2) == 0.25);
static_assert(binary(scalar_kind::power, 0, -1) == -least_value);
static_assert(binary(scalar_kind::power, 1, 1023) == 1);
static_assert(power_failure(2, 3) == wf::errc::none);
static_assert(power_failure(4, 0.5) == wf::errc::not_executable);
static_assert(power_failure(1, 1024) == wf::errc::not_executable);
static_assert(power_failure(1, -1024) == wf::errc::not_executable);
static_assert(witnessed("witness") == 81);
static_assert(failure_of("witness") == wf::errc::none);
static_assert(failure_of("unknown") == wf::errc::not_executable);

// The entries of Y, or the error.
std::string solved(const std::string& source, const wf::logic::database& inputs) {
  auto found = wf::logic::evaluate(wf_test::ordered_program(source, &inputs), inputs);
  return found ? std::string(wf::logic::facts_text(found->find("Y")->entries()))
               : std::string(wf::to_text(found.error()));
}

}  // namespace

TEST_CASE("scalars of a rule are computed as IEEE numbers, at run time and while compiling") {
  volatile double zero = 0;
  CHECK(binary(scalar_kind::sum, 3, 4) == 7);
  CHECK(binary(scalar_kind::difference, 3, 4) == -1);
  CHECK(binary(scalar_kind::product, 3, 4) == 12);
  CHECK(binary(scalar_kind::quotient, 1 + zero, zero) == -least_value);
  CHECK(binary(scalar_kind::quotient, -1 + zero, zero) == least_value);
  CHECK(binary(scalar_kind::quotient, 1, -zero) == least_value);
  CHECK(std::isnan(binary(scalar_kind::quotient, zero, zero)));
  CHECK(binary(scalar_kind::power, 2, 0.5) == std::pow(2, 0.5));
  CHECK(binary(scalar_kind::power, 1, 5000) == 1);
  CHECK(power_failure(4, 0.5) == wf::errc::none);
  CHECK(binary(scalar_kind::negation, 3, 0) == -3);
  CHECK(chosen(1) == 3);
  CHECK(chosen(-2) == 3);
  CHECK(chosen(0) == 4);
  for (position p = -3; p <= 3; ++p) {
    CHECK(parity(p, 0) == (p % 2 == 0 ? 1 : 0));
    CHECK(parity(p, 1) == (p % 2 == 0 ? 0 : 1));
    scalar_case c(p);
    CHECK(c.run(c.add(scalar_kind::variable)) == p);
  }
}

TEST_CASE("a comparison holds as its sign says") {
  for (const double a : {-1.0, 0.0, 2.0})
    for (const double b : {-1.0, 0.0, 2.0}) {
      CHECK(compared(comparison_sign::less, a, b) == (a < b));
      CHECK(compared(comparison_sign::less_equal, a, b) == (a <= b));
      CHECK(compared(comparison_sign::greater, a, b) == (a > b));
      CHECK(compared(comparison_sign::greater_equal, a, b) == (a >= b));
      CHECK(compared(comparison_sign::equal, a, b) == (a == b));
      CHECK(compared(comparison_sign::different, a, b) == (a != b));
    }
}

TEST_CASE("a function gives its element at run time, and what folds it while compiling") {
  CHECK(witnessed("witness") == 72);
  CHECK(failure_of("unknown") == wf::errc::not_executable);
}

TEST_CASE("a rule without value contributes 1, or 0 to an extreme, whose zero is no entry") {
  CHECK(scalar_case().run(none) == 1);
  CHECK(scalar_case(0, wf::projection::minimum).run(none) == 0);
  for (const auto sign : {wf::projection::minimum, wf::projection::maximum}) {
    const double zero = sign == wf::projection::minimum ? -least_value : least_value;
    scalar_case c(0, sign);
    CHECK(c.run(c.number(zero)) == -99);
    CHECK(c.run(c.number(-zero)) == -zero);
    CHECK(c.run(c.number(5)) == 5);
  }
}

TEST_CASE("shifts move nothing beyond an axis of known extent, or beyond 32 bits") {
  wf::logic::database inputs;
  const std::int64_t four[] = {4};
  const double values[] = {1, 2, 3, 4};
  inputs.add_dense("X", four, values);
  inputs.add("S", wf_test::relation_of(1, {{0}, {2147483647}}));
  inputs.add("R", wf_test::relation_of(1, {{-1}, {0}, {2}}));
  CHECK(solved("Y[i+1] = X[i]", inputs) == "1\t1.0\n2\t2.0\n3\t3.0\n");
  CHECK(solved("Y[i-1] = X[i]", inputs) == "0\t2.0\n1\t3.0\n2\t4.0\n");
  CHECK(solved("Y[i] = X[i+2]", inputs) == "0\t3.0\n1\t4.0\n");
  CHECK(solved("Y(i+1) = R(i)", inputs) == "0\n1\n3\n");
  CHECK(solved("Y(i+1) = R(i)\naxis i = 3", inputs) == "0\n1\n");
  CHECK(solved("Y(i) = R(i+1)\naxis i = 3", inputs) == "1\n");
  CHECK(solved("Y(x) = S(x+1)", inputs) == "-1\n2147483646\n");
  CHECK(solved("Y(x+1) = S(x)", inputs).find("does not fit 32 bits") != std::string::npos);
  CHECK(solved("Y(x+1) = S(x)", inputs).find("2147483648") != std::string::npos);
  // Likewise where the last loop runs over rows of one position.
  inputs.add("T", wf_test::relation_of(2, {{0, 5}, {0, 6}, {2, 7}, {2, 8}, {-1, 4}}));
  CHECK(solved("Y(i+1,j) = R(i) T(i,j)", inputs) == "0\t4\n1\t5\n1\t6\n3\t7\n3\t8\n");
  CHECK(solved("Y(i+1,j) = R(i) T(i,j)\naxis i = 3", inputs) == "0\t4\n1\t5\n1\t6\n");
  CHECK(solved("Y(i+1,j) = R(i) T(i,j)\naxis j = 6", inputs) == "0\t4\n1\t5\n");
  CHECK(solved("Y(i,j+1) = R(i) T(i,j)", inputs) == "-1\t5\n0\t6\n0\t7\n2\t8\n2\t9\n");
  CHECK(solved("Y(x+1,j) = S(x) T(i,j)", inputs).find("2147483648") != std::string::npos);
  // What lies beyond 32 bits is not there.
  CHECK(solved("Y(x) = S(x) !S(x+1)", inputs) == "0\n2147483647\n");
  CHECK(solved("Y(x) = S(x) S(x+1)", inputs) == "");
}

TEST_CASE("slices bind positions that fit their steps only") {
  wf::logic::database inputs;
  inputs.add("V", wf_test::tensor_of(1, {{-2, 9}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}));
  CHECK(solved("Y[] += V[0::2]", inputs) == "9.0\n");
  CHECK(solved("Y[] += V[1::3]", inputs) == "7.0\n");
}

TEST_CASE("lookups read the zero of their tensor where it has no entry") {
  wf::logic::database inputs;
  inputs.add("S", wf_test::relation_of(1, {{0}, {1}}));
  inputs.add("V", wf_test::tensor_of(1, {{1, 5}}));
  CHECK(solved("Y(x) = S(x) [V[x] < 1]", inputs) == "0\n");
  CHECK(solved("M[x] min= V[x]\nY(x) = S(x) [M[x] > 9]", inputs) == "0\n");
  CHECK(solved("M[x] max= V[x]\nY(x) = S(x) [M[x] < 9]", inputs) == "0\n1\n");
}
