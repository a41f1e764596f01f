// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/equations.hpp>
#include <wf/capture/equations/legacy.hpp>
#include <wf/capture/equations/lowering.hpp>
#include <wf/capture/equations/v2.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/ir/compare/digest.hpp>

namespace {

using wf::detail::equation_capture;

wf::result<wf::graph> lowered(wf::text_view source) {
  const auto program = wf::parse_equations(source);
  if (!program) return program.error();
  wf::detail::graph_capture s("g");
  if (!equation_capture(s, *program, source).run()) return s.failure();
  return s.finish();
}
wf::graph from(wf::text_view source) {
  auto g = lowered(source);
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
      wf::total_cost<wf::rational>(g.view(), wf::flops_::spec, wf::builtin_registry());
  REQUIRE(flops);
  CHECK(*flops == wf::rational(2 * 3 * 4 * 5 * 7));
  const wf::graph symbolic =
      from("input A : f64[M,N,5]; input B : f64[N,M,K]; Y[k,l] = A[i,j,k] B[j,i,l]; export Y");
  const auto formula =
      wf::total_cost<wf::polynomial>(symbolic.view(), wf::flops_::spec, wf::builtin_registry());
  REQUIRE(formula);
  CHECK(wf::to_text(*formula).view() == "10*K*M*N");
}

TEST_CASE("products that are too wide from the left are taken in another order") {
  // A ring: evaluation from the left would have an intermediate of nine dimensions.
  wf::text ring;
  ring << "input T : f64[3,2,3]; Y[a,b,c,d,e,f,g,h] = ";
  for (int k = 0; k < 8; ++k)
    ring << (k == 0 ? "" : " ") << "T[i" << k << "," << static_cast<char>('a' + k) << ",i"
         << (k + 1) % 8 << "]";
  ring << "; export Y";
  const wf::graph g = from(ring.view());
  CHECK(shape_of_output(g) == wf::shape::of(2, 2, 2, 2, 2, 2, 2, 2));
  for (const wf::value& v : g.view().values) CHECK(v.type.shape.rank <= 8);
  // An index of a single factor is summed first; symbolic extents are ordered as well.
  const wf::graph wide = from(R"(
    input A : f64[2,2,2,2,5,5]; input B : f64[2,2,2,2,N]; input C : f64[2,2,2,2,N]
    Y[e,f,g,h] = A[a,b,c,d,z,z] B[e,f,g,h,x] C[a,b,c,d,x]
    export Y)");
  CHECK(shape_of_output(wide) == wf::shape::of(2, 2, 2, 2));
  const auto none = lowered(R"(
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
  // a repeated term counts twice
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

TEST_CASE("numbers among the arguments of a call") {
  const auto types = [](wf::text_view source) {
    std::string out;
    const wf::graph g = from(source);
    for (const wf::value& v : g.view().values)
      out += (out.empty() ? "" : " ") + std::string(wf::name_of(v.type.type));
    return out;
  };
  // They take the element type of the tensors, wherever these stand; not that of a condition.
  CHECK(types("input x : f32[3]; y = maximum(0, x); export y") == "f32 f32 f32");
  CHECK(types("input x : i32[3]; y = where(less(x, 2), x, 0); export y") == "i32 i32 bool i32 i32");
  CHECK(types("input p : bool[3]; y = where(p, 1, 0); export y") == "bool bool bool bool");
  // A scalar gives the result no indices.
  CHECK(operators(from("input x : f64[3]; y = maximum(0, x) + x; export y")) ==
        "constant maximum add");
  CHECK(operators(from("input x : f64[3]; y[i] = maximum(0, x[i]) + x[i]; export y")) ==
        "constant maximum add");
  // Those that state extents are extents, if they are any.
  CHECK(shape_of_output(from("input x : f64[12]; y = reshape(x, d0 = 2, d1 = 6); export y")) ==
        wf::shape::of(2, 6));
  CHECK(shape_of_output(from("y = broadcast_to(0, d0 = 2, d1 = 3); export y")) ==
        wf::shape::of(2, 3));
  CHECK_FALSE(lowered("input x : f64[12]; y = reshape(x, d0 = -12); export y"));
}

TEST_CASE("reductions name their indices") {
  CHECK(operators(from("input A : f64[3,4,5]; y[j] = reduce(max, i, k) A[i,j,k]; export y")) ==
        "max max");
  CHECK(operators(from("input A : f64[3,4]; y[] = reduce(mean, i, j) A[i,j]; export y")) == "mean");
  CHECK(operators(from("input A : f64[3,4]; y[i] = reduce(sum, j) A[i,j] + 1; export y")) ==
        "constant add sum");
}

TEST_CASE("what does not fit is an error with a position") {
  const auto fails = [](wf::text_view source, wf::text_view message, std::uint32_t column) {
    const auto g = lowered(source);
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
  fails("input A : f64[3,4]; Y[i,i] = A[i,j]", "an index stands twice on the left side", 21);
  fails("input A : f64[3,4]; Y[i,j] = A[i+1,j]",
        "an index that is more than a name needs wf::logic", 32);
  fails("input A : f64[3,4]; Y[0,j] = A[i,j]", "an index that is more than a name needs wf::logic",
        23);
  const char* const logic = "Boolean left sides, symbols, ! and [i < j] need wf::logic";
  fails("input A : f64[3,4]; Y(i,j) = A[i,j]", logic, 21);
  fails("input A : f64[3,4]; Y[i,j] = A[i,j] [i < j]", logic, 37);
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

TEST_CASE("a name that is defined by itself is a node with its right side as the body") {
  const wf::graph g = from(
      "input A : f64[3,3]; input b : f64[3]; c = 2 b; repeat x = c until 100, 1e-12\n"
      "x[i] = b[i] - A[i,j] x[j]; y = x + c; export x; export y; export x_runs; export "
      "x_converged");
  CHECK(operators(g) == "constant multiply fixpoint add");
  const wf::node& loop = g.view().nodes[2];
  CHECK(loop.location.line == 2);
  CHECK(g.view().text_of(loop.name) == "x");
  // The same as in C++.
  const wf::graph body =
      from("input b : f64[3]; input A : f64[3,3]; input x : f64[3]; y = b - A x; export y");
  const auto made = wf::body_of(g.view(), wf::node_id{2});
  REQUIRE(made);
  CHECK(operators(*made) == operators(body));
  CHECK(made->view().values.size() == body.view().values.size());
  CHECK(wf::price(g.view(), wf::flops).has_value());
  CHECK(*wf::price(g.view(), wf::flops) == 3 + 100 * (18 + 3) + 3);
  // Functions that the text declares, and scalars.
  CHECK(operators(from("opaque f = \"lib.f\", \"x[N] -> y[N]\", pure, flops = \"0\"\n"
                       "input b : f64[3]; repeat x = b until n; x = f(x); export x")) ==
        "fixpoint");
  CHECK(operators(from("input a : f64[]; repeat s = a until 50; s = 0.5 * (s + a / s);"
                       "export s")) == "fixpoint");
  // What is not defined by itself may be repeated all the same.
  CHECK(operators(from("input a : f64[3]; repeat s = a until 5; s = a; export s")) == "fixpoint");
}

TEST_CASE("repetitions that say too little") {
  const auto fails = [](wf::text_view source, wf::text_view message, std::uint32_t column) {
    const auto g = lowered(source);
    CAPTURE(std::string(source.data(), source.size()));
    REQUIRE_FALSE(g);
    CHECK(std::string(g.error().message.view()) == std::string(message));
    CHECK(g.error().where.column == column);
  };
  fails("input b : f64[3]; x = 0.5 * x; export x",
        "x is defined by itself: say how it begins and ends, as in 'repeat x = b until 100, 1e-9'",
        29);
  fails("input b : f64[3]; repeat x = c until 3; x = 2 x", "unknown name 'c'; known here: b", 19);
  fails("input b : f64[3]; repeat x = b until 3; export b", "x is repeated, and not defined", 19);
  fails("input b : f64[3]; repeat x = b until 3; x = y; export x",
        "unknown name 'y'; known here: b", 45);
  fails("input b : f64[3]; repeat x = b until 3; x = sum(x); export x",
        "output x is f64[scalar], the operand that it replaces f64[3]", 41);
  fails("input b : f64[3]; repeat b = b until 3; export b", "'b' is defined twice", 19);
}

TEST_CASE("signs say what becomes of other indices, and equal heads add up, in any order") {
  const char* const inputs = "input A : f64[3,4]; input B : f64[3,4]; input v : f64[4];";
  const auto captured = [](const wf::text& source) {
    auto g = wf::equations("g", source.view());
    REQUIRE_MESSAGE(g, std::string(wf::to_text(g.error()).view()));
    return wf::graph(*g);
  };
  const auto ops = [&](const char* equations) {
    return operators(captured(wf::text(inputs) << equations));
  };
  CHECK(ops("Y[i] += A[i,j]") == "sum");
  CHECK(ops("Y[i] += A[i,j] v[j]") == "matvec");
  CHECK(ops("Y[i] max= A[i,j] v[j]") == "multiply max");
  CHECK(ops("Y[i] min= A[i,j] + v[j]") == "add negate max negate");
  CHECK(ops("Y[i] avg= A[i,j] v[j]") == "multiply mean");
  CHECK(ops("Y max= A[i,j]") == "max");
  CHECK(ops("Y[j,i] max= A[i,j]") == "transpose");
  CHECK(ops("Y[i,j] = A[i,j]; Y[i,j] = exp(B[i,j])") == "exp add");
  CHECK(ops("Y[i] max= A[i,j]; Y[k] max= B[k,j]") == "max max maximum");
  CHECK(ops("Y[i] min= A[i,j]; Y[k] min= B[k,j]") == "negate max negate negate max negate minimum");
  // A name is captured before it is read.
  CHECK(ops("Z[i] = Y[i,j] v[j]; Y[i,j] = exp(A[i,j]); export Z") == "exp matvec");
  CHECK(same_graph(captured("input A : f64[3]; Y = exp(A)"),
                   captured("input A : f64[3]; Y = exp(A); export Y")));
  CHECK(captured("input A : f64[3]; Y = exp(A); Z = Y + A").view().outputs.size() == 2);
  // What operators make of indices that stand once in their operand.
  CHECK(ops("Y[i] += exp(A[i,j])") == "exp sum");
  CHECK(ops("Y[i] = exp(A[i,j] v[j])") == "matvec exp");
  // Along the index with a dot.
  CHECK(ops("Y[i,j.] = softmax(A[i,j])") == "softmax");
  CHECK(ops("Y[i.,j] = softmax(A[i,j])") == "transpose softmax transpose");
  CHECK(ops("Y[i.,j] = softmax(Z[i,j]); Z[i,j] = exp(A[i,j])") ==
        "exp transpose softmax transpose");
  // What repeats a name may stand below its first reader.
  CHECK(ops("Y[i,j] = exp(Z[i,j]); repeat Z = A until 3; Z[i,j] = tanh(Z[i,j])") == "fixpoint exp");
  const auto fails = [&](const char* equations, const char* message) {
    const auto g = lowered((wf::text(inputs) << equations).view());
    CAPTURE(std::string(equations));
    REQUIRE_FALSE(g);
    CHECK(std::string(g.error().message.view()) == message);
  };
  fails("Y[i] avg= A[i,j] + v[j]",
        "avg= takes a product of names: give the others names of their own");
  fails("Y[i] gcd= A[i,j]", "no operator of a workflow reduces by gcd: 'gcd=' needs wf::logic");
  fails("Y[i] avg= A[i,j]; Y[i] avg= B[i,j]", "the mean over several equations needs wf::logic");
  fails("Y[i,j] = A[i,j]; Y[i,j] max= B[i,j]", "'Y' is defined twice");
  fails("Y[i,j] = Z[i,j]; Z[i,j] = Y[i,j]",
        "Y is defined by itself: say how it begins and ends, as in 'repeat Y = b until 100, 1e-9'");
  fails("A[i,j] = B[i,j]", "'A' is defined twice");
}

TEST_CASE("trees of any dialect are captured with inputs of given types") {
  const wf::text_view source = "T[i] = W[i,j] X[j]\nY[i.] = softmax(T[i])\nexport Y";
  const auto tree = wf::parse_legacy_equations(source);
  REQUIRE(tree);
  const wf::named_type types[] = {{"X", {wf::dtype::f32, {}, wf::shape::of(4)}},
                                  {"W", {wf::dtype::f32, {}, wf::shape::of(3, 4)}}};
  const auto g = wf::equations("program", *tree, source, types);
  REQUIRE_MESSAGE(g, wf::to_text(g.error()).data());
  CHECK(operators(*g) == "matvec softmax");
  CHECK(g->view().text_of(g->view().values[0].name) == "X");
  const auto missing = wf::equations("program", *tree, source, {types, 1});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().where.line == 1);
}

TEST_CASE("an opaque function's signature is checked where it is declared") {
  const auto g = lowered("\n opaque f = \"lib.f\", \"x[N -> y[N]\"");
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::bad_signature);
}

TEST_CASE("names that are bound beforehand stand for captured values") {
  wf::detail::graph_capture s("g");
  const wf::value_id a = s.add_input("a", {wf::dtype::f64, {}, wf::shape::of(3, 4)});
  const wf::value_id b = s.add_input("b", {wf::dtype::f64, {}, wf::shape::of(4, 5)});
  const wf::text_view source = "Z[k,i] = X[i,j] Y[j,k]";
  const auto program = wf::parse_equations(source);
  REQUIRE(program);
  equation_capture capture(s, *program, source);
  capture.bind("X", a);
  capture.bind("Y", b);
  CHECK(capture.find("Z") == wf::value_id::none);
  REQUIRE(capture.run());
  CHECK(capture.find("X") == a);
  REQUIRE(capture.find("Z") != wf::value_id::none);
  CHECK(s.type_of(capture.find("Z")).shape == wf::shape::of(5, 3));
}

TEST_CASE("a node has the location of its equation") {
  const wf::graph g =
      from("input A : f64[3,4]\ninput x : f64[4]\n\n y[i] = 2 (A[i,j] x[j])\nexport y");
  for (const wf::node& n : g.view().nodes) {
    CHECK(g.view().text_of(n.location.file) == "equations");
    CHECK(n.location.line == 4);
  }
}

TEST_CASE("what a workflow has no place for is refused by its name") {
  const auto refused = [](wf::text_view source, const wf::result<wf::equation_program>& program) {
    REQUIRE(program);
    wf::detail::graph_capture s("g");
    CHECK_FALSE(equation_capture(s, *program, source).run());
    return std::string(s.failure().message);
  };
  const auto legacy = [&](wf::text_view source) {
    return refused(source, wf::parse_legacy_equations(source));
  };
  const auto v2 = [&](wf::text_view source) {
    return refused(source, wf::parse_v2_equations(source));
  };
  const std::string files = "files, and inputs without a shape, need wf::logic";
  CHECK(legacy("T[i] = \"t.npy\"") == files);
  CHECK(legacy("\"t.npy\" = 2") == files);
  CHECK(v2("param n") == files);
  CHECK(legacy("Y = [1, 2]") == "a workflow has no place for a list");
  CHECK(legacy("Y = {a: 1}") == "a workflow has no place for a dictionary");
  CHECK(legacy("Y = none") == "a workflow has no place for none");
  CHECK(legacy("Y = \"s\" 1") == "a workflow has no place for a string");
  CHECK(legacy("Y = f(k=[1])") == "a workflow has no place for an argument by name");
  CHECK(legacy("Y[t] = f(*t)") == "a workflow has no place for an index that is more than a name");
  CHECK(v2("y = case { 1 -> 2 }") == "a workflow has no place for a choice");
  CHECK(v2("y = 2 ** 0.5") == "a workflow has no place for a power");
}
