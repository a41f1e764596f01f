// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/element_rule.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>

namespace {

using wf::dtype;

constexpr double infinite = std::numeric_limits<double>::infinity();

// The types of a kernel's operands where all numbers are of type `number`.
std::vector<wf::value_type> real_types(const wf::kernel_spec& k, dtype number) {
  std::vector<wf::value_type> out;
  const auto s = wf::parse_signature(k.signature);
  for (std::uint32_t i = 0; i < s->inputs; ++i)
    out.push_back({s->parameters[i].bound == "bool" ? dtype::boolean : number, {}, {}});
  return out;
}
double one_element(const wf::kernel_spec& k, const std::vector<double>& x,
                   wf::view<wf::attribute_value> with = {}, dtype type = dtype::f64,
                   dtype result = dtype::unknown) {
  const std::vector<wf::value_type> types = real_types(k, type);
  const wf::rule_input node{{types.data(), types.size()}, with};
  return k.element({x.data(), node, result == dtype::unknown ? type : result});
}
double tempered(double x, const wf::attribute_value& temperature) {
  return one_element(wf::kernels::sigmoid, {x}, {&temperature, 1});
}
wf::attribute_value warmth(double t) { return wf::attribute_value::floating("T", t); }

}  // namespace

TEST_CASE("every elementwise operator on real elements gives single ones, and no other does") {
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    CAPTURE(std::string(k->name));
    const auto s = wf::parse_signature(k->signature);
    const bool is_complex = s->inputs > 0 && s->parameters[0].bound == "complex";
    CHECK((k->element != nullptr) == (k->laws.elementwise && !is_complex));
  }
}

TEST_CASE("a number that a rule of constants gives is the element, to the last bit") {
  std::mt19937_64 random(20261129);
  std::size_t compared = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (k->element == nullptr || k->constant == nullptr) continue;
    CAPTURE(std::string(k->name));
    for (const dtype type : {dtype::f64, dtype::i32})
      for (int round = 0; round < 200; ++round) {
        std::vector<double> x;
        for (const wf::value_type& t : real_types(*k, type)) {
          const auto whole = static_cast<double>(random() % 19) - 9;
          x.push_back(t.type == dtype::boolean ? static_cast<double>(random() % 2)
                      : type == dtype::i32 || round % 4 == 0
                          ? whole
                          : std::ldexp(whole, static_cast<int>(random() % 60)) / 7);
        }
        CAPTURE(x[0]);
        const std::vector<wf::value_type> types = real_types(*k, type);
        const wf::rule_input node{{types.data(), types.size()}, {}};
        double number = 0;
        if (!k->constant({x.data(), node, type}, number)) continue;
        ++compared;
        const double one = one_element(*k, x, {}, type);
        CHECK(one == number);
        // The caller takes the sign of an integer zero away.
        if (type == dtype::f64) CHECK(std::signbit(one) == std::signbit(number));
      }
  }
  CHECK(compared > 5000);
}

TEST_CASE("many elements are the single ones, to the last bit") {
  std::mt19937_64 random(20261130);
  std::size_t rules = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (k->elements == nullptr) continue;
    ++rules;
    CAPTURE(std::string(k->name));
    const std::vector<wf::value_type> types = real_types(*k, dtype::f64);
    const wf::rule_input node{{types.data(), types.size()}, {}};
    std::vector<std::vector<double>> x(types.size(), std::vector<double>(37));
    std::vector<const double*> operands;
    for (auto& each : x) {
      for (double& value : each) value = static_cast<double>(random() % 4001) / 500 - 4;
      each[3] = INFINITY, each[4] = NAN, each[5] = -0.0;
      operands.push_back(each.data());
    }
    std::vector<double> found(37);
    k->elements(node, operands.data(), found.data(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      std::vector<double> one;
      for (const auto& each : x) one.push_back(each[i]);
      const double wanted = one_element(*k, one, {}, dtype::f64, dtype::f64);
      REQUIRE((std::isnan(wanted) ? std::isnan(found[i])
                                  : std::bit_cast<std::uint64_t>(wanted) ==
                                        std::bit_cast<std::uint64_t>(found[i])));
    }
  }
  CHECK(rules == 9);
}

