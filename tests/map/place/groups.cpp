// SPDX-License-Identifier: BSL-1.0
#include <wf/map/place/groups.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/map/batch/clean_up.hpp>
#include <wf/map/batch/map.hpp>
#include <wf/map/batch/map_part.hpp>

#include <mapping/check_batch.hpp>

#include "../checker.hpp"
#include "../random_constraints.hpp"

namespace {

using wf_test::pick;

/// product → activation → sum with a second product, which has another reader.
constexpr wf::workload small() {
  wf::workload w;
  w.name = wf::text("small");
  const auto add = [&](const char* label, std::int64_t macs) {
    wf::workload_operator o;
    o.label = wf::text(label);
    o.macs = macs;
    o.elementwise = macs == 0 ? 4 : 0;
    o.output_bytes = 4;
    return w.add(o);
  };
  const auto first = add("first", 8), activation = add("activation", 0), second = add("second", 8),
             sum = add("sum", 0), third = add("third", 8);
  w.connect(first, activation, 4);
  w.connect(activation, sum, 4);
  w.connect(second, sum, 4);
  w.connect(second, third, 4);
  return w;
}

static_assert(wf::fusible_chains(small()) == wf::operator_groups{0, 0, 1, 0, 2});

constexpr wf::group_order order_of_chains() {
  const auto work = wf::batch_work_of(small());
  const auto order = order_of(wf::fusible_chains(small()), work->graph, small());
  return *order;
}
// "second" precedes the chain, because the final sum reads it.
static_assert(order_of_chains().operators == wf::table<std::uint32_t>{2, 0, 1, 3, 4});
static_assert(order_of_chains().ends == wf::table<std::uint32_t>{1, 4, 5});
static_assert(order_of_chains().levels == wf::table<std::uint32_t>{0, 1, 1});
static_assert(order_of_chains().begin_of(1) == 1);

TEST_CASE("without groups every operator is one, in its place") {
  const auto work = wf::batch_work_of(small());
  const auto order = order_of({}, work->graph, small());
  REQUIRE(order);
  CHECK(order->operators == wf::table<std::uint32_t>{0, 1, 2, 3, 4});
  CHECK(order->levels == wf::table<std::uint32_t>{0, 1, 0, 2, 1});
  const wf::group_order levelled = by_level(*order);
  CHECK(levelled.operators == wf::table<std::uint32_t>{0, 2, 1, 4, 3});
  CHECK(levelled.levels == wf::table<std::uint32_t>{0, 0, 1, 1, 2});
  CHECK(levelled.ends == wf::table<std::uint32_t>{1, 2, 3, 4, 5});
}

TEST_CASE("groups that wait for each other are refused") {
  const auto work = wf::batch_work_of(small());
  // first and sum are grouped, but the activation between them is not.
  const auto order = order_of({0, 1, 2, 0, 3}, work->graph, small());
  REQUIRE_FALSE(order);
  CHECK(order.error().code == wf::errc::invalid_problem);
  CHECK(order.error().subject == wf::text("first"));
  CHECK(order_of({0, 1}, work->graph, small()).error().code == wf::errc::invalid_problem);
  wf::batch_options options;
  options.groups = {0, 1, 2, 0, 3};
  wf::pe_array a;
  a.memory_bytes = 4096;
  CHECK_FALSE(wf::map(small(), a, options));
}

TEST_CASE("orders of random groups respect who reads whom, and mappings keep groups together") {
  int ordered = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, static_cast<int>(pick(random, 1, 8)));
    w.batch = 4;
    wf::batch_options options;
    const bool chains = pick(random, 0, 1) == 0;
    if (chains)
      options.groups = wf::fusible_chains(w);
    else
      for (std::size_t i = 0; i < w.operators.size(); ++i)
        options.groups.push_back(static_cast<std::uint32_t>(pick(random, 0, 4)));
    const auto work = wf::batch_work_of(w);
    REQUIRE(work);
    const auto order = order_of(options.groups, work->graph, w);
    if (!order) {
      REQUIRE_FALSE(chains);
      ++refused;
      continue;
    }
    ++ordered;
    for (const wf::group_order& o : {*order, by_level(*order)}) {
      REQUIRE(o.operators.size() == work->size());
      std::vector<std::uint32_t> place(work->size(), UINT32_MAX), group(work->size());
      for (std::uint32_t g = 0; g < o.size(); ++g)
        for (std::uint32_t k = o.begin_of(g); k < o.ends[g]; ++k) {
          REQUIRE(place[o.operators[k]] == UINT32_MAX);
          place[o.operators[k]] = k;
          group[o.operators[k]] = g;
        }
      for (std::uint32_t v = 0; v < work->size(); ++v) {
        for (const auto& x : work->graph.operands_of(v)) {
          REQUIRE(place[x.producer] < place[v]);
          if (group[x.producer] != group[v])
            REQUIRE(o.levels[group[x.producer]] < o.levels[group[v]]);
        }
        for (std::uint32_t u = 0; u < v; ++u)
          REQUIRE((group[u] == group[v]) == (options.groups[work->graph.operators[u].source] ==
                                             options.groups[work->graph.operators[v].source]));
      }
    }
    wf::pe_array a = wf_test::random_array(random, 2, 2);
    a.dead.clear();
    a.memory_bytes = 4096;
    const auto m = wf::map(w, a, options);
    REQUIRE(m);
    REQUIRE(mapping_benchmark::fault_of(w, a, *m) == "");
    std::vector<std::uint32_t> stage(w.operators.size(), UINT32_MAX);
    for (std::uint32_t s = 0; s < m->stages.size(); ++s)
      for (std::uint32_t k = 0; k < m->stages[s].operators.count; ++k)
        stage[m->operators[m->stages[s].operators.first + k].op] = s;
    for (std::size_t i = 0; i < stage.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (stage[i] != UINT32_MAX && stage[k] != UINT32_MAX &&
            options.groups[i] == options.groups[k])
          REQUIRE(stage[i] == stage[k]);
  }
  MESSAGE(ordered << " ordered, " << refused << " refused");
  CHECK(ordered > 200);
  CHECK(refused > 20);
}

