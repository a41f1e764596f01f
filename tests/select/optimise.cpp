// SPDX-License-Identifier: BSL-1.0
#include <wf/select/optimise.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

#include "../choice/expressions.hpp"
#include "../choice/field.hpp"
#include "../choice/rules.hpp"

namespace {

// Matrix-chain multiplication by the textbook's dynamic programming: the cost of a product is its
// own plus `of_factors` of the costs of its two factors.
template <class F>
std::int64_t optimum(const std::vector<std::int64_t>& sizes, F of_factors) {
  const std::size_t n = sizes.size() - 1;
  std::vector<std::vector<std::int64_t>> best(n, std::vector<std::int64_t>(n));
  for (std::size_t length = 2; length <= n; ++length)
    for (std::size_t i = 0; i + length <= n; ++i) {
      const std::size_t j = i + length - 1;
      best[i][j] = INT64_MAX;
      for (std::size_t k = i; k < j; ++k)
        best[i][j] = std::min(best[i][j], of_factors(best[i][k], best[k + 1][j]) +
                                              2 * sizes[i] * sizes[k + 1] * sizes[j + 1]);
    }
  return best[0][n - 1];
}

}  // namespace

TEST_CASE("chains of random sizes reach the dynamic programme's optimum, proven") {
  std::mt19937 random(61);
  for (int round = 0; round < 150; ++round) {
    const auto sizes = expressions::random_sizes(random, 3 + random() % 6, 30);
    const auto g = expressions::chain(sizes);
    REQUIRE(g);
    const auto plan = wf::optimise(g->view(), wf::minimise(wf::flops));
    REQUIRE(plan);
    CHECK(plan->proven_optimal);
    CHECK(plan->value == optimum(sizes, std::plus<>{}));
    CHECK(plan->bound == plan->value);
    CHECK(*wf::price(plan->chosen.view(), wf::flops) == plan->value);
    CHECK(wf::validate(plan->chosen.view()));
  }
}

TEST_CASE("a peak-memory limit is kept, and one that nothing keeps is explained") {
  std::mt19937 random(62);
  for (int round = 0; round < 60; ++round) {
    const auto g = expressions::chain(expressions::random_sizes(random, 4 + random() % 3, 12));
    REQUIRE(g);
    const auto free = wf::optimise(g->view(), wf::minimise(wf::peak_memory));
    REQUIRE(free);
    const wf::limit tight[] = {wf::peak_memory <= free->value};
    const auto plan = wf::optimise(g->view(), wf::minimise(wf::flops), tight);
    REQUIRE(plan);
    CHECK(*wf::price(plan->chosen.view(), wf::peak_memory) <= free->value);
    const wf::limit impossible[] = {wf::peak_memory <= free->value - 1};
    const auto none = wf::optimise(g->view(), wf::minimise(wf::flops), impossible);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == wf::errc::infeasible);
  }
}

TEST_CASE("row 4: the shortest critical path of a chain is the dynamic programme's") {
  constexpr wf::metric<"time", "ns", wf::combination::critical_path> duration;
  wf::registry r = wf::builtin_registry();
  wf::kernel_spec product = *r.find("matmul");
  product.overrides = true;
  product.costs[costs_of(product).size()] = {"time", "2*C*K"};
  REQUIRE(r.add(product));
  std::mt19937 random(63);
  for (int round = 0; round < 40; ++round) {
    const auto sizes = expressions::random_sizes(random, 4 + random() % 3, 20);
    const auto g = expressions::chain(sizes);
    REQUIRE(g);
    const auto plan = wf::optimise(g->view(), wf::minimise(duration), {}, r);
    REQUIRE(plan);
    CHECK(plan->proven_optimal);
    const auto longer = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };
    CHECK(plan->value == optimum(sizes, longer));
    CHECK(*wf::price(plan->chosen.view(), duration, r) == plan->value);
  }
}

TEST_CASE("symbolic workflows are refused with a reason") {
  const auto g = wf::capture("symbolic", [](wf::scope& s) {
    auto a = s.input<"A", double, "M", "M">();
    s.output<"B">(inv(a));
  });
  REQUIRE(g);
  CHECK(wf::optimise(g->view(), wf::minimise(wf::flops)).error().code ==
        wf::errc::workflow_not_static);
}

