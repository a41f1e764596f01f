// SPDX-License-Identifier: BSL-1.0
// Eigen allocates by malloc, which counting operator new does not see. The build defines it for
// every file of the program.
#ifndef EIGEN_RUNTIME_NO_MALLOC
#define EIGEN_RUNTIME_NO_MALLOC
#endif
#include <wf/run/eigen.hpp>

#include <cstdlib>
#include <new>
#include <random>

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <wf/capture/equations.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/select/static_plan.hpp>

#include "allocations.hpp"

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

// Only what is read is computed.
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

template <class Matrix>
Matrix random_matrix(std::mt19937_64& random) {
  std::uniform_real_distribution<typename Matrix::Scalar> uniform(-1, 1);
  return Matrix::NullaryExpr([&] { return uniform(random); });
}

// While it lives, Eigen's allocations are failed assertions.
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

// What transforms add where parts are put together.
constexpr auto moved = wf::equations<
    "moved",
    "input A : f64[3,4]; input B : f64[2,4]; input C : f64[3,3]; input v : f64[4];"
    "padded = pad(A, axis=1, before=2, after=1); below = pad(v, axis=0, before=1, after=2);"
    "three = concat3(A, B, A, axis=0); four = concat4(A, C, C, A, axis=1);"
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

// g++ takes the pair below for mismatched when it inlines one of them.
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
    Eigen::Matrix<double, 6, 6> P = random_matrix<Eigen::Matrix<double, 6, 6>>(random), P2;
    P = (P * P.transpose() + P.Identity()).eval();
    const auto H = random_matrix<Eigen::Matrix<double, 3, 6>>(random);
    Eigen::Matrix3d R = random_matrix<Eigen::Matrix3d>(random), S;
    R = (R * R.transpose() + R.Identity()).eval();
    Eigen::Matrix<double, 6, 3> K, Ht;
    const Eigen::Matrix<double, 6, 3> naive =
        P * H.transpose() * (H * P * H.transpose() + R).inverse();
    const std::size_t before = allocations;
    const auto ran = wf::run<plan>("P"_arg = P, "H"_arg = H, "R"_arg = R, "K"_arg = K, "S"_arg = S,
                                   "Ht"_arg = Ht, "P2"_arg = P2);
    const std::size_t made = allocations - before;
    REQUIRE(static_cast<bool>(ran));
    CHECK(made == 0);
    CHECK((K - naive).norm() <= 1e-9 * naive.norm());
    CHECK(S.isApprox(H * P * H.transpose() + R));
    CHECK(Ht == H.transpose());
    CHECK(P2 == P);
    K.setZero();
    REQUIRE(static_cast<bool>(wf::run<kalman>("K"_arg = K, "P"_arg = P, "H"_arg = H, "R"_arg = R,
                                              "S"_arg = S, "Ht"_arg = Ht, "P2"_arg = P2)));
    CHECK((K - naive).norm() <= 1e-9 * naive.norm());
  }
}

TEST_CASE("outputs that are not passed are returned, and Eigen allocates nothing") {
  const Eigen::Matrix<double, 6, 6> P = Eigen::Matrix<double, 6, 6>::Identity() * 2;
  const Eigen::Matrix<double, 3, 6> H = Eigen::Matrix<double, 3, 6>::Identity();
  const Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  const no_malloc guard;
  Eigen::Matrix<double, 6, 3> K;
  const auto results = wf::run<plan>("P"_arg = P, "H"_arg = H, "R"_arg = R, "K"_arg = K);
  REQUIRE(static_cast<bool>(results));
  CHECK(K(0, 0) == doctest::Approx(2.0 / 3));
  CHECK(results["S"_arg](1, 1) == 3);
  CHECK(results["Ht"_arg] == H.transpose());
  CHECK(results["P2"_arg] == P);
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
  Eigen::Matrix<float, 4, 3> expected =
      (2 * a + b.transpose().replicate<4, 1>()).cwiseMax(0.0F).array().exp();
  for (int r = 0; r < 4; ++r) expected.row(r) /= expected.row(r).sum();
  CHECK(y.isApprox(expected, 1e-5F));
  CHECK(rows.isApprox(a.rowwise().sum(), 1e-5F));
  CHECK(total(0) == doctest::Approx(a.sum()));
  CHECK(flat(4) == a(1, 1));
  CHECK(v.isApprox(a * b, 1e-5F));
}

