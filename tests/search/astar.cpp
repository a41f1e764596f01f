// SPDX-License-Identifier: BSL-1.0
#include <wf/search/astar.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "path_problems.hpp"
#include "schedule_oracle.hpp"
#include "schedule_problem.hpp"
#include "search_checks.hpp"

using wf_test::grid;
using wf_test::guided_makespan;
using wf_test::makespan_problem;
using wf_test::random_grid;
using wf_test::random_roads;
using wf_test::road_map;
using wf_test::task_set;

namespace {

static_assert(wf::path_problem<makespan_problem> && wf::path_problem<guided_makespan>);

// Town 1 looks far, so that an expensive road to town 2 is expanded first: its second, cheaper
// visit matters.
constexpr road_map seen_too_late() {
  road_map m;
  m.towns = 4;
  for (auto& from : m.road)
    for (std::int64_t& cost : from) cost = -1;
  m.road[0][1] = m.road[1][2] = 1;
  m.road[0][2] = 3;
  m.road[2][3] = 10;
  m.estimate[1] = 10;
  m.goals = 1U << 3;
  return m;
}

constexpr auto shortest_road(wf::search_limits limits = {}) {
  road_map m = seen_too_late();
  return wf::astar(m, limits);
}
static_assert(shortest_road().status == wf::search_status::proven);
static_assert(shortest_road().value == 12 && shortest_road().bound == 12);
static_assert(shortest_road().counters.nodes == 4);  // town 2 twice
static_assert(shortest_road().counters.incumbents == 2);
static_assert(shortest_road({.max_nodes = 2}).status == wf::search_status::stopped_by_limit);
static_assert(shortest_road({.max_nodes = 2}).value == 13);
static_assert(shortest_road({.max_nodes = 2}).bound == 11);
static_assert(shortest_road({.max_open = 1}).value == 12 &&
              shortest_road({.max_open = 1}).went_depth_first);

// A search for a schedule of six tasks under a deadline, also in constant evaluation.
template <class Problem = makespan_problem>
constexpr auto shortest_schedule(std::int32_t deadline, wf::search_limits limits = {},
                                 std::uint32_t noise = 0, wf::astar_options options = {}) {
  task_set tasks = wf_test::six_tasks();
  tasks.deadline = deadline;
  Problem problem(tasks, noise);
  return wf::astar(problem, limits, wf::keep_going{}, options);
}
static_assert(shortest_schedule(100).status == wf::search_status::proven);
static_assert(shortest_schedule(100).value == 8 && shortest_schedule(100).bound == 8);
static_assert(shortest_schedule<guided_makespan>(8, {}, 5).value == 8);
static_assert(shortest_schedule(7).status == wf::search_status::infeasible);
static_assert(!shortest_schedule(7).found && shortest_schedule(7).bound == wf::unbounded);
static_assert(shortest_schedule(100, {.max_nodes = 1}).status ==
              wf::search_status::stopped_by_limit);
static_assert(shortest_schedule(100, {.max_nodes = 1}).bound == 8);
static_assert(shortest_schedule(100, {}, 0, {.cutoff = 8}).status == wf::search_status::infeasible);
static_assert(shortest_schedule(100, {}, 0, {.beam_width = 3}).value >= 8);

template <class Outcome>
std::string schedule_fault(const task_set& in, const Outcome& out) {
  return out.found ? wf_test::schedule_fault(in, out.best, out.value) : "";
}

// Checks an exact search, with and without inconsistent bounds, quick completions, and limits on
// memory.
template <class Problem>
void check_exact(const task_set& in, std::int64_t optimum, std::uint32_t noise,
                 const wf::search_limits& limits, std::int64_t cutoff) {
  CAPTURE(noise);
  CAPTURE(limits.max_open);
  CAPTURE(cutoff);
  Problem problem(in, noise);
  const auto out =
      wf::astar(problem, limits, wf::keep_going{}, wf::astar_options{.cutoff = cutoff});
  CHECK(wf_test::proof_fault(out, optimum, cutoff) == "");
  CHECK(schedule_fault(in, out) == "");
}

}  // namespace

TEST_CASE("A* finds the shortest path or that there is none, on random grids") {
  std::mt19937 random(93);
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    grid g = random_grid(random);
    const std::int64_t expected = shortest(g);
    const auto found = wf::astar(g);
    if (expected >= INT64_MAX / 2) {
      CHECK_FALSE(found.found);
      CHECK(found.status == wf::search_status::infeasible);
      continue;
    }
    REQUIRE(found.found);
    CHECK(found.status == wf::search_status::proven);
    CHECK(found.value == expected);
    CHECK(found.bound == expected);
  }
}

