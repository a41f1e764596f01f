// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <wf/map/batch/clean_up.hpp>
#include <wf/map/place/map.hpp>

#include "../checker.hpp"
#include "../networks.hpp"
#include "../random_constraints.hpp"
#include "../random_mapping.hpp"
#include "../small_problems.hpp"

namespace {

constexpr wf::workload pair_of_operators() {
  wf::workload_operator o;
  o.macs = 64;
  o.first_axis = o.second_axis = 4;
  wf::workload w = wf_test::alike("pair", o, {"a", "b"});
  w.operators[1].macs = 16;
  return w;
}

constexpr wf::pe_array row_of_three() { return wf_test::row_of(3, 100); }

/// a: 16 cycles on the first PE; b: 4 cycles on the third, after a without need.
constexpr wf::mapping loose() {
  wf::map_constraints order;
  order.order(0, 1);
  const wf::placement_request requests[] = {{0, {0, 0, 1, 1}, 0}, {1, {0, 2, 1, 1}, 0}};
  return *wf::arrange(pair_of_operators(), row_of_three(), requests, wf::cycle_model{}, order);
}
static_assert(loose().makespan == 20);
template <class Change>
constexpr wf::mapping edited(Change change) {
  return *wf::edit(pair_of_operators(), row_of_three(), loose(), change);
}
static_assert(edited(wf::tighten_timeline{}).makespan == 16);
static_assert(edited(wf::use_idle_elements{}).makespan == 8);  // a on two PEs
static_assert(wf::used_rectangle(edited(wf::shrink_idle_elements{})) == wf::rectangle{0, 0, 1, 2});

std::int64_t allocated(const wf::mapping& m) {
  std::int64_t sum = 0;
  for (std::uint32_t op : m.sequence) sum += m.operators[op].where.area();
  return sum;
}
std::int64_t element_cycles(const wf::mapping& m) {
  std::int64_t sum = 0;
  for (std::int64_t busy : m.busy) sum += busy;
  return sum;
}

/// True if an operator could start earlier while all others keep their times.
bool has_slack(const wf::workload& w, const wf::pe_array& a, const wf::mapping& m) {
  const wf_test::plain_problem p(w, a);
  for (std::uint32_t op : m.sequence)
    for (std::int64_t start = 0; start < m.operators[op].start; ++start) {
      wf::mapping moved = m;
      moved.operators[op].start = start;
      moved.operators[op].finish = start + moved.operators[op].how.cycles;
      std::sort(moved.sequence.begin(), moved.sequence.end(), [&](auto x, auto y) {
        return moved.operators[x].start < moved.operators[y].start;
      });
      moved.makespan = 0;
      std::vector<wf_test::plain_spot> spots(p.ops.size());
      for (std::size_t i = 0; i < spots.size(); ++i) {
        const auto& at = moved.operators[static_cast<std::size_t>(p.ops[i].source)];
        spots[i] = {true, at.where, at.how.working_bytes, at.start, at.finish};
        moved.makespan = std::max(moved.makespan, at.finish);
      }
      const auto marks = wf_test::memory_marks(p, spots);
      for (std::size_t e = 0; e < marks.size(); ++e) moved.high_water[e] = marks[e];
      moved.bound = std::min(moved.bound, moved.makespan);
      moved.status = moved.bound == moved.makespan ? wf::search_status::proven
                                                   : wf::search_status::stopped_by_limit;
      if (wf_test::check(w, a, moved) == "") return true;
    }
  return false;
}

struct totals {
  int cases = 0, shorter = 0, smaller = 0, earlier = 0, fewer = 0, constrained = 0;
};

/// Checks the properties that every clean-up guarantees on a mapping.
void clean(const wf::workload& w, const wf::pe_array& a, const wf::mapping& m,
           const wf::map_constraints& wishes, totals& sum) {
  wf::edit_options options;
  options.constraints = wishes;
  const auto cleaned = [&](auto change) {
    const auto out = wf::edit(w, a, m, change, options);
    REQUIRE(out);
    REQUIRE(wf_test::check(w, a, *out) == "");
    REQUIRE(wf_test::broken_wish(wishes, w, *out) == "");
    REQUIRE(out->makespan <= m.makespan);
    REQUIRE(out->bound == m.bound);
    return *out;
  };
  const wf::mapping spread = cleaned(wf::use_idle_elements{});
  for (std::size_t i = 0; i < m.operators.size(); ++i)
    REQUIRE(spread.operators[i].finish <= m.operators[i].finish);
  sum.shorter += spread.makespan < m.makespan ? 1 : 0;

  const wf::mapping compressed = cleaned(wf::compress_allocation{});
  for (std::size_t i = 0; i < m.operators.size(); ++i)
    REQUIRE(wf::detail::lies_in(compressed.operators[i].where, m.operators[i].where));
  REQUIRE(element_cycles(compressed) <= element_cycles(m));
  sum.smaller += allocated(compressed) < allocated(m) ? 1 : 0;

  const wf::mapping tight = cleaned(wf::tighten_timeline{});
  for (std::size_t i = 0; i < m.operators.size(); ++i) {
    REQUIRE(tight.operators[i].where == m.operators[i].where);
    REQUIRE(tight.operators[i].how == m.operators[i].how);
    REQUIRE(tight.operators[i].start <= m.operators[i].start);
  }
  if (wishes.empty()) REQUIRE_FALSE(has_slack(w, a, tight));
  sum.earlier += tight == m ? 0 : 1;

  const wf::mapping shrunk = cleaned(wf::shrink_idle_elements{});
  REQUIRE(wf::detail::lies_in(wf::used_rectangle(shrunk), wf::used_rectangle(m)));
  sum.fewer += wf::used_rectangle(shrunk).area() < wf::used_rectangle(m).area() ? 1 : 0;

  const wf::mapping all = cleaned(wf::clean_up_chain{});
  REQUIRE(all.makespan <= spread.makespan);
  REQUIRE(all == *wf::clean_up(w, a, m, options));
  sum.constrained += wishes.empty() ? 0 : 1;
  ++sum.cases;
}

void report(const std::string& what, const totals& sum) {
  MESSAGE(sum.cases << " " << what << " mappings (" << sum.constrained << " with constraints): "
                    << sum.shorter << " shortened, " << sum.smaller << " on fewer PEs an operator, "
                    << sum.earlier << " tightened, " << sum.fewer << " in a smaller box");
}

}  // namespace

