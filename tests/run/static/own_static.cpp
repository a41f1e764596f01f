// SPDX-License-Identifier: BSL-1.0
#include <wf/run/static/own_static.hpp>

#include <random>
#include <stdexcept>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/run/complex.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/select/static_plan.hpp>

#include "../../../examples/elimination_code.hpp"
#include "../matrices.hpp"

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
// States storage for complex elements only.
constexpr wf::kernel_spec turned_sums{
    .name = "turned_sums",
    .domain = "own",
    .signature = "X: field [M, N] -> Y[M, N]",
    .costs = {{"flops", "X"}, {"flops(complex)", "2*X"}, {"scratch(complex)", "16*N"}}};
constexpr wf::kernel_spec two{
    .name = "two",
    .domain = "own",
    .signature = "X: floating [M, N], s: floating [] -> rows: floating [M], all: floating []",
    .costs = {{"flops", "2*X"}}};
constexpr wf::kernel_spec positive{.name = "positive",
                                   .domain = "own",
                                   .signature = "x: floating [] -> y: floating []",
                                   .costs = {{"flops", "1"}}};
template <class T>
constexpr bool is_complex = Eigen::NumTraits<T>::IsComplex;
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
    CHECK(bool(is) == (round > 4));  // `positive` failed or threw
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

constexpr auto sums_code = wf::implementations(
    wf::implement<turned_sums>([](auto& y, const auto& x, const wf::node_context& c) {
      using element = typename std::decay_t<decltype(x)>::Scalar;
      const auto sums = c.scratch<element>();
      if (static_cast<Eigen::Index>(sums.size()) != (is_complex<element> ? x.cols() : 0))
        return false;
      for (Eigen::Index j = 0; j < x.cols(); ++j) {
        if constexpr (is_complex<element>) {
          element& sum = sums[static_cast<std::size_t>(j)];
          sum = 0;
          for (Eigen::Index i = 0; i < x.rows(); ++i) y(i, j) = sum += element(0, 1) * x(i, j);
        } else {
          y.col(j) = x.col(j);
        }
      }
      return true;
    }));

constexpr auto complex_sums = wf::workflow<"complex_sums">([](wf::scope& s) {
  s.output<"Y">(wf::call<turned_sums>(s.input<"X", std::complex<double>, 3, 4>()));
});
constexpr auto real_copy = wf::workflow<"real_copy">(
    [](wf::scope& s) { s.output<"Y">(wf::call<turned_sums>(s.input<"X", double, 3, 4>())); });

}  // namespace

TEST_CASE("a function has the scratch storage that its kernel states for its class of elements") {
  const Eigen::Matrix<std::complex<double>, 3, 4> x =
      Eigen::Matrix<std::complex<double>, 3, 4>::Random();
  Eigen::Matrix<std::complex<double>, 3, 4> sums = std::complex<double>(0, 1) * x;
  for (Eigen::Index i = 1; i < 3; ++i) sums.row(i) += sums.row(i - 1);
  const auto y = wf::run<complex_sums, sums_code>("X"_arg = x);
  REQUIRE(bool(y));
  CHECK(y["Y"_arg].isApprox(sums, 1e-14));
  wf::registry kernels = wf::builtin_registry();
  REQUIRE(kernels.add(
      wf::view<wf::kernel_spec>(wf::executable_kernels<sums_code, std::complex<double>>)));
  wf::execution_options own;
  own.kernels = &kernels;
  const auto ready = wf::executable_graph_c128::prepare(complex_sums.graph(), own);
  REQUIRE_MESSAGE(ready, std::string(wf::to_text(ready.error()).view()));
  const auto again = (*ready)({{"X", x}});
  REQUIRE_MESSAGE(again, std::string(wf::to_text(again.error()).view()));
  CHECK(again->at("Y").isApprox(sums, 1e-14));
  const Eigen::Matrix<double, 3, 4> real = x.real();
  const auto copy = wf::run<real_copy, sums_code>("X"_arg = real);
  REQUIRE(bool(copy));
  CHECK(copy["Y"_arg] == real);
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
