// SPDX-License-Identifier: BSL-1.0
// Eigen allocates by malloc, which the counting operator new does not see. The build defines this
// macro for every file of the program.
#ifndef EIGEN_RUNTIME_NO_MALLOC
#define EIGEN_RUNTIME_NO_MALLOC
#endif
#include <wf/run/eigen.hpp>

#include <cmath>
#include <cstdlib>
#include <new>
#include <random>

#include <doctest/doctest.h>

#include <Eigen/LU>

#include <wf/capture/equations/equations.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/select/static_plan.hpp>

#include "allocations.hpp"
#include "matrices.hpp"

using namespace wf::literals;
using wf_test::allocations;

namespace {

constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
  s.output<"S">(S);
  s.output<"Ht">(trans(H));
  s.output<"P2">(P);
});
constexpr auto plan = wf::optimise<kalman>(wf::minimise(wf::flops));
static_assert(plan.proven_optimal);

constexpr auto mixed = wf::workflow<"mixed">([](wf::scope& s) {
  auto a = s.input<"A", float, 4, 3>();
  auto b = s.input<"b", float, 3>();
  s.output<"y">(softmax(relu(a * 2.0 + b)));
  s.output<"rows">(wf::sum<1>(a));
  s.output<"total">(sum(a));
  s.output<"flat">(wf::reshape<12>(a));
  s.output<"v">(a * b);
});

// Only the elements that are read are computed.
constexpr auto partial = wf::workflow<"partial">([](wf::scope& s) {
  auto a = s.input<"A", double, 5, 7>();
  auto b = s.input<"B", double, 7, 5>();
  s.output<"column">(wf::column<2>(a * b));
  s.output<"row">(wf::row<3>(a * b));
  s.output<"element">(wf::element<1, 4>(a * b));
  s.output<"diagonal">(wf::diag(a * b));
  s.output<"both">(wf::concat<1>(wf::column<2>(a * b), wf::column<0>(a + trans(b))));
});
constexpr auto partial_plan = wf::optimise<partial>(wf::minimise(wf::flops));
static_assert(partial_plan.value < 6 * 2 * 5 * 7);

constexpr auto large = wf::workflow<"large">([](wf::scope& s) {
  auto a = s.input<"A", double, 128, 128>();
  s.output<"Y">(a * a * a - trans(a) * a);
});

using namespace matrices;

template <class Matrix>
Matrix random_matrix(std::mt19937_64& random) {
  return narrow<Matrix>(
      matrices::random(Matrix::RowsAtCompileTime, Matrix::ColsAtCompileTime, random));
}
matrix random_integers(Eigen::Index rows, Eigen::Index columns, std::mt19937_64& random) {
  matrix m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m(i) = static_cast<double>(random() % 2001) - 1000;
  return m;
}
matrix part(const matrix& of, Eigen::Index row, Eigen::Index column, Eigen::Index rows,
            Eigen::Index columns) {
  matrix m(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j) m(i, j) = of(row + i, column + j);
  return m;
}
bool is_near(const matrix& a, const matrix& b, double precision = 1e-12) {
  return distance(a, b) <= precision * std::fmin(norm(a), norm(b));
}
// The softmax of each row of relu(2a + b), where b is a row.
matrix softmax_of_rows(const matrix& a, const matrix& b) {
  matrix m = a;
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    double all = 0;
    for (Eigen::Index j = 0; j < a.cols(); ++j)
      all += m(i, j) = std::exp(std::fmax(0, 2 * a(i, j) + b(j)));
    for (Eigen::Index j = 0; j < a.cols(); ++j) m(i, j) /= all;
  }
  return m;
}

// Within its lifetime, allocations by Eigen are failed assertions.
struct no_malloc {
  no_malloc() { Eigen::internal::set_is_malloc_allowed(false); }
  ~no_malloc() { Eigen::internal::set_is_malloc_allowed(true); }
};

