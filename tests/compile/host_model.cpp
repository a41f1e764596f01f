// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/host_model.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  auto a = s.input<"A", double, 30, 20>();
  auto b = s.input<"B", double, 20, 10>();
  s.output<"C">(relu(a * b));
});
constexpr wf::host_model slow_arithmetic{1000, 0, 0}, slow_memory{0, 1000, 0}, slow_calls{0, 0, 7};

constexpr std::int64_t time_of(const wf::host_model& m) {
  return *wf::predict_nanoseconds(product.graph(), m, wf::builtin_registry());
}
static_assert(time_of(slow_arithmetic) == 2 * 30 * 20 * 10 + 30 * 10);
static_assert(time_of(slow_memory) == 8 * (30 * 20 + 20 * 10 + 30 * 10) + 8 * (30 * 10 + 30 * 10));
static_assert(time_of(slow_calls) == 14);
// The longer of both counts, node by node.
static_assert(time_of({1000, 1000, 0}) == 2 * 30 * 20 * 10 + 8 * (30 * 10 + 30 * 10));

}  // namespace

TEST_CASE("times are rounded up, and too large ones are errors") {
  CHECK(time_of({1, 0, 0}) == 12 + 1);
  const auto huge =
      wf::predict_nanoseconds(product.graph(), {INT64_MAX / 2, 0, 0}, wf::builtin_registry());
  REQUIRE(!huge);
  CHECK(huge.error().code == wf::errc::overflow);
}

TEST_CASE("symbolic shapes have no time") {
  const auto g = wf::capture(
      "any", [](wf::scope& s) { s.output("y", relu(s.input<double>("x", wf::shape::of("N")))); });
  REQUIRE(g);
  CHECK(wf::predict_nanoseconds(g->view(), {}, wf::builtin_registry()).error().code ==
        wf::errc::workflow_not_static);
}