TEST_CASE("a workflow that hands out its input needs no choice") {
  const auto g = wf::capture("identity", [](wf::scope& s) {
    s.output<"y">(s.input<"x", double, 2>());
    s.output<"z">(relu(s.input<"w", double, 2>()));
  });
  REQUIRE(g);
  const auto plan = wf::optimise(g->view(), wf::minimise(wf::flops));
  REQUIRE(plan);
  CHECK(plan->value == 2);
}

TEST_CASE("a workflow that hands out nothing but inputs costs nothing") {
  const auto g = wf::capture("inputs", [](wf::scope& s) {
    auto a = s.input<"A", double, 3, 3>(wf::symmetric);
    auto b = s.input<"B", double, 3, 3>();
    s.output<"a">(a);
    s.output<"b">(b);
  });
  REQUIRE(g);
  const auto plan = wf::optimise(g->view(), wf::minimise(wf::flops));
  REQUIRE(plan);
  CHECK(plan->proven_optimal);
  CHECK(plan->value == 0);
  CHECK(plan->chosen.view().nodes.empty());
  CHECK(plan->chosen.view().outputs.size() == 2);
  const auto memory = wf::optimise(g->view(), wf::minimise(wf::peak_memory));
  REQUIRE(memory);
  CHECK(memory->value == 2 * 9 * 8);
}

TEST_CASE("the caller may stop the growth as well as the search") {
  const auto g = expressions::chain({3, 4, 5, 6, 7, 8, 9});
  REQUIRE(g);
  int calls = 0;
  const auto stop = [&](const wf::search_progress& now) {
    if (++calls > 1) return true;
    CHECK(now.incumbent == wf::unbounded);
    CHECK(now.nodes == 0);
    CHECK(now.open != 0);
    return false;
  };
  const auto plan =
      wf::optimise(g->view(), wf::minimise(wf::flops), {}, wf::builtin_registry(), {}, stop);
  REQUIRE(plan);
  CHECK(plan->proven_optimal);  // among the alternatives that were made
  CHECK(plan->from.choices.growth().status == wf::growth_status::stopped_by_caller);
  CHECK(plan->value == *wf::price(g->view(), wf::flops));
}

// --- irrational prices ---------------------------------------------------------------------------

namespace {

constexpr wf::kernel_spec direct{.name = "direct",
                                 .domain = "signal",
                                 .signature = "X[N] -> Y[N]",
                                 .costs = {{"flops", "2*N*N"}}};
constexpr wf::kernel_spec fast{.name = "fast",
                               .domain = "signal",
                               .signature = "X[N] -> Y[N]",
                               .costs = {{"flops", "11*N*log2(N)"}}};
wf::result<wf::nothing> fast_instead(wf::choice_graph& c, wf::node_id id) {
  const wf::node n = c.view()[id];
  const wf::value_id x = c.view().inputs_of(n)[0];
  const auto made = c.add(fast, {&x, 1});
  if (!made) return made.error();
  c.unite(wf::graph_view::output_of(n), *made);
  return wf::nothing{};
}

}  // namespace

TEST_CASE("the cheaper of two is taken where a price is no rational number") {
  wf::registry kernels = wf::builtin_registry();
  REQUIRE(kernels.add(direct));
  REQUIRE(kernels.add(fast));
  const wf::transform t{"signal", "fast_instead", "for the test", &fast_instead, false, "direct"};
  wf::optimise_options options;
  options.transforms = {&t, 1};
  int taken = 0;
  for (std::int64_t n = 2; n < 80; ++n) {
    CAPTURE(n);
    wf::graph g("g");
    const wf::value_type type{wf::dtype::f64, {}, wf::shape::of(n)};
    const wf::value_id x = g.add_input("x", type);
    const wf::node_id node = g.add_node({.op = "direct", .domain = "signal"}, {&x, 1}, {&type, 1});
    g.add_output("y", wf::graph_view::output_of(g[node]));
    const auto plan = wf::optimise(g.view(), wf::minimise(wf::flops), {}, kernels, options);
    REQUIRE(plan);
    CHECK(plan->proven_optimal);
    const double size = static_cast<double>(n);
    const double by_fast = std::ceil(11 * size * std::log2(size) - 1e-9);
    const double least = std::min(2 * size * size, by_fast);
    CHECK(static_cast<double>(plan->value) == least);
    taken += plan->chosen.view().op_name(plan->chosen.view().nodes[0]) == "fast" ? 1 : 0;
  }
  CHECK(taken > 20);
  CHECK(taken < 70);
}