constexpr auto broadcast = wf::workflow<"broadcast">([](wf::scope& s) {
  auto a = s.input<"A", double, 3, 4>();
  auto b = s.input<"b", double, 4>();
  auto c = s.input<"c", double, 3, 1>();
  s.output<"relu">(relu(a - 0.5));
  s.output<"soft">(softmax(a));
  s.output<"rows">(wf::sum<1>(a));
  s.output<"columns">(wf::max<0>(a));
  s.output<"mean">(mean(a));
  s.output<"shifted">(a + b);
  s.output<"outer">(b / (c + 3));
  s.output<"vector">(a * b);
  s.output<"half">(-a / 2);
  s.output<"flipped">(trans(a));
  s.output<"shaped">(wf::reshape<2, 6>(a));
  s.output<"again">(a);
});

constexpr auto solving = wf::workflow<"solving">([](wf::scope& s) {
  auto a = s.input<"A", double, 6, 6>();
  auto b = s.input<"B", double, 6, 2>();
  auto v = s.input<"v", double, 6>();
  s.output<"X">(solve(trans(a), b));
  s.output<"x">(solve(a, v));
  auto tall = s.input<"T", double, 7, 3>();
  auto w = s.input<"w", double, 7>();
  s.output<"least">(least_squares(tall, w));
});

// The operators that transforms add to move parts of matrices.
constexpr auto moved = wf::equations<
    "moved",
    "input A : f64[3,4]; input B : f64[2,4]; input C : f64[3,3]; input v : f64[4];"
    "padded = pad(A, axis=1, before=2, after=1); below = pad(v, axis=0, before=1, after=2);"
    "three = concat(A, B, A, axis=0); four = concat(A, C, C, A, axis=1);"
    "turned = rearrange(A, equation=\"ab->ba\"); corner = rearrange(C, equation=\"cc->c\");"
    "same = rearrange(A, equation=\"xy->xy\");"
    "export padded, below, three, four, turned, corner, same">();

template <class Integer>
constexpr auto whole = wf::workflow<"whole">([](wf::scope& s) {
  auto a = s.input<"A", Integer, 7, 5>();
  auto b = s.input<"B", Integer, 5, 6>();
  auto c = s.input<"C", Integer, 7, 6>();
  s.output<"Y">(relu(a * b - c));
  s.output<"product">(a * b);
  s.output<"total">(sum(trans(a)));
  s.output<"quotient">(c / (relu(c) + 3));
});

constexpr auto huge = wf::workflow<"huge">([](wf::scope& s) {
  auto a = s.input<"A", double, 128, 128>();
  auto b = s.input<"B", double, 128, 128>();
  s.output<"X">(trans(a) * b + inv(a));
});

}  // namespace

// g++ reports a mismatched new and delete below when it inlines one of them.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

TEST_CASE("plan and captured workflow agree with Eigen, and allocate nothing") {
  std::mt19937_64 random(81);
  for (int round = 0; round < 200; ++round) {
    const matrix p = random_definite(6, random), h = matrices::random(3, 6, random);
    const matrix r = random_definite(3, random), ph = product(p, transposed(h));
    const matrix s = sum(product(h, ph), r);
    const Eigen::Matrix3d inverted = narrow<Eigen::Matrix3d>(s).inverse();
    const matrix naive = product(ph, wide(inverted));
    const auto P = narrow<Eigen::Matrix<double, 6, 6>>(p);
    const auto H = narrow<Eigen::Matrix<double, 3, 6>>(h);
    const auto R = narrow<Eigen::Matrix3d>(r);
    Eigen::Matrix<double, 6, 6> P2;
    Eigen::Matrix<double, 6, 3> K, Ht;
    Eigen::Matrix3d S;
    const std::size_t before = allocations;
    const auto ran = wf::run<plan>("P"_arg = P, "H"_arg = H, "R"_arg = R, "K"_arg = K, "S"_arg = S,
                                   "Ht"_arg = Ht, "P2"_arg = P2);
    const std::size_t made = allocations - before;
    REQUIRE(static_cast<bool>(ran));
    CHECK(made == 0);
    CHECK(distance(wide(K), naive) <= 1e-9 * norm(naive));
    CHECK(is_near(wide(S), s));
    CHECK(distance(wide(Ht), transposed(h)) == 0);
    CHECK(distance(wide(P2), p) == 0);
    K.setZero();
    REQUIRE(static_cast<bool>(wf::run<kalman>("K"_arg = K, "P"_arg = P, "H"_arg = H, "R"_arg = R,
                                              "S"_arg = S, "Ht"_arg = Ht, "P2"_arg = P2)));
    CHECK(distance(wide(K), naive) <= 1e-9 * norm(naive));
  }
}

