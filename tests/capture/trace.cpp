// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/trace.hpp>

#include <array>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/static_cost.hpp>
#include <wf/ir/compare/digest.hpp>

namespace {

// Functions of a user, generic in the matrix type.
template <class Matrix>
constexpr Matrix innovation(const Matrix& P, const Matrix& H, const Matrix& R) {
  return H * P * H.transpose() + R;
}
template <class Matrix>
constexpr auto gain(const Matrix& P, const Matrix& H, const Matrix& R) {
  const Matrix S = innovation(P, H, R);
  return std::tuple(Matrix(P * H.transpose() * S.inverse()), S);
}
template <class Matrix, class Vector>
constexpr Vector conjugate_gradients(const Matrix& A, const Vector& b, int steps) {
  Vector x = b * 0.0, r = b, p = b;
  auto rr = r.dot(r);
  for (int i = 0; i < steps; ++i) {
    const Vector Ap = A * p;
    const auto alpha = rr / p.dot(Ap);
    x += alpha * p;
    r -= alpha * Ap;
    const auto next = r.dot(r);
    p = r + (next / rr) * p;
    rr = next;
  }
  return x;
}

constexpr auto gain_lambda = [](const auto&... x) { return gain(x...); };

constexpr auto traced =
    wf::trace<"kalman">(gain_lambda, wf::outputs<"K", "S">(), wf::input<"P", double, 6, 6>(wf::spd),
                        wf::input<"H", double, 3, 6>(), wf::input<"R", double, 3, 3>(wf::spd));
static_assert(traced.name() == "kalman");

constexpr auto written = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
  s.output<"S">(S);
});
static_assert(wf::cost(traced)[wf::flops] == wf::cost(written)[wf::flops]);

constexpr auto ten_steps = wf::trace<"cg">(
    [](const auto& A, const auto& b) { return conjugate_gradients(A, b, 10); }, wf::outputs<"x">(),
    wf::input<"A", double, "N", "N">(wf::spd), wf::input<"b", double, "N">());

}  // namespace

TEST_CASE("row 5: tracing a function gives the graph of the same expressions") {
  CHECK(wf::digest(traced.graph()) == wf::digest(written.graph()));
}

TEST_CASE("row 5: loops unroll, at run time and while compiling alike") {
  for (const int steps : {0, 1, 10}) {
    const auto g = wf::trace(
        "cg", [&](const auto& A, const auto& b) { return conjugate_gradients(A, b, steps); },
        wf::outputs("x"),
        wf::input<double>("A", wf::shape::of(wf::extent("N"), wf::extent("N")), wf::spd),
        wf::input<double>("b", wf::shape::of(wf::extent("N"))));
    REQUIRE(g);
    if (steps == 10) CHECK(wf::digest(g->view()) == wf::digest(ten_steps.graph()));
    std::size_t products = 0;
    for (const wf::node& n : g->view().nodes) products += g->view().op_name(n) == "matvec";
    CHECK(products == static_cast<std::size_t>(steps));
  }
}

TEST_CASE("row 5: a function may assign arguments and keep state") {
  std::vector<int> calls;
  const auto g = wf::trace(
      "step",
      [&](auto& x, const auto& A, auto& residual) {
        calls.push_back(1);
        residual = A * x;
        x -= 0.5 * residual;
      },
      wf::outputs(), wf::in_out<double>("x", wf::shape::of(3)),
      wf::input<double>("A", wf::shape::of(3, 3)), wf::output_argument("residual"));
  REQUIRE(g);
  CHECK(calls.size() == 1);
  const wf::graph_view v = g->view();
  REQUIRE(v.outputs.size() == 2);
  CHECK(v.text_of(v.outputs[0].name) == "x");
  CHECK(v.text_of(v.outputs[1].name) == "residual");
}

TEST_CASE("row 5: containers of traced values") {
  const auto g = wf::trace(
      "sums",
      [](const auto& x) {
        std::vector<wf::traced> powers{x};
        for (int i = 1; i < 4; ++i) powers.push_back(powers.back() * x);
        return std::array{powers[1] + powers[3], powers[2]};
      },
      wf::outputs("even", "odd"), wf::input<float>("x", wf::shape::of(3, 3)));
  REQUIRE(g);
  CHECK(g->view().nodes.size() == 4);
}

TEST_CASE("an argument that the function never assigns is an error") {
  const auto g = wf::trace(
      "g", [](const auto& x, auto&) { return x + 1; }, wf::outputs("y"),
      wf::input<float>("x", wf::shape::of(3)), wf::output_argument("z"));
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::foreign_handle);
}
