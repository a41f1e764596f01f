// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/expression.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

// A user-defined operator: a kernel and a tag are sufficient.
inline constexpr wf::kernel_spec clip{
    .name = "clip", .domain = "user", .signature = "X[...] -> Y[...]", .costs = {{"flops", "2*Y"}}};
struct clip_ {
  static constexpr bool fixed = true;
  static constexpr wf::captured_kernel kernel(wf::view<wf::value_type>) {
    return {&clip, wf::hash_text("clip")};
  }
  static constexpr std::size_t attributes(wf::attribute_value* out) {
    out[0] = wf::attribute_value::integer("low", -1);
    return 1;
  }
};
static_assert(wf::operation_tag<clip_>);

constexpr auto clipped = wf::workflow<"clipped">(
    [](wf::scope& s) { s.output<"y">(wf::apply(clip_{}, s.input<"x", float, 3, 4>())); });
static_assert(clipped.graph().nodes.size() == 1);
static_assert(clipped.graph().integer_attribute(clipped.graph().nodes[0], "low", 0) == -1);

}  // namespace

TEST_CASE("nothing is captured before an expression is bound") {
  wf::scope s("s");
  auto x = s.input<"x", double, 2, 2>();
  [[maybe_unused]] auto lazy = x * x + x;
  s.output<"x2">(x);
  const auto g = s.finish();
  REQUIRE(g);
  CHECK(g->view().nodes.empty());
}

TEST_CASE("operands come before their operation, left first") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", double, 2, 2>();
    s.output<"y">(relu(x) - softmax(x));
  });
  REQUIRE(g);
  CHECK(g->view().op_name(g->view().nodes[0]) == "relu");
  CHECK(g->view().op_name(g->view().nodes[1]) == "softmax");
  CHECK(g->view().op_name(g->view().nodes[2]) == "subtract");
}