TEST_CASE("stopped, weighted and narrow searches certify what they return") {
  std::mt19937 random(94);
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    grid g = random_grid(random);
    const std::int64_t expected = shortest(g);
    if (expected >= INT64_MAX / 2) continue;
    const auto stopped = wf::astar(g, wf::search_limits{.max_nodes = 1 + random() % 20});
    CHECK(stopped.bound <= expected);
    if (stopped.found) CHECK(stopped.value >= expected);
    CHECK(wf_test::outcome_fault(stopped, expected) == "");
    wf::astar_options weighted;
    weighted.weight_numerator = 3;
    weighted.weight_denominator = 2;
    weighted.stop_within_weight = true;
    const auto loose = wf::astar(g, {}, wf::keep_going{}, weighted);
    REQUIRE(loose.found);
    CHECK(2 * loose.value <= 3 * expected);
    CHECK(loose.bound <= expected);
    wf::astar_options beam;
    beam.beam_width = 2;
    const auto narrow = wf::astar(g, {}, wf::keep_going{}, beam);
    CHECK(narrow.bound <= expected);
    if (narrow.found) CHECK(narrow.value >= expected);
    const auto small = wf::astar(g, wf::search_limits{.max_open = 8});
    CHECK(wf_test::proof_fault(small, expected) == "");
  }
}

TEST_CASE("the oracle knows an optimum found by hand, and the checker finds what is wrong") {
  const task_set in = wf_test::six_tasks();
  CHECK(wf_test::least_makespan(in) == 8);
  wf_test::partial_schedule good;  // 0 and 4 | 1, 2, 3, 5
  const std::int32_t starts[] = {0, 0, 2, 4, 3, 6}, machines[] = {0, 1, 1, 1, 0, 1};
  for (std::size_t t = 0; t < 6; ++t) good.start[t] = starts[t], good.machine[t] = machines[t];
  CHECK(wf_test::schedule_fault(in, good, 8) == "");
  CHECK(wf_test::schedule_fault(in, good, 7) == "the makespan is another");
  const auto fault = [&](std::size_t task, std::int32_t start, std::int32_t machine) {
    wf_test::partial_schedule bad = good;
    bad.start[task] = start;
    bad.machine[task] = machine;
    return wf_test::schedule_fault(in, bad, 8);
  };
  CHECK(fault(0, -1, 0) == "a task starts too early or too late");
  CHECK(fault(0, 0, 2) == "there is no such machine");
  CHECK(fault(2, 1, 1) == "two tasks overlap on a machine");
  task_set wide = in, soon = in;
  wide.machines = 3;
  good.machine[5] = 2;
  good.start[5] = 4;
  CHECK(wf_test::schedule_fault(wide, good, 7) == "");
  good.start[5] = 3;
  CHECK(wf_test::schedule_fault(wide, good, 7) == "a task starts before a predecessor has ended");
  good.machine[5] = 1;
  good.start[5] = 6;
  soon.deadline = 7;
  CHECK(wf_test::schedule_fault(soon, good, 8) == "the deadline is missed");
  CHECK(wf_test::least_makespan(soon) == wf::unbounded);
}

TEST_CASE("A* finds schedules of least makespan, and its every variant finds the same") {
  std::mt19937 random(301);
  for (int round = 0; round < 250; ++round) {
    CAPTURE(round);
    const task_set in = wf_test::random_tasks(random, 1, 8);
    const std::int64_t optimum = wf_test::least_makespan(in);
    REQUIRE(optimum < wf::unbounded);
    const auto noise = static_cast<std::uint32_t>(random() | 1);
    const std::uint64_t few = 1 + random() % 20;
    check_exact<makespan_problem>(in, optimum, 0, {}, wf::unbounded);
    check_exact<makespan_problem>(in, optimum, noise, {}, wf::unbounded);
    check_exact<guided_makespan>(in, optimum, 0, {}, wf::unbounded);
    check_exact<guided_makespan>(in, optimum, noise, {}, wf::unbounded);
    check_exact<makespan_problem>(in, optimum, 0, {}, optimum + 1);
    check_exact<guided_makespan>(in, optimum, 0, {}, optimum);
    check_exact<guided_makespan>(in, optimum, 0, {.max_open = few}, wf::unbounded);
    if (in.tasks <= 6) check_exact<makespan_problem>(in, optimum, 0, {.max_open = few}, optimum);
  }
}

