// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include <Eigen/QR>

#include <doctest/doctest.h>

#include <wf/rewrite/unroll.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/select/every_size/piecewise.hpp>
#include <wf/select/optimise.hpp>
#include <wf/static.hpp>

#include "../apply.hpp"
#include "../matrices.hpp"

namespace {

namespace compute = wf::compute;
using apply::integer, apply::tensor;
using wf::dtype, wf::dynamic_matrix, wf::shape;

apply::outcome run(wf::text_view op, const std::vector<tensor>& in,
                   const std::vector<wf::value_type>& out, const apply::attributes& with = {},
                   const std::vector<wf::properties>& known = {}) {
  return apply::run(compute::linalg_operators<double>(), op, in, out, with, known);
}

std::size_t at(int row, int column, int columns) {
  return static_cast<std::size_t>(row * columns + column);
}

bool is_near(const tensor& found, const tensor& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < found.elements.size(); ++i)
    worst = std::max(worst, std::abs(found.elements[i] - expected.elements[i]));
  return found.dims == expected.dims && worst < 1e-12;
}

constexpr auto chain = wf::workflow<"chain">([](wf::scope& s) {
  auto a = s.input<"A", double, 4, "M">();
  auto b = s.input<"B", double, "M", 16>();
  auto c = s.input<"C", double, 16, 8>();
  s.output<"D">(a * b * c);
});

}  // namespace

TEST_CASE("what is singular or not definite solves nothing") {
  const tensor singular(shape::of(2, 2), {1, 2, 2, 4}), b(shape::of(2, 2), {1, 0, 0, 1});
  const tensor v(shape::of(2), {1, 1});
  for (const char* op : {"inverse", "inverse_cholesky", "inverse_symmetric", "cholesky"})
    CHECK(run(op, {singular}, {apply::f64(2, 2)}).why.starts_with("the matrix is "));
  for (const char* op : {"solve", "solve_cholesky", "solve_symmetric"})
    CHECK(run(op, {singular, b}, {apply::f64(2, 2)}).why.starts_with("the matrix is "));
  for (const char* op : {"solve_vector", "solve_vector_cholesky", "solve_vector_symmetric"})
    CHECK(run(op, {singular, v}, {apply::f64(2)}).why.starts_with("the matrix is "));
  for (const char* op : {"solve_right", "solve_right_cholesky"})
    CHECK(run(op, {b, singular}, {apply::f64(2, 2)}).why.starts_with("the matrix is "));
  CHECK(run("inverse", {singular}, {apply::f64(2, 2)}).why == "the matrix is singular");
  CHECK(run("cholesky", {singular}, {apply::f64(2, 2)}).why ==
        "the matrix is not positive definite");
  // Factors to solve with are judged where they are made, by what their matrix had in each column.
  const std::vector<wf::value_type> factors{apply::f64(2, 2), apply::of(dtype::i64, 2)};
  CHECK(run("lu_factor", {singular}, factors).why == "the matrix is singular");
  const tensor nearly(shape::of(2, 2), {1e-3, 1e3, 1e-3, 1e3 * (1 + 1e-15)});
  CHECK(run("lu_factor", {nearly}, factors).why == "the matrix is singular");
  CHECK(run("lu", {singular}, factors).why == "");
  CHECK(run("ldl_factor", {singular}, factors).why == "the matrix is singular");
  const tensor rows(shape::of(2), {1, 0}, dtype::i64);
  // A block of one row, and of two.
  for (const tensor& f :
       {tensor(shape::of(2, 2), {1, 0, 3, 0}), tensor(shape::of(2, 2), {4, 2, 0, 1}),
        tensor(shape::of(2, 2), {0, 0, 3, 1})}) {
    CHECK(run("solve_ldl", {f, rows, b}, {apply::f64(2, 2)}).why == "the matrix is singular");
    CHECK(run("solve_vector_ldl", {f, rows, v}, {apply::f64(2)}).why == "the matrix is singular");
  }
  for (const double wrong : {1.0, 2.0, -1.0})
    CHECK(run("solve_ldl", {b, tensor(shape::of(2), {1, wrong}, dtype::i64), b}, {apply::f64(2, 2)})
              .why == "the rows of the factors are no permutation");
  for (const char* op : {"solve_lu", "solve_lu_transposed"}) {
    CHECK(run(op, {tensor(shape::of(2, 2), {1, 2, 3, 0}), rows, b}, {apply::f64(2, 2)}).why ==
          "the matrix is singular");
    for (const double wrong : {1.0, 2.0, -1.0})
      CHECK(run(op, {b, tensor(shape::of(2), {1, wrong}, dtype::i64), b}, {apply::f64(2, 2)}).why ==
            "the rows of the factors are no permutation");
  }
  CHECK((*run("inverse", {tensor(shape::of(0, 0))}, {apply::f64(0, 0)})).elements.empty());
}

