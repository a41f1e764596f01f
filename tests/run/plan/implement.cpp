// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/implement.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/cost/cost.hpp>
#include <wf/ir/graph/graph.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_kernels.hpp>

using namespace wf::literals;

namespace {

constexpr wf::kernel_spec tuned{
    .name = "tuned",
    .domain = "own",
    .signature =
        "X: floating [N], a: integer = 2, b: real = 3/4, c: string = same, d: real -> Y[N]",
    .costs = {{"flops", "N"}}};
constexpr auto code = wf::implementations(wf::implement<tuned>([](auto&, const auto&) {}));
static_assert(code.size == 1 && code.find("tuned") == 0 && code.find("other") == 1);
static_assert(wf::built_in_only.find("tuned") == wf::built_in_only.size);

// The attributes that a function sees of a node that states some.
constexpr bool attributes_are_whole() {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2)};
  const wf::value_id x = g.add_input("x", t);
  const wf::attribute_value with[] = {wf::attribute_value::floating("d", 0.5),
                                      wf::attribute_value::integer("more", 9),
                                      wf::attribute_value::integer("a", 7)};
  const wf::node_id n = g.add_node({.op = "tuned", .attributes = {with, 3}}, {&x, 1}, {&t, 1});
  const wf::detail::node_attributes all(g.view(), g[n], decltype(code)::at<0>::attributes{});
  const wf::node_context c(all, nullptr, 0);
  return all.count == 5 && all.of[0].name == "a" && all.of[1].name == "b" &&
         all.of[2].name == "c" && all.of[3].name == "d" && all.of[4].name == "more" &&
         c.integer("a") == 7 && c.real("b") == 0.75 && c.characters("c") == "same" &&
         c.real("d") == 0.5 && c.integer("more") == 9 && c.has("b") && !c.has("none") &&
         c.integer("none") == 0 && c.real("none") == 0 && c.characters("none").empty();
}
static_assert(attributes_are_whole());

}  // namespace

TEST_CASE("attributes stand in the order of the signature, with its defaults") {
  CHECK(attributes_are_whole());
}

TEST_CASE("a tensor of more dimensions is addressed in row-major order") {
  double elements[24];
  for (int i = 0; i < 24; ++i) elements[i] = i;
  const wf::tensor_span<double> t{wf::shape::of(2, 3, 4), elements};
  CHECK(t(1, 2, 3) == 23);
  CHECK(t(0, 1, 2) == 6);
  t(1, 0, 0) = 99;
  CHECK(elements[12] == 99);
}