TEST_CASE("outputs that are not passed are returned, and Eigen allocates nothing") {
  const Eigen::Matrix<double, 6, 6> P = Eigen::Matrix<double, 6, 6>::Identity() * 2;
  const Eigen::Matrix<double, 3, 6> H = Eigen::Matrix<double, 3, 6>::Identity();
  const Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Matrix<double, 6, 3> K;
  const auto results = [&] {
    const no_malloc guard;
    return wf::run<plan>("P"_arg = P, "H"_arg = H, "R"_arg = R, "K"_arg = K);
  }();
  REQUIRE(static_cast<bool>(results));
  CHECK(K(0, 0) == doctest::Approx(2.0 / 3));
  CHECK(results["S"_arg](1, 1) == 3);
  CHECK(distance(wide(results["Ht"_arg]), transposed(wide(H))) == 0);
  CHECK(distance(wide(results["P2"_arg]), wide(P)) == 0);
}

TEST_CASE("other operators against plain Eigen") {
  std::mt19937_64 random(82);
  const auto a = random_matrix<Eigen::Matrix<float, 4, 3>>(random);
  const auto b = random_matrix<Eigen::Vector3f>(random);
  Eigen::Matrix<float, 4, 3> y;
  Eigen::Vector4f rows, v;
  Eigen::Matrix<float, 1, 1> total;
  Eigen::Matrix<float, 12, 1> flat;
  REQUIRE(static_cast<bool>(wf::run<mixed>("A"_arg = a, "b"_arg = b, "y"_arg = y, "rows"_arg = rows,
                                           "total"_arg = total, "flat"_arg = flat, "v"_arg = v)));
  const matrix sums = product(wide(a), filled(3, 1, 1));
  CHECK(is_near(wide(y), softmax_of_rows(wide(a), wide(b)), 1e-5));
  CHECK(is_near(wide(rows), sums, 1e-5));
  CHECK(total(0) == doctest::Approx(product(filled(1, 4, 1), sums)(0)));
  CHECK(flat(4) == a(1, 1));
  CHECK(is_near(wide(v), product(wide(a), wide(b)), 1e-5));
}

TEST_CASE("parts of products, computed whole and alone") {
  std::mt19937_64 random(9);
  const auto a = random_matrix<Eigen::Matrix<double, 5, 7>>(random);
  const auto b = random_matrix<Eigen::Matrix<double, 7, 5>>(random);
  const matrix whole = product(wide(a), wide(b)), third = part(whole, 0, 2, 5, 1);
  const matrix first = sum(part(wide(a), 0, 0, 5, 1), transposed(part(wide(b), 0, 0, 1, 5)));
  matrix diagonal_of_whole(5, 1);
  for (Eigen::Index i = 0; i < 5; ++i) diagonal_of_whole(i) = whole(i, i);
  const auto check = [&](const auto& made) {
    REQUIRE(made);
    CHECK(distance(wide(made["column"_arg]), third) < 1e-14);
    CHECK(distance(wide(made["row"_arg]), part(whole, 3, 0, 1, 5)) < 1e-14);
    CHECK(std::abs(made["element"_arg](0, 0) - whole(1, 4)) < 1e-14);
    const matrix diagonal = wide(made["diagonal"_arg]), both = wide(made["both"_arg]);
    CHECK(distance(diagonal, diagonal_of_whole) < 1e-14);
    CHECK(distance(part(both, 0, 0, 5, 1), third) < 1e-14);
    CHECK(distance(part(both, 0, 1, 5, 1), first) < 1e-14);
  };
  check(wf::run<partial>("A"_arg = a, "B"_arg = b));
  check(wf::run<partial_plan>("A"_arg = a, "B"_arg = b));
}