TEST_CASE("operators give the same however their matrices lie, of every size") {
  std::mt19937_64 random(23);
  struct task {
    const char* op;
    std::vector<shape> in, out;
    bool definite = false;  // the first square operand
  };
  std::size_t ran = 0;
  for (const auto& [m, n] : {std::pair{0, 0}, {0, 3}, {1, 1}, {1, 5}, {6, 1}, {7, 4}, {40, 33}}) {
    const shape square = shape::of(m, m), wide = shape::of(m, n), tall = shape::of(n, m);
    const shape rows = shape::of(m), columns = shape::of(n), scalar = shape::of();
    const task tasks[] = {{"matmul", {tall, wide}, {shape::of(n, n)}},
                          {"matvec", {wide, columns}, {rows}},
                          {"outer", {rows, columns}, {wide}},
                          {"trace", {square}, {scalar}},
                          {"identity_like", {square}, {square}},
                          {"inverse", {square}, {square}, true},
                          {"inverse_cholesky", {square}, {square}, true},
                          {"inverse_symmetric", {square}, {square}, true},
                          {"cholesky", {square}, {square}, true},
                          {"lu", {square}, {square, rows}, true},
                          {"ldl_factor", {square}, {square, rows}, true},
                          {"solve", {square, wide}, {wide}, true},
                          {"solve_cholesky", {square, wide}, {wide}, true},
                          {"solve_vector", {square, rows}, {rows}, true},
                          {"solve_vector_cholesky", {square, rows}, {rows}, true},
                          {"solve_symmetric", {square, wide}, {wide}, true},
                          {"solve_vector_symmetric", {square, rows}, {rows}, true},
                          {"solve_right", {tall, square}, {tall}, true},
                          {"solve_right_cholesky", {tall, square}, {tall}, true},
                          {"solve_triangular", {square, wide}, {wide}, true}};
    for (const task& t : tasks) {
      CAPTURE(t.op);
      CAPTURE(m);
      CAPTURE(n);
      std::vector<tensor> in;
      for (const shape& s : t.in) {
        tensor& x = in.emplace_back(apply::random_tensor(s, random));
        if (!t.definite || !(s == square)) continue;
        const tensor half = x;
        apply::for_each_index(s, [&](const auto& i) {
          double& e = x.elements[static_cast<std::size_t>(i[0] * m + i[1])];
          e = half.at(i) + half.at({i[1], i[0]}) + (i[0] == i[1] ? 3.0 * m : 0.0);
        });
      }
      std::vector<wf::value_type> out;
      for (const shape& s : t.out) out.push_back({out.empty() ? dtype::f64 : dtype::i64, {}, s});
      std::vector<wf::properties> known;
      if (t.op == wf::text_view("solve_triangular"))
        known.push_back(n % 2 == 0 ? wf::properties(wf::lower_triangular)
                                   : wf::properties(wf::upper_triangular));
      const auto expected = run(t.op, in, out, {}, known);
      REQUIRE(expected.why == "");
      for (unsigned bits = 0; bits < 16; ++bits) {
        const apply::layout lies{bits % 8, bits < 8 ? 0 : 5};
        const auto made =
            apply::run(compute::linalg_operators<double>(), t.op, in, out, {}, known, lies);
        REQUIRE(made.why == "");
        for (std::size_t r = 0; r < out.size(); ++r)
          for (std::size_t i = 0; i < made.results[r].elements.size(); ++i)
            CHECK(made.results[r].elements[i] ==
                  doctest::Approx(expected.results[r].elements[i]).epsilon(1e-11));
        ++ran;
      }
    }
  }
  CHECK(ran == 7 * 20 * 16);
}

