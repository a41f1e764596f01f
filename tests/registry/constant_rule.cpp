// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/constant_rule.hpp>

#include <bit>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

namespace {

using wf::dtype;

double any_number(std::mt19937_64& random) {
  const auto exponent = static_cast<int>(random() % 60) - 30;
  const double size = std::ldexp(static_cast<double>(random() >> (11 + random() % 53)),
                                 random() % 8 == 0 ? exponent * 17 - 52 : exponent - 52);
  return random() % 2 == 0 ? size : -size;
}

// Applies a kernel's rule to constants of one type and rounds the result to the type; false if it
// has no result.
bool run(const char* op, dtype type, std::vector<double> operands, double& out) {
  const wf::registry kernels = wf::builtin_registry();
  const wf::kernel_spec* k = kernels.find(op);
  REQUIRE(k != nullptr);
  if (k->constant == nullptr) return false;
  const std::vector<wf::value_type> types(operands.size(), {type, {}, wf::shape::of(2, 3)});
  const wf::rule_input node{{types.data(), types.size()}, {}};
  return k->constant({operands.data(), node, type}, out) && wf::detail::settle_element(type, out);
}

}  // namespace

TEST_CASE("rules give what C++ does, or nothing where that is not finite") {
  std::mt19937_64 random(20261213);
  std::size_t given = 0, finite = 0;
  for (int i = 0; i < 20'000; ++i) {
    const double x = any_number(random), y = i % 100 == 0 ? 0 : any_number(random);
    const std::pair<const char*, double> wanted[] = {
        {"add", x + y},    {"subtract", x - y},        {"multiply", x * y},
        {"divide", x / y}, {"maximum", x < y ? y : x}, {"minimum", y < x ? y : x},
        {"add", y + x}};
    for (const auto& [op, value] : wanted) {
      double out = 0;
      if (std::isfinite(value)) ++finite;
      if (!run(op, dtype::f64, {x, y}, out)) continue;
      ++given;
      CAPTURE(op);
      CHECK(std::bit_cast<std::uint64_t>(out) == std::bit_cast<std::uint64_t>(value));
    }
    double out = 0;
    if (run("reciprocal", dtype::f64, {y}, out)) CHECK(out == 1 / y);
    if (run("square", dtype::f64, {x}, out)) CHECK(out == x * x);
    REQUIRE(run("negate", dtype::f64, {x}, out));
    CHECK(out == -x);
    REQUIRE(run("relu", dtype::f64, {x}, out));
    CHECK(out == (0 < x ? x : 0));
    REQUIRE(run("where", dtype::f64, {1, x, y}, out));
    CHECK(out == x);
    const auto a = static_cast<std::int64_t>(random() % 2'000'000) - 1'000'000;
    const auto b = static_cast<std::int64_t>(random() % 200) - 100;
    if (b != 0) {
      REQUIRE(run("divide", dtype::i64, {static_cast<double>(a), static_cast<double>(b)}, out));
      CHECK(out == static_cast<double>(a / b));
    }
  }
  CHECK(given > finite - finite / 100);  // only a few finite results are rejected
  double out = 0;
  CHECK_FALSE(run("exp", dtype::f64, {1}, out));
  CHECK_FALSE(run("power", dtype::f64, {1, 1}, out));
  CHECK_FALSE(run("sqrt", dtype::f64, {-1}, out));
}
