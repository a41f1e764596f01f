// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/static_gradient.hpp>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/ir/compare/same.hpp>

namespace {

constexpr auto layer = wf::equations<"layer", R"(
  input X : f64[8, 4]
  input W : f64[4, 3]
  L = sum(square(X W))
  export L
)">();
constexpr auto by_weights = wf::gradient<"L", "W">(layer);
static_assert(by_weights.name() == "layer");
static_assert(by_weights.graph().outputs.size() == 2);
// Forward: 2 * 8 * 4 * 3 of the product, 24 squares, 23 additions. The gradient: the seed times
// twice the product, and a product.
static_assert(wf::cost(layer)[wf::flops] == 192 + 24 + 23);
static_assert(wf::cost(by_weights)[wf::flops] == 192 + 24 + 23 + 24 + 24 + 192);

}  // namespace

TEST_CASE("a gradient at compile time is the one at run time") {
  const wf::text_view by[] = {"W"};
  const auto made = wf::gradient(layer, {.output = "L", .inputs = by});
  REQUIRE(made);
  CHECK(wf::same(made->view(), by_weights.graph()));
}