TEST_CASE("diagonals scale rows, of every size and however they lie") {
  std::mt19937_64 random(29);
  for (const auto& [m, n] : {std::pair{0, 3}, {1, 1}, {3, 70}, {64, 64}, {65, 1}, {65, 130}}) {
    CAPTURE(m);
    CAPTURE(n);
    const tensor d = apply::random_tensor(shape::of(m, m), random);  // the rest is not read
    const tensor b = apply::random_tensor(shape::of(m, n), random);
    for (unsigned bits = 0; bits < 16; ++bits) {
      const apply::layout lies{bits % 8, bits < 8 ? 0 : 5};
      for (const char* op : {"matmul_diagonal", "solve_diagonal"}) {
        CAPTURE(op);
        const auto made = apply::run(compute::linalg_operators<double>(), op, {d, b},
                                     {apply::f64(m, n)}, {}, {}, lies);
        REQUIRE(made.why == "");
        double farthest = 0;
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < n; ++j) {
            const double scale = d.elements[at(i, i, m)], x = b.elements[at(i, j, n)];
            const double expected = op[0] == 'm' ? scale * x : 1 / scale * x;
            farthest = std::max(farthest, std::abs((*made).elements[at(i, j, n)] - expected));
          }
        CHECK(farthest == 0);
      }
    }
  }
}

TEST_CASE("permutations move rows, of every size and however they lie, and others are refused") {
  std::mt19937_64 random(37);
  for (const auto& [m, n] : {std::pair{0, 3}, {1, 1}, {3, 70}, {16, 16}, {65, 1}, {65, 130}}) {
    CAPTURE(m);
    CAPTURE(n);
    std::vector<int> places(static_cast<std::size_t>(m));
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), random);
    tensor p(shape::of(m, m), std::vector<double>(at(m, 0, m), 0.0));
    for (int i = 0; i < m; ++i) p.elements[at(i, places[at(i, 0, 1)], m)] = 1;
    const tensor b = apply::random_tensor(shape::of(m, n), random);
    for (unsigned bits = 0; bits < 16; ++bits) {
      const apply::layout lies{bits % 8, bits < 8 ? 0 : 5};
      const auto apply_to = [&](const tensor& matrix) {
        return apply::run(compute::linalg_operators<double>(), "matmul_permutation", {matrix, b},
                          {apply::f64(m, n)}, {}, {}, lies);
      };
      const auto made = apply_to(p);
      REQUIRE(made.why == "");
      bool same = true;
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
          same = same && (*made).elements[at(i, j, n)] == b.elements[at(places[at(i, 0, 1)], j, n)];
      CHECK(same);
      // Another number in the place of any, or the 1 of a row or a column twice.
      for (const double wrong : {0.0, 1.0, 2.0, -1.0, std::nan("")})
        for (int round = 0; round < 4 && m > 0; ++round) {
          tensor other = p;
          double& e = other.elements[static_cast<std::size_t>(random()) % other.elements.size()];
          if (e == wrong) continue;
          e = wrong;
          CHECK(apply_to(other).why == "the matrix is no permutation");
        }
      if (m < 2) continue;
      tensor doubled = p;
      for (int j = 0; j < m; ++j) doubled.elements[at(0, j, m)] = doubled.elements[at(1, j, m)];
      CHECK(apply_to(doubled).why == "the matrix is no permutation");
    }
  }
}

TEST_CASE("a triangular matrix says which triangle, or shows it") {
  const tensor b(shape::of(2, 1), {2, 8});
  const tensor lower(shape::of(2, 2), {2, 0, 3, 5}), upper(shape::of(2, 2), {2, 3, 0, 4});
  const tensor both(shape::of(2, 2), {2, 3, 3, 5}), zero(shape::of(2, 2), {2, 0, 3, 0});
  const auto solved = [&](const tensor& a, wf::properties known = {}) {
    return run("solve_triangular", {a, b}, {apply::f64(2, 1)}, {}, {known});
  };
  CHECK((*solved(lower)).elements == std::vector<double>{1, 1});
  CHECK((*solved(upper)).elements == std::vector<double>{-2, 2});
  CHECK((*solved(both, wf::lower_triangular)).elements == std::vector<double>{1, 1});
  CHECK((*solved(both, wf::upper_triangular)).elements[1] == doctest::Approx(1.6));
  CHECK(solved(both).why == "the matrix is not triangular");
  CHECK(solved(zero).why == "the matrix is singular");
}

