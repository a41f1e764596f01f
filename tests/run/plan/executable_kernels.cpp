// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/executable_kernels.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/run/plan/executable.hpp>

#include "../random_workflow.hpp"

namespace {

// Twins of built-in operators, declared and implemented like user-defined ones: under other names,
// with their own functions.
constexpr wf::kernel_spec twin_of(const wf::kernel_spec& k, wf::text_view name) {
  wf::kernel_spec twin = k;
  twin.name = name;
  twin.domain = "own";
  return twin;
}
constexpr wf::kernel_spec own_add = twin_of(wf::kernels::add, "own_add");
constexpr wf::kernel_spec own_multiply = twin_of(wf::kernels::multiply, "own_multiply");
constexpr wf::kernel_spec own_negate = twin_of(wf::kernels::negate, "own_negate");
constexpr wf::kernel_spec own_relu = twin_of(wf::kernels::relu, "own_relu");
constexpr wf::kernel_spec own_maximum = twin_of(wf::kernels::maximum, "own_maximum");
constexpr wf::kernel_spec own_sigmoid = twin_of(wf::kernels::sigmoid, "own_sigmoid");
constexpr wf::kernel_spec own_less = twin_of(wf::kernels::less, "own_less");
constexpr wf::kernel_spec own_where = twin_of(wf::kernels::where, "own_where");
constexpr wf::kernel_spec own_matvec = twin_of(wf::kernels::matvec, "own_matvec");
constexpr wf::kernel_spec own_outer = twin_of(wf::kernels::outer, "own_outer");
constexpr wf::kernel_spec own_dot = twin_of(wf::kernels::dot, "own_dot");
constexpr wf::kernel_spec own_matmul_add = twin_of(wf::kernels::matmul_add, "own_matmul_add");

// Bitwise equal to the built-in ones.
constexpr auto twins = wf::implementations(
    wf::implement_elementwise<own_add>([](auto x, auto y) { return x + y; }),
    wf::implement_elementwise<own_multiply>([](auto x, auto y) { return x * y; }),
    wf::implement_elementwise<own_negate>([](auto x) { return -x; }),
    wf::implement_elementwise<own_relu>([](auto x) { return 0 < x ? x : 0; }),
    wf::implement_elementwise<own_maximum>([](auto x, auto y) { return x < y ? y : x; }),
    wf::implement_elementwise<own_sigmoid>([](auto x) { return 1 / (1 + std::exp(-x)); }),
    wf::implement_elementwise<own_less>([](auto x, auto y) { return x < y ? 1 : 0; }),
    wf::implement_elementwise<own_where>([](auto p, auto x, auto y) { return p != 0 ? x : y; }),
    wf::implement<own_matvec>([](auto& y, const auto& a, const auto& x) {
      for (Eigen::Index i = 0; i < a.rows(); ++i) {
        y(i) = 0;
        for (Eigen::Index j = 0; j < a.cols(); ++j) y(i) += a(i, j) * x(j);
      }
    }),
    wf::implement<own_outer>([](auto& c, const auto& x, const auto& y) {
      for (Eigen::Index i = 0; i < c.rows(); ++i)
        for (Eigen::Index j = 0; j < c.cols(); ++j) c(i, j) = x(i) * y(j);
    }),
    wf::implement<own_dot>([](double& s, const auto& x, const auto& y) {
      s = 0;
      for (Eigen::Index i = 0; i < x.size(); ++i) s += x(i) * y(i);
    }),
    wf::implement<own_matmul_add>([](auto& d, const auto& a, const auto& b, const auto& c) {
      // The result may overwrite c.
      for (Eigen::Index i = 0; i < d.rows(); ++i)
        for (Eigen::Index j = 0; j < d.cols(); ++j) {
          double sum = c(i, j);
          for (Eigen::Index k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
          d(i, j) = sum;
        }
    }));

wf::registry with_twins() {
  wf::registry all = wf::builtin_registry();
  REQUIRE(all.add(wf::view<wf::kernel_spec>(wf::executable_kernels<twins>)));
  return all;
}

// The workflow with some operators replaced by their twins.
wf::graph with_own_operators(const wf::graph_view& g, std::size_t& count) {
  std::string text(wf::to_text(g).view());
  for (const wf::kernel_spec& k : wf::executable_kernels<twins>) {
    const std::string op(k.name.part(4));
    for (std::size_t at = 0; (at = text.find("node ", at)) != std::string::npos; at += 5) {
      const std::size_t end = text.find('(', at), dot = text.find('.', at);
      const std::size_t name = dot < end ? dot + 1 : at + 5;
      if (text.substr(name, end - name) != op) continue;
      text.replace(at + 5, end - at - 5, "own.own_" + op);
      ++count;
    }
  }
  const auto parsed = wf::parse_graph(text);
  REQUIRE_MESSAGE(parsed, wf::to_text(parsed.error()).view());
  return *parsed;
}

}  // namespace

TEST_CASE(
    "operators of a user's own execute like built-in ones: in every shape and order, fused, "
    "in place, in every element type") {
  const unsigned seed = 2201;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const wf::registry kernels = with_twins();
  wf::execution_options own;
  own.kernels = &kernels;
  std::size_t replaced = 0, smaller = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random);
    const wf::graph g = with_own_operators(w.graph.view(), replaced);
    const auto built_in = wf::executable_graph::prepare(w.graph.view());
    const auto mine = wf::executable_graph::prepare(g.view(), own);
    REQUIRE(built_in);
    REQUIRE_MESSAGE(mine, wf::to_text(mine.error()).view());
    const auto expected = (*built_in)(w.arguments);
    const auto is = (*mine)(w.arguments);
    REQUIRE(expected);
    REQUIRE_MESSAGE(is, wf::to_text(is.error()).view());
    for (const auto& [name, m] : *expected) {
      CAPTURE(name);
      const auto& other = is->at(name);
      REQUIRE(m.rows() == other.rows());
      REQUIRE(m.cols() == other.cols());
      double scale = 1, difference = 0;
      for (Eigen::Index i = 0; i < m.size(); ++i) {
        scale = std::max(scale, std::abs(m(i)));
        difference = std::max(difference, std::abs(m(i) - other(i)));
      }
      CHECK(difference <= 1e-2 * scale);  // bf16, where a sum may be rounded in the other direction
    }
    own.share_buffers = false;
    const auto apart = wf::executable_graph::prepare(g.view(), own);
    own.share_buffers = true;
    smaller += mine->workspace_bytes() < apart->workspace_bytes() ? 1 : 0;
    REQUIRE(wf::executable_graph::prepare(g.view()).error().code ==
            (wf::same(g.view(), w.graph.view()) ? wf::errc::none : wf::errc::not_executable));
  }
  CHECK(replaced > 500);
  CHECK(smaller > 100);
}

