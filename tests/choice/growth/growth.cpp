// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/growth/growth.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/choice/transform/linalg/linalg.hpp>

#include "../../../examples/elimination.hpp"
#include "../equal_classes.hpp"
#include "../expressions.hpp"
#include "../rules.hpp"

namespace {

constexpr wf::value_type square{wf::dtype::f64, {}, wf::shape::of(3, 3)};

// x0 + x1 + ... + x(n-1), from the left.
constexpr wf::graph sum_of(int n) {
  wf::graph g("sum");
  wf::value_id total = g.add_input("x0", square);
  for (int i = 1; i < n; ++i) {
    const wf::value_id terms[] = {total, g.add_input((wf::text() << 'x' << i).view(), square)};
    const wf::node_id added =
        g.add_node({.op = "add", .domain = "elementwise"}, terms, {&square, 1});
    total = wf::graph_view::output_of(g[added]);
  }
  g.add_output("y", total);
  return g;
}

constexpr wf::transform ring[] = {rules::commute_sums, rules::associate_sums};

constexpr std::size_t power(std::size_t base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}
// Every non-empty set of terms has one sum, and every ordered pair of disjoint sets is a candidate.
constexpr std::size_t sums_of(int n) { return power(3, n) - power(2, n + 1) + 1; }

constexpr bool saturates(int n) {
  const auto grown = wf::grow(sum_of(n).view(), ring);
  return grown->growth().status == wf::growth_status::saturated && grown->size() == sums_of(n);
}
static_assert(saturates(2) && saturates(3));

constexpr wf::growth_outcome stopped(const wf::growth_limits& limits) {
  return wf::grow(sum_of(4).view(), ring, wf::builtin_registry(), limits)->growth();
}
static_assert(stopped({.max_nodes = 10}).status == wf::growth_status::stopped_by_nodes);
static_assert(stopped({.max_steps = 10}).status == wf::growth_status::stopped_by_steps);
static_assert(stopped({.max_steps = 10}).steps == 10);

constexpr wf::transform everything[] = {rules::commute_sums,
                                        rules::associate_sums,
                                        rules::expand_products,
                                        rules::collect_factors,
                                        rules::cancel_turns,
                                        rules::distribute_turns,
                                        wf::transforms::inverted,
                                        wf::transforms::easy_inverse,
                                        wf::transforms::expand_sum,
                                        wf::transforms::chain_order,
                                        wf::transforms::definite_solve,
                                        elimination::instead_of_inverse};

// The sizes of the classes, independent of their numbering.
std::vector<std::size_t> class_sizes(const wf::choice_graph& c) {
  std::vector<std::size_t> sizes;
  for (std::uint32_t v = 0; v < c.view().values.size(); ++v) {
    const auto id = static_cast<wf::value_id>(v);
    if (c.class_of(id) == v) sizes.push_back(c.candidates_of(id).size());
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace

TEST_CASE("sums of n terms saturate: all orders, shared, and nothing twice") {
  for (int n = 2; n <= 7; ++n) {
    CAPTURE(n);
    const auto grown = wf::grow(sum_of(n).view(), ring);
    REQUIRE(grown);
    CHECK(grown->growth().status == wf::growth_status::saturated);
    CHECK(grown->size() == sums_of(n));
    CHECK(class_sizes(*grown).size() == power(2, n) - 1);
    check_invariants(*grown);
    if (n <= 5) check_classes(*grown, 7);
  }
}

TEST_CASE("what saturates does not depend on the order of transforms") {
  int grown = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const auto captured = expressions::random(seed, {.steps = 10, .inverses = false, .largest = 2});
    REQUIRE(captured);
    std::vector<wf::transform> some = {rules::commute_sums, rules::associate_sums,
                                       rules::cancel_turns, rules::distribute_turns};
    const wf::growth_limits limits{.max_nodes = 2000};
    const auto first =
        wf::grow(captured->view(), {some.data(), some.size()}, wf::builtin_registry(), limits);
    REQUIRE(first);
    if (first->growth().status != wf::growth_status::saturated) continue;
    grown += first->size() > captured->view().nodes.size() + 2 ? 1 : 0;
    std::shuffle(some.begin(), some.end(), std::mt19937_64(seed));
    const auto second =
        wf::grow(captured->view(), {some.data(), some.size()}, wf::builtin_registry(), limits);
    REQUIRE(second);
    CHECK(second->growth().status == wf::growth_status::saturated);
    CHECK(class_sizes(*first) == class_sizes(*second));
  }
  CHECK(grown > 20);
}

TEST_CASE("saturated means that no transform has anything new to say anywhere") {
  int saturated = 0, merged = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    const auto captured = expressions::random(seed, {.steps = 8, .largest = 3});
    REQUIRE(captured);
    auto grown = wf::grow(captured->view(), everything, wf::builtin_registry(), {.max_nodes = 400});
    REQUIRE(grown);
    check_classes(*grown, seed);
    check_invariants(*grown);
    merged += grown->growth().merged != 0 ? 1 : 0;
    if (grown->growth().status != wf::growth_status::saturated) continue;
    ++saturated;
    wf::choice_graph& c = *grown;
    const std::uint32_t size = c.size();
    for (std::uint32_t i = 0; i < size; ++i)
      for (std::uint16_t t = 0; t < std::size(everything); ++t) {
        const auto id = static_cast<wf::node_id>(i);
        const wf::transform& asked = everything[t];
        if (!asked.op.empty() && c.view().op_name(c.view().nodes[i]) != asked.op) continue;
        c.set_origin(static_cast<wf::origin_id>(t + 1), id);
        REQUIRE(asked.propose(c, id));
        CAPTURE(asked.name.data());
        CAPTURE(i);
        REQUIRE(c.size() == size);
        REQUIRE(c.changes().empty());
      }
  }
  CHECK(saturated > 60);
  CHECK(merged > 10);
}

TEST_CASE("transforms find together what none of them finds alone") {
  // Expansion makes C D V, which another transform reorders.
  const auto captured = expressions::together();
  REQUIRE(captured);
  const wf::transform both[] = {rules::expand_products, wf::transforms::chain_order};
  const auto grown = wf::grow(captured->view(), both);
  REQUIRE(grown);
  bool found = false;
  for (std::uint32_t i = 0; i < grown->size(); ++i) {
    const auto id = static_cast<wf::node_id>(i);
    const wf::graph_view g = grown->view();
    if (!grown->applies(id, wf::kernels::matmul)) continue;
    const wf::node_id inner = grown->producer_of(grown->inputs_of(id)[1]);
    if (inner == wf::node_id::none || !grown->applies(inner, wf::kernels::matmul)) continue;
    // C (D V)
    found = true;
    const auto steps = grown->derivation_of(id);
    REQUIRE(steps.size() == 2);
    CHECK(steps[0].by == wf::origin_id{2});
    CHECK(steps[1].by == wf::origin_id{1});
    CHECK(grown->derivation_of(steps[0].at).size() == 1);
    CHECK(g.op_name(g[steps[1].at]) == "matmul");
    CHECK(grown->origin_of(steps[1].at) == wf::origin_id::captured);
  }
  CHECK(found);
}

TEST_CASE("a class may contain itself: a transpose of a transpose") {
  const auto captured = wf::capture("turned", [](wf::scope& s) {
    auto a = s.input<"A", double, 3, 4>();
    auto b = s.input<"B", double, 3, 4>();
    auto sum = s.let<"S">(a + b);
    s.output<"Y">(s.let(trans(s.let(trans(sum)))));
  });
  REQUIRE(captured);
  const wf::transform turns[] = {rules::cancel_turns, rules::distribute_turns};
  const auto grown = wf::grow(captured->view(), turns);
  REQUIRE(grown);
  CHECK(grown->growth().status == wf::growth_status::saturated);
  const wf::value_id sum = grown->result_of(wf::node_id{0});
  CHECK(grown->is_output(sum));
  bool turns_back = false;
  for (wf::node_id id : grown->candidates_of(sum))
    turns_back = turns_back || grown->applies(id, wf::kernels::transpose);
  CHECK(turns_back);
  check_invariants(*grown);
  check_classes(*grown, 3);
}

TEST_CASE("a growth ends where it was told to, and says why") {
  const wf::graph sum = sum_of(6);
  const auto all = wf::grow(sum.view(), ring);
  REQUIRE(all);
  const std::uint64_t steps = all->growth().steps;
  CHECK(all->growth() == wf::growth_outcome{.steps = steps, .merged = all->growth().merged});
  for (std::uint64_t most = 1; most <= steps; most += 37) {
    const auto some = wf::grow(sum.view(), ring, wf::builtin_registry(), {.max_steps = most});
    REQUIRE(some);
    CHECK(some->growth().steps == most);
    CHECK(some->growth().status ==
          (most < steps ? wf::growth_status::stopped_by_steps : wf::growth_status::saturated));
    check_invariants(*some);
  }
  const auto few = wf::grow(sum.view(), ring, wf::builtin_registry(), {.max_nodes = 50});
  REQUIRE(few);
  CHECK(few->growth().status == wf::growth_status::stopped_by_nodes);
  CHECK(few->size() <= 52);
}

TEST_CASE("the caller may stop a growth") {
  const wf::graph sum = sum_of(6);
  std::uint64_t seen = 0, calls = 0;
  const auto stop = [&](const wf::growth_progress& now) {
    CHECK(now.steps >= seen);
    CHECK(now.nodes >= 5);
    seen = now.steps;
    return ++calls < 4;
  };
  const auto some =
      wf::grow(sum.view(), ring, wf::builtin_registry(), {.progress_interval = 10}, stop);
  REQUIRE(some);
  CHECK(some->growth().status == wf::growth_status::stopped_by_caller);
  CHECK(calls == 4);
  CHECK(some->growth().steps == 30);
}

namespace {

// Unites inputs A and B when called at a node that reads A, however late.
wf::result<wf::nothing> same_inputs(wf::choice_graph& c, wf::node_id) {
  c.unite(wf::value_id{0}, wf::value_id{1});
  return wf::nothing{};
}
std::vector<std::uint32_t> asked_at;
wf::result<wf::nothing> note(wf::choice_graph& c, wf::node_id id) {
  asked_at.push_back(wf::index_of(id));
  if (c.applies(id, wf::kernels::relu)) c.watch(wf::value_id{2});
  return wf::nothing{};
}
wf::result<wf::nothing> know(wf::choice_graph& c, wf::node_id) {
  c.assume(wf::value_id{2}, wf::symmetric);
  return wf::nothing{};
}

}  // namespace

TEST_CASE("a transform is asked again where what it looked at has changed") {
  // relu(A); C + C; transpose(D): the transform at the last one adds a property of C.
  wf::graph g("g");
  for (const char* name : {"A", "B", "C", "D"}) g.add_input(name, square);
  const wf::value_id a{0}, c[] = {wf::value_id{2}, wf::value_id{2}}, d{3};
  for (const auto& [op, in] : {std::pair<const char*, wf::view<wf::value_id>>{"relu", {&a, 1}},
                               {"add", wf::view<wf::value_id>(c)},
                               {"transpose", {&d, 1}}})
    g.add_output(op, wf::graph_view::output_of(g[g.add_node({.op = op}, in, {&square, 1})]));
  asked_at.clear();
  const wf::transform watching[] = {{"user", "note", "", &note},
                                    {"user", "know", "", &know, true, "transpose"}};
  REQUIRE(wf::grow(g.view(), watching));
  // The addition reads C, which the transform of the activation watches.
  CHECK(asked_at == std::vector<std::uint32_t>{0, 1, 2, 1, 0});
  // A transform is not called again because of its own changes at the same node.
  const wf::transform telling[] = {{"user", "same", "", &same_inputs, true, "relu"}};
  CHECK(wf::grow(g.view(), telling)->growth().steps == 1);
}

TEST_CASE("values found equal merge their readers, and the name stays") {
  wf::graph g("g");
  const wf::value_id a = g.add_input("A", square), b = g.add_input("B", square);
  const auto node = [&](const char* op, wf::view<wf::value_id> in, const char* name = "") {
    return wf::graph_view::output_of(g[g.add_node({.op = op, .name = name}, in, {&square, 1})]);
  };
  const wf::value_id x = node("relu", {&a, 1}), y = node("relu", {&b, 1}, "y");
  const wf::value_id u = node("transpose", {&x, 1}), v = node("transpose", {&y, 1});
  const wf::value_id pair[] = {u, v};
  g.add_output("Y", node("add", pair));
  const wf::transform telling[] = {{"user", "same", "", &same_inputs, false, "add"}};
  const auto grown = wf::grow(g.view(), telling);
  REQUIRE(grown);
  CHECK(grown->growth().merged == 2);
  REQUIRE(grown->size() == 3);
  CHECK(grown->inputs_of(wf::node_id{2})[0] == grown->inputs_of(wf::node_id{2})[1]);
  CHECK(grown->view().text_of(grown->view().nodes[0].name) == "y");
  CHECK(grown->view().outputs.size() == 1);
}

TEST_CASE("products grow in polynomial time") {
  for (const int n : {8, 16, 31}) {
    const auto captured =
        expressions::chain(std::vector<std::int64_t>(static_cast<std::size_t>(n) + 1, 2));
    REQUIRE(captured);
    const auto grown = wf::grow(captured->view(), {&wf::transforms::chain_order, 1});
    REQUIRE(grown);
    CHECK(grown->size() == static_cast<std::size_t>((n * n * n - n) / 6));
    CHECK(grown->growth().steps <= grown->size() + static_cast<std::size_t>(n));
  }
}