TEST_CASE("no clean-up worsens a random mapping, and each does its work") {
  totals sum;
  for (std::uint64_t seed = 1; seed <= 2200; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 1, 7, 2, 3);
    const auto m = wf_test::random_mapping(random, w, a);
    if (m) clean(w, a, *m, {}, sum);
  }
  report("random", sum);
  CHECK(sum.cases > 1000);
  for (int done : {sum.shorter, sum.smaller, sum.earlier, sum.fewer}) CHECK(done > sum.cases / 20);
}

TEST_CASE("clean-ups keep optima optimal and constraints kept") {
  totals sum;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 4, 2, 2);
    wf::map_options options;
    if (seed % 3 != 0) options.constraints = wf_test::random_constraints(random, w, a, 2);
    const auto m = wf::map(w, a, options);
    if (!m) continue;
    clean(w, a, *m, options.constraints, sum);
    wf::edit_options keep;
    keep.constraints = options.constraints;
    REQUIRE(wf::clean_up(w, a, *m, keep)->makespan == m->makespan);
    REQUIRE(wf::clean_up(w, a, *m, keep)->proven());
  }
  report("optimal", sum);
  CHECK(sum.cases > 250);
  CHECK(sum.constrained > 100);
}

TEST_CASE("a clean-up that is stopped is still one") {
  std::mt19937_64 random(11);
  const wf::workload w = wf_test::random_workload(random, 12);
  wf::pe_array a = wf_test::random_array(random, 3, 3);
  a.memory_bytes = 4096;
  const auto m = wf_test::random_mapping(random, w, a);
  REQUIRE(m);
  std::int64_t last = m->makespan;
  for (std::uint64_t steps = 1; steps <= 1'000'000; steps *= 10) {
    wf::edit_options options;
    options.max_steps = steps;
    const auto out = wf::clean_up(w, a, *m, options);
    REQUIRE(out);
    CHECK(wf_test::check(w, a, *out) == "");
    CHECK(out->makespan <= last);
    last = out->makespan;
  }
}

TEST_CASE("a mapped network is cleaned up") {
  const auto w = wf_test::read_network("resnet50", 1);
  if (!w) return;
  wf::map_options options;
  options.limits.max_nodes = 10;
  const auto m = wf::map(*w, wf_test::mesh_8x8(), options);
  REQUIRE(m);
  wf::edit_options limited;
  limited.max_steps = 20'000'000;
  const auto out = wf::clean_up(*w, wf_test::mesh_8x8(), *m, limited);
  REQUIRE(out);
  CHECK(wf_test::check(*w, wf_test::mesh_8x8(), *out) == "");
  CHECK(out->makespan <= m->makespan);
  MESSAGE("makespan " << m->makespan << " to " << out->makespan << ", PEs of all operators "
                      << allocated(*m) << " to " << allocated(*out));
}