TEST_CASE("parts of products, computed whole and alone") {
  std::mt19937_64 random(9);
  const auto a = random_matrix<Eigen::Matrix<double, 5, 7>>(random);
  const auto b = random_matrix<Eigen::Matrix<double, 7, 5>>(random);
  const Eigen::Matrix<double, 5, 5> whole = a * b;
  const auto check = [&](const auto& made) {
    REQUIRE(made);
    CHECK((made["column"_arg] - whole.col(2)).norm() < 1e-14);
    CHECK((made["row"_arg] - whole.row(3)).norm() < 1e-14);
    CHECK(std::abs(made["element"_arg](0, 0) - whole(1, 4)) < 1e-14);
    CHECK((made["diagonal"_arg] - whole.diagonal()).norm() < 1e-14);
    CHECK((made["both"_arg].col(0) - whole.col(2)).norm() < 1e-14);
    CHECK((made["both"_arg].col(1) - a.col(0) - b.row(0).transpose()).norm() < 1e-14);
  };
  check(wf::run<partial>("A"_arg = a, "B"_arg = b));
  check(wf::run<partial_plan>("A"_arg = a, "B"_arg = b));
}

TEST_CASE("large intermediate values do not live on the stack") {
  std::mt19937_64 random(83);
  static Eigen::Matrix<double, 128, 128> a, y;
  a = random_matrix<Eigen::Matrix<double, 128, 128>>(random);
  REQUIRE(static_cast<bool>(wf::run<large>("A"_arg = a, "Y"_arg = y)));
  CHECK(y.isApprox(a * a * a - a.transpose() * a, 1e-9));
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
    const auto same = [&](const char* name, const wf::dynamic_matrix& actual) {
      CAPTURE(name);
      const wf::dynamic_matrix& other = wanted->at(name);
      REQUIRE(actual.rows() == other.rows());
      REQUIRE(actual.cols() == other.cols());
      CHECK((actual - other).norm() < 1e-12);
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
  CHECK(results["padded"_arg] == wanted->at("padded"));
  CHECK(results["below"_arg] == wanted->at("below"));
  CHECK(results["three"_arg] == wanted->at("three"));
  CHECK(results["four"_arg] == wanted->at("four"));
  CHECK(results["turned"_arg] == wanted->at("turned"));
  CHECK(results["corner"_arg] == wanted->at("corner"));
  CHECK(results["same"_arg] == wanted->at("same"));
}

TEST_CASE_TEMPLATE("integers are computed in their own type", integer, std::int32_t, std::int64_t) {
  std::mt19937_64 random(34);
  const auto some = [&]<class Matrix>(Matrix m) {
    for (auto& x : m.reshaped()) x = static_cast<integer>(random() % 2001) - 1000;
    return m;
  };
  const auto a = some(Eigen::Matrix<integer, 7, 5>());
  const auto right = some(Eigen::Matrix<integer, 5, 6>());
  const auto c = some(Eigen::Matrix<integer, 7, 6>());
  const auto results = wf::run<whole<integer>>("A"_arg = a, "B"_arg = right, "C"_arg = c);
  REQUIRE(results);
  const auto wanted = wf::run_dynamic(whole<integer>.graph(), {{"A", a.template cast<double>()},
                                                               {"B", right.template cast<double>()},
                                                               {"C", c.template cast<double>()}});
  REQUIRE(wanted);
  CHECK(results["Y"_arg].template cast<double>() == wanted->at("Y"));
  CHECK(results["product"_arg].template cast<double>() == wanted->at("product"));
  CHECK(results["total"_arg].template cast<double>() == wanted->at("total"));
  CHECK(results["quotient"_arg].template cast<double>() == wanted->at("quotient"));
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
  CHECK((tall.transpose() * (tall * least - w)).norm() < 1e-12);
  CHECK((a.transpose() * X - b).norm() < 1e-9);
  CHECK((a * x - v).norm() < 1e-9);
  a.row(1) = a.row(4);
  const wf::run_status failed = call();
  CHECK_FALSE(failed);
  CHECK(failed.code == wf::errc::numerical_failure);
  const wf::graph_view g = solving.graph();
  const wf::text_view op = g.op_name(g[failed.at]);
  CHECK((op == "solve" || op == "solve_vector"));
}

TEST_CASE("large plans keep their matrices off the stack and off the heap") {
  std::mt19937_64 random(34);
  wf::dynamic_matrix a(128, 128), b(128, 128), x(128, 128);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (auto* m : {&a, &b}) *m = m->unaryExpr([&](double) { return uniform(random); });
  using map = Eigen::Map<Eigen::Matrix<double, 128, 128>>;
  map A(a.data()), B(b.data()), X(x.data());
  {
    const no_malloc guard;
    CHECK(wf::run<huge>("A"_arg = A, "B"_arg = B, "X"_arg = X));
  }
  const auto wanted = wf::run_dynamic(huge.graph(), {{"A", a}, {"B", b}});
  REQUIRE(wanted);
  CHECK((x - wanted->at("X")).norm() < 1e-8 * wanted->at("X").norm());
}