TEST_CASE("large intermediate values do not live on the stack") {
  std::mt19937_64 random(83);
  static Eigen::Matrix<double, 128, 128> a, y;
  a = random_matrix<Eigen::Matrix<double, 128, 128>>(random);
  REQUIRE(static_cast<bool>(wf::run<large>("A"_arg = a, "Y"_arg = y)));
  const matrix of = wide(a);
  const matrix expected = sum(product(product(of, of), of), product(transposed(of), of), -1);
  CHECK(is_near(wide(y), expected, 1e-9));
}

TEST_CASE("a numerical failure says which node failed") {
  const Eigen::Matrix<double, 6, 6> P = Eigen::Matrix<double, 6, 6>::Zero();
  const Eigen::Matrix<double, 3, 6> H = Eigen::Matrix<double, 3, 6>::Zero();
  const Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
  Eigen::Matrix<double, 6, 3> K, Ht;
  Eigen::Matrix<double, 6, 6> P2;
  Eigen::Matrix3d S;
  const auto ran = wf::run<kalman>("P"_arg = P, "H"_arg = H, "R"_arg = R, "K"_arg = K, "S"_arg = S,
                                   "Ht"_arg = Ht, "P2"_arg = P2);
  CHECK_FALSE(static_cast<bool>(ran));
  CHECK(ran.code == wf::errc::numerical_failure);
  CHECK(kalman.graph().op_name(kalman.graph()[ran.at]) == "inverse");
}

TEST_CASE("every output agrees with the dynamic executor, and nothing is allocated") {
  std::mt19937_64 random(32);
  for (int round = 0; round < 20; ++round) {
    const auto a = random_matrix<Eigen::Matrix<double, 3, 4>>(random);
    const auto b = random_matrix<Eigen::Vector4d>(random);
    const auto c = random_matrix<Eigen::Vector3d>(random);
    Eigen::internal::set_is_malloc_allowed(false);
    const auto results = wf::run<broadcast>("A"_arg = a, "b"_arg = b, "c"_arg = c);
    Eigen::internal::set_is_malloc_allowed(true);
    REQUIRE(results);
    const auto wanted = wf::run_dynamic(broadcast.graph(), {{"A", a}, {"b", b}, {"c", c}});
    REQUIRE(wanted);
    const auto same = [&](const char* name, const auto& actual) {
      CAPTURE(name);
      CHECK(distance(wide(actual), wanted->at(name)) < 1e-12);
    };
    same("relu", results["relu"_arg]);
    same("soft", results["soft"_arg]);
    same("rows", results["rows"_arg]);
    same("columns", results["columns"_arg]);
    same("mean", results["mean"_arg]);
    same("shifted", results["shifted"_arg]);
    same("outer", results["outer"_arg]);
    same("vector", results["vector"_arg]);
    same("half", results["half"_arg]);
    same("flipped", results["flipped"_arg]);
    same("shaped", results["shaped"_arg]);
    same("again", results["again"_arg]);
    CHECK(results["outer"_arg](2, 1) == doctest::Approx(b(1) / (c(2) + 3)));
  }
}

TEST_CASE("parts that are put together, padded or rearranged agree with the dynamic executor") {
  std::mt19937_64 random(33);
  const auto a = random_matrix<Eigen::Matrix<double, 3, 4>>(random);
  const auto b = random_matrix<Eigen::Matrix<double, 2, 4>>(random);
  const auto c = random_matrix<Eigen::Matrix3d>(random);
  const auto v = random_matrix<Eigen::Vector4d>(random);
  const auto results = wf::run<moved>("A"_arg = a, "B"_arg = b, "C"_arg = c, "v"_arg = v);
  REQUIRE(results);
  const auto wanted = wf::run_dynamic(moved.graph(), {{"A", a}, {"B", b}, {"C", c}, {"v", v}});
  REQUIRE(wanted);
  CHECK(distance(wide(results["padded"_arg]), wanted->at("padded")) == 0);
  CHECK(distance(wide(results["below"_arg]), wanted->at("below")) == 0);
  CHECK(distance(wide(results["three"_arg]), wanted->at("three")) == 0);
  CHECK(distance(wide(results["four"_arg]), wanted->at("four")) == 0);
  CHECK(distance(wide(results["turned"_arg]), wanted->at("turned")) == 0);
  CHECK(distance(wide(results["corner"_arg]), wanted->at("corner")) == 0);
  CHECK(distance(wide(results["same"_arg]), wanted->at("same")) == 0);
}