// --- nodes with several results ------------------------------------------------------------------

namespace {

// x -> (low, high), and the halves alone; "both" costs less than the two separate halves.
constexpr wf::kernel_spec both{.name = "both",
                               .domain = "halves",
                               .signature = "X[N] -> L[N], R[N]",
                               .costs = {{"flops", "10"}}};
constexpr wf::kernel_spec low{
    .name = "low", .domain = "halves", .signature = "X[N] -> L[N]", .costs = {{"flops", "7"}}};
constexpr wf::kernel_spec high{
    .name = "high", .domain = "halves", .signature = "X[N] -> R[N]", .costs = {{"flops", "6"}}};

struct halves {
  wf::graph workflow;
  wf::registry kernels = wf::builtin_registry();

  // Outputs the low half, the high half, or both.
  explicit halves(bool wants_low, bool wants_high) : workflow("halves") {
    for (const wf::kernel_spec* k : {&both, &low, &high}) REQUIRE(kernels.add(*k));
    const wf::value_type type{wf::dtype::f32, {}, wf::shape::of(4)};
    const wf::value_type types[] = {type, type};
    const wf::value_id x = workflow.add_input("x", type);
    const wf::node_id n = workflow.add_node({.op = "both", .domain = "halves"}, {&x, 1}, types);
    if (wants_low) workflow.add_output("l", wf::graph_view::output_of(workflow[n], 0));
    if (wants_high) workflow.add_output("h", wf::graph_view::output_of(workflow[n], 1));
  }
  static constexpr wf::result<wf::nothing> propose(wf::choice_graph& c, wf::node_id id) {
    const wf::node n = c.view()[id];
    const wf::value_id x = c.view().inputs_of(n)[0];
    const auto l = c.add(low, {&x, 1});
    const auto h = c.add(high, {&x, 1});
    if (!l) return l.error();
    if (!h) return h.error();
    c.unite(wf::graph_view::output_of(n, 0), *l);
    c.unite(wf::graph_view::output_of(n, 1), *h);
    return wf::nothing{};
  }
  // The plan; `alone`: each half can be computed separately.
  wf::plan optimise(bool alone) const {
    const wf::transform apart{.domain = "halves",
                              .name = "apart",
                              .summary = "each half alone",
                              .propose = &halves::propose,
                              .op = "both"};
    wf::optimise_options options;
    options.transforms = {&apart, alone ? std::size_t{1} : std::size_t{0}};
    auto made = wf::optimise(workflow.view(), wf::minimise(wf::flops), {}, kernels, options);
    REQUIRE_MESSAGE(made, wf::to_text(made.error()).data());
    return *static_cast<wf::result<wf::plan>&&>(made);
  }
};

}  // namespace

TEST_CASE("a node of several results is paid once, and only where it is the cheapest") {
  for (const bool alone : {false, true}) {
    CAPTURE(alone);
    const wf::plan two = halves(true, true).optimise(alone);
    CHECK(two.proven_optimal);
    CHECK(two.value == 10);  // 13 if computed separately
    CHECK(two.chosen.view().nodes.size() == 1);
    const wf::plan first = halves(true, false).optimise(alone);
    CHECK(first.value == (alone ? 7 : 10));
    const wf::plan second = halves(false, true).optimise(alone);
    CHECK(second.value == (alone ? 6 : 10));
    for (const wf::plan* p : {&two, &first, &second}) {
      const halves all(true, true);
      const auto flops =
          wf::total_cost<wf::rational>(p->chosen.view(), wf::flops_::spec, all.kernels);
      REQUIRE(flops);
      CHECK(*flops == wf::rational(p->value));
    }
  }
}

