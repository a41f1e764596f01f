// SPDX-License-Identifier: BSL-1.0
#include <wf/run/static/static_body.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/capture/fixpoint.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/run/eigen.hpp>
#include <wf/select/static_plan.hpp>

using namespace wf::literals;

namespace {

// Inputs and outputs of the same names, a transpose that is read, and two values that are carried.
constexpr auto body = wf::workflow<"body">([](wf::scope& s) {
  auto A = s.input<"A", double, 4, 4>();
  auto X = s.input<"X", double, 4, 4>();
  auto y = s.input<"y", double, 4>();
  s.output<"X">(0.3 * (trans(A) * relu(X)) + 0.1 * A);
  s.output<"y">(0.5 * (X * y));
});
constexpr auto looped = wf::workflow<"looped">([](wf::scope& s) {
  auto A = s.input<"A", double, 4, 4>();
  auto y = s.input<"y", double, 4>();
  auto [X, z, runs, converged] = wf::fixpoint<"loop">(body, {40, 1e-3}, trans(A), A, y);
  s.output<"X">(X + A);
  s.output<"z">(z);
  s.output<"runs">(runs);
  s.output<"converged">(converged);
});
constexpr auto plan = wf::optimise<looped>(wf::minimise(wf::flops));

// A body that has a body, in single precision.
constexpr auto inner = wf::equations<"inner", R"(
  input a : f32[2]
  input x : f32[2]
  y = 0.5 * (x + a / x)
  export y
)">();
constexpr auto middle = wf::workflow<"middle">([](wf::scope& s) {
  auto x = s.input<"x", float, 2>();
  auto [y, runs, converged] = wf::fixpoint<"root">(inner, {30, 1e-7}, x, x);
  s.output<"y">(y);
});
constexpr auto fourth_root = wf::workflow<"fourth_root">([](wf::scope& s) {
  auto x = s.input<"x", float, 2>();
  auto [y, runs, converged] = wf::fixpoint<"twice">(middle, {2}, x);
  s.output<"y">(y);
  s.output<"converged">(converged);
});

constexpr auto factor = wf::workflow<"factor">([](wf::scope& s) {
  auto X = s.input<"X", double, 3, 3>(wf::spd);
  auto [L, runs, converged] = wf::fixpoint<"loop">(
      wf::equations<"cholesky", "input X : f64[3,3]; L = cholesky(X); export L">(), {2}, X);
  s.output<"L">(L);
});

}  // namespace

TEST_CASE("a static plan runs bodies as the run-time executor does") {
  Eigen::Matrix4d A;
  A << 0.3, -0.5, 0.2, 0.9, 0.1, 0.4, -0.8, 0.6, -0.2, 0.7, 0.5, 0.3, 0.8, -0.1, 0.4, -0.6;
  const Eigen::Vector4d y(1, -1, 0.5, 2);
  for (int scale = 0; scale < 3; ++scale) {
    const Eigen::Matrix4d given = A * (scale + 1) / 2;
    const auto wanted = wf::run_dynamic(looped.graph(), {{"A", given}, {"y", y}});
    REQUIRE(wanted);
    const auto made = wf::run<plan>("A"_arg = given, "y"_arg = y);
    REQUIRE(made);
    CHECK((made["X"_arg] - wanted->at("X")).cwiseAbs().maxCoeff() <= 1e-13);
    CHECK((made["z"_arg] - wanted->at("z")).cwiseAbs().maxCoeff() <= 1e-13);
    CHECK(static_cast<double>(made["runs"_arg](0, 0)) == wanted->at("runs")(0, 0));
    CHECK(made["converged"_arg](0, 0) == (wanted->at("converged")(0, 0) == 1));
    // Results may be written where the caller says.
    Eigen::Vector4d z;
    REQUIRE(wf::run<looped>("A"_arg = given, "y"_arg = y, "z"_arg = z));
    CHECK((z - made["z"_arg]).cwiseAbs().maxCoeff() <= 1e-13);
  }
}

TEST_CASE("bodies within bodies, and failures in one") {
  const Eigen::Vector2f x(16, 81);
  const auto made = wf::run<fourth_root>("x"_arg = x);
  REQUIRE(made);
  CHECK((made["y"_arg] - Eigen::Vector2f(2, 3)).cwiseAbs().maxCoeff() <= 1e-6F);
  CHECK_FALSE(made["converged"_arg](0, 0));
  const Eigen::Matrix3d negative = -Eigen::Matrix3d::Identity();
  const auto failed = wf::run<factor>("X"_arg = negative);
  CHECK_FALSE(failed);
  CHECK(failed.code == wf::errc::numerical_failure);
  CHECK(failed.at == wf::node_id{0});
}
