// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/functions.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

constexpr auto network = wf::workflow<"network">([](wf::scope& s) {
  auto x = s.input<"x", float, 1, 3, 8, 8>();
  auto w = s.input<"w", float, 4, 3, 3, 3>();
  auto y = s.let<"y">(relu(wf::conv2d<2, 1>(x, w)));
  static_assert(decltype(y)::type.shape == wf::shape::of(1, 4, 4, 4));
  static_assert(decltype(s.let(wf::reshape<4, 16>(y)))::type.shape == wf::shape::of(4, 16));
  static_assert(decltype(s.let(wf::sum<2>(y)))::type.shape == wf::shape::of(1, 4, 4));
  static_assert(decltype(s.let(sum(y)))::type.shape == wf::shape::of());
  wf::any<float> pooled = wf::max_pool2d(y, {.window = 2, .stride = 2, .padding = 0});
  s.output<"features">(wf::global_average_pool(pooled));
  s.output<"probabilities">(softmax(wf::reshape<4, 16>(y)));
  s.output<"largest">(wf::max<0>(wf::reshape<4, 16>(y)));
  s.output<"mean">(mean(y));
});
static_assert(network.graph()[network.graph().outputs[0].source].type.shape == wf::shape::of(1, 4));

}  // namespace

TEST_CASE("a convolution by value and by type is the same node") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", float, 1, 3, 8, 8>();
    auto w = s.input<"w", float, 4, 3, 3, 3>();
    s.output<"a">(wf::conv2d<2, 1>(x, w));
    s.output<"b">(conv2d(x, w, {.stride = 2, .padding = 1}));
  });
  REQUIRE(g);
  CHECK(g->view().nodes.size() == 1);
}

TEST_CASE("an empty result is a shape error") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    wf::any<float> x = s.input<float>("x", wf::shape::of(1, 1, 2, 2));
    wf::any<float> w = s.input<float>("w", wf::shape::of(1, 1, 9, 9));
    s.output("y", conv2d(x, w, {}));
  });
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::shape_mismatch);
}