TEST_CASE("what cannot be is infeasible, however little memory there is; a limit says so") {
  std::mt19937 random(302);
  int limited = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    task_set in = wf_test::random_tasks(random, 2, 7);
    const std::int64_t least = wf_test::least_makespan(in);
    if (round % 2 == 0)
      in.deadline = static_cast<std::int32_t>(least - round / 2 % 2);
    else
      in.before[0] |= 1U << (in.tasks - 1), in.before[in.tasks - 1] |= 1;  // a cycle
    const std::int64_t optimum = wf_test::least_makespan(in);
    REQUIRE(optimum == (round % 4 == 0 ? least : wf::unbounded));
    check_exact<makespan_problem>(in, optimum, 0, {}, wf::unbounded);
    check_exact<guided_makespan>(in, optimum, 7, {}, wf::unbounded);
    check_exact<makespan_problem>(in, optimum, 0, {.max_open = 1 + random() % 20}, wf::unbounded);
    makespan_problem whole(in, 3), part(in, 3);
    const auto all = wf::astar(whole);
    if (all.counters.nodes == 0) continue;
    const auto some = wf::astar(part, {.max_nodes = 1 + random() % all.counters.nodes});
    CHECK(wf_test::outcome_fault(some, optimum) == "");
    CHECK((some.status == wf::search_status::stopped_by_limit) ==
          (some.counters.nodes < all.counters.nodes));
    limited += some.status == wf::search_status::stopped_by_limit;
  }
  CHECK(limited > 50);
}

TEST_CASE("a state that is reached again at less cost is expanded again") {
  std::mt19937 random(303);
  int again = 0, nowhere = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    road_map m = random_roads(random);
    const std::int64_t optimum = distances(m)[0];
    wf_test::watched_map watched{m};
    const auto out = wf::astar(watched);
    CHECK(wf_test::proof_fault(out, optimum) == "");
    again += watched.again;
    nowhere += optimum == wf::unbounded;
    if (out.found) CHECK(((m.goals >> out.best.town) & 1) != 0);
    const auto small = wf::astar(m, {.max_open = 1 + random() % m.towns});
    CHECK(wf_test::proof_fault(small, optimum) == "");
  }
  CHECK(again > 20);
  CHECK(nowhere > 100);
}

TEST_CASE("a weighted search keeps the weight's promise, a beam its bound") {
  std::mt19937 random(304);
  int loose = 0, lost = 0;
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    road_map m = random_roads(random);
    const std::int64_t optimum = distances(m)[0];
    const std::int64_t numerator = 1 + static_cast<std::int64_t>(random() % 9);
    const std::int64_t denominator = 1 + static_cast<std::int64_t>(random() % 3);
    CAPTURE(numerator);
    CAPTURE(denominator);
    wf::astar_options options{numerator, denominator};
    const auto exact = wf::astar(m, {}, wf::keep_going{}, options);
    CHECK(wf_test::proof_fault(exact, optimum) == "");
    options.stop_within_weight = true;
    for (const std::uint64_t memory : {0U, 3U}) {
      const auto out = wf::astar(m, {.max_open = memory}, wf::keep_going{}, options);
      CHECK(wf_test::outcome_fault(out, optimum, wf::unbounded, true) == "");
      CHECK(out.found == (optimum != wf::unbounded));
      CHECK(out.status != wf::search_status::stopped_by_limit);
      if (out.found && numerator <= denominator) CHECK(out.value == optimum);
      if (out.found) CHECK(out.value * denominator <= optimum * std::max(numerator, denominator));
      loose += out.found && out.value > optimum;
    }
    wf::astar_options beam{.beam_width = 1 + static_cast<std::uint32_t>(random() % 3)};
    const auto narrow = wf::astar(m, {}, wf::keep_going{}, beam);
    CHECK(wf_test::outcome_fault(narrow, optimum, wf::unbounded, true) == "");
    lost += !narrow.found && optimum != wf::unbounded;
    beam.beam_width = 1000;
    CHECK(wf_test::proof_fault(wf::astar(m, {}, wf::keep_going{}, beam), optimum) == "");
  }
  CHECK(loose > 20);
  CHECK(lost > 20);
}

