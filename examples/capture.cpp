// SPDX-License-Identifier: BSL-1.0
//
// One workflow, a ridge regression, captured in four ways: with expressions, by tracing an existing
// function, with equations, and with an opaque part that wf cannot analyse.
#include <iostream>

#include <wf/capture.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

// --8<-- [start:expressions]
constexpr auto expressions = wf::workflow<"ridge">([](wf::scope& s) {
  auto X = s.input<"X", double, "N", 20>();
  auto y = s.input<"y", double, "N">();
  auto I = s.input<"I", double, 20, 20>(wf::spd);
  s.output<"w">(solve(trans(X) * X + 0.1 * I, trans(X) * y));
});
// --8<-- [end:expressions]

// --8<-- [start:function]
// A function of any matrix type: Eigen's, or a traced one.
template <class Matrix, class Vector>
constexpr Vector ridge(const Matrix& X, const Vector& y, const Matrix& I) {
  Matrix normal = X.transpose() * X;
  normal += 0.1 * I;
  return normal.lu().solve(X.transpose() * y);
}
// --8<-- [end:function]

// --8<-- [start:traced]
constexpr auto traced =
    wf::trace<"ridge">([](const auto& X, const auto& y, const auto& I) { return ridge(X, y, I); },
                       wf::outputs<"w">(), wf::input<"X", double, "N", 20>(),
                       wf::input<"y", double, "N">(), wf::input<"I", double, 20, 20>(wf::spd));
// --8<-- [end:traced]

// --8<-- [start:equations]
constexpr auto equations = wf::equations<"ridge", R"(
  input X : f64[N, 20]
  input y : f64[N]
  input I : f64[20, 20] {spd}
  G[i,j] = X[n,i] X[n,j] + 0.1 I[i,j]   # summed over n, which is not on the left
  r[i] = X[n,i] y[n]
  w = solve(G, r)
  export w
)">();
// --8<-- [end:equations]

// --8<-- [start:same]
static_assert(wf::digest(expressions.graph()) == wf::digest(traced.graph()));
static_assert(wf::digest(expressions.graph()) == wf::digest(equations.graph()));
// --8<-- [end:same]

// --8<-- [start:opaque]
constexpr auto opaque = wf::workflow<"ridge_by_library">([](wf::scope& s) {
  auto X = s.input<"X", double, "N", 20>();
  auto y = s.input<"y", double, "N">();
  s.output<"w">(wf::opaque<"mylib.ridge", "X: f64 [M, N], y: f64 [M] -> w: f64 [N]",
                           wf::declare("flops", "2*M*N**2 + 2/3*N**3")>(X, y));
});
// --8<-- [end:opaque]

// --8<-- [start:nested]
constexpr auto ensemble = wf::workflow<"ensemble">([](wf::scope& s) {
  auto I = s.input<"I", double, 20, 20>(wf::spd);
  auto first = expressions(s.input<"X1", double, 500, 20>(), s.input<"y1", double, 500>(), I);
  auto second = expressions(s.input<"X2", double, 900, 20>(), s.input<"y2", double, 900>(), I);
  s.output<"w">((first + second) / 2);
});
static_assert(wf::cost(ensemble)[wf::flops] < 1'300'000);
// --8<-- [end:nested]

int main(int, char**) {
  const auto show = [](wf::text_view name, const wf::graph_view& g) {
    const auto flops = support::value_or_exit(
        wf::total_cost<wf::polynomial>(g, wf::flops, wf::builtin_registry()));
    std::cout << name << ": " << g.nodes.size() << " nodes, " << wf::to_text(flops) << " flops\n";
  };
  show("expressions", expressions);
  show("traced", traced);
  show("equations", equations);
  show("opaque", opaque);
  show("ensemble", ensemble);

  // Capture at run time, where the capturing function may have state and sizes are values.
  for (const int steps : {2, 4}) {
    const auto iterated = support::value_or_exit(wf::trace(
        "iterated",
        [&](const auto& A, const auto& b) {
          auto x = 0.0 * b;
          for (int i = 0; i < steps; ++i) x += 0.01 * (b - A * x);
          return x;
        },
        wf::outputs("x"), wf::input<double>("A", wf::shape::of(50, 50)),
        wf::input<double>("b", wf::shape::of(50))));
    show(steps == 2 ? "two steps" : "four steps", iterated);
  }

  // Errors state their position.
  const wf::text_view wrong = "input A : f64[3, 4]\nY[i] = A[i,k]\nexport Y";
  const auto refused = wf::equations("wrong", wrong);
  support::require(!refused, "an index that stands alone is refused");
  std::cout << wf::to_text(refused.error()) << '\n'
            << wf::caret(wrong, refused.error().where) << '\n';
}
