// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/equations.hpp>

#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include <wf/capture/trace.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/ir/compare/digest.hpp>

namespace {

constexpr auto layer = wf::equations<"layer", R"(
  input X : f32[64, 256]
  input W : f32[256, 10]
  input b : f32[10]
  Y[n,k] = relu(X[n,i] W[i,k] + b[k])
  export Y
)">();
static_assert(wf::cost(layer)[wf::flops] == 2 * 64 * 256 * 10 + 2 * 64 * 10);

}  // namespace

TEST_CASE("a text gives its graph at run time as at compile time, or an error") {
  const auto g = wf::equations("layer", R"(
    input X : f32[64, 256]
    input W : f32[256, 10]
    input b : f32[10]
    Y[n,k] = relu(X[n,i] W[i,k] + b[k])
    export Y)");
  REQUIRE_MESSAGE(g, wf::to_text(g.error()).data());
  CHECK(wf::digest(g->view()) == wf::digest(layer.graph()));
  CHECK(g->view().text_of(g->view().name) == "layer");
  const auto syntax = wf::equations("g", "input A : f64[3,4]\nY = A +");
  REQUIRE_FALSE(syntax);
  CHECK(syntax.error().code == wf::errc::equation_syntax);
  CHECK(syntax.error().where.line == 2);
  const auto meaning = wf::equations("g", "input A : f64[3,4]\nY = B");
  REQUIRE_FALSE(meaning);
  CHECK(meaning.error().code == wf::errc::bad_equation);
  CHECK(meaning.error().where == wf::text_position{2, 5, 23});
}

TEST_CASE("one equation on handles knows its type, on traced values it is traced") {
  constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
    auto A = s.input<"A", double, "M", 4>();
    auto B = s.input<"B", double, 4, 5>();
    auto Y = wf::equation<"Y[k,i] = A[i,j] B[j,k]">(A, B * 2);
    static_assert(decltype(Y)::type.shape == wf::shape::of(5, wf::extent("M")));
    s.output<"Y">(Y + 1);
  });
  const auto h = wf::capture("g", [](wf::scope& s) {
    auto A = s.input<"A", double, "M", 4>();
    auto B = s.input<"B", double, 4, 5>();
    s.output<"Y">(trans(A * (B * 2)) + 1);
  });
  REQUIRE(h);
  CHECK(wf::digest(w.graph()) == wf::digest(h->view()));
  const auto traced = wf::trace(
      "g",
      [](const auto& A, const auto& B) {
        return wf::equation<"Y[k,i] = A[i,j] B[j,k]">(A, B * 2) + 1;
      },
      wf::outputs("Y"), wf::input<double>("A", wf::shape::of(wf::extent("M"), 4)),
      wf::input<double>("B", wf::shape::of(4, 5)));
  REQUIRE(traced);
  CHECK(wf::digest(traced->view()) == wf::digest(h->view()));
}

// --- shared programs: every front end captures the same graph ------------------------------------

namespace {

template <wf::fixed_string Name, class T, std::uint32_t Bits, wf::extent... Extents>
auto declare(wf::scope& s, wf::static_parameter<wf::traced_side::in, Name, T, Bits, Extents...>) {
  return s.input<Name, T, Extents...>(wf::property_set<Bits>());
}

// A generic function, called with handles and with traced values, and the same program as
// equations.
template <class Program, class... Parameter>
void agree(wf::text_view equations, Program program, Parameter... parameters) {
  CAPTURE(std::string(equations.data(), equations.size()));
  const auto expressions = wf::capture("p", [&](wf::scope& s) {
    std::apply([&](const auto&... handles) { s.output<"y">(program(handles...)); },
               std::tuple{declare(s, parameters)...});
  });
  const auto traced = wf::trace("p", program, wf::outputs("y"), parameters...);
  const auto written = wf::equations("p", equations);
  REQUIRE_MESSAGE(expressions, wf::to_text(expressions.error()).data());
  REQUIRE_MESSAGE(traced, wf::to_text(traced.error()).data());
  REQUIRE_MESSAGE(written, wf::to_text(written.error()).data());
  CHECK(wf::to_text(wf::digest(traced->view())).view() ==
        wf::to_text(wf::digest(expressions->view())).view());
  CHECK(wf::to_text(wf::digest(written->view())).view() ==
        wf::to_text(wf::digest(expressions->view())).view());
  CHECK(expressions->view().nodes.size() == traced->view().nodes.size());
  CHECK(expressions->view().nodes.size() == written->view().nodes.size());
}

constexpr auto A34 = wf::input<"A", double, 3, 4>();
constexpr auto B45 = wf::input<"B", double, 4, 5>();
constexpr auto S44 = wf::input<"S", double, 4, 4>(wf::spd);
constexpr auto x4 = wf::input<"x", double, 4>();
constexpr auto z3 = wf::input<"z", double, 3>();

}  // namespace

