// SPDX-License-Identifier: BSL-1.0
#include <wf/run/own_static.hpp>

#include <random>
#include <stdexcept>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/executable.hpp>
#include <wf/run/executable_kernels.hpp>
#include <wf/select/static_plan.hpp>

#include "../../examples/elimination_code.hpp"
#include "matrices.hpp"

using namespace wf::literals;

namespace {

constexpr wf::kernel_spec clip{.name = "clip",
                               .domain = "own",
                               .signature = "X: ordered [...], lo: real = -1/2, hi: real -> Y[...]",
                               .costs = {{"flops", "2*Y"}},
                               .in_place = true,
                               .laws = {.elementwise = true}};
constexpr wf::kernel_spec blend{
    .name = "blend",
    .domain = "own",
    .signature = "P: floating [...], X: floating [...], Y: floating [...] -> Z[...]",
    .costs = {{"flops", "3*Z"}},
    .laws = {.elementwise = true}};
constexpr wf::kernel_spec running_sums{
    .name = "running_sums",
    .domain = "own",
    .signature = "X: floating [M, N], times: integer = 1 -> Y[M, N]",
    .costs = {{"flops", "X"}, {"scratch", "8*N"}}};
constexpr wf::kernel_spec two{
    .name = "two",
    .domain = "own",
    .signature = "X: floating [M, N], s: floating [] -> rows: floating [M], all: floating []",
    .costs = {{"flops", "2*X"}}};
constexpr wf::kernel_spec positive{.name = "positive",
                                   .domain = "own",
                                   .signature = "x: floating [] -> y: floating []",
                                   .costs = {{"flops", "1"}}};
constexpr auto code = wf::implementations(
    wf::implement_elementwise<clip>([](auto x, double lo, double hi) -> double {
      return x < lo ? lo : hi < x ? hi : x;
    }),
    wf::implement_elementwise<blend>([](auto p, auto x, auto y) { return p * x + (1 - p) * y; }),
    wf::implement<running_sums>([](auto& y, const auto& x, const wf::node_context& c) {
      const auto sums = c.scratch<double>();
      if (static_cast<Eigen::Index>(sums.size()) != x.cols()) return false;
      for (double& s : sums) s = 0;
      for (Eigen::Index i = 0; i < x.rows(); ++i)
        for (Eigen::Index j = 0; j < x.cols(); ++j) {
          sums[static_cast<std::size_t>(j)] += x(i, j);
          y(i, j) = sums[static_cast<std::size_t>(j)] * static_cast<double>(c.integer("times"));
        }
      return true;
    }),
    wf::implement<two>([](auto& rows, auto& all, const auto& x, auto s) {
      rows = s * x.rowwise().sum();
      all = rows.sum();
    }),
    wf::implement<positive>([](auto& y, auto x) {
      if (x == 0) throw std::runtime_error("zero");
      y = x;
      return x > 0;
    }));

constexpr auto features = wf::workflow<"features">([](wf::scope& s) {
  auto x = s.input<"x", double, 3, 4>();
  auto k = s.input<"k", double>();
  auto v = s.input<"v", double, 4>();
  s.output<"sums">(wf::call<running_sums, wf::with("times", 2)>(trans(x)));
  s.output<"clipped">(wf::call<clip, wf::with("hi", 0.25)>(x) * wf::call<positive>(k));
  auto [rows, all] = s.let_each(wf::call<two>(trans(x), k));
  s.output<"rows">(rows);
  s.output<"all">(all);
  s.output<"blended">(wf::call<blend>(k, v, x));
});
constexpr auto plan =
    wf::optimise<features>(wf::minimise(wf::flops), wf::with_kernels<wf::executable_kernels<code>>);
static_assert(plan.proven_optimal);

}  // namespace

TEST_CASE("both executors compute the operators of a user alike") {
  wf::registry kernels = wf::builtin_registry();
  REQUIRE(kernels.add(wf::view<wf::kernel_spec>(wf::executable_kernels<code>)));
  wf::execution_options own;
  own.kernels = &kernels;
  const auto ready = wf::executable_graph::prepare(plan.graph(), own);
  REQUIRE(ready);
  std::mt19937_64 random(2202);
  for (int round = 0; round < 20; ++round) {
    Eigen::Matrix<double, 3, 4> x = matrices::random(3, 4, random);
    Eigen::Matrix<double, 4, 1> v = matrices::random(4, 1, random);
    Eigen::Matrix<double, 1, 1> k(round - 4.0);
    const auto is = wf::run<plan, code>("x"_arg = x, "k"_arg = k, "v"_arg = v);
    const auto wanted = (*ready)({{"x", x}, {"k", k}, {"v", v}});
    REQUIRE(bool(is) == bool(wanted));
    CHECK(bool(is) == (round > 4));  // `positive` failed, or threw
    if (!is) {
      CHECK(is.code == wf::errc::numerical_failure);
      continue;
    }
    CHECK(is["sums"_arg] == wanted->at("sums"));
    CHECK(is["clipped"_arg] == wanted->at("clipped"));
    CHECK(is["rows"_arg].isApprox(wanted->at("rows"), 1e-14));
    CHECK(is["all"_arg].isApprox(wanted->at("all"), 1e-14));
    CHECK(is["blended"_arg] == wanted->at("blended"));
  }
}

namespace {

// inv(A) by the steps of the case study's domain.
template <std::size_t... Step>
constexpr auto steps_of(std::index_sequence<Step...>) {
  return [](wf::scope& s) {
    constexpr std::size_t size = sizeof...(Step);
    auto a = s.input<"A", double, size, size>();
    auto m = s.let(wf::call<elimination::column_magnitudes>(a));
    auto p = s.let(wf::call<elimination::identity_permutation>(a));
    auto x = s.let(a + 0.0);
    const auto step = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      p = s.let(wf::call<elimination::find_pivot, wf::with("steps", 1), wf::with("step", K)>(x, p));
      x = s.let(wf::call<elimination::swap_rows, wf::with("steps", 1), wf::with("step", K)>(x, p));
      x = s.let(
          wf::call<elimination::row_deconstruct, wf::with("steps", 1), wf::with("step", K)>(x, m));
    };
    (step(std::integral_constant<std::size_t, Step>()), ...);
    s.output<"B">(wf::call<elimination::permute_columns>(x, p));
  };
}
constexpr auto five = wf::workflow<"five">(steps_of(std::make_index_sequence<5>()));

}  // namespace

TEST_CASE(
    "the case study's elimination inverts in fixed size, at any scale, or says it is singular") {
  std::mt19937_64 random(2203);
  for (int round = 0; round < 50; ++round) {
    Eigen::Matrix<double, 5, 5> a = matrices::random(5, 5, random), b;
    a *= round % 3 == 0 ? 1e-100 : round % 3 == 1 ? 1 : 1e100;
    REQUIRE(wf::run<five, elimination::code>("A"_arg = a, "B"_arg = b));
    CHECK(matrices::distance_from_inverse(b, a) < 1e-9);
    a.row(3) = a.row(1);
    CHECK_FALSE(wf::run<five, elimination::code>("A"_arg = a, "B"_arg = b));
  }
}