constexpr bool a_chain_is_mapped_together_while_compiling() {
  wf::pe_array a;
  a.columns = 2;
  a.memory_bytes = 4096;
  wf::map_options options;
  options.groups = wf::fusible_chains(small());
  const auto m = wf::map(small(), a, options);
  return m && m->proven() && m->operators[0].where == m->operators[1].where &&
         m->operators[0].where == m->operators[3].where;
}
static_assert(a_chain_is_mapped_together_while_compiling());

TEST_CASE("optima with groups agree with brute force") {
  int grouped = 0, refused = 0, infeasible = 0, longer = 0;
  const auto compare = [&](std::uint64_t seed, int cases, std::int32_t rows, std::int32_t columns,
                           int most) {
    for (int i = 0; i < cases; ++i) {
      CAPTURE(seed + static_cast<std::uint64_t>(i));
      auto [random, w, a] = wf_test::make_random_problem(seed + static_cast<std::uint64_t>(i), 2,
                                                         most, rows, columns);
      if (i % 3 == 0) wf_test::let_overwrite(random, w);
      wf::map_options options;
      if (i % 4 == 0) options.constraints = wf_test::random_constraints(random, w, a, 2);
      for (std::size_t k = 0; k < w.operators.size(); ++k)
        options.groups.push_back(static_cast<std::uint32_t>(pick(random, 0, 2)));
      const std::vector<std::uint32_t> groups(options.groups.begin(), options.groups.end());
      const auto m = wf::map(w, a, options);
      if (!m && m.error().code == wf::errc::invalid_problem) {
        ++refused;
        continue;
      }
      wf_test::brute_force all(w, a, options.constraints, groups);
      if (!m) {
        ++infeasible;
        REQUIRE(m.error().code == wf::errc::mapping_infeasible);
        REQUIRE_FALSE(all.beats(1'000'000));
        continue;
      }
      ++grouped;
      REQUIRE(m->proven());
      REQUIRE(wf_test::check(w, a, *m) == "");
      REQUIRE(wf_test::broken_wish(options.constraints, w, *m) == "");
      REQUIRE(wf_test::keeps_groups(w, a, *m, groups));
      REQUIRE_FALSE(all.beats(m->makespan));
      options.groups.clear();
      const auto apart = wf::map(w, a, options);
      REQUIRE(apart);
      REQUIRE(apart->makespan <= m->makespan);
      longer += apart->makespan < m->makespan ? 1 : 0;
    }
  };
  compare(1000, 900, 1, 2, 4);
  compare(20'000, 300, 2, 2, 3);
  compare(40'000, 300, 1, 3, 3);
  MESSAGE(grouped << " mapped, " << longer << " of them longer than without groups, " << refused
                  << " refused, " << infeasible << " infeasible");
  CHECK(grouped > 500);
  CHECK(longer > 50);
  CHECK(refused > 20);
}

TEST_CASE("clean-ups and parts of the array keep groups together, and strange groups are refused") {
  int cleaned = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 4, 8, 2, 3);
    wf::map_options options;
    options.groups = wf::fusible_chains(w);
    options.limits.max_nodes = 200;
    const std::vector<std::uint32_t> groups(options.groups.begin(), options.groups.end());
    const auto m = wf::map(w, a, options);
    if (!m) continue;
    REQUIRE(wf_test::check(w, a, *m) == "");
    REQUIRE(wf_test::keeps_groups(w, a, *m, groups));
    wf::edit_options same;
    same.groups = options.groups;
    const auto edited = wf::clean_up(w, a, *m, same);
    REQUIRE(edited);
    REQUIRE(edited->makespan <= m->makespan);
    REQUIRE(wf_test::check(w, a, *edited) == "");
    REQUIRE(wf_test::keeps_groups(w, a, *edited, groups));
    const auto part = wf::map_onto_part(w, a, options);
    REQUIRE(part);
    REQUIRE(wf_test::keeps_groups(w, part->array, part->placed, groups));
    ++cleaned;
  }
  CHECK(cleaned > 80);
  wf::map_options options;
  options.groups = {0, 1, 2, 0, 3};
  wf::pe_array a;
  a.memory_bytes = 4096;
  CHECK(wf::map(small(), a, options).error().code == wf::errc::invalid_problem);
  CHECK(wf::map_onto_part(small(), a, options).error().code == wf::errc::invalid_problem);
  options.groups = {0, 1};
  CHECK(wf::map(small(), a, options).error().code == wf::errc::invalid_problem);
}

}  // namespace