TEST_CASE("least squares keep the digits that the normal equations lose") {
  // Polynomials at points between 0 and 1: their condition grows tenfold with each degree.
  using exact = long double;
  const int m = 60;
  double worst_ratio = 0;
  for (const int n : {5, 8, 10}) {
    std::vector<exact> wanted;
    tensor a(shape::of(m, n)), b(shape::of(m));
    for (int j = 0; j < n; ++j) wanted.push_back(j % 2 == 0 ? 1 + j : -j);
    Eigen::Matrix<exact, Eigen::Dynamic, Eigen::Dynamic> A(m, n);
    for (int i = 0; i < m; ++i) {
      exact power = 1;
      for (int j = 0; j < n; ++j, power *= static_cast<exact>(i) / m) {
        a.elements[at(i, j, n)] = static_cast<double>(power);
        A(i, j) = static_cast<exact>(a.elements[at(i, j, n)]);
      }
      b.elements[at(i, 0, 1)] = std::cos(0.37 * i) + 0.1 * std::sin(static_cast<double>(i * i));
    }
    using exact_vector = Eigen::Matrix<exact, Eigen::Dynamic, 1>;
    exact_vector right(m);
    for (int i = 0; i < m; ++i) right(i) = static_cast<exact>(b.elements[at(i, 0, 1)]);
    const exact_vector solution = A.householderQr().solve(right);
    const tensor found = *run("least_squares_vector", {a, b}, {apply::f64(n)});
    const Eigen::MatrixXd D = A.cast<double>();
    const Eigen::VectorXd normal =
        (D.transpose() * D).llt().solve(D.transpose() * right.cast<double>());
    const auto error = [&](const auto& x) {
      exact sum = 0;
      for (int j = 0; j < n; ++j) {
        const exact difference = static_cast<exact>(x[static_cast<std::size_t>(j)]) - solution(j);
        sum += difference * difference;
      }
      return static_cast<double>(std::sqrt(sum) / solution.norm());
    };
    const double condition = std::abs(D.householderQr().matrixQR().diagonal()(0) /
                                      D.householderQr().matrixQR().diagonal()(n - 1));
    const double mine = error(found.elements);
    const double theirs = error(std::vector<double>(normal.begin(), normal.end()));
    CAPTURE(n);
    CAPTURE(condition);
    CAPTURE(mine);
    CAPTURE(theirs);
    CHECK(mine < 1e-14 * condition);
    worst_ratio = std::max(worst_ratio, theirs / mine);
  }
  CHECK(worst_ratio > 1e3);
}

TEST_CASE("least squares refuse what is not of full rank, or wide") {
  std::mt19937_64 random(41);
  for (const auto& [m, n] : {std::pair{1, 1}, {5, 2}, {40, 20}, {200, 90}}) {
    tensor a = apply::random_tensor(shape::of(m, n), random);
    const tensor b = apply::random_tensor(shape::of(m, 2), random);
    const auto solved = [&] { return run("least_squares", {a, b}, {apply::f64(n, 2)}).why; };
    CHECK(solved() == "");
    for (double& x : a.elements) x *= 1e-200;  // whatever the scale
    CHECK(solved() == "");
    for (int i = 0; i < m; ++i)
      a.elements[at(i, n - 1, n)] = n > 1 ? -3 * a.elements[at(i, 0, n)] : 0.0;
    CHECK(solved() == "the matrix is not of full rank");
  }
  CHECK(run("least_squares", {tensor(shape::of(2, 3)), tensor(shape::of(2, 1))}, {apply::f64(3, 1)})
            .why == "the matrix has more columns than rows");
}

