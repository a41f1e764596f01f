// SPDX-License-Identifier: BSL-1.0
#include <wf/run/blas/blas_kernels.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/operators/operators.hpp>
#include <wf/run/plan/executable.hpp>

#include "in_library.hpp"

namespace {

using namespace in_library;

constexpr int sizes[] = {0, 1, 2, 7, 33, 70, 130};
int any_size(std::mt19937_64& random) { return sizes[random() % std::size(sizes)]; }
apply::layout any_layout(std::mt19937_64& random) {
  return {static_cast<unsigned>(random() % 32), static_cast<Eigen::Index>(random() % 3 * 5)};
}
// A matrix that is far from singular, also each of its triangles.
matrix regular(int n, std::mt19937_64& random) {
  matrix out = random_matrix(n, n, random);
  for (int i = 0; i < n; ++i) out(i, i) += out(i, i) < 0 ? -n : n;
  return out;
}
matrix symmetric(int n, std::mt19937_64& random) {
  matrix out = random_matrix(n, n, random);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) out(j, i) = out(i, j);
  return out;
}
matrix definite(int n, std::mt19937_64& random) {
  matrix out = symmetric(n, random);
  for (int i = 0; i < n; ++i) out(i, i) = 2 * n + 1;
  return out;
}
std::vector<wf::value_type> of_size(int rows, int columns) { return {apply::f64(rows, columns)}; }

}  // namespace

TEST_CASE("products by the library equal wf's within rounding, for any size and layout") {
  std::mt19937_64 random(20261129);
  for (int round = 0; round < 60; ++round) {
    const int m = any_size(random), n = any_size(random), k = any_size(random);
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const matrix a = random_matrix(m, k, random), b = random_matrix(k, n, random);
    const matrix c = random_matrix(m, n, random), s = symmetric(m, random);
    matrix opposite = a;
    for (double& x : opposite.elements) x = -x;
    const apply::layout lies = any_layout(random);
    for (const int which : {0, 1}) {
      const auto of = [&](const char* op, const std::vector<tensor>& in) {
        return matrix(*in_library::run(which, op, in, of_size(m, n), {}, lies));
      };
      CHECK(is_product(of("matmul", {a.as_tensor(), b.as_tensor()}), a, b));
      const std::vector<tensor> onto{a.as_tensor(), b.as_tensor(), c.as_tensor()};
      CHECK(is_product(of("matmul_add", onto), a, b, &c));
      CHECK(is_product(of("matmul_subtract", onto), opposite, b, &c));
      CHECK(is_product(of("matmul_symmetric", {s.as_tensor(), c.as_tensor()}), s, c));
    }
  }
}

TEST_CASE("products of stacks of matrices, which broadcast") {
  std::mt19937_64 random(3);
  const tensor a = apply::random_tensor(shape::of(2, 1, 5, 4), random);
  const tensor b = apply::random_tensor(shape::of(3, 4, 6), random);
  const std::vector<wf::value_type> out{apply::f64(2, 3, 5, 6)};
  CHECK(is_near(*in_library::run(1, "matmul", {a, b}, out),
                *in_library::run(0, "matmul", {a, b}, out)));
}

TEST_CASE("symmetric products are symmetric to the last bit") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 40; ++round) {
    const int m = any_size(random), k = any_size(random);
    const matrix a = random_matrix(m, k, random), t = a.transposed();
    const matrix s = symmetric(k, random);
    const matrix b(*in_library::run(0, "matmul", {s.as_tensor(), t.as_tensor()}, of_size(k, m)));
    const apply::layout lies = any_layout(random);
    for (const int which : {0, 1}) {
      const auto of = [&](const char* op, const matrix& right) {
        return matrix(*in_library::run(which, op, {a.as_tensor(), right.as_tensor()}, of_size(m, m),
                                       {}, lies));
      };
      for (const matrix& right : {t, b}) {
        const matrix found = of("gemmt", right);
        CHECK(is_product(found, a, right));
        CHECK(found.elements == found.transposed().elements);
      }
      const matrix right = random_matrix(k, m, random), twice = of("syr2k", right);
      matrix left(m, 2 * k), below(2 * k, m);  // A·B + (A·B)' as one product
      for (int i = 0; i < m; ++i)
        for (int l = 0; l < k; ++l) {
          left(i, l) = a(i, l), left(i, k + l) = right(l, i);
          below(l, i) = right(l, i), below(k + l, i) = a(i, l);
        }
      CHECK(is_product(twice, left, below));
      CHECK(twice.elements == twice.transposed().elements);
    }
  }
}

