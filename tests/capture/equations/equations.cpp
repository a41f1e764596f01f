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

wf::graph from(wf::text_view source) {
  auto g = wf::equations("g", source);
  REQUIRE_MESSAGE(g, wf::to_text(g.error()).data());
  return *static_cast<wf::result<wf::graph>&&>(g);
}
template <class Body>
wf::graph from_scope(Body body) {
  auto g = wf::capture("g", body);
  REQUIRE_MESSAGE(g, wf::to_text(g.error()).data());
  return *static_cast<wf::result<wf::graph>&&>(g);
}
bool same_graph(const wf::graph& a, const wf::graph& b) {
  return wf::digest(a.view()) == wf::digest(b.view());
}
// The operators of a graph in order, as one line.
std::string operators(const wf::graph& g) {
  std::string out;
  for (const wf::node& n : g.view().nodes) {
    const wf::text_view op = g.view().op_name(n);
    out += (out.empty() ? "" : " ") + std::string(op.data(), op.size());
  }
  return out;
}
wf::shape shape_of_output(const wf::graph& g) {
  return g.view()[g.view().outputs[0].source].type.shape;
}

}  // namespace

TEST_CASE("row 5: products become the operators that fit") {
  const auto ops = [](wf::text_view declarations, wf::text_view equation) {
    wf::text source;
    source << declarations << "\n" << equation << "\nexport Y";
    return operators(from(source.view()));
  };
  const wf::text_view matrices = "input A : f64[3,4]; input B : f64[4,5]; input C : f64[5,4]";
  CHECK(ops(matrices, "Y[i,k] = A[i,j] B[j,k]") == "matmul");
  CHECK(ops(matrices, "Y[k,i] = A[i,j] B[j,k]") == "matmul transpose");
  CHECK(ops(matrices, "Y[i,k] = A[i,j] C[k,j]") == "transpose matmul");
  CHECK(ops(matrices, "Y[i,k] = B[j,k] A[i,j]") == "transpose transpose matmul transpose");
  CHECK(ops(matrices, "Y[] = A[i,j] A[i,j]") == "multiply sum");
  CHECK(ops(matrices, "Y[i] = A[i,j] A[i,j]") == "multiply sum");
  CHECK(ops(matrices, "Y[j,k] = B[j,k] C[k,j]") == "transpose multiply");
  const wf::text_view vectors = "input A : f64[3,4]; input x : f64[4]; input y : f64[3]";
  CHECK(ops(vectors, "Y[i] = A[i,j] x[j]") == "matvec");
  CHECK(ops(vectors, "Y[j] = A[i,j] y[i]") == "transpose matvec");
  CHECK(ops(vectors, "Y[j] = y[i] A[i,j]") == "transpose matvec");
  CHECK(ops(vectors, "Y[] = y[i] A[i,j] x[j]") == "transpose matvec multiply sum");
  CHECK(ops(vectors, "Y[i,j] = y[i] x[j]") == "reshape multiply");
  CHECK(ops(vectors, "Y[i,j] = A[i,j] x[j]") == "multiply");
  CHECK(ops(vectors, "Y[i,j] = A[i,j] y[i]") == "reshape multiply");
  CHECK(ops(vectors, "Y[i,j] = y[i] A[i,j]") == "reshape multiply");
  const wf::text_view stacks = "input A : f64[7,3,4]; input B : f64[7,4,5]; input W : f64[4,5]";
  CHECK(ops(stacks, "Y[b,i,k] = A[b,i,j] B[b,j,k]") == "matmul");
  CHECK(ops(stacks, "Y[b,i,k] = A[b,i,j] W[j,k]") == "matmul");
  CHECK(ops(stacks, "Y[i,k] = A[b,i,j] B[b,j,k]") == "einsum");
  CHECK(ops(stacks, "Y[k,b,i] = A[b,i,j] B[b,j,k]") == "matmul rearrange");
  const wf::text_view square = "input A : f64[4,4]; input x : f64[4]";
  CHECK(ops(square, "Y[i] = A[i,i]") == "rearrange");
  CHECK(ops(square, "Y[] = A[i,i]") == "rearrange sum");
  CHECK(ops(square, "Y[j,i] = A[i,j]") == "transpose");
}

TEST_CASE("an einsum has the shape and the price of its equation") {
  const wf::graph g =
      from("input A : f64[3,4,5]; input B : f64[4,3,7]; Y[k,l] = A[i,j,k] B[j,i,l]; export Y");
  CHECK(operators(g) == "einsum");
  CHECK(shape_of_output(g) == wf::shape::of(5, 7));
  const auto flops =
      wf::total_cost<wf::rational>(g.view(), wf::builtin_registry(), wf::flops_::spec);
  REQUIRE(flops);
  CHECK(*flops == wf::rational(2 * 3 * 4 * 5 * 7));
  const wf::graph symbolic =
      from("input A : f64[M,N,5]; input B : f64[N,M,K]; Y[k,l] = A[i,j,k] B[j,i,l]; export Y");
  const auto formula =
      wf::total_cost<wf::polynomial>(symbolic.view(), wf::builtin_registry(), wf::flops_::spec);
  REQUIRE(formula);
  CHECK(wf::to_text(*formula).view() == "10*K*M*N");
}