TEST_CASE("factors of singular and of tall matrices") {
  std::mt19937_64 random(22);
  // P·A = L·U, and row i of P·A is row p[i] of A, whatever the rank.
  for (int n : {1, 2, 5, 40}) {
    tensor a = apply::random_tensor(shape::of(n, n), random);
    if (n > 1) std::copy_n(a.elements.begin(), n, a.elements.begin() + n);
    const auto lu = run("lu", {a}, {apply::f64(n, n), apply::of(dtype::i64, n)});
    const tensor& f = *lu;
    apply::for_each_index(a.dims, [&](const auto& i) {
      double sum = 0;
      for (std::int64_t k = 0; k <= std::min(i[0], i[1]); ++k)
        sum += (k == i[0] ? 1 : f.at({i[0], k})) * f.at({k, i[1]});
      const auto row = static_cast<std::int64_t>(lu.results[1].at({i[0]}));
      CHECK(sum == doctest::Approx(a.at({row, i[1]})));
    });
  }
  for (const auto& [m, n] : {std::pair{3, 3}, {5, 2}, {30, 20}, {1, 1}, {4, 0}, {150, 130}}) {
    tensor a = apply::random_tensor(shape::of(m, n), random);
    for (int i = 0; n > 1 && i < m; ++i)  // a column that depends on another, one of zeros
      a.elements[at(i, 1, n)] = i % 2 == 0 ? 0 : 2 * a.elements[at(i, 0, n)];
    const auto qr = run("qr", {a}, {apply::f64(m, n), apply::f64(n, n)});
    const tensor &q = *qr, &r = qr.results[1];
    apply::for_each_index(a.dims, [&](const auto& i) {
      double sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += q.at({i[0], k}) * r.at({k, i[1]});
      CHECK(sum == doctest::Approx(a.at(i)));
    });
    apply::for_each_index(r.dims, [&](const auto& i) {
      double sum = 0;
      for (std::int64_t k = 0; k < m; ++k) sum += q.at({k, i[0]}) * q.at({k, i[1]});
      CHECK(sum == doctest::Approx(i[0] == i[1] ? 1.0 : 0.0));
      if (i[0] > i[1]) CHECK(r.at(i) == 0);
    });
  }
  const tensor zeros(shape::of(3, 2), std::vector<double>(6, 0.0));
  const auto of_zeros = run("qr", {zeros}, {apply::f64(3, 2), apply::f64(2, 2)});
  for (double x : (*of_zeros).elements) CHECK(std::isfinite(x));
  CHECK(run("qr", {tensor(shape::of(2, 3))}, {apply::f64(2, 3), apply::f64(3, 3)}).why ==
        "the matrix has more columns than rows");
}

TEST_CASE("symmetric matrices by one triangle, of every size and order") {
  std::mt19937_64 random(20261123);
  for (const int n : {1, 7, 40, 96, 97, 130, 220})
    for (const int m : {1, 5, 40, 75})
      for (const unsigned lies : {0u, 1u, 2u, 4u, 7u}) {
        CAPTURE(n);
        CAPTURE(m);
        const apply::layout layout{lies, 3};
        tensor p = apply::random_tensor(shape::of(n, n), random), half(p.dims), whole(p.dims);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            const double x = p.elements[at(std::max(i, j), std::min(i, j), n)];
            whole.elements[at(i, j, n)] = x;
            half.elements[at(i, j, n)] = i < j ? 0 : i == j ? x / 2 : x;
          }
        const tensor b = apply::random_tensor(shape::of(n, m), random);
        const tensor c = apply::random_tensor(shape::of(m, n), random);
        const tensor x = apply::random_tensor(shape::of(n), random);
        const auto apply = [&](const char* op, const tensor& left, const tensor& right,
                               const wf::value_type& out) {
          return *apply::run(compute::linalg_operators<double>(), op, {left, right}, {out}, {}, {},
                             layout);
        };
        const tensor halved = apply("matmul_half", whole, b, apply::f64(n, m));
        CHECK(is_near(halved, apply("matmul", half, b, apply::f64(n, m))));
        CHECK(is_near(apply("matmul_symmetric", whole, b, apply::f64(n, m)),
                      apply("matmul", whole, b, apply::f64(n, m))));
        CHECK(is_near(apply("matvec_symmetric", whole, x, apply::f64(n)),
                      apply("matvec", whole, x, apply::f64(n))));
        const tensor once = apply("matmul", c, b, apply::f64(m, m));
        tensor twice = once;
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < m; ++j) twice.elements[at(i, j, m)] += once.elements[at(j, i, m)];
        CHECK(is_near(apply("syr2k", c, b, apply::f64(m, m)), twice));
      }
}

