// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <wf/map/place/map.hpp>

#include "../checker.hpp"
#include "../networks.hpp"
#include "../random_constraints.hpp"
#include "../random_workload.hpp"
#include "../small_problems.hpp"

namespace {

constexpr wf::workload_operator gemm(const char* label, std::int64_t macs, std::int64_t bytes) {
  wf::workload_operator o;
  o.label = wf::text(label);
  o.macs = macs;
  o.weight_bytes = o.output_bytes = bytes;
  o.first_axis = o.second_axis = 4;
  return o;
}

constexpr wf::workload forked() {
  wf::workload w;
  w.name = wf::text("fork");
  const auto a = w.add(gemm("a", 64, 8));
  for (const char* label : {"b", "c"}) w.connect(a, w.add(gemm(label, 64, 8)), 8);
  return w;
}

constexpr wf::pe_array two(std::int64_t memory) {
  wf::pe_array a = wf_test::row_of(2, memory);
  a.hop_latency = 1;
  return a;
}

// The whole search while compiling: 3 · ⌈64 / 2 / 4⌉ cycles, a lower bound.
static_assert(wf::map(forked(), two(100))->makespan == 24);
static_assert(wf::map(forked(), two(100))->proven());
static_assert(wf::map(forked(), two(8)).error().code == wf::errc::mapping_infeasible);

TEST_CASE("a fork is mapped while compiling and at run time alike") {
  const auto m = wf::map(forked(), two(100));
  REQUIRE(m);
  CHECK(m->makespan == 24);
  CHECK(m->proven());
  CHECK(wf_test::check(forked(), two(100), *m) == "");
}

void compare_with_brute_force(std::uint64_t seed, int cases, std::int32_t rows,
                              std::int32_t columns, int most) {
  int infeasible = 0, tight = 0;
  for (int i = 0; i < cases; ++i) {
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(i));
    CAPTURE(seed + static_cast<std::uint64_t>(i));
    const wf::workload w =
        wf_test::random_workload(random, static_cast<int>(wf_test::pick(random, 1, most)));
    const wf::pe_array a = wf_test::random_array(random, rows, columns);
    const auto m = wf::map(w, a);
    wf_test::brute_force all(w, a);
    if (!m) {
      ++infeasible;
      REQUIRE(m.error().code == wf::errc::mapping_infeasible);
      REQUIRE_FALSE(all.beats(1'000'000));
      continue;
    }
    REQUIRE(m->proven());
    REQUIRE(wf_test::check(w, a, *m) == "");
    REQUIRE_FALSE(all.beats(m->makespan));
    REQUIRE(all.beats(m->makespan + 1));
    if (a.memory_bytes < 100) ++tight;
  }
  MESSAGE(cases << " cases on " << rows << "x" << columns << ": " << infeasible << " infeasible, "
                << tight << " feasible with little memory");
  CHECK(infeasible < cases / 2);
  CHECK(tight > cases / 10);
}

TEST_CASE("optima agree with brute force on one row of two") {
  compare_with_brute_force(1000, 1500, 1, 2, 4);
  compare_with_brute_force(10000, 150, 1, 2, 6);
}
TEST_CASE("optima agree with brute force on two by two") {
  compare_with_brute_force(20000, 800, 2, 2, 3);
  compare_with_brute_force(30000, 200, 2, 2, 4);
}
TEST_CASE("optima agree with brute force on one row of three") {
  compare_with_brute_force(40000, 400, 1, 3, 3);
}

TEST_CASE("a search that is stopped keeps a valid bound and a valid mapping") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w = wf_test::random_workload(random, 6);
    const wf::pe_array a = wf_test::random_array(random, 2, 2);
    const auto best = wf::map(w, a);
    wf::map_options few;
    few.limits.max_nodes = 1 + seed % 7;
    const auto m = wf::map(w, a, few);
    if (!m) {
      REQUIRE((m.error().code == wf::errc::search_limit || !best));
      continue;
    }
    REQUIRE(wf_test::check(w, a, *m) == "");
    REQUIRE(best);
    REQUIRE(best->proven());
    REQUIRE(m->bound <= best->makespan);
    REQUIRE(m->makespan >= best->makespan);
  }
}