TEST_CASE("triangles, by the library and by wf, for any size, layout and triangle") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 60; ++round) {
    const int m = any_size(random), n = any_size(random);
    CAPTURE(m);
    CAPTURE(n);
    const bool upper = random() % 2 == 0;
    // With a declared property the other triangle may hold anything.
    const bool declared = random() % 2 == 0;
    const matrix t = regular(m, random), b = random_matrix(m, n, random);
    const matrix whole = t.triangle(upper);
    const tensor given = (declared ? t : whole).as_tensor();
    wf::properties known;
    if (declared && upper) known = wf::upper_triangular;
    if (declared && !upper) known = wf::lower_triangular;
    const apply::layout lies = any_layout(random);
    for (const int which : {0, 1}) {
      const auto of = [&](const char* op) {
        return matrix(
            *in_library::run(which, op, {given, b.as_tensor()}, of_size(m, n), {known}, lies));
      };
      CHECK(is_product(of("matmul_triangular"), whole, b));
      CHECK(is_product(b, whole, of("solve_triangular")));
    }
  }
}

TEST_CASE("factors of the library and of wf have the products they should") {
  std::mt19937_64 random(6);
  for (int round = 0; round < 40; ++round) {
    const int n = any_size(random);
    CAPTURE(n);
    const matrix a = random_matrix(n, n, random), p = definite(n, random);
    const apply::layout lies = any_layout(random);
    const std::vector<wf::value_type> factors{apply::f64(n, n), apply::of(dtype::i64, n)};
    for (const int which : {0, 1}) {
      const matrix l(*in_library::run(which, "cholesky", {p.as_tensor()}, of_size(n, n), {}, lies));
      CHECK(is_product(p, l, l.transposed()));
      CHECK(l.elements == l.triangle(false).elements);
      for (const char* const op : {"lu", "lu_factor"}) {
        const auto lu = in_library::run(which, op, {a.as_tensor()}, factors, {}, lies);
        const matrix f(*lu);
        CHECK(is_product(permuted(a, lu.results[1]), f.triangle(false, true), f.triangle(true)));
      }
    }
  }
}

TEST_CASE("solutions of the library and of wf satisfy their equations") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 40; ++round) {
    const int m = any_size(random), n = any_size(random);
    CAPTURE(m);
    CAPTURE(n);
    const matrix a = regular(m, random), p = definite(m, random), b = random_matrix(m, n, random);
    const tensor right = b.transposed().as_tensor();
    const apply::layout lies = any_layout(random);
    const std::vector<wf::value_type> factors{apply::f64(m, m), apply::of(dtype::i64, m)};
    for (const int which : {0, 1}) {
      const auto of = [&](const char* op, const std::vector<tensor>& in) {
        return matrix(*in_library::run(which, op, in, of_size(m, n), {}, lies));
      };
      const auto from_right = [&](const char* op, const matrix& left) {
        return matrix(
                   *in_library::run(which, op, {right, left.as_tensor()}, of_size(n, m), {}, lies))
            .transposed();
      };
      const matrix t = a.transposed();
      CHECK(is_product(b, a, of("solve", {a.as_tensor(), b.as_tensor()})));
      CHECK(is_product(b, p, of("solve_cholesky", {p.as_tensor(), b.as_tensor()})));
      CHECK(is_product(b, t, from_right("solve_right", a)));
      CHECK(is_product(b, p, from_right("solve_right_cholesky", p)));
      const auto lu = in_library::run(which, "lu_factor", {a.as_tensor()}, factors);
      REQUIRE(lu.why == "");
      const std::vector<tensor> given{lu.results[0], lu.results[1], b.as_tensor()};
      CHECK(is_product(b, a, of("solve_lu", given)));
      CHECK(is_product(b, t, of("solve_lu_transposed", given)));
    }
  }
}