TEST_CASE("integers multiply exactly, or not at all") {
  const double large = 94906265;  // its square is below 2^53
  const tensor a(shape::of(2, 2), {large, large, 1, 2}, dtype::i64);
  const tensor b(shape::of(2, 2), {large, 3, 0, 4}, dtype::i64);
  const wf::value_type out = apply::of(dtype::i64, 2, 2);
  const std::vector<double> product{large * large, 7 * large, large, 11};
  CHECK((*run("matmul", {a, b}, {out})).elements == product);
  CHECK((*run("matmul_strassen", {a, b}, {out})).elements == product);
  const tensor x(shape::of(2), {large, large}, dtype::i64);
  const tensor y(shape::of(2), {large, -large}, dtype::i64);
  CHECK((*run("outer", {x, y}, {out})).elements[3] == -large * large);
  CHECK(run("dot", {x, y}, {apply::of(dtype::i64)}).why == "an integer sum exceeds 2^53");
  const tensor small(shape::of(1, 1), {16}, dtype::i8);
  CHECK(run("matmul", {small, small}, {apply::of(dtype::i8, 1, 1)}).why == "does not fit");
  CHECK(run("matmul_strassen", {small, small}, {apply::of(dtype::i8, 1, 1)}).why ==
        "Strassen's product needs matrices of even extents");
  // Large enough to be packed, beside what exact sums need.
  std::mt19937_64 random(20261122);
  tensor large_a = apply::random_tensor(shape::of(96, 72), random, -9, 9);
  tensor large_b = apply::random_tensor(shape::of(72, 102), random, -9, 9);
  for (tensor* t : {&large_a, &large_b}) {
    t->type = dtype::i64;
    for (double& x : t->elements) x = std::round(x);
  }
  tensor expected(shape::of(96, 102));
  for (int i = 0; i < 96; ++i)
    for (int j = 0; j < 102; ++j) {
      double sum = 0;
      for (int k = 0; k < 72; ++k)
        sum += large_a.elements[at(i, k, 72)] * large_b.elements[at(k, j, 102)];
      expected.elements[at(i, j, 102)] = sum;
    }
  for (const char* op : {"matmul", "matmul_strassen"}) {
    CAPTURE(op);
    const auto found = run(op, {large_a, large_b}, {apply::of(dtype::i64, 96, 102)});
    CHECK((*found).elements == expected.elements);
  }
}

TEST_CASE("contractions: diagonals, sums, outer products, one operand") {
  const tensor a(shape::of(2, 2), {1, 2, 3, 4}), v(shape::of(2), {10, 100});
  const auto einsum = [&](const std::vector<tensor>& in, const wf::value_type& out,
                          wf::text_view equation) {
    return (*run(in.size() == 1 ? "rearrange" : "einsum", in, {out},
                 {wf::attribute_value::string("equation", equation)}))
        .elements;
  };
  CHECK(einsum({a, v}, apply::f64(2), "ij,j->i") == std::vector<double>{210, 430});
  CHECK(einsum({a, v}, apply::f64(), "ij,i->") == std::vector<double>{730});
  CHECK(einsum({a, v}, apply::f64(2), "ii,i->i") == std::vector<double>{10, 400});
  CHECK(einsum({v, v}, apply::f64(2, 2), "i,j->ji") == std::vector<double>{100, 1000, 1000, 10000});
  CHECK(einsum({v, tensor(shape(), {3})}, apply::f64(2), "i,->i") == std::vector<double>{30, 300});
  CHECK(einsum({tensor(shape(), {3}), v}, apply::f64(), ",i->") == std::vector<double>{330});
  CHECK(einsum({a}, apply::f64(2), "ii->i") == std::vector<double>{1, 4});
  CHECK(einsum({a}, apply::f64(2, 2), "ij->ji") == std::vector<double>{1, 3, 2, 4});
}