TEST_CASE("row 5: shared programs of linear algebra give one graph by every front end") {
  agree(
      "input A : f64[3,4]; input B : f64[4,5]; y[i,k] = A[i,j] B[j,k]; export y",
      [](const auto& A, const auto& B) { return A * B; }, A34, B45);
  agree(
      "input A : f64[3,4]; y[i,k] = A[i,j] A[k,j]; export y",
      [](const auto& A) { return A * trans(A); }, A34);
  agree(
      "input A : f64[3,4]; input x : f64[4]; y[i] = A[i,j] x[j] - 1; export y",
      [](const auto& A, const auto& x) { return A * x - 1; }, A34, x4);
  agree(
      "input S : f64[4,4] {spd}; input x : f64[4]; y[] = x[i] (S[i,j] x[j]); export y",
      [](const auto& S, const auto& x) { return sum(hadamard(x, S * x)); }, S44, x4);
  agree(
      "input A : f64[3,4]; input z : f64[3]; y = solve(trans(A) A, trans(A) z); export y",
      [](const auto& A, const auto& z) { return solve(trans(A) * A, trans(A) * z); }, A34, z3);
  agree(
      R"(input P : f64[6,6] {spd}; input H : f64[3,6]; input R : f64[3,3] {spd}
           S = H P trans(H) + R
           y = P trans(H) inv(S)
           export y)",
      [](const auto& P, const auto& H, const auto& R) {
        return P * trans(H) * inv(H * P * trans(H) + R);
      },
      wf::input<"P", double, 6, 6>(wf::spd), wf::input<"H", double, 3, 6>(),
      wf::input<"R", double, 3, 3>(wf::spd));
  agree(
      "input A : f64[3,4]; input x : f64[4]; input z : f64[3]; y[i,j] = A[i,j] + z[i] x[j] "
      "; export y",
      [](const auto& A, const auto& x, const auto& z) {
        return A + hadamard(wf::reshape<3, 1>(z), x);
      },
      A34, x4, z3);
  agree(
      "input A : f64[3,4]; y[] = A[i,j] A[i,j]; export y",
      [](const auto& A) { return sum(hadamard(A, A)); }, A34);
  agree(
      "input A : f64[3,4]; input z : f64[3]; y[i,j] = z[i] A[i,j]; export y",
      [](const auto& A, const auto& z) { return hadamard(wf::reshape<3, 1>(z), A); }, A34, z3);
  agree(
      R"(input S : f64[4,4] {spd}; input x : f64[4]
           r = x - S x; a = x + 0.5 r
           s = x - S a; y = a + 0.5 s
           export y)",
      [](const auto& S, const auto& x) {
        auto a = x + 0.5 * (x - S * x);
        return a + 0.5 * (x - S * a);
      },
      S44, x4);
}