namespace {

constexpr wf::kernel_spec clip{.name = "clip",
                               .domain = "own",
                               .signature = "X: ordered [...], lo: real = -1/2, hi: real -> Y[...]",
                               .costs = {{"flops", "2*Y"}},
                               .in_place = true,
                               .laws = {.elementwise = true}};
// Prefix sums, with scratch storage.
constexpr wf::kernel_spec running_sums{
    .name = "running_sums",
    .domain = "own",
    .signature = "X: floating [M, N], times: integer = 1 -> Y[M, N]",
    .costs = {{"flops", "X"}, {"scratch", "8*N"}}};
constexpr wf::kernel_spec fails{.name = "fails",
                                .domain = "own",
                                .signature = "x: floating [], how: string -> y: floating []",
                                .costs = {{"flops", "1"}}};
constexpr wf::kernel_spec two{
    .name = "two",
    .domain = "own",
    .signature = "X: floating [M, N] -> rows: floating [M], all: floating []",
    .costs = {{"flops", "2*X"}}};
constexpr wf::kernel_spec stacked{.name = "stacked",
                                  .domain = "own",
                                  .signature = "X: floating [K, M, N] -> Y[N, K]",
                                  .costs = {{"flops", "X"}}};
constexpr auto code = wf::implementations(
    wf::implement_elementwise<clip>([](auto x, double lo, double hi) {
      return x < lo ? lo : hi < x ? hi : x;
    }),
    wf::implement<running_sums>([](auto& y, const auto& x, const wf::node_context& c) {
      const auto sums = c.scratch<double>();
      if (static_cast<Eigen::Index>(sums.size()) < x.cols()) return false;
      for (double& s : sums) s = 0;
      for (Eigen::Index i = 0; i < x.rows(); ++i)
        for (Eigen::Index j = 0; j < x.cols(); ++j) {
          sums[static_cast<std::size_t>(j)] += x(i, j);
          y(i, j) = sums[static_cast<std::size_t>(j)] * static_cast<double>(c.integer("times"));
        }
      return true;
    }),
    wf::implement<fails>([](double& y, double x, const wf::node_context& c) -> std::string {
      y = x;
      if (c.characters("how") == "throws") throw std::runtime_error("it is Monday");
      if (c.characters("how") == "throws a number") throw 7;
      return c.characters("how") == "says" ? "x is not to its liking" : "";
    }),
    wf::implement<two>([](auto& rows, double& all, const auto& x) {
      rows = x.rowwise().sum();
      all = rows.sum();
    }),
    wf::implement<stacked>([](auto& y, const auto& x) {
      for (int k = 0; k < y.cols(); ++k)
        for (int n = 0; n < y.rows(); ++n) {
          y(n, k) = 0;
          for (int m = 0; m < x.shape[1].size(); ++m) y(n, k) += x(k, m, n);
        }
    }));

constexpr auto features = wf::workflow<"features">([](wf::scope& s) {
  auto x = s.input<"x", double, 3, 4>();
  auto t = s.input<"t", double, 2, 3, 4>();
  s.output<"sums">(wf::call<running_sums, wf::with("times", 2)>(trans(x)));
  s.output<"default">(wf::call<running_sums>(x));
  s.output<"clipped">(wf::call<clip, wf::with("hi", 0.25)>(x) + 1);
  auto [rows, all] = s.let_each(wf::call<two>(trans(x)));
  s.output<"rows">(rows);
  s.output<"all">(all);
  s.output<"stacked">(wf::call<stacked>(t));
});

wf::registry with_code() {
  wf::registry all = wf::builtin_registry();
  REQUIRE(all.add(wf::view<wf::kernel_spec>(wf::executable_kernels<code>)));
  return all;
}

}  // namespace