TEST_CASE("the inexact orders report what they can certify") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w = wf_test::random_workload(random, 5);
    wf::pe_array a = wf_test::random_array(random, 2, 2);
    a.memory_bytes = 4096;
    const auto best = wf::map(w, a);
    REQUIRE(best);
    wf::map_options beam;
    beam.order.beam_width = 2;
    const auto by_beam = wf::map(w, a, beam);
    wf::map_options weighted;
    weighted.order.weight_numerator = 3;
    weighted.order.weight_denominator = 2;
    weighted.order.stop_within_weight = true;
    const auto by_weight = wf::map(w, a, weighted);
    const auto by_cuts =
        wf::map(w, a, wf::map_options{}, wf::keep_going{}, wf::cycle_model{}, wf::cut_strategies{});
    for (const auto* m : {&by_beam, &by_weight, &by_cuts}) {
      REQUIRE(*m);
      REQUIRE(wf_test::check(w, a, **m) == "");
      REQUIRE((*m)->bound <= best->makespan);
      REQUIRE((*m)->makespan >= best->makespan);
    }
    REQUIRE(2 * by_weight->makespan <= 3 * best->makespan);
  }
}

TEST_CASE("what does not fit is explained") {
  SUBCASE("one operator alone") {
    const auto m = wf::map(forked(), two(8));
    REQUIRE_FALSE(m);
    CHECK(m.error().code == wf::errc::mapping_infeasible);
    CHECK(m.error().subject == wf::text("b"));
    CHECK(m.error().message ==
          wf::text("needs at least 16 bytes in each of 2 PEs (1x2@(0,0)), a PE has 8"));
  }
  SUBCASE("results that others still have to read") {
    wf::workload w = forked();
    const auto d = w.add(gemm("d", 64, 8));
    for (std::uint32_t from : {0u, 1u, 2u}) w.connect(from, d, 8, wf::operand_split::by_both);
    REQUIRE(wf::map(w, two(32)));
    const auto m = wf::map(w, two(31));
    REQUIRE_FALSE(m);
    CHECK(m.error().code == wf::errc::mapping_infeasible);
    CHECK(m.error().subject == wf::text("a"));
    CHECK(m.error().message == wf::text("a, b, c and d together need at least 32 bytes in a PE on "
                                        "the 2 PEs of 1x2@(0,0), a PE has 31"));
    CHECK_FALSE(wf_test::brute_force(w, two(31)).beats(1'000'000));
  }
}

TEST_CASE("the callback sees an incumbent at once and stops the search") {
  std::mt19937_64 random(7);
  const wf::workload w = wf_test::random_workload(random, 8);
  wf::pe_array a = wf_test::random_array(random, 2, 3);
  a.memory_bytes = 4096;
  int calls = 0;
  const auto m = wf::map(w, a, wf::map_options{}, [&](const wf::search_progress& p) {
    ++calls;
    CHECK(p.incumbent < wf::unbounded);
    CHECK(p.bound <= p.incumbent);
    return false;
  });
  REQUIRE(m);
  if (!m->proven()) {
    CHECK(calls == 1);
    CHECK(m->status == wf::search_status::stopped_by_caller);
  }
  CHECK(wf_test::check(w, a, *m) == "");
}

/// Classical multiprocessor scheduling: one PE per operator, with communication delays.
struct single_pe {
  template <class Emit>
  constexpr void tilings(const wf::operator_load& load, const wf::pe_array&, std::int32_t rows,
                         std::int32_t columns, Emit&& emit) const {
    if (rows == 1 && columns == 1) emit(wf::tiling{1, 1, load.macs, 0});
  }
  constexpr std::int64_t result_bytes(const wf::operator_load&, const wf::pe_array&, std::int32_t,
                                      std::int32_t) const {
    return 0;
  }
  constexpr std::int64_t transfer(const wf::pe_array&, const wf::rectangle& from,
                                  const wf::rectangle& to, std::int64_t bytes) const {
    return from == to ? 0 : bytes;
  }
};

