// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/factors.hpp>

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/tracer.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/run/eigen.hpp>
#include <wf/select/static_plan.hpp>

#include "rewriting.hpp"

namespace {

std::size_t count(const wf::graph_view& g, const char* op) {
  std::size_t found = 0;
  for (const wf::node& n : g.nodes) found += g.op_name(n) == op ? 1 : 0;
  return found;
}
bool offers_factors(const wf::graph_view& g) {
  const auto grown = wf::grow(g, wf::transforms::linalg_transforms);
  REQUIRE(grown);
  return count(grown->view(), "lu_factor") != 0;
}

// A formula of several solutions with a 20×20 matrix, and the flops of what follows its one
// factorisation.
struct sharing {
  const char* text;
  std::int64_t rest;
};

constexpr std::int64_t n = 20, factorised = 2 * n * n * n / 3 - n * n / 2 + 5 * n / 6 + 1;
constexpr std::int64_t solved(std::int64_t columns) { return columns * (2 * n * n - n); }

constexpr const char* inputs =
    "input A : f64[20,20]; input B : f64[20,20]; input C : f64[3,20]; input D : f64[20,3];"
    "input c : f64[20,1];";
constexpr sharing shared[] = {
    // On the left twice, on both sides, of the transpose; a matrix and a column.
    {"X = inv(A)*D; y = inv(A)*c; export X; export y", solved(4)},
    {"X = inv(A)*D; Y = C*inv(A); export X; export Y", solved(6)},
    {"X = inv(A)*D; y = trans(inv(A))*c; export X; export y", solved(4)},
    {"X = inv(trans(A))*D; y = inv(A)*c; export X; export y", solved(4)},
    // Twice in one product.
    {"y = inv(A)*B*inv(A)*c; export y", 2 * solved(1) + 2 * n* n},
    {"y = inv(A)*B*trans(inv(A))*c; export y", 2 * solved(1) + 2 * n* n},
    {"y = inv(A)*inv(A)*c; export y", 2 * solved(1)},
    // In two terms.
    {"y = C*inv(A)*c + trans(D)*trans(inv(A))*c; export y", 2 * solved(1) + 2 * 2 * n * 3 + 3}};
// Only one solution is needed, by whichever order, or another kernel is faster.
constexpr const char* alone[] = {
    "X = inv(A)*D; export X",
    "X = inv(A)*B*D*trans(D); export X",
    "X = C*inv(A)*B*D; export X",
    "input S : f64[20,20] {spd}; X = inv(S)*D; Y = C*inv(S); export X; export Y",
    "input L : f64[20,20] {lower}; X = inv(L)*D; Y = C*inv(L); export X; export Y",
    "input Q : f64[20,20] {orthogonal}; X = inv(Q)*D; Y = C*inv(Q); export X; export Y",
    "input S : f64[8,8]; input T : f64[8,8]; X = inv(S)*T; Y = T*inv(S); export X; export Y"};

// While compiling.
constexpr auto both = wf::workflow<"both">([](wf::scope& s) {
  auto A = s.input<"A", double, 16, 16>();
  auto b = s.input<"b", double, 16>();
  auto c = s.input<"c", double, 16>();
  s.output<"x">(solve(A, b));
  s.output<"y">(solve(trans(A), c));
});
constexpr auto plan_of_both = wf::optimise<both>(wf::minimise(wf::flops));
constexpr std::int64_t count_while_compiling(wf::text_view op) {
  std::int64_t found = 0;
  for (const wf::node& made : plan_of_both.graph().nodes)
    found += plan_of_both.graph().op_name(made) == op ? 1 : 0;
  return found;
}
static_assert(plan_of_both.proven_optimal);
static_assert(count_while_compiling("lu_factor") == 1);
static_assert(count_while_compiling("solve_vector_lu") == 1);
static_assert(count_while_compiling("solve_vector_lu_transposed") == 1);
// 2/3·16³ - 16²/2 + 5/6·16 for the factors, 2·16² - 16 for each solution.
static_assert(plan_of_both.value == 2616 + 2 * 496);
static_assert(wf::cost(both)[wf::flops] == 2 * (2616 + 496));

wf::graph with_inputs(const char* text) { return formula((std::string(inputs) + text).c_str()); }

}  // namespace