TEST_CASE("a function reads attributes with their defaults, scratch storage, and any rank") {
  const wf::registry kernels = with_code();
  wf::execution_options own;
  own.kernels = &kernels;
  const auto ready = wf::executable_graph::prepare(features.graph(), own);
  REQUIRE_MESSAGE(ready, wf::to_text(ready.error()).view());
  wf::dynamic_matrix x(3, 4), t(1, 24);
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 4; ++j) x(i, j) = static_cast<double>(4 * i + j) / 4 - 1;
  for (Eigen::Index i = 0; i < 24; ++i) t(i) = static_cast<double>(i);
  const auto made = (*ready)({{"x", x}, {"t", t}});
  REQUIRE_MESSAGE(made, wf::to_text(made.error()).view());
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 4; ++j) {
      CHECK(made->at("sums")(j, i) == 2 * x.row(i).head(j + 1).sum());
      CHECK(made->at("default")(i, j) == x.col(j).head(i + 1).sum());
      CHECK(made->at("clipped")(i, j) == std::min(std::max(x(i, j), -0.5), 0.25) + 1);
      CHECK(made->at("rows")(j, 0) == x.col(j).sum());
    }
  CHECK(made->at("all")(0, 0) == x.sum());
  for (Eigen::Index k = 0; k < 2; ++k)
    for (Eigen::Index n = 0; n < 4; ++n)
      CHECK(made->at("stacked")(n, k) == t(12 * k + n) + t(12 * k + 4 + n) + t(12 * k + 8 + n));
}