TEST_CASE("with another predictor it is multiprocessor scheduling with communication delays") {
  // A fork-join: 1, then 3 · 4, then 1, with delay 2. On two PEs: 1 + max(8, 2 + 4 + 2) + 1.
  wf::workload w;
  const auto first = w.add(gemm("first", 1, 0));
  std::uint32_t middle[3];
  for (auto& m : middle) {
    m = w.add(gemm("middle", 4, 0));
    w.connect(first, m, 2);
    w.operators[first].output_bytes = w.operators[m].output_bytes = 2;
  }
  const auto last = w.add(gemm("last", 1, 0));
  for (auto m : middle) w.connect(m, last, 2);
  const auto m = wf::map(w, two(0), wf::map_options{}, wf::keep_going{}, single_pe{});
  REQUIRE(m);
  CHECK(m->proven());
  CHECK(m->makespan == 10);
}

TEST_CASE("ResNet-50 is mapped with a small certified gap") {
  const auto w = wf_test::read_network("resnet50", 1);
  if (!w) return;
  CHECK(w->operators.size() == 72);
  std::int64_t operations = 0;
  for (const auto& o : w->operators) operations += o.macs + o.elementwise;
  CHECK(operations / 10'000'000 == 387);
  for (const std::int64_t batch : {1, 8}) {
    wf::workload scaled = *w;
    scaled.batch = batch;
    wf::map_options options;
    options.limits.max_nodes = 600;
    options.limits.progress_interval = 1;
    const auto m = wf::map(scaled, wf_test::mesh_8x8(), options);
    REQUIRE(m);
    CHECK(wf_test::check(scaled, wf_test::mesh_8x8(), *m) == "");
    MESSAGE("batch " << batch << ": makespan " << m->makespan << ", bound " << m->bound << ", gap "
                     << wf::detail::percent(m->gap()));
    CHECK(100 * (m->makespan - m->bound) <= m->makespan);
  }
}

/// The same workload with its operators in another topological order.
wf::workload permuted(std::mt19937_64& random, const wf::workload& w,
                      std::vector<std::uint32_t>& place) {
  const std::size_t n = w.operators.size();
  std::vector<int> missing(n);
  for (const wf::workload_edge& e : w.edges) ++missing[e.to];
  std::vector<std::uint32_t> ready, order;
  for (std::uint32_t i = 0; i < n; ++i)
    if (missing[i] == 0) ready.push_back(i);
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const std::uint32_t next = ready.back();
    ready.pop_back();
    order.push_back(next);
    for (const wf::workload_edge& e : w.edges)
      if (e.from == next && --missing[e.to] == 0) ready.push_back(e.to);
  }
  wf::workload out = w;
  out.edges.clear();
  place.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    place[order[i]] = i;
    out.operators[i] = w.operators[order[i]];
  }
  std::vector<std::size_t> edges(w.edges.size());
  std::iota(edges.begin(), edges.end(), std::size_t{0});
  std::shuffle(edges.begin(), edges.end(), random);
  for (std::size_t k : edges) {
    wf::workload_edge e = w.edges[k];
    e.from = place[e.from];
    e.to = place[e.to];
    out.edges.push_back(e);
  }
  return out;
}

TEST_CASE("the numbers of operators and the order of edges do not matter") {
  int cases = 0, moved = 0;
  for (std::uint64_t seed = 1; seed <= 1600; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 5, 1, 3);
    wf::map_options options;
    if (seed % 4 == 0) options.constraints = wf_test::random_constraints(random, w, a, 2);
    std::vector<std::uint32_t> place;
    const wf::workload other = permuted(random, w, place);
    wf::map_options others = options;
    for (wf::map_constraint& c : others.constraints.rules) {
      if (c.op != wf::every_operator) c.op = place[c.op];
      if (c.rule == wf::map_rule::order) c.later = place[c.later];
    }
    const auto m = wf::map(w, a, options), n = wf::map(other, a, others);
    REQUIRE(m.has_value() == n.has_value());
    if (!m) continue;
    ++cases;
    moved += other == w ? 0 : 1;
    REQUIRE(m->proven());
    REQUIRE(n->proven());
    REQUIRE(m->makespan == n->makespan);
    REQUIRE(wf_test::check(other, a, *n) == "");
  }
  MESSAGE(cases << " cases, " << moved << " in another order");
  CHECK(cases > 1000);
  CHECK(moved > 600);
}