namespace {

// Operators of a user's own whose signatures have packs and an optional dimension.

// B + D·B for a diagonal D, a vector: of a matrix or of a vector.
constexpr wf::kernel_spec stretch{.name = "stretch",
                                  .domain = "own",
                                  .signature = "d: floating [M], B: floating [M, N?] -> X[M, N?]",
                                  .costs = {{"flops", "2*M*N"}, {"columns", "N"}},
                                  .summary = "rows stretched"};
// The weighted sum of any number of matrices.
constexpr wf::kernel_spec blend{
    .name = "blend",
    .domain = "own",
    .signature = "w: floating [], n*A: floating [M, N], scale: real = 1 -> C[M, N]",
    .costs = {{"flops", "n*C"}, {"elements", "A"}},
    .summary = "w times the sum of all"};
// A vector times 1, 2, ... as many as `parts` says, and their number.
constexpr wf::kernel_spec multiples{
    .name = "multiples",
    .domain = "own",
    .signature = "x: floating [M], parts = 2 -> parts*Y[M], s: f64 []",
    .costs = {{"flops", "parts*M"}, {"elements", "Y"}},
    .summary = "multiples of a vector, and their number"};

constexpr auto packs_code =
    wf::implementations(wf::implement<stretch>([](auto&& x, const auto& d, const auto& b) {
                          for (Eigen::Index j = 0; j < b.cols(); ++j)
                            for (Eigen::Index i = 0; i < b.rows(); ++i)
                              x(i, j) = b(i, j) + d(i) * b(i, j);
                        }),
                        wf::implement<blend>([](const wf::node_context& context, auto&& c,
                                                const auto& w, const auto&... a) {
                          if (context.real("scale") != 1) throw std::runtime_error("scaled");
                          for (Eigen::Index j = 0; j < c.cols(); ++j)
                            for (Eigen::Index i = 0; i < c.rows(); ++i)
                              c(i, j) = w * (a(i, j) + ...);
                        }),
                        wf::implement<multiples>([](auto&&... all) {
                          const auto values = std::tie(all...);
                          constexpr std::size_t parts = sizeof...(all) - 2;
                          const auto& x = std::get<parts + 1>(values);
                          [&]<std::size_t... i>(std::index_sequence<i...>) {
                            (..., [&](auto& y, double factor) {
                              for (Eigen::Index k = 0; k < x.size(); ++k) y(k) = factor * x(k);
                            }(std::get<i>(values), static_cast<double>(i + 1)));
                          }(std::make_index_sequence<parts>());
                          std::get<parts>(values) = static_cast<double>(parts);
                        }));

constexpr wf::registry operators() {
  wf::registry all = wf::builtin_registry();
  (void)all.add(wf::view<wf::kernel_spec>(wf::executable_kernels<packs_code>));
  return all;
}

constexpr wf::metric_spec columns{"columns", "1"}, elements{"elements", "1"};

constexpr auto mixed = wf::workflow<"mixed">([](wf::scope& s) {
  auto d = s.input<"d", double, 4>();
  auto B = s.input<"B", double, 4, 3>();
  auto C = s.input<"C", double, 4, 3>();
  auto w = s.input<"w", double>();
  s.output<"X">(wf::call<stretch>(d, B));
  s.output<"x">(wf::call<stretch>(d, d));
  s.output<"one">(wf::call<blend>(w, B));
  s.output<"five">(wf::call<blend>(w, B, C, C, B, B));
});
// 2·4·3 and 2·4·1; n times 12 elements.
static_assert(*wf::price(mixed.graph(), wf::flops, operators()) == 24 + 8 + 12 + 60);

wf::value_type f64(auto... e) { return {wf::dtype::f64, {}, wf::shape::of(e...)}; }

// A graph of one node of these operands; its results are outputs y0, y1, ...
wf::graph graph_of(const wf::kernel_spec& k, const std::vector<wf::value_type>& in,
                   const std::vector<wf::attribute_value>& with = {}) {
  wf::graph g("one");
  std::vector<wf::value_id> ids;
  for (std::size_t i = 0; i < in.size(); ++i)
    ids.push_back(g.add_input(("x" + std::to_string(i)).c_str(), in[i]));
  const auto made = wf::infer(k, {{in.data(), in.size()}, {with.data(), with.size()}});
  REQUIRE_MESSAGE(made, wf::to_text(made.error()).view());
  wf::node_description what{.op = k.name, .domain = k.domain};
  what.attributes = {with.data(), with.size()};
  const wf::node_id id = g.add_node(what, {ids.data(), ids.size()}, made->types());
  for (std::uint32_t r = 0; r < made->count; ++r)
    g.add_output(("y" + std::to_string(r)).c_str(), wf::graph_view::output_of(g[id], r));
  return g;
}

std::int64_t priced(const wf::graph& g, const wf::metric_spec& m) {
  static const wf::registry all = operators();
  const auto cost = wf::price(g.view(), m, all);
  REQUIRE_MESSAGE(cost, wf::to_text(cost.error()).view());
  return *cost;
}

std::map<std::string, Eigen::MatrixXd> executed(const wf::graph_view& g,
                                                const wf::named_matrices& arguments) {
  static const wf::registry all = operators();
  wf::execution_options own;
  own.kernels = &all;
  const auto program = wf::executable_graph::prepare(g, own);
  REQUIRE_MESSAGE(program, wf::to_text(program.error()).view());
  const auto made = (*program)(arguments);
  REQUIRE_MESSAGE(made, wf::to_text(made.error()).view());
  return {made->begin(), made->end()};
}

}  // namespace

TEST_CASE("a matrix and a vector go through one kernel of the user's") {
  for (const int n : {0, 1, 3}) {  // 0: a vector
    CAPTURE(n);
    const wf::graph g = graph_of(stretch, {f64(4), n == 0 ? f64(4) : f64(4, n)});
    CHECK(priced(g, wf::flops) == 8 * std::max(n, 1));
    CHECK(priced(g, columns) == std::max(n, 1));
    const Eigen::VectorXd d = Eigen::VectorXd::Random(4);
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(4, std::max(n, 1));
    const auto made = executed(g.view(), {{"x0", d}, {"x1", b}});
    CHECK((made.at("y0") - (b + d.asDiagonal() * b)).norm() < 1e-14);
  }
}