TEST_CASE("nodes with effects and the order that edges ask for survive optimisation") {
  auto captured = wf::capture("logged", [](wf::scope& s) {
    auto a = s.input<"A", double, 20, 2>();
    auto b = s.input<"B", double, 2, 20>();
    auto x = s.input<"x", double, 20, 1>();
    auto y = s.let<"y">(a * b);
    s.output<"Y">(y * x);
  });
  REQUIRE(captured);
  wf::graph g = *captured;
  const wf::value_id product = wf::graph_view::output_of(g.view().nodes[0]);
  const wf::cost_formula free[] = {{"flops", "0"}};
  const wf::node_id opened =
      g.add_node({.op = "open", .effects = wf::effect::external, .costs = free}, {}, {});
  const wf::node_id logged =
      g.add_node({.op = "log", .effects = wf::effect::external, .costs = free}, {&product, 1}, {});
  g.add_edge(wf::edge_kind::control, opened, logged);
  const auto plan = wf::optimise(g.view(), wf::minimise(wf::flops));
  CAPTURE(wf::to_text(plan.error()).view());
  REQUIRE(plan);
  const wf::graph_view chosen = plan->chosen.view();
  CHECK(wf::validate(chosen));
  REQUIRE(chosen.edges.size() == 1);
  CHECK(chosen.op_name(chosen[chosen.edges[0].from]) == "open");
  CHECK(chosen.op_name(chosen[chosen.edges[0].to]) == "log");
  // The log needs A*B, but Y = A*(B*x) is still too cheap to reuse it.
  CHECK(plan->value == 2 * 20 * 2 * 20 + 2 * 2 * 20 + 2 * 20 * 2);
  CHECK(plan->proven_optimal);
}

TEST_CASE("plans from saturated alternatives compute what the workflow says, through cycles too") {
  const wf::transform all[] = {
      rules::commute_sums,      rules::associate_sums,       rules::expand_products,
      rules::collect_factors,   rules::cancel_turns,         rules::distribute_turns,
      wf::transforms::inverted, wf::transforms::chain_order, wf::transforms::definite_solve};
  wf::optimise_options options;
  options.transforms = all;
  options.growth.max_nodes = 300;
  int cheaper = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    const auto workflow = expressions::random(seed, {.steps = 9, .largest = 3});
    REQUIRE(workflow);
    const auto plan = wf::optimise(workflow->view(), wf::minimise(wf::flops), {},
                                   wf::builtin_registry(), options);
    REQUIRE(plan);
    CHECK(plan->proven_optimal);
    const auto stated = wf::price(workflow->view(), wf::flops);
    REQUIRE(stated);
    CHECK(plan->value <= *stated);
    cheaper += plan->value < *stated ? 1 : 0;
    REQUIRE(wf::validate(plan->chosen.view()));
    const auto before = field::evaluate(workflow->view(), seed);
    const auto after = field::evaluate(plan->chosen.view(), seed);
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(before[wf::index_of(workflow->view().outputs[i].source)] ==
            after[wf::index_of(plan->chosen.view().outputs[i].source)]);
  }
  CHECK(cheaper > 50);
}

TEST_CASE("rules that are small lead together to a plan that no single one finds") {
  // Expand, multiply D V first, and collect nothing.
  const auto workflow = expressions::together();
  REQUIRE(workflow);
  const wf::transform both[] = {rules::expand_products, wf::transforms::chain_order};
  const auto value_with = [&](wf::view<wf::transform> transforms) {
    wf::optimise_options options;
    options.transforms = transforms;
    const auto plan = wf::optimise(workflow->view(), wf::minimise(wf::flops), {},
                                   wf::builtin_registry(), options);
    REQUIRE(plan);
    return plan->value;
  };
  const std::int64_t stated = 2 * 900 + 900 + 2 * 900, best = 60 + 60 + 2 * 900 + 30;
  CHECK(value_with({both, 1}) == stated);
  CHECK(value_with({both + 1, 1}) == stated);
  CHECK(value_with(both) == best);
}