TEST_CASE_TEMPLATE("integers are computed in their own type", integer, std::int32_t, std::int64_t) {
  std::mt19937_64 random(34);
  const matrix wide_a = random_integers(7, 5, random), wide_b = random_integers(5, 6, random);
  const matrix wide_c = random_integers(7, 6, random);
  const auto a = narrow<Eigen::Matrix<integer, 7, 5>>(wide_a);
  const auto right = narrow<Eigen::Matrix<integer, 5, 6>>(wide_b);
  const auto c = narrow<Eigen::Matrix<integer, 7, 6>>(wide_c);
  const auto results = wf::run<whole<integer>>("A"_arg = a, "B"_arg = right, "C"_arg = c);
  REQUIRE(results);
  const auto wanted =
      wf::run_dynamic(whole<integer>.graph(), {{"A", wide_a}, {"B", wide_b}, {"C", wide_c}});
  REQUIRE(wanted);
  CHECK(distance(wide(results["Y"_arg]), wanted->at("Y")) == 0);
  CHECK(distance(wide(results["product"_arg]), wanted->at("product")) == 0);
  CHECK(distance(wide(results["total"_arg]), wanted->at("total")) == 0);
  CHECK(distance(wide(results["quotient"_arg]), wanted->at("quotient")) == 0);
}

TEST_CASE("solutions, and the node of a singular matrix") {
  std::mt19937_64 random(33);
  using matrix6 = Eigen::Matrix<double, 6, 6>;
  matrix6 a = random_matrix<matrix6>(random);
  const auto b = random_matrix<Eigen::Matrix<double, 6, 2>>(random);
  const auto v = random_matrix<Eigen::Matrix<double, 6, 1>>(random);
  Eigen::Matrix<double, 6, 2> X;
  Eigen::Matrix<double, 6, 1> x;
  const auto tall = random_matrix<Eigen::Matrix<double, 7, 3>>(random);
  const auto w = random_matrix<Eigen::Matrix<double, 7, 1>>(random);
  Eigen::Vector3d least;
  const auto call = [&] {
    const no_malloc guard;
    return wf::run<solving>("A"_arg = a, "B"_arg = b, "v"_arg = v, "T"_arg = tall, "w"_arg = w,
                            "X"_arg = X, "x"_arg = x, "least"_arg = least);
  };
  CHECK(call());
  const matrix left = sum(product(wide(tall), wide(least)), wide(w), -1);
  CHECK(norm(product(transposed(wide(tall)), left)) < 1e-12);
  CHECK(distance(product(transposed(wide(a)), wide(X)), wide(b)) < 1e-9);
  CHECK(distance(product(wide(a), wide(x)), wide(v)) < 1e-9);
  for (int j = 0; j < 6; ++j) a(1, j) = a(4, j);
  const wf::run_status failed = call();
  CHECK_FALSE(failed);
  CHECK(failed.code == wf::errc::numerical_failure);
  const wf::graph_view g = solving.graph();
  const wf::text_view op = g.op_name(g[failed.at]);
  CHECK(op == "solve");
}

TEST_CASE("large plans keep their matrices off the stack and off the heap") {
  std::mt19937_64 random(34);
  matrix a = matrices::random(128, 128, random), b = matrices::random(128, 128, random);
  matrix x(128, 128);
  using map = Eigen::Map<Eigen::Matrix<double, 128, 128>>;
  map A(a.data()), B(b.data()), X(x.data());
  {
    const no_malloc guard;
    CHECK(wf::run<huge>("A"_arg = A, "B"_arg = B, "X"_arg = X));
  }
  const auto wanted = wf::run_dynamic(huge.graph(), {{"A", a}, {"B", b}});
  REQUIRE(wanted);
  CHECK(distance(x, wanted->at("X")) < 1e-8 * norm(wanted->at("X")));
}