TEST_CASE("row 10: plans run at the size of their arguments") {
  // From the left 128 M + 1024 flops, from the right 320 M.
  const auto plans =
      wf::optimise_piecewise(chain.graph(), wf::symbol_range("M", 1, 64), wf::minimise(wf::flops));
  REQUIRE(plans);
  std::mt19937_64 random(10);
  for (const Eigen::Index size : {1, 2, 5, 6, 7, 64}) {
    CAPTURE(size);
    const dynamic_matrix a = matrices::random(4, size, random),
                         b = matrices::random(size, 16, random),
                         c = matrices::random(16, 8, random);
    const auto plan = plans->bound_for(size);
    REQUIRE(plan);
    const wf::graph_view g = plan->view();
    const bool from_the_left = g[wf::graph_view::output_of(g.nodes[0])].type.shape[0].size() == 4;
    CHECK((from_the_left || size == 4) == (size >= 6));
    const auto made = wf::run_dynamic(g, {{"A", a}, {"B", b}, {"C", c}});
    REQUIRE(made);
    CHECK((made->at("D") - a * b * c).norm() < 1e-12);
    // A piece's symbolic plan runs as it is.
    const auto symbolic =
        wf::run_dynamic(plans->plan_for(size)->chosen.view(), {{"A", a}, {"B", b}, {"C", c}});
    REQUIRE(symbolic);
    CHECK(symbolic->at("D") == made->at("D"));
  }
}

TEST_CASE("inverses of definite matrices of all sizes, by columns and by rows") {
  std::mt19937_64 random(31);
  for (const Eigen::Index n : {1, 2, 63, 64, 65, 127, 129, 200, 300}) {
    CAPTURE(n);
    const Eigen::MatrixXd x = Eigen::MatrixXd::NullaryExpr(
        n, n, [&] { return std::uniform_real_distribution<double>(-1, 1)(random); });
    const Eigen::MatrixXd s = x * x.transpose() + Eigen::MatrixXd::Identity(n, n);
    tensor a(shape::of(n, n), std::vector<double>(s.data(), s.data() + s.size()));
    const auto made = run("inverse_cholesky", {a}, {apply::f64(n, n)});
    const auto factor = run("cholesky", {a}, {apply::f64(n, n)});
    const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> inverse(
        (*made).elements.data(), n, n),
        lower((*factor).elements.data(), n, n);
    CHECK((s * inverse - Eigen::MatrixXd::Identity(n, n)).norm() < 1e-9 * static_cast<double>(n));
    CHECK(inverse == inverse.transpose());
    CHECK((lower * lower.transpose() - s).norm() < 1e-10 * s.norm());
    CHECK(lower.isLowerTriangular(0));
  }
}

TEST_CASE("symmetric matrices that are not definite: solutions of every size and order") {
  std::mt19937_64 random(37);
  for (int n = 1; n <= 130; ++n)
    for (const bool hollow : {false, true}) {
      if (hollow && n % 2 != 0) continue;  // zeros on the diagonal: blocks of two rows
      CAPTURE(n);
      CAPTURE(hollow);
      tensor a = apply::random_tensor(shape::of(n, n), random), upper(a.dims);
      for (int i = 0; i < n; ++i) {
        if (hollow) a.elements[at(i, i, n)] = 0;
        for (int j = 0; j < i; ++j) a.elements[at(j, i, n)] = a.elements[at(i, j, n)];
      }
      const int m = 1 + n % 11;
      const apply::layout lies{static_cast<unsigned>(n % 8), n % 3};
      // The residual, to what rounding leaves of sums of these elements.
      const auto residual = [&](const tensor& x, const tensor& b, int columns) {
        double worst = 0, largest = 0;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < columns; ++j) {
            long double sum = -b.elements[at(i, j, columns)];
            for (int k = 0; k < n; ++k)
              sum +=
                  static_cast<long double>(a.elements[at(i, k, n)]) * x.elements[at(k, j, columns)];
            worst = std::max(worst, std::abs(static_cast<double>(sum)));
            largest = std::max(largest, std::abs(x.elements[at(i, j, columns)]));
          }
        return worst / (n * largest);
      };
      const auto apply = [&](const char* op, const std::vector<tensor>& in,
                             const wf::value_type& out) {
        return *apply::run(compute::linalg_operators<double>(), op, in, {out}, {}, {}, lies);
      };
      const tensor b = apply::random_tensor(shape::of(n, m), random);
      CHECK(residual(apply("solve_symmetric", {a, b}, apply::f64(n, m)), b, m) < 1e-14);
      const tensor v = apply::random_tensor(shape::of(n), random);
      CHECK(residual(apply("solve_vector_symmetric", {a, v}, apply::f64(n)), v, 1) < 1e-14);
      // By factors that are values: the same, step by step.
      const auto factorised =
          apply::run(compute::linalg_operators<double>(), "ldl_factor", {a},
                     {apply::f64(n, n), apply::of(dtype::i64, n)}, {}, {}, lies);
      REQUIRE(factorised.why == "");
      const tensor &f = factorised.results[0], &p = factorised.results[1];
      CHECK(residual(apply("solve_ldl", {f, p, b}, apply::f64(n, m)), b, m) < 1e-14);
      CHECK(residual(apply("solve_vector_ldl", {f, p, v}, apply::f64(n)), v, 1) < 1e-14);
      bool zeros = true;
      for (int i = 0; i < n; ++i)
        for (int j = i + 2; j < n; ++j) zeros = zeros && f.elements[at(i, j, n)] == 0;
      CHECK(zeros);
      tensor unit(a.dims);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) unit.elements[at(i, j, n)] = i == j ? 1 : 0;
      const tensor inverse = apply("inverse_symmetric", {a}, apply::f64(n, n));
      CHECK(residual(inverse, unit, n) < 1e-12);
      bool mirrored = true;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
          mirrored = mirrored && inverse.elements[at(i, j, n)] == inverse.elements[at(j, i, n)];
      CHECK(mirrored);
    }
}