TEST_CASE("elements are infinite or NaN as IEEE 754 has them") {
  using namespace wf::kernels;
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  CHECK(one_element(divide, {1, 0}) == infinite);
  CHECK(one_element(divide, {-1, 0}) == -infinite);
  CHECK(std::isnan(one_element(divide, {0, 0})));
  CHECK(one_element(divide, {-7, 2}, {}, dtype::i32) == -3);
  CHECK(one_element(multiply, {1e300, -1e300}) == -infinite);
  CHECK(std::isnan(one_element(subtract, {infinite, infinite})));
  CHECK(std::isnan(one_element(wf::kernels::sqrt, {-1})));
  CHECK(std::isnan(one_element(wf::kernels::log, {-1})));
  CHECK(one_element(wf::kernels::log, {0}) == -infinite);
  CHECK(one_element(wf::kernels::exp, {1000}) == infinite);
  CHECK(one_element(wf::kernels::tanh, {-infinite}) == -1);
  CHECK(std::isnan(one_element(maximum, {no_number, 1})));
  CHECK(one_element(maximum, {1, no_number}) == 1);
  CHECK(std::isnan(one_element(minimum, {no_number, 1})));
  CHECK(one_element(minimum, {1, no_number}) == 1);
  CHECK(one_element(relu, {no_number}) == 0);
  for (const double x : {no_number, 0.0, -0.0, -1e-320, -infinite})
    CHECK(one_element(wf::kernels::step, {x}) == 0);
  for (const double x : {1e-320, 1.0, infinite}) CHECK(one_element(wf::kernels::step, {x}) == 1);
  CHECK(one_element(cast, {1e300}) == 1e300);  // rounded by the caller
  CHECK(one_element(cast, {-2.5}, {}, dtype::f64, dtype::i32) == -2);
  CHECK(one_element(cast, {-2.5}, {}, dtype::f64, dtype::boolean) == 1);
  CHECK(one_element(cast, {300}, {}, dtype::i32, dtype::i8) == 44);
  CHECK(std::isnan(one_element(cast, {1e300}, {}, dtype::f64, dtype::i32)));
}

TEST_CASE("a logistic function has a temperature, and is a threshold without one") {
  CHECK(one_element(wf::kernels::sigmoid, {2}) == 1 / (1 + std::exp(-2.0)));
  CHECK(tempered(2, wf::attribute_value::integer("T", 1)) == 1 / (1 + std::exp(-2.0)));
  CHECK(tempered(2, warmth(0.5)) == doctest::Approx(.9820138));
  CHECK(tempered(-2, wf::attribute_value::ratio("T", 1, 2)) == doctest::Approx(.0179862));
  CHECK(tempered(3, warmth(infinite)) == 0.5);
  for (const double t : {0.0, 1e-9, -1e-9}) {
    CHECK(tempered(1e-300, warmth(t)) == 1);
    CHECK(tempered(0, warmth(t)) == 0);
    CHECK(tempered(-5, warmth(t)) == 0);
  }
  CHECK(tempered(1, warmth(1.1e-9)) == 1);
  CHECK(tempered(1e-9, warmth(1.1e-9)) < 0.75);
  CHECK(std::isnan(tempered(1, warmth(-2))));
  CHECK(std::isnan(tempered(1, warmth(std::nan("")))));
}

TEST_CASE("a kernel that refines another keeps its elements, and may state its own") {
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(wf::kernel_spec{.name = "exp", .costs = {{"flops", "20*C"}}, .overrides = true}));
  CHECK(one_element(*r.find("exp"), {1}) == std::exp(1.0));
  REQUIRE(r.add(wf::kernel_spec{
      .name = "log",
      .element = [](const wf::constant_operands& x) { return std::log1p(x[0] - 1); },
      .overrides = true}));
  CHECK(one_element(*r.find("log"), {1}) == 0);
}