TEST_CASE("products that are too wide from the left are taken in another order") {
  // A ring: from the left it would have nine dimensions on the way.
  wf::text ring;
  ring << "input T : f64[3,2,3]; Y[a,b,c,d,e,f,g,h] = ";
  for (int k = 0; k < 8; ++k)
    ring << (k == 0 ? "" : " ") << "T[i" << k << "," << static_cast<char>('a' + k) << ",i"
         << (k + 1) % 8 << "]";
  ring << "; export Y";
  const wf::graph g = from(ring.view());
  CHECK(shape_of_output(g) == wf::shape::of(2, 2, 2, 2, 2, 2, 2, 2));
  for (const wf::value& v : g.view().values) CHECK(v.type.shape.rank <= 8);
  // What is alone in one factor is summed first; symbolic extents have an order, too.
  const wf::graph wide = from(R"(
    input A : f64[2,2,2,2,5,5]; input B : f64[2,2,2,2,N]; input C : f64[2,2,2,2,N]
    Y[e,f,g,h] = A[a,b,c,d,z,z] B[e,f,g,h,x] C[a,b,c,d,x]
    export Y)");
  CHECK(shape_of_output(wide) == wf::shape::of(2, 2, 2, 2));
  const auto none = wf::equations("none", R"(
    input A : f64[2,2,2,2,2]; input B : f64[2,2,2,2,2]; input C : f64[2,2]
    Y[a,b,c,d,e,f,g,h] = A[a,b,c,d,x] B[e,f,g,h,y] C[x,y]
    Z[a,b,c,d,e,f,g,h] = A[a,b,c,d,i] B[e,f,g,h,i] C[i,i]
    W[a,b,c,d,e,f,g,h,x] = A[a,b,c,d,x] B[e,f,g,h,x] C[x,x]
    export Y, Z, W)");
  REQUIRE_FALSE(none);
  CHECK(none.error().where.line == 5);
}

TEST_CASE("operands are aligned by the names of their indices") {
  const wf::graph g = from(R"(
    input A : f64[3,4]; input b : f64[3]; input c : f64[4]
    Y[j,i] = A[i,j] + b[i] - 2 c[j]
    export Y)");
  CHECK(shape_of_output(g) == wf::shape::of(4, 3));
  const wf::graph h = from_scope([](wf::scope& s) {
    auto A = s.input<"A", double, 3, 4>();
    auto b = s.input<"b", double, 3>();
    auto c = s.input<"c", double, 4>();
    s.output<"Y">(trans(A + wf::reshape<3, 1>(b) - 2 * c));
  });
  CHECK(same_graph(g, h));
  // the same term twice counts twice
  CHECK(operators(from("input x : f64[3]; y[i] = x[i] + x[i]; export y")) == "add");
}

TEST_CASE("names without indices are whole tensors") {
  const wf::graph g = from(R"(
    input P : f64[6,6] {spd}; input H : f64[3,6]; input R : f64[3,3] {spd}; input z : f64[3]
    S = H P trans(H) + R
    K = P trans(H) inv(S)
    x = K * z / 2 - 1 * solve(P, trans(H) z)
    export K, x)");
  const wf::graph h = from_scope([](wf::scope& s) {
    auto P = s.input<"P", double, 6, 6>(wf::spd);
    auto H = s.input<"H", double, 3, 6>();
    auto R = s.input<"R", double, 3, 3>(wf::spd);
    auto z = s.input<"z", double, 3>();
    auto S = s.let(H * P * trans(H) + R);
    auto K = s.let(P * trans(H) * inv(S));
    s.output<"K">(K);
    s.output<"x">(K * z / 2 - 1 * solve(P, trans(H) * z));
  });
  CHECK(same_graph(g, h));
}

TEST_CASE("the inverse of a scalar is one over it") {
  CHECK(operators(from("input c : f64[]; y = inv(c); export y")) == "reciprocal");
  CHECK(operators(from("input c : f64[2,2]; y = inv(c); export y")) == "inverse");
}

TEST_CASE("any operator is called by its name, with attributes by keyword") {
  const wf::graph g = from(R"(
    input x : f32[1,3,8,8]; input w : f32[4,3,3,3]
    y = relu(conv2d(x, w, stride = 2, padding = 1))
    z[n,f] = mean(max(y, axis = 3), axis = 2)
    export z)");
  const wf::graph h = from_scope([](wf::scope& s) {
    auto x = s.input<"x", float, 1, 3, 8, 8>();
    auto w = s.input<"w", float, 4, 3, 3, 3>();
    s.output<"z">(wf::mean<2>(wf::max<3>(relu(wf::conv2d<2, 1>(x, w)))));
  });
  CHECK(same_graph(g, h));
}

