// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/tracer.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/ir/compare/digest.hpp>

namespace {

// The same program with handles and with traced values.
template <class Program>
wf::result<wf::graph> traced(Program program) {
  return wf::capture("g", [&](wf::scope& s) {
    const wf::traced A = s.input<"A", double, 4, 4>(wf::spd);
    const wf::traced B = s.input<"B", double, 4, 4>();
    const wf::traced x = s.input<"x", double, 4>();
    program(s, A, B, x);
  });
}
template <class Program>
wf::result<wf::graph> lazy(Program program) {
  return wf::capture("g", [&](wf::scope& s) {
    auto A = s.input<"A", double, 4, 4>(wf::spd);
    auto B = s.input<"B", double, 4, 4>();
    auto x = s.input<"x", double, 4>();
    program(s, A, B, x);
  });
}
template <class Program>
bool agree(Program program) {
  const auto a = traced(program), b = lazy(program);
  REQUIRE(a);
  REQUIRE(b);
  return wf::digest(a->view()) == wf::digest(b->view());
}

wf::text_view last_op(const wf::result<wf::graph>& g) {
  const wf::graph_view v = g->view();
  return v.op_name(v.nodes[v.nodes.size() - 1]);
}

}  // namespace

TEST_CASE("operators on traced values make the nodes that expressions make") {
  CHECK(agree([](auto& s, auto A, auto B, auto) { s.template output<"r">(A + B); }));
  CHECK(agree([](auto& s, auto A, auto B, auto) { s.template output<"r">(A - B); }));
  CHECK(agree([](auto& s, auto A, auto B, auto x) { s.template output<"r">(A * (B * x)); }));
  CHECK(agree([](auto& s, auto A, auto B, auto) { s.template output<"r">(A / B); }));
  CHECK(agree([](auto& s, auto, auto, auto x) { s.template output<"r">(-x * x); }));
  CHECK(agree([](auto& s, auto A, auto, auto) { s.template output<"r">(A * 2 + 1.5); }));
  CHECK(agree([](auto& s, auto A, auto, auto) { s.template output<"r">(1 / (A - 3)); }));
  CHECK(agree([](auto& s, auto A, auto, auto x) { s.template output<"r">(solve(A, x)); }));
  CHECK(agree([](auto& s, auto A, auto B, auto) {
    s.template output<"r">(trans(A) * inv(B) + hadamard(A, B));
  }));
  CHECK(agree([](auto& s, auto A, auto, auto) { s.template output<"r">(sum(relu(A))); }));
}

TEST_CASE("methods are named as Eigen's") {
  const auto g = traced([](wf::scope& s, wf::traced A, wf::traced B, wf::traced x) {
    B.noalias() = A.transpose() * A.inverse().eval();
    s.output("a", B.cwiseProduct(A).cwiseQuotient(A));
    s.output("b", B.sum() + B.mean() + B.maxCoeff() + x.dot(x) - x.squaredNorm());
    s.output("c", A.lu().solve(x) + A.partialPivLu().solve(x));
    s.output("d", x.sum().inverse());
  });
  const auto h = lazy([](wf::scope& s, auto A, auto, auto x) {
    auto B = s.let(trans(A) * inv(A));
    s.output("a", hadamard(B, A) / A);
    s.output("b", sum(B) + mean(B) + max(B) + sum(hadamard(x, x)) - sum(hadamard(x, x)));
    s.output("c", solve(A, x) + solve(A, x));
    s.output("d", inv(sum(x)));
  });
  REQUIRE(g);
  REQUIRE(h);
  CHECK(wf::digest(g->view()) == wf::digest(h->view()));
  CHECK(last_op(traced([](wf::scope& s, wf::traced A, wf::traced B, wf::traced) {
          s.output("r", A.llt().solve(B));
        })) == "solve_cholesky");
  CHECK(last_op(traced([](wf::scope& s, wf::traced A, wf::traced B, wf::traced) {
          s.output("r", A.householderQr().solve(B));
        })) == "least_squares");
  CHECK(agree([](auto& s, auto A, auto, auto x) { s.template output<"r">(least_squares(A, x)); }));
  CHECK(last_op(traced([](wf::scope& s, wf::traced A, wf::traced, wf::traced x) {
          s.output("r", A.llt().solve(x));
        })) == "solve_cholesky");
}