TEST_CASE("the library's operators fail where wf's do, for the same reason") {
  const tensor singular(shape::of(2, 2), {1, 2, 2, 4}), zero(shape::of(2, 2), {0, 0, 3, 1});
  const tensor indefinite(shape::of(2, 2), {1, 2, 2, 1}), b(shape::of(2, 1), {1, 1});
  const tensor nearly(shape::of(2, 2), {1e-3, 1e3, 1e-3, 1e3 * (1 + 1e-15)});
  const tensor full(shape::of(2, 2), {1, 2, 3, 4}), rows(shape::of(2), {0, 0}, dtype::i64);
  const tensor semidefinite(shape::of(2, 2), {1, 1, 1, 1 + 1e-16});
  const std::vector<wf::value_type> x{apply::f64(2, 1)}, square{apply::f64(2, 2)};
  const std::vector<wf::value_type> factors{apply::f64(2, 2), apply::of(dtype::i64, 2)};
  struct failing {
    const char* op;
    std::vector<tensor> in;
    const std::vector<wf::value_type>& out;
  };
  for (const failing& f : std::vector<failing>{{"cholesky", {indefinite}, square},
                                               {"cholesky", {semidefinite}, square},
                                               {"lu_factor", {singular}, factors},
                                               {"lu_factor", {nearly}, factors},
                                               {"solve", {singular, b}, x},
                                               {"solve", {nearly, b}, x},
                                               {"solve_cholesky", {indefinite, b}, x},
                                               {"solve_triangular", {zero, b}, x},
                                               {"solve_triangular", {full, b}, x},
                                               {"matmul_triangular", {full, b}, x},
                                               {"solve_lu", {full, rows, b}, x},
                                               {"solve_lu_transposed", {full, rows, b}, x}}) {
    CAPTURE(f.op);
    const std::string own = in_library::run(0, f.op, f.in, f.out).why;
    CHECK(own != "");
    CHECK(in_library::run(1, f.op, f.in, f.out).why == own);
  }
  CHECK(in_library::run(1, "lu", {singular}, factors).why == "");
}

TEST_CASE("operators in single precision") {
  const auto& library = compute::blas_operators<float>;
  const auto* const own = compute::find_operator<float>("matmul");
  wf::graph g("one");
  const wf::value_type type{dtype::f32, {}, shape::of(40, 40)};
  const wf::value_id in[] = {g.add_input("a", type), g.add_input("b", type)};
  const wf::node_id n = g.add_node({.op = "matmul"}, {in, 2}, {&type, 1});
  std::vector<float> a(1600), b(1600), c(1600), d(1600);
  for (std::size_t i = 0; i < 1600; ++i)
    a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 11);
  const wf::graph_view view = g.view();
  for (std::vector<float>* const out : {&c, &d}) {
    const compute::tensor_ref<float> values[] = {
        {type.shape, a.data()}, {type.shape, b.data(), true}, {type.shape, out->data()}};
    const auto& code = out == &c ? *own : library[0];
    std::vector<float> scratch(
        code.scratch == nullptr ? 0 : static_cast<std::size_t>(code.scratch(view, view[n])));
    CHECK(code.run({view, view[n], values, scratch.data()}).empty());
  }
  CHECK(c == d);  // exact: small integers
}