TEST_CASE("solutions with one matrix share one factorisation") {
  for (const sharing& s : shared) {
    CAPTURE(std::string(s.text));
    const wf::graph g = with_inputs(s.text);
    check_growth(g.view(), 5);
    const auto plan = wf::optimise(g.view(), wf::minimise(wf::flops));
    REQUIRE(plan);
    CHECK(plan->proven_optimal);
    CHECK(count(plan->chosen.view(), "lu_factor") == 1);
    for (const char* op : {"solve", "solve_vector", "solve_right", "inverse", "lu"})
      CHECK(count(plan->chosen.view(), op) == 0);
    CHECK(plan->value == factorised + s.rest);
    CHECK(*wf::price(plan->chosen.view(), wf::flops) == plan->value);
  }
}

TEST_CASE("where only one solution is needed no factors are offered") {
  for (const char* text : alone) {
    CAPTURE(std::string(text));
    CHECK_FALSE(offers_factors(with_inputs(text).view()));
  }
}

TEST_CASE("a traced factorisation that is solved with twice is one") {
  const auto g = wf::capture("twice", [](wf::scope& s) {
    const wf::traced A = s.input<"A", double, 20, 20>(), B = s.input<"B", double, 20, 3>();
    const wf::traced c = s.input<"c", double, 20>();
    const auto lu = A.partialPivLu();
    s.output("X", lu.solve(B));
    s.output("y", lu.solve(c));
  });
  REQUIRE(g);
  const auto plan = wf::optimise(g->view(), wf::minimise(wf::flops));
  REQUIRE(plan);
  CHECK(count(plan->chosen.view(), "lu_factor") == 1);
  CHECK(count(plan->chosen.view(), "solve_lu") == 1);
  CHECK(count(plan->chosen.view(), "solve_vector_lu") == 1);
  CHECK(plan->value == factorised + solved(4));
}

TEST_CASE("plans that share a factorisation solve, and fail where solutions do") {
  using namespace wf::literals;
  using matrix = Eigen::Matrix<double, 16, 16>;
  using vector = Eigen::Matrix<double, 16, 1>;
  const auto number = [](Eigen::Index i) { return std::sin(static_cast<double>(i * i + 1)); };
  matrix A =
      matrix::NullaryExpr([&](Eigen::Index i, Eigen::Index j) { return number(16 * i + j); });
  const vector b = vector::NullaryExpr([&](Eigen::Index i) { return number(300 + i); });
  const vector c = vector::NullaryExpr([&](Eigen::Index i) { return number(400 + i); });
  for (const bool singular : {false, true}) {
    if (singular) A.row(3) = A.row(11);
    vector x, y;
    const wf::run_status status =
        wf::run<plan_of_both>("A"_arg = A, "b"_arg = b, "c"_arg = c, "x"_arg = x, "y"_arg = y);
    const auto dynamic = wf::run_dynamic(plan_of_both.graph(), {{"A", A}, {"b", b}, {"c", c}});
    REQUIRE(static_cast<bool>(status) == !singular);
    REQUIRE(static_cast<bool>(dynamic) == !singular);
    if (singular) {
      CHECK(status.code == wf::errc::numerical_failure);
      CHECK(plan_of_both.graph().op_name(plan_of_both.graph()[status.at]) == "lu_factor");
      CHECK(dynamic.error().code == wf::errc::numerical_failure);
      CHECK(std::string(dynamic.error().message.view()).find("singular") != std::string::npos);
      continue;
    }
    CHECK((A * x - b).norm() < 1e-12);
    CHECK((A.transpose() * y - c).norm() < 1e-12);
    CHECK((dynamic->at("x") - x).norm() < 1e-12);
    CHECK((dynamic->at("y") - y).norm() < 1e-12);
  }
}