TEST_CASE("symmetric matrices that are singular are refused at every scale") {
  std::mt19937_64 random(38);
  for (const int n : {2, 3, 8, 33, 40})
    for (const double scale : {1e-200, 1e-9, 1.0, 1e9, 1e200})
      for (const int kind : {0, 1, 2}) {
        CAPTURE(n);
        CAPTURE(kind);
        tensor a = apply::random_tensor(shape::of(n, n), random, -scale, scale);
        const auto set = [&](int i, int j, double x) {
          a.elements[at(i, j, n)] = a.elements[at(j, i, n)] = x;
        };
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < i; ++j) set(i, j, a.elements[at(i, j, n)]);
        for (int i = 0; i < n; ++i) {
          if (kind == 0) set(i, n / 2, 0);                        // no row
          if (kind == 1) set(i, n - 1, a.elements[at(i, 0, n)]);  // two that are alike
          if (kind == 2)                                          // no rank but one
            for (int j = 0; j < n; ++j)
              set(i, j, (i % 3 == 0 ? -scale : scale) * (j % 3 == 0 ? -1 : 1));
        }
        if (kind == 1) set(n - 1, n - 1, a.elements[at(0, 0, n)]);
        if (kind == 1) set(0, n - 1, a.elements[at(0, 0, n)]);
        CHECK(run("solve_symmetric", {a, a}, {apply::f64(n, n)}).why == "the matrix is singular");
        CHECK(run("inverse_symmetric", {a}, {apply::f64(n, n)}).why == "the matrix is singular");
        CHECK(run("ldl_factor", {a}, {apply::f64(n, n), apply::of(dtype::i64, n)}).why ==
              "the matrix is singular");
      }
  // What is regular is solved at every scale.
  for (const double scale : {1e-150, 1e-80, 1e80, 1e150}) {
    const tensor a(shape::of(3, 3), {0, scale, 0, scale, 0, 0, 0, 0, -scale});
    const tensor made = *run("inverse_symmetric", {a}, {apply::f64(3, 3)});
    CHECK(made.elements[1] * scale == doctest::Approx(1));
    CHECK(made.elements[8] * scale == doctest::Approx(-1));
  }
}

TEST_CASE("products are packed by wf, or left to Eigen where it has a BLAS") {
  namespace compute = wf::compute;
  CHECK((compute::product_scratch<double>(200, 200, 200) == 0) == compute::detail::uses_blas);
  double element = 0;
  CHECK(compute::detail::may_pack(&element) == !compute::detail::uses_blas);
  CHECK_FALSE(compute::detail::may_pack<double>(nullptr));
}