TEST_CASE("a function of elements gives single ones, whatever its kernel says") {
  const wf::registry kernels = with_code();
  const wf::value_type type{wf::dtype::f64, {}, wf::shape::of()};
  const auto clipped = [&](double x, const std::vector<wf::attribute_value>& with) {
    const wf::rule_input node{{&type, 1}, {with.data(), with.size()}};
    return kernels.find("clip")->element({&x, node, type.type});
  };
  const auto high = wf::attribute_value::integer("hi", 2);
  for (const double x : {-3.0, -0.5, 0.25, 2.0, 7.0}) {
    CHECK(clipped(x, {high}) == std::min(std::max(x, -0.5), 2.0));
    CHECK(clipped(x, {high, wf::attribute_value::floating("lo", 1)}) ==
          std::min(std::max(x, 1.0), 2.0));
  }
  for (const wf::kernel_spec& k : wf::executable_kernels<code>)
    CHECK((k.element != nullptr) == k.laws.elementwise);
  const double two_thirds[] = {2, 3};
  const wf::value_type pair[] = {type, type};
  const wf::rule_input node{{pair, 2}, {}};
  for (const wf::kernel_spec& k : wf::executable_kernels<twins>)
    if (k.name == own_add.name) CHECK(k.element({two_thirds, node, type.type}) == 5);
}

TEST_CASE("what a function says, and what it throws, is the error of its node") {
  const wf::registry kernels = with_code();
  wf::execution_options own;
  own.kernels = &kernels;
  const std::pair<const char*, const char*> cases[] = {
      {"says", "fails failed: x is not to its liking"},
      {"throws", "fails failed: it is Monday"},
      {"throws a number", "fails failed: its function threw what is no std::exception"},
      {"succeeds", ""}};
  for (const auto& [how, why] : cases) {
    wf::graph g("g");
    const wf::value_type t{wf::dtype::f64, {}, wf::shape::of()};
    const wf::value_id x = g.add_input("x", t);
    const auto with = wf::attribute_value::string("how", how);
    const wf::node_id n =
        g.add_node({.op = "fails", .attributes = {&with, 1}, .name = "it"}, {&x, 1}, {&t, 1});
    g.add_output("y", wf::graph_view::output_of(g[n]));
    const auto ready = wf::executable_graph::prepare(g.view(), own);
    REQUIRE(ready);
    const auto made = (*ready)({{"x", wf::dynamic_matrix::Ones(1, 1)}});
    CHECK(std::string(made.error().message.view()) == why);
    CHECK(made.error().code == (made ? wf::errc::none : wf::errc::numerical_failure));
    if (!made) CHECK(made.error().subject == "it");
  }
}

TEST_CASE("an operator that replaces a built-in one is computed as it says") {
  static constexpr wf::kernel_spec louder = [] {
    wf::kernel_spec k = wf::kernels::relu;
    k.overrides = true;
    return k;
  }();
  static constexpr auto twice =
      wf::implementations(wf::implement_elementwise<louder>([](auto x) { return 2 * x; }));
  constexpr auto w =
      wf::workflow<"w">([](wf::scope& s) { s.output<"y">(relu(s.input<"x", double, 3>())); });
  wf::registry kernels = wf::builtin_registry();
  REQUIRE(kernels.add(wf::view<wf::kernel_spec>(wf::executable_kernels<twice>)));
  wf::execution_options own;
  own.kernels = &kernels;
  const wf::named_matrices x{{"x", wf::dynamic_matrix::Constant(3, 1, -3)}};
  CHECK((*(*wf::executable_graph::prepare(w.graph(), own))(x)).at("y")(1, 0) == -6);
  const double three = -3;
  CHECK(kernels.find("relu")->element({&three, wf::rule_input{}, wf::dtype::f64}) == -6);
  CHECK((*(*wf::executable_graph::prepare(w.graph()))(x)).at("y")(1, 0) == 0);
  // A kernel that only refines a price keeps its implementation; one that replaces the kernel does
  // not.
  wf::registry refined = wf::builtin_registry();
  REQUIRE(refined.add({.name = "relu", .costs = {{"flops", "3*Y"}}, .overrides = true}));
  own.kernels = &refined;
  CHECK((*(*wf::executable_graph::prepare(w.graph(), own))(x)).at("y")(1, 0) == 0);
  wf::registry other = wf::builtin_registry();
  REQUIRE(other.add({.name = "relu",
                     .signature = "A: number [...] -> B[...]",
                     .costs = {{"flops", "3*A"}},
                     .overrides = true}));
  own.kernels = &other;
  CHECK(wf::executable_graph::prepare(w.graph(), own).error().code == wf::errc::not_executable);
}
