// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/host_time.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/registry/times/host_times.hpp>

namespace {

constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  auto a = s.input<"A", double, 30, 20>();
  auto b = s.input<"B", double, 20, 10>();
  s.output<"C">(relu(a * b));
});
constexpr wf::kernel_spec stated[] = {
    {.name = "matmul", .costs = {{"execution_time", "100 + 2*C*K"}}, .overrides = true},
    {.name = "relu", .costs = {{"execution_time", "Y/7"}}, .overrides = true}};

}  // namespace

// Each node's time is rounded up, while compiling as at run time.
static_assert(*wf::predict_nanoseconds(product.graph(), *wf::timed_registry(stated)) ==
              100 + 2 * 30 * 20 * 10 + (30 * 10 + 6) / 7);

TEST_CASE("the prediction is the price in execution_time of the kernels that are given") {
  CHECK(*wf::predict_nanoseconds(product.graph(), wf::timed_registry()) ==
        *wf::price(product.graph(), wf::execution_time, wf::timed_registry()));
}

TEST_CASE("a kernel without a time has none, and the error says what to do") {
  const auto untimed = wf::predict_nanoseconds(product.graph(), wf::builtin_registry());
  REQUIRE_FALSE(untimed);
  CHECK(untimed.error().code == wf::errc::unknown_cost);
  CHECK(untimed.error().message.view() ==
        "its cost in execution_time is not known: state it among the costs of kernel 'matmul', or "
        "take a registry with measured times");
  const auto half = wf::predict_nanoseconds(product.graph(), *wf::timed_registry({stated, 1}));
  REQUIRE_FALSE(half);
  CHECK(std::string(half.error().message.view()).find("'relu'") != std::string::npos);
}

TEST_CASE("symbolic shapes have no time") {
  const auto g = wf::capture(
      "any", [](wf::scope& s) { s.output("y", relu(s.input<double>("x", wf::shape::of("N")))); });
  REQUIRE(g);
  CHECK(wf::predict_nanoseconds(g->view(), wf::timed_registry()).error().code ==
        wf::errc::workflow_not_static);
}