TEST_CASE("nodes that the library refuses") {
  const std::vector<wf::value_type> whole{apply::of(dtype::i64, 2, 2)};
  const tensor a(shape::of(2, 2), {1, 2, 3, 4}, dtype::i64);
  CHECK(in_library::run(1, "matmul", {a, a}, whole).why ==
        "a library computes floating elements, with extents of at most 2^31 - 1");
  const std::int64_t many = std::int64_t{1} << 31;
  wf::graph g("one");
  const wf::value_type row = apply::f64(1, many), column = apply::f64(many, 1);
  const wf::value_type one = apply::f64(1, 1);
  const wf::value_id in[] = {g.add_input("a", row), g.add_input("b", column)};
  const wf::node_id n = g.add_node({.op = "matmul"}, {in, 2}, {&one, 1});
  CHECK_FALSE(compute::blas_operators<double>[0].fault(g.view(), g.view()[n]).empty());
}

TEST_CASE("the kernels refine the built-in ones, and state no time of their own") {
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(wf::blas_kernels));
  for (const wf::kernel_spec& k : wf::blas_kernels) {
    const wf::kernel_spec* const known = r.find(k.name);
    REQUIRE(known != nullptr);
    CHECK(known->library.cover(dtype::f64));
    CHECK(known->library.cover(dtype::f32));
    CHECK_FALSE(known->library.cover(dtype::c128));
    CHECK_FALSE(known->library.cover(dtype::i64));
    CHECK(known->signature == wf::builtin_registry().find(k.name)->signature);
  }
  CHECK_FALSE(r.find("add")->library);
}

TEST_CASE("a plan whose nodes go to wf and to the library by their times equals either alone") {
  static constexpr auto solving = wf::workflow<"solving">([](wf::scope& s) {
    auto a = s.input<"a", double, 40, 40>(wf::spd);
    auto small = s.input<"small", double, 6, 6>(wf::spd);
    auto b = s.input<"b", double, 40, 6>();
    auto l = s.let<"l">(wf::call<wf::kernels::cholesky>(a));
    auto k = s.let<"k">(wf::call<wf::kernels::cholesky>(small));
    auto x = s.let<"x">(wf::call<wf::kernels::solve_triangular>(l, b));
    s.output<"y">(x * k);
  });
  std::mt19937_64 random(9);
  const auto as_eigen = [](const matrix& m) {
    return Eigen::MatrixXd(Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
        m.elements.data(), m.rows, m.columns));
  };
  const wf::named_matrices in{{"a", as_eigen(definite(40, random))},
                              {"small", as_eigen(definite(6, random))},
                              {"b", as_eigen(random_matrix(40, 6, random))}};
  // The large factor and the product go to the library; then all, and none.
  std::vector<Eigen::MatrixXd> found;
  for (const char* const library : {"1000", "0", "1000000"}) {
    wf::registry r = wf::timed_registry();
    REQUIRE(r.add(wf::blas_kernels));
    for (const char* const op : {"cholesky", "matmul", "solve_triangular"})
      REQUIRE(r.add(
          {.name = op,
           .costs = {{"execution_time", op[0] == 's' ? "10" : "M*M"}, {"library_time", library}},
           .overrides = true}));
    const wf::detail::chosen_operators<double> chosen(solving.graph(), r);
    std::size_t in_library = 0;
    for (const wf::node& n : solving.graph().nodes)
      in_library += chosen.of(n) != compute::find_operator<double>(solving.graph().op_name(n));
    CHECK(in_library == (library[0] == '0' ? 4 : library[4] == '\0' ? 2 : 0));
    wf::execution_options how;
    how.kernels = &r;
    const auto program = wf::executable_graph::prepare(solving.graph(), how);
    REQUIRE(program);
    for (int run = 0; run < 2; ++run) {  // the same choice gives the same bits
      const auto out = (*program)(in);
      REQUIRE(out);
      if (run == 1) CHECK(out->at("y") == found.back());
      if (run == 0) found.push_back(out->at("y"));
    }
    CHECK((found.back() - found.front()).norm() < 1e-13);
    const auto failed =
        (*program)({{"a", -in.at("a")}, {"small", in.at("small")}, {"b", in.at("b")}});
    REQUIRE_FALSE(failed);
    CHECK(std::string(wf::to_text(failed.error()).view()) ==
          "WF705 in 'l': cholesky failed: the matrix is not positive definite");
  }
}
