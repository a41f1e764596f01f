// SPDX-License-Identifier: BSL-1.0
#include <wf/run/eigen.hpp>

#include <cstdlib>
#include <new>
#include <random>

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <wf/capture/workflow.hpp>
#include <wf/select/static_plan.hpp>

using namespace wf::literals;

namespace {

std::size_t allocations = 0;

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

constexpr auto large = wf::workflow<"large">([](wf::scope& s) {
  auto a = s.input<"A", double, 90, 90>();
  s.output<"Y">(a * a * a - trans(a) * a);
});

template <class Matrix>
Matrix random_matrix(std::mt19937_64& random) {
  std::uniform_real_distribution<typename Matrix::Scalar> uniform(-1, 1);
  return Matrix::NullaryExpr([&] { return uniform(random); });
}

}  // namespace

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

TEST_CASE("large intermediate values do not live on the stack") {
  std::mt19937_64 random(83);
  static Eigen::Matrix<double, 90, 90> a, y;
  a = random_matrix<Eigen::Matrix<double, 90, 90>>(random);
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