TEST_CASE("row 5: shared programs of neural networks give one graph by every front end") {
  agree(
      "input X : f32[64,256]; input W : f32[256,10]; input b : f32[10]; "
      "y[n,k] = relu(X[n,i] W[i,k] + b[k]); export y",
      [](const auto& X, const auto& W, const auto& b) { return relu(X * W + b); },
      wf::input<"X", float, 64, 256>(), wf::input<"W", float, 256, 10>(),
      wf::input<"b", float, 10>());
  agree(
      R"(
          input Q : f32[8,12,T,64]; input K : f32[8,12,S,64]; input V : f32[8,12,S,64]
          P[b,h,t,s] = softmax(Q[b,h,t,d] K[b,h,s,d] / 8)
          y[b,h,t,d] = P[b,h,t,s] V[b,h,s,d]
          export y)",
      [](const auto& Q, const auto& K, const auto& V) { return softmax(Q * trans(K) / 8) * V; },
      wf::input<"Q", float, 8, 12, "T", 64>(), wf::input<"K", float, 8, 12, "S", 64>(),
      wf::input<"V", float, 8, 12, "S", 64>());
  agree(
      R"(input x : f32[1,3,32,32]; input w : f32[8,3,3,3]
          c = relu(conv2d(x, w, stride = 1, padding = 1))
          y = global_average_pool(max_pool2d(c, window = 2, stride = 2, padding = 0))
          export y)",
      [](const auto& x, const auto& w) {
        return wf::global_average_pool(
            wf::max_pool2d(relu(wf::conv2d<1, 1>(x, w)), {.window = 2, .stride = 2}));
      },
      wf::input<"x", float, 1, 3, 32, 32>(), wf::input<"w", float, 8, 3, 3, 3>());
  agree(
      R"(input x : f32[1,4,8,8]; input w : f32[4,4,3,3]
          y = relu(x + conv2d(relu(x), w, stride = 1, padding = 1))
          export y)",
      [](const auto& x, const auto& w) { return relu(x + wf::conv2d<1, 1>(relu(x), w)); },
      wf::input<"x", float, 1, 4, 8, 8>(), wf::input<"w", float, 4, 4, 3, 3>());
  agree(
      "input A : f64[3,4]; y = softmax(A) / 2 + 1; export y",
      [](const auto& A) { return softmax(A) / 2 + 1; }, A34);
}

TEST_CASE("row 5: shared elementwise and symbolic programs give one graph by every front end") {
  agree(
      "input A : f64[3,4]; y[i,j] = -A[i,j] / 3 + 2 A[i,j]; export y",
      [](const auto& A) { return -A / 3 + 2 * A; }, A34);
  agree(
      "input A : f64[3,4]; m[j] = mean(A, axis = 0); y[i,j] = A[i,j] - m[j]; export y",
      [](const auto& A) { return A - wf::mean<0>(A); }, A34);
  agree(
      "input A : f64[M,K]; input B : f64[K,N]; y[k,i] = 2 A[i,j] B[j,k]; export y",
      [](const auto& A, const auto& B) { return trans((2 * A) * B); },
      wf::input<"A", double, "M", "K">(), wf::input<"B", double, "K", "N">());
  agree(
      "input A : f64[3,4]; y[i] = reduce(max, j) A[i,j] A[i,j]; export y",
      [](const auto& A) { return wf::max<1>(hadamard(A, A)); }, A34);
  agree(
      "input A : f64[3,4]; y[j] = reduce(sum, i) 1 / A[i,j]; export y",
      [](const auto& A) { return wf::sum<0>(1 / A); }, A34);
}

TEST_CASE("row 5: opaque calls give one graph by every front end") {
  agree(
      R"(opaque r2r = "fftw.r2r", "x: floating [N] -> y: floating [N]", flops = "stages*N*5", pure
           input x : f64[4]
           f = r2r(x, stages = 2)
           y = r2r(f * f, stages = 2)
           export y)",
      [](const auto& x) {
        const auto f =
            wf::opaque<"fftw.r2r", "x: floating [N] -> y: floating [N]",
                       wf::declare("flops", "stages*N*5"), wf::effect::pure, wf::with("stages", 2)>(
                x);
        return wf::opaque<"fftw.r2r", "x: floating [N] -> y: floating [N]",
                          wf::declare("flops", "stages*N*5"), wf::effect::pure,
                          wf::with("stages", 2)>(f * f);
      },
      x4);
  agree(
      R"(opaque log = "monitor.log", "A[M, N] -> B[M, N]"
           input A : f64[3,4]; input x : f64[4]
           B = log(A)
           y[i] = B[i,j] x[j]
           export y)",
      [](const auto& A, const auto& x) {
        return wf::opaque<"monitor.log", "A[M, N] -> B[M, N]">(A) * x;
      },
      A34, x4);
}