TEST_CASE("a function takes matrices where its kernel leaves the rank open") {
  static constexpr wf::kernel_spec stack{.name = "stack",
                                         .domain = "own",
                                         .signature = "A[B, M, N?] -> C[B, M, N?]",
                                         .costs = {{"flops", "A"}}};
  static constexpr auto copies =
      wf::implementations(wf::implement<stack>([](auto& c, const auto& a) { c = a; }));
  wf::registry all = wf::builtin_registry();
  REQUIRE(all.add(wf::view<wf::kernel_spec>(wf::executable_kernels<copies>)));
  const auto prepared = [&](const wf::value_type& t) {
    return wf::executable_graph::prepare(graph_of(stack, {t}).view(), {.kernels = &all});
  };
  CHECK(prepared(f64(2, 3)));
  const auto refused = prepared(f64(2, 3, 4));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::not_executable);
  CHECK(std::string(refused.error().message.view()).find("takes matrices") != std::string::npos);
}

TEST_CASE("any number of operands goes through one kernel of the user's") {
  for (std::size_t n = 1; n <= 7; ++n) {
    CAPTURE(n);
    std::vector<wf::value_type> in(n + 1, f64(3, 2));
    in[0] = f64();
    const wf::graph g = graph_of(blend, in);
    CHECK(priced(g, wf::flops) == static_cast<std::int64_t>(6 * n));
    CHECK(priced(g, elements) == static_cast<std::int64_t>(6 * n));  // of all of the pack
    wf::named_matrices arguments{{"x0", Eigen::MatrixXd::Constant(1, 1, 0.5)}};
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(3, 2);
    for (std::size_t i = 1; i <= n; ++i) {
      const Eigen::MatrixXd a = Eigen::MatrixXd::Random(3, 2);
      arguments["x" + std::to_string(i)] = a;
      sum += a;
    }
    CHECK((executed(g.view(), arguments).at("y0") - 0.5 * sum).norm() < 1e-14);
    // Its function reads attributes.
    const wf::graph scaled = graph_of(blend, in, {wf::attribute_value::integer("scale", 2)});
    static const wf::registry all = operators();
    const auto failed =
        (*wf::executable_graph::prepare(scaled.view(), {.kernels = &all}))(arguments);
    REQUIRE_FALSE(failed);
    CHECK(std::string(failed.error().message.view()).find("scaled") != std::string::npos);
  }
}

TEST_CASE("any number of results comes from one kernel of the user's") {
  for (std::int64_t parts = 1; parts <= 3; ++parts) {
    CAPTURE(parts);
    const wf::graph g =
        graph_of(multiples, {f64(5)}, {wf::attribute_value::integer("parts", parts)});
    CHECK(priced(g, wf::flops) == 5 * parts);
    CHECK(priced(g, elements) == 5 * parts);
    const Eigen::VectorXd x = Eigen::VectorXd::Random(5);
    const auto made = executed(g.view(), {{"x0", x}});
    REQUIRE(made.size() == static_cast<std::size_t>(parts) + 1);
    for (std::int64_t p = 0; p < parts; ++p)
      CHECK((made.at("y" + std::to_string(p)) - static_cast<double>(p + 1) * x).norm() < 1e-14);
    CHECK(made.at("y" + std::to_string(parts))(0) == static_cast<double>(parts));
  }
}

TEST_CASE("a static plan and the run-time executor agree on them") {
  const Eigen::Matrix<double, 4, 1> d = Eigen::Matrix<double, 4, 1>::Random();
  const Eigen::Matrix<double, 4, 3> B = Eigen::Matrix<double, 4, 3>::Random(),
                                    C = Eigen::Matrix<double, 4, 3>::Random();
  const Eigen::Matrix<double, 1, 1> w(0.25);
  const auto fixed = wf::run<mixed, packs_code>("d"_arg = d, "B"_arg = B, "C"_arg = C, "w"_arg = w);
  REQUIRE(fixed);
  CHECK((fixed["X"_arg] - (B + d.asDiagonal() * B)).norm() < 1e-14);
  CHECK((fixed["x"_arg] - (d + d.cwiseProduct(d))).norm() < 1e-14);
  CHECK((fixed["one"_arg] - 0.25 * B).norm() < 1e-14);
  CHECK((fixed["five"_arg] - 0.25 * (3 * B + 2 * C)).norm() < 1e-14);
  const auto made = executed(mixed.graph(), {{"d", d}, {"B", B}, {"C", C}, {"w", w}});
  CHECK((made.at("X") - fixed["X"_arg]).norm() < 1e-14);
  CHECK((made.at("x") - fixed["x"_arg]).norm() < 1e-14);
  CHECK((made.at("one") - fixed["one"_arg]).norm() < 1e-14);
  CHECK((made.at("five") - fixed["five"_arg]).norm() < 1e-14);
}