TEST_CASE("reductions name their indices") {
  CHECK(operators(from("input A : f64[3,4,5]; y[j] = reduce(max, i, k) A[i,j,k]; export y")) ==
        "max max");
  CHECK(operators(from("input A : f64[3,4]; y[] = reduce(mean, i, j) A[i,j]; export y")) == "mean");
  CHECK(operators(from("input A : f64[3,4]; y[i] = reduce(sum, j) A[i,j] + 1; export y")) ==
        "constant add sum");
}

TEST_CASE("one equation on handles knows its type, on traced values it is traced") {
  constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
    auto A = s.input<"A", double, "M", 4>();
    auto B = s.input<"B", double, 4, 5>();
    auto Y = wf::equation<"Y[k,i] = A[i,j] B[j,k]">(A, B * 2);
    static_assert(decltype(Y)::type.shape == wf::shape::of(5, wf::extent("M")));
    s.output<"Y">(Y + 1);
  });
  const wf::graph h = from_scope([](wf::scope& s) {
    auto A = s.input<"A", double, "M", 4>();
    auto B = s.input<"B", double, 4, 5>();
    s.output<"Y">(trans(A * (B * 2)) + 1);
  });
  CHECK(wf::digest(w.graph()) == wf::digest(h.view()));
  const auto traced = wf::trace(
      "g",
      [](const auto& A, const auto& B) {
        return wf::equation<"Y[k,i] = A[i,j] B[j,k]">(A, B * 2) + 1;
      },
      wf::outputs("Y"), wf::input<double>("A", wf::shape::of(wf::extent("M"), 4)),
      wf::input<double>("B", wf::shape::of(4, 5)));
  REQUIRE(traced);
  CHECK(wf::digest(traced->view()) == wf::digest(h.view()));
}

TEST_CASE("what does not fit is an error with a position") {
  const auto fails = [](wf::text_view source, wf::text_view message, std::uint32_t column) {
    const auto g = wf::equations("g", source);
    CAPTURE(std::string(source.data(), source.size()));
    REQUIRE_FALSE(g);
    CHECK(g.error().message.view() == message);
    CHECK(g.error().where.column == column);
    CHECK(g.error().where.line == 1);
  };
  fails("input A : f64[3,4]; Y[i] = A[i,k]; export Y",
        "index k stands only here: sum over it with reduce(sum, k), or put it on the left", 28);
  fails("input A : f64[3,4]; Y[i,m] = A[i,k] A[i,k]; export Y",
        "index m of Y is not on the right side", 21);
  fails("input A : f64[3,4]; Y = A[i,k] A[i,k] ; Y = A", "'Y' is defined twice", 41);
  fails("input A : f64[3,4]; Y[i,j] = A[i] A[j]", "A has 2 dimensions, not 1", 30);
  fails("input A : f64[3,4]; Y = relv(A)", "unknown operator 'relv': did you mean 'relu'?", 25);
  fails("input A : f64[3,4]; export Aa", "unknown name 'Aa': did you mean 'A'?", 28);
  fails("input A : f64[3,4]; Y[i,j] = A[i,j] A", "one operand has indices, the other has none", 37);
  fails("input A : f64[3,4]; Y = A[i,j]",
        "index i stands only here: sum over it with reduce(sum, i), or put it on the left", 25);
  fails("input A : f64[3,4]; Y[i] = relu(A)", "the right side has 2 dimensions, Y has 1 indices",
        21);
  fails("input A : f64[3,4]; Y[i] = reduce(sum, k) A[i,j] A[i,j]", "there is no index k to reduce",
        28);
  fails("input A : f64[3,4]; Y = A A; export Y", "dimension K differs: 4 vs 3 (A is 3x4, B is 3x4)",
        27);
  fails("input A : f64[3,4]; input A : f64[3]", "'A' is defined twice", 21);
  fails("opaque f = \"lib f\", \"x[N] -> y[N]\"", "'lib f' is no name of a function", 1);
}

// --- the shared programs: every front end gives the same graph ----------------------------------

namespace {

template <wf::fixed_string Name, class T, std::uint32_t Bits, wf::extent... Extents>
auto declare(wf::scope& s, wf::static_parameter<wf::traced_side::in, Name, T, Bits, Extents...>) {
  return s.input<Name, T, Extents...>(wf::property_set<Bits>());
}

// One generic function, called with handles and with traced values, and the same as equations.
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

TEST_CASE("an opaque function's signature is checked where it is declared") {
  const auto g = wf::equations("g", "\n opaque f = \"lib.f\", \"x[N -> y[N]\"");
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::bad_signature);
}