TEST_CASE("a beam over schedules is valid, and says if a limit narrowed it") {
  std::mt19937 random(305);
  int limited = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const task_set in = wf_test::random_tasks(random, 4, 8);
    const std::int64_t optimum = wf_test::least_makespan(in);
    const wf::astar_options beam{.beam_width = 1 + static_cast<std::uint32_t>(random() % 4)};
    makespan_problem problem(in);
    guided_makespan wide(in, 3), small(in, 3);
    const auto out = wf::astar(problem, {}, wf::keep_going{}, beam);
    CHECK(out.found);
    CHECK(wf_test::outcome_fault(out, optimum, wf::unbounded, true) == "");
    CHECK(schedule_fault(in, out) == "");
    CHECK(out.status != wf::search_status::stopped_by_limit);
    CHECK(out.counters.nodes <= beam.beam_width * in.tasks);
    CHECK((out.counters.most_open >= 1) == (out.counters.nodes >= 1));
    const auto all = wf::astar(wide, {}, wf::keep_going{}, beam);
    CHECK(wf_test::outcome_fault(all, optimum, wf::unbounded, true) == "");
    const auto cut = wf::astar(small, {.max_open = 1 + random() % 20}, wf::keep_going{}, beam);
    CHECK(wf_test::outcome_fault(cut, optimum, wf::unbounded, true) == "");
    CHECK(schedule_fault(in, cut) == "");
    if (cut.counters.nodes < all.counters.nodes)
      CHECK(cut.status == wf::search_status::stopped_by_limit);
    else
      CHECK(wf_test::same_outcome(cut, all));
    limited += cut.status == wf::search_status::stopped_by_limit;
  }
  CHECK(limited > 50);
}

TEST_CASE("of states that look alike the one that is farthest goes on, then the one met first") {
  wf_test::traced_grid g;
  g.width = 4;
  g.height = 3;
  g.entry.assign(12, 1);
  CHECK(wf_test::proof_fault(wf::astar(g), 5) == "");
  CHECK(g.cells == std::vector<int>{0, 1, 2, 3, 13});
}

TEST_CASE("the more A* may do the better its value and its bound, and its caller may stop it") {
  std::mt19937 random(306);
  std::size_t nodes = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const task_set in = wf_test::random_tasks(random, 5, 8);
    const std::int64_t optimum = wf_test::least_makespan(in);
    const auto noise = static_cast<std::uint32_t>(random() % 4);
    wf::astar_options options{1 + noise / 2, 1};
    options.beam_width = round % 5 == 4 ? 1000 : 0;  // wide enough to lose nothing
    const auto run = [&](wf::search_limits limits, auto&& callback) {
      limits.max_open = round % 5 == 3 ? 20 : 0;
      guided_makespan problem(in, noise);
      return wf::astar(problem, limits, callback, options);
    };
    CHECK(wf_test::anytime_fault(run, &wf::search_limits::max_nodes, optimum) == "");
    CHECK(wf_test::anytime_fault(run, &wf::search_limits::max_steps, optimum) == "");
    CHECK(wf_test::stop_fault(run, optimum, 1 + random() % 40) == "");
    nodes += run({}, wf::keep_going{}).counters.nodes;
  }
  CHECK(nodes > 600);
}

TEST_CASE("A* repeats itself to the last count, and no order of successors changes the optimum") {
  std::mt19937 random(307);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const task_set in = wf_test::random_tasks(random, 2, 8);
    const auto noise = static_cast<std::uint32_t>(random() % 3);
    const wf::search_limits limits{.max_open = round % 3 == 0 ? 30U : 0U};
    wf_test::witness first_seen, second_seen;
    guided_makespan one(in, noise), two(in, noise), three(wf_test::renamed(in, random));
    wf_test::shuffled<guided_makespan> mixed(one, static_cast<std::uint32_t>(random()));
    const auto first = wf::astar(one, limits, first_seen);
    const auto second = wf::astar(two, limits, second_seen);
    CHECK(wf_test::same_outcome(first, second));
    CHECK(first_seen.seen == second_seen.seen);
    CHECK(wf_test::proof_fault(wf::astar(mixed, limits), first.value) == "");
    CHECK(wf_test::proof_fault(wf::astar(three, limits), first.value) == "");
  }
}

TEST_CASE("A* keeps about as many states as it may, and still proves") {
  std::mt19937 random(308);
  int much = 0;
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    task_set in = wf_test::random_tasks(random, 8, 8);
    for (std::uint32_t& before : in.before) before &= 3;  // so that more orders are possible
    in.machines = 3;
    const auto peak = [&](std::uint64_t max_open) {
      wf_test::counting<makespan_problem> problem(makespan_problem(in, 1));
      wf_test::counted::most = wf_test::counted::living;
      const auto out = wf::astar(problem, {.max_nodes = 20'000, .max_open = max_open});
      CHECK(out.went_depth_first == (max_open != 0));
      return wf_test::counted::most - wf_test::counted::living;
    };
    // A table that grows from c to 2c records holds 3c. An expansion adds at most eight states to
    // the store, eight levels of siblings wait on the stack, and the path has eight states.
    const std::int64_t few = 3 * (32 + 8) + 3 * (8 * 7 / 2) + 3 * 8 + 20;
    if (peak(0) < 2 * few) continue;
    ++much;
    CHECK(peak(32) <= few);
  }
  CHECK(much >= 6);
}