TEST_CASE("memory that is added never makes the optimum worse") {
  int cases = 0, better = 0;
  for (std::uint64_t seed = 1; seed <= 1700; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 4, 1, 3);
    a.memory_bytes = wf_test::pick(random, 25, 60);
    const auto little = wf::map(w, a);
    a.memory_bytes += wf_test::pick(random, 1, 40);
    const auto more = wf::map(w, a);
    if (!little) continue;
    REQUIRE(more);
    ++cases;
    REQUIRE(little->proven());
    REQUIRE(more->proven());
    REQUIRE(more->makespan <= little->makespan);
    REQUIRE(*more == *wf::map(w, a));
    better += more->makespan < little->makespan ? 1 : 0;
  }
  MESSAGE(cases << " cases, " << better << " better with more memory");
  CHECK(cases > 1000);
  CHECK(better > 20);
}

TEST_CASE("PEs that bring their share of the DRAM along never make the optimum worse") {
  int cases = 0, better = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 4, 1, 2);
    a.dram_bytes_per_cycle *= 2;  // so that it can be divided equally
    wf::pe_array larger = a;
    larger.dead.clear();
    if (seed % 2 == 0) {
      larger.columns = 3;
      for (std::uint32_t e : a.dead) larger.dead.push_back(e);
    } else {
      larger.rows = 2;
      for (std::uint32_t e : a.dead) larger.dead.push_back(e);
    }
    larger.dram_bytes_per_cycle = a.dram_bytes_per_cycle / a.elements() * larger.elements();
    const auto small = wf::map(w, a), large = wf::map(w, larger);
    if (!small) continue;
    REQUIRE(large);
    ++cases;
    REQUIRE(small->proven());
    REQUIRE(large->proven());
    REQUIRE(large->makespan <= small->makespan);
    better += large->makespan < small->makespan ? 1 : 0;
  }
  MESSAGE(cases << " cases, " << better << " better on the larger array");
  CHECK(cases > 1000);
  CHECK(better > 300);
}

TEST_CASE("a search that starts from a known mapping is never worse, however early it stops") {
  int cases = 0, better = 0;
  for (std::uint64_t seed = 1; seed <= 1700; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 8, 2, 2);
    a.dead.clear();
    a.memory_bytes = wf_test::pick(random, 40, 90);
    a.dram_bytes_per_cycle *= 2;
    wf::map_options options;
    options.limits.max_nodes = static_cast<std::uint64_t>(wf_test::pick(random, 1, 30));
    const auto first = wf::map(w, a, options);
    if (!first) continue;
    ++cases;
    // The same array, with more memory, or with more PEs and their share of the DRAM; fewer states.
    options.limits.max_nodes = 1;
    options.known = *first;
    if (seed % 3 == 1) a.memory_bytes += 20;
    if (seed % 3 == 2) {
      a.columns = 3;
      a.dram_bytes_per_cycle += a.dram_bytes_per_cycle / 2;
    }
    const auto second = wf::map(w, a, options);
    REQUIRE(second);
    REQUIRE(second->makespan <= first->makespan);
    REQUIRE(wf_test::check(w, a, *second) == "");
    better += second->makespan < first->makespan ? 1 : 0;
    // A known mapping of another problem is ignored.
    options.known.operators.pop_back();
    const auto shorter = wf::map(w, a, options);
    options.known = {};
    const auto without = wf::map(w, a, options);
    REQUIRE(shorter.has_value() == without.has_value());
    if (shorter) REQUIRE(*shorter == *without);
    options.known = *first;
    options.known.sequence = {7, 7, 1'000'000};
    for (wf::placement& p : options.known.operators) p.where.row += 7;
    const auto third = wf::map(w, a, options);
    if (third) REQUIRE(wf_test::check(w, a, *third) == "");
  }
  MESSAGE(cases << " cases, " << better << " better than what was known");
  CHECK(cases > 1000);
  CHECK(better > 100);
}

TEST_CASE("dead PEs that come back to life never make the optimum worse") {
  int cases = 0, better = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 4, 1, 3);
    a.dead = {static_cast<std::uint32_t>(random() % 3)};
    const auto small = wf::map(w, a);
    a.dead.clear();
    const auto large = wf::map(w, a);
    if (!small) continue;
    REQUIRE(large);
    ++cases;
    REQUIRE(large->proven());
    REQUIRE(large->makespan <= small->makespan);
    better += large->makespan < small->makespan ? 1 : 0;
  }
  MESSAGE(cases << " cases, " << better << " better with all PEs");
  CHECK(cases > 1000);
  CHECK(better > 300);
}

}  // namespace
