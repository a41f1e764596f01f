// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/workflow.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/compare/same.hpp>

namespace {

// Four hundred operations in a loop, in constant evaluation at default limits.
constexpr auto deep = wf::workflow<"deep">([](wf::scope& s) {
  auto x = s.let(s.input<"x", double, 4, 4>() + 0.0);
  auto w = s.input<"w", double, 4, 4>();
  auto b = s.input<"b", double, 4>();
  auto y = s.let(relu(x * w + b));
  for (int i = 0; i < 132; ++i) y = relu(y * w + b);
  s.output<"y">(y);
});
static_assert(deep.graph().nodes.size() == 2 + 3 * 133);
static_assert(deep.name() == "deep" && deep.graph().is_static());
static_assert(static_cast<bool>(wf::validate(deep.graph())));
static_assert(wf::static_workflow_type<std::remove_cvref_t<decltype(deep)>>);

constexpr auto body = [](wf::scope& s) {
  auto a = s.input<"A", double, "M", 3>();
  s.output<"Y">(a * trans(a));
};
constexpr auto symbolic = wf::workflow<"symbolic">(body);

}  // namespace

TEST_CASE("constant evaluation and run time capture the same graph") {
  const auto g = wf::capture("symbolic", body);
  REQUIRE(g);
  CHECK(wf::same(g->view(), symbolic.graph()));
  CHECK(wf::validate(g->view()));
}

TEST_CASE("a body with captured variables runs at run time") {
  std::vector<std::int64_t> widths{3, 5, 7, 2};
  const auto g = wf::capture("layers", [&](wf::scope& s) {
    wf::dynamic_handle<float> x = s.input<float>("x", wf::shape::of(1, widths[0]));
    for (std::size_t i = 1; i < widths.size(); ++i) {
      const auto w =
          s.input<float>((wf::text() << "w" << i).view(), wf::shape::of(widths[i - 1], widths[i]));
      x = relu(matmul(x, w));
    }
    s.output("y", x);
  });
  REQUIRE(g);
  CHECK(g->view()[g->view().outputs[0].source].type.shape == wf::shape::of(1, 2));
}
