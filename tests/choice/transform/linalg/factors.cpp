// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/linalg/factors.hpp>

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/tracer.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/run/eigen.hpp>
#include <wf/select/static_plan.hpp>

#include "../../rewriting.hpp"

namespace {

std::size_t count(const wf::graph_view& g, const char* op) {
  std::size_t found = 0;
  for (const wf::node& n : g.nodes) found += g.op_name(n) == op ? 1 : 0;
  return found;
}
bool offers_factors(const wf::graph_view& g) {
  const auto grown = wf::grow(g, wf::transforms::linalg_transforms);
  REQUIRE(grown);
  return count(grown->view(), "lu_factor") + count(grown->view(), "ldl_factor") != 0;
}

// A formula with several solutions with a 20×20 matrix, and the flops after its single
// factorisation.
struct sharing {
  const char* text;
  std::int64_t rest;
};

constexpr std::int64_t n = 20, factorised = 2 * n * n * n / 3 - n * n / 2 + 5 * n / 6 + 1;
constexpr std::int64_t solved(std::int64_t columns) { return columns * (2 * n * n - n); }

constexpr const char* inputs =
    "input A : f64[20,20]; input B : f64[20,20]; input C : f64[3,20]; input D : f64[20,3];"
    "input c : f64[20,1]; input S : f64[20,20] {symmetric, nonsingular}; input e : f64[20];";
constexpr sharing shared[] = {
    // Twice on the left, on both sides, with the transpose; a matrix and a column.
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
// The same with a symmetric matrix S, and a vector e.
constexpr std::int64_t factorised_symmetric = (2 * n * n * n + 3 * n * n + 19 * n) / 6;
constexpr sharing shared_symmetric[] = {
    {"X = inv(S)*D; y = inv(S)*c; export X; export y", solved(4)},
    {"X = inv(S)*D; Y = C*inv(S); export X; export Y", solved(6)},
    {"X = inv(trans(S))*D; y = trans(inv(S))*c; export X; export y", solved(4)},
    {"X = inv(S)*D; y = inv(S)*e; z = trans(c)*inv(S)*c; export X; export y; export z",
     solved(5) + 2 * n},
    // Congruences with different factors, and twice in one product.
    {"X = trans(D)*inv(S)*D; y = trans(c)*inv(S)*c; export X; export y",
     solved(4) + 2 * n * 3 * 3 + 2 * n},
    {"y = inv(S)*B*inv(S)*c; export y", 2 * solved(1) + 2 * n* n}};
// Formulas in which a single solution suffices in some order, or another kernel is cheaper.
constexpr const char* alone[] = {
    "X = inv(A)*D; export X",
    "X = inv(A)*B*D*trans(D); export X",
    "X = C*inv(A)*B*D; export X",
    "X = inv(S)*D; export X",
    "X = C*inv(S)*B*D; export X",
    "input T : f64[20,20] {spd}; X = inv(T)*D; Y = C*inv(T); export X; export Y",
    "input T : f64[20,20] {diagonal}; X = inv(T)*D; Y = C*inv(T); export X; export Y",
    "input L : f64[20,20] {lower}; X = inv(L)*D; Y = C*inv(L); export X; export Y",
    "input Q : f64[20,20] {orthogonal}; X = inv(Q)*D; Y = C*inv(Q); export X; export Y",
    "input G : f64[8,8]; input T : f64[8,8]; X = inv(G)*T; Y = T*inv(G); export X; export Y",
    "input G : f64[8,8] {symmetric}; input d : f64[8]; X = inv(G)*G; y = inv(G)*d; export X, y"};

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
static_assert(count_while_compiling("solve_lu") == 1);
static_assert(count_while_compiling("solve_lu_transposed") == 1);
// 2/3·16³ - 16²/2 + 5/6·16 for the factors, 2·16² - 16 for each solution.
static_assert(plan_of_both.value == 2616 + 2 * 496);
static_assert(wf::cost(both)[wf::flops] == 2 * (2616 + 496));

// A symmetric matrix that is not known to be definite.
constexpr auto symmetric_both = wf::workflow<"symmetric_both">([](wf::scope& s) {
  auto S = s.input<"S", double, 16, 16>(wf::symmetric);
  auto B = s.input<"B", double, 3, 16>();
  auto c = s.input<"c", double, 16>();
  s.output<"X">(B * inv(S));
  s.output<"y">(solve(S, c));
});
constexpr auto plan_of_symmetric_both = wf::optimise<symmetric_both>(wf::minimise(wf::flops));
static_assert(plan_of_symmetric_both.proven_optimal);
// 16³/3 + 16²/2 + 19/6·16 for the factors, 2·16² - 16 for each of four columns.
static_assert(plan_of_symmetric_both.value == 1544 + 4 * 496);

wf::graph with_inputs(const char* text) { return formula((std::string(inputs) + text).c_str()); }

}  // namespace

namespace {

// Checks that the plan of least flops has one factorisation, with `op` and that many flops, and no
// other operator that factorises.
void check_sharing(const sharing& s, const char* op, std::int64_t of_factors) {
  CAPTURE(std::string(s.text));
  const wf::graph g = with_inputs(s.text);
  check_growth(g.view(), 5);
  const auto plan = wf::optimise(g.view(), wf::minimise(wf::flops));
  REQUIRE(plan);
  CHECK(plan->proven_optimal);
  for (const char* each : {"lu_factor", "ldl_factor", "solve", "solve_right", "solve_symmetric",
                           "inverse", "inverse_symmetric", "lu"})
    CHECK(count(plan->chosen.view(), each) == (each == wf::text_view(op) ? 1 : 0));
  CHECK(plan->value == of_factors + s.rest);
  CHECK(*wf::price(plan->chosen.view(), wf::flops) == plan->value);
}

}  // namespace

TEST_CASE("solutions with one matrix share one factorisation") {
  for (const sharing& s : shared) check_sharing(s, "lu_factor", factorised);
}

TEST_CASE("of a symmetric matrix it is one of half the arithmetic") {
  for (const sharing& s : shared_symmetric) check_sharing(s, "ldl_factor", factorised_symmetric);
}

TEST_CASE("one symmetric factorisation also where time is least, of many rows") {
  const wf::graph g = formula(
      "input S : f64[300,300] {symmetric, nonsingular}; input B : f64[300,40]; input c : f64[300];"
      "X = inv(S)*B; y = inv(S)*c; export X; export y");
  const auto plan =
      wf::optimise(g.view(), wf::minimise(wf::execution_time), {}, wf::timed_registry());
  REQUIRE(plan);
  CHECK(plan->proven_optimal);
  CHECK(count(plan->chosen.view(), "ldl_factor") == 1);
  CHECK(count(plan->chosen.view(), "solve_ldl") == 2);
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
  CHECK(count(plan->chosen.view(), "solve_lu") == 2);
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

TEST_CASE("plans that share a symmetric factorisation solve, and fail where solutions do") {
  using namespace wf::literals;
  using matrix = Eigen::Matrix<double, 16, 16>;
  using rows = Eigen::Matrix<double, 3, 16>;
  using vector = Eigen::Matrix<double, 16, 1>;
  const auto number = [](Eigen::Index i) { return std::sin(static_cast<double>(i * i + 1)); };
  matrix S = matrix::NullaryExpr(
      [&](Eigen::Index i, Eigen::Index j) { return i == j ? 0 : number(16 * i * j + i + j); });
  const rows B =
      rows::NullaryExpr([&](Eigen::Index i, Eigen::Index j) { return number(3 * i + j); });
  const vector c = vector::NullaryExpr([&](Eigen::Index i) { return number(400 + i); });
  const auto& plan = plan_of_symmetric_both;
  for (const bool singular : {false, true}) {
    if (singular) S.row(3) = S.row(11), S.col(3) = S.col(11);
    rows X;
    vector y;
    const wf::run_status status = wf::run<plan_of_symmetric_both>(
        "S"_arg = S, "B"_arg = B, "c"_arg = c, "X"_arg = X, "y"_arg = y);
    const auto dynamic = wf::run_dynamic(plan.graph(), {{"S", S}, {"B", B}, {"c", c}});
    REQUIRE(static_cast<bool>(status) == !singular);
    REQUIRE(static_cast<bool>(dynamic) == !singular);
    if (singular) {
      CHECK(status.code == wf::errc::numerical_failure);
      CHECK(plan.graph().op_name(plan.graph()[status.at]) == "ldl_factor");
      CHECK(dynamic.error().code == wf::errc::numerical_failure);
      CHECK(std::string(dynamic.error().message.view()).find("singular") != std::string::npos);
      continue;
    }
    CHECK((X * S - B).norm() < 1e-12);
    CHECK((S * y - c).norm() < 1e-12);
    CHECK((dynamic->at("X") - X).norm() < 1e-12);
    CHECK((dynamic->at("y") - y).norm() < 1e-12);
  }
}
