// SPDX-License-Identifier: BSL-1.0
#include <wf/run/opaque_function.hpp>

#include <doctest/doctest.h>

#include <wf/capture/trace.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_kernels.hpp>

using namespace wf::literals;

namespace {

constexpr auto smooth =
    wf::opaque_function<"dsp.smooth", "x: floating [N] -> y: floating [N]",
                        wf::declare("flops", "2*N"), wf::with("order", 3), wf::effect::pure>(
        [](auto& y, const auto& x, const wf::node_context& c) {
          for (Eigen::Index i = 0; i < x.size(); ++i)
            y(i) = (x(i) + (i > 0 ? x(i - 1) : 0)) / static_cast<double>(c.integer("order"));
        });
constexpr auto code = wf::implementations(smooth);

constexpr auto filtered = wf::workflow<"filtered">([](wf::scope& s) {
  auto x = s.input<"x", double, 4>();
  s.output<"y">(smooth(x + 1));
});
static_assert(wf::cost(filtered)[wf::flops] == 4 + 2 * 4);
static_assert(filtered.graph().op_name(filtered.graph().nodes[1]) == "::opaque::dsp.smooth" ||
              filtered.graph().op_name(filtered.graph().nodes[2]) == "::opaque::dsp.smooth");

// A generic user function, which uses wf only in the call.
template <class X>
auto twice(const X& x) {
  return smooth(smooth(x));
}

}  // namespace

TEST_CASE("an opaque function keeps how it is computed, in both executors") {
  const Eigen::Vector4d x(1, 2, 3, 4), wanted = Eigen::Vector4d(2, 5, 7, 9) / 3;
  const auto fixed = wf::run<filtered, code>("x"_arg = x);
  REQUIRE(fixed);
  CHECK(fixed["y"_arg] == wanted);
  wf::registry kernels = wf::builtin_registry();
  const auto added = kernels.add(wf::view<wf::kernel_spec>(wf::executable_kernels<code>));
  REQUIRE_MESSAGE(added, wf::to_text(added.error()).view());
  wf::execution_options own;
  own.kernels = &kernels;
  const auto ready = wf::executable_graph::prepare(filtered.graph(), own);
  REQUIRE(ready);
  CHECK((*ready)({{"x", x}})->at("y") == wanted);
  // Without an implementation it is an error.
  const auto bare = wf::executable_graph::prepare(filtered.graph());
  REQUIRE_FALSE(bare);
  CHECK(bare.error().code == wf::errc::not_executable);
}

TEST_CASE("a traced function's opaque calls run") {
  wf::registry kernels = wf::builtin_registry();
  const auto added = kernels.add(wf::view<wf::kernel_spec>(wf::executable_kernels<code>));
  REQUIRE_MESSAGE(added, wf::to_text(added.error()).view());
  wf::execution_options own;
  own.kernels = &kernels;
  const auto traced = wf::capture(
      "traced", [](wf::scope& s) { s.output("y", twice(s.input<double>("x", wf::shape::of(3)))); });
  REQUIRE(traced);
  const auto ready = wf::executable_graph::prepare(traced->view(), own);
  REQUIRE(ready);
  const Eigen::Vector3d x(9, 9, 9);
  CHECK((*ready)({{"x", x}})->at("y") == Eigen::Vector3d(1, 3, 4));
}