TEST_CASE("compound assignment and sizes") {
  const auto g = traced([](wf::scope& s, wf::traced A, wf::traced B, wf::traced x) {
    CHECK(A.rows() == 4);
    CHECK(x.rows() == 4);
    CHECK(x.cols() == 1);
    CHECK(B.size() == 16);
    A += B;
    A -= 2;
    A *= B;
    A /= B;
    s.output("r", A);
  });
  const auto h = lazy([](wf::scope& s, auto A, auto B, auto) {
    auto t = s.let(A + B);
    auto u = s.let(t - 2);
    auto v = s.let(u * B);
    s.output("r", v / B);
  });
  REQUIRE(g);
  REQUIRE(h);
  CHECK(wf::digest(g->view()) == wf::digest(h->view()));
}

TEST_CASE("traced values mix with handles and expressions") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto A = s.input<"A", double, 4, 4>();
    wf::traced B = s.input<"B", double, 4, 4>();
    wf::traced C = A * B + (A + A);
    C = A - A * A;
    s.output("r", C + A * 2);
  });
  REQUIRE(g);
  CHECK(g->view().nodes.size() == 8);
}

TEST_CASE("the location of an operation is the user's, of operators, methods and functions") {
  const auto g = traced([](wf::scope& s, wf::traced A, wf::traced B, wf::traced) {
    const auto C = A * B;
    const auto D = C.transpose();
    s.output("r", relu(D));
  });
  REQUIRE(g);
  const wf::graph_view v = g->view();
  REQUIRE(v.nodes.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(v.nodes[i].location.line == __LINE__ - 7 + i);
  CHECK(v.text_of(v.nodes[0].location.file).size() > 0);
}

TEST_CASE("misfits are the capture's error") {
  const auto shapes = traced(
      [](wf::scope& s, wf::traced A, wf::traced, wf::traced x) { s.output("r", (x * A) * 2 + 1); });
  REQUIRE_FALSE(shapes);
  CHECK(shapes.error().code == wf::errc::shape_mismatch);
  const auto unassigned = traced([](wf::scope& s, wf::traced A, wf::traced, wf::traced) {
    wf::traced y;
    s.output("r", A + y);
  });
  REQUIRE_FALSE(unassigned);
  CHECK(unassigned.error().code == wf::errc::foreign_handle);
  const auto foreign = traced([](wf::scope& s, wf::traced A, wf::traced, wf::traced) {
    wf::scope other("other");
    wf::traced B = other.input<"B", double, 4, 4>();
    s.output("r", A * B);
  });
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().code == wf::errc::foreign_handle);
  const auto symbolic = wf::capture("g", [](wf::scope& s) {
    wf::traced A = s.input<"A", double, "N", 4>();
    CHECK(A.cols() == 4);
    for (int i = 0; i < A.rows(); ++i) A += 1;
    s.output("r", A);
  });
  REQUIRE_FALSE(symbolic);
  CHECK(symbolic.error().code == wf::errc::not_traceable);
}

TEST_CASE("a convolution knows its location with attributes by type and by value") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    const wf::traced x = s.input<"x", float, 1, 1, 4, 4>();
    const wf::traced w = s.input<"w", float, 1, 1, 3, 3>();
    const auto y = wf::conv2d<1, 1>(x, w);
    s.output("y", conv2d(y, w, {}));
  });
  REQUIRE(g);
  CHECK(g->view().nodes[0].location.line == __LINE__ - 4);
  CHECK(g->view().nodes[1].location.line == __LINE__ - 4);
}
