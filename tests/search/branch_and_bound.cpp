// SPDX-License-Identifier: BSL-1.0
#include <wf/search/branch_and_bound.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "schedule_oracle.hpp"
#include "schedule_problem.hpp"
#include "search_checks.hpp"

using wf_test::blunt_makespan;
using wf_test::dominated_makespan;
using wf_test::makespan_problem;
using wf_test::task_set;

namespace {

static_assert(wf::bounded_problem<makespan_problem> && !wf::dominance_problem<makespan_problem>);
static_assert(wf::dominance_problem<dominated_makespan>);

// 0/1 knapsack as minimisation of the value left behind.
struct knapsack {
  struct state {
    std::uint32_t next = 0;
    std::int64_t lost = 0, weight = 0;
  };
  std::vector<std::int64_t> values, weights;
  std::int64_t capacity = 0;

  state root() const { return {}; }
  std::int64_t bound(state& s, std::int64_t) const {
    return s.weight > capacity ? wf::unbounded : s.lost;
  }
  bool feasible(const state& s) const { return s.next == values.size(); }
  template <class Emit>
  void expand(const state& s, Emit&& emit) const {
    emit(state{s.next + 1, s.lost, s.weight + weights[s.next]});
    emit(state{s.next + 1, s.lost + values[s.next], s.weight});
  }
};

// What a search of the compiler says of six tasks, if they have so much time.
template <class Problem = dominated_makespan>
constexpr auto shortest_schedule(std::int32_t deadline, wf::search_limits limits = {},
                                 wf::branch_and_bound_options options = {}) {
  task_set tasks = wf_test::six_tasks();
  tasks.deadline = deadline;
  Problem problem(tasks);
  return wf::branch_and_bound(problem, limits, wf::keep_going{}, options);
}
static_assert(shortest_schedule(100).status == wf::search_status::proven);
static_assert(shortest_schedule(100).value == 8 && shortest_schedule(100).bound == 8);
static_assert(shortest_schedule<blunt_makespan>(8, {}, {.dive = 2}).value == 8);
static_assert(shortest_schedule(7).status == wf::search_status::infeasible);
static_assert(!shortest_schedule(7).found && shortest_schedule(7).bound == wf::unbounded);
static_assert(shortest_schedule(100, {.max_nodes = 1}).status ==
              wf::search_status::stopped_by_limit);
static_assert(shortest_schedule(100, {.max_nodes = 1}).bound == 8);
static_assert(shortest_schedule(100, {}, {.cutoff = 8}).status == wf::search_status::infeasible);
static_assert(shortest_schedule(100, {}, {.cutoff = 8}).bound == 8);

// Signs that sum up to as little as possible, with a bound that is met only at the end, and costs
// below zero.
struct signs {
  struct state {
    std::uint32_t next = 0;
    std::int64_t sum = 0;
  };
  std::int64_t values[4] = {3, -5, 2, 7};

  constexpr state root() const { return {}; }
  constexpr std::int64_t bound(const state& s, std::int64_t) const {
    std::int64_t out = s.sum;
    for (std::uint32_t i = s.next; i < 4; ++i) out -= values[i] < 0 ? -values[i] : values[i];
    return out;
  }
  constexpr bool feasible(const state& s) const { return s.next == 4; }
  template <class Emit>
  constexpr void expand(const state& s, Emit&& emit) const {
    emit(state{s.next + 1, s.sum + values[s.next]});
    emit(state{s.next + 1, s.sum - values[s.next]});
  }
};
constexpr auto least_sum() {
  signs problem;
  return wf::branch_and_bound(problem);
}
static_assert(least_sum().value == -17 && least_sum().bound == -17);
static_assert(least_sum().status == wf::search_status::proven);
static_assert(least_sum().counters ==
              wf::search_counters{
                  .nodes = 4, .generated = 9, .pruned = 3, .incumbents = 2, .most_open = 4});
static_assert(least_sum().gap() == wf::ratio{0, 1});

// Three ways to one place, of which the second costs least: the third is dropped for its sake.
struct detours {
  struct state {
    std::uint32_t place = 0;
    std::int64_t cost = 0;
  };
  constexpr state root() const { return {}; }
  constexpr std::int64_t bound(const state& s, std::int64_t) const { return s.cost; }
  constexpr bool feasible(const state& s) const { return s.place == 2; }
  constexpr std::int64_t spent(const state& s) const { return s.cost; }
  constexpr std::uint64_t hash(const state&) const { return 0; }
  constexpr bool same(const state& a, const state& b) const { return a.place == b.place; }
  template <class Emit>
  constexpr void expand(const state& s, Emit&& emit) const {
    if (s.place == 1) return emit(state{2, s.cost + 1});
    for (const std::int64_t cost : {9, 4, 6}) emit(state{1, cost});
  }
};
constexpr auto shortest_detour() {
  detours problem;
  return wf::branch_and_bound(problem);
}
static_assert(shortest_detour().value == 5 && shortest_detour().counters.duplicates == 1);

// A binary tree whose nodes all look alike; it keeps the order of its expansions.
struct alike {
  using state = std::uint64_t;  // 1 is the root, 2n and 2n + 1 are the children of n
  std::vector<state> expanded;

  state root() const { return 1; }
  std::int64_t bound(state, std::int64_t) const { return 0; }
  bool feasible(state s) const { return s >= 1U << 10; }
  template <class Emit>
  void expand(state s, Emit&& emit) {
    expanded.push_back(s);
    emit(2 * s);
    emit(2 * s + 1);
  }
};

template <class Problem>
wf::search_outcome<typename Problem::state> solve(const task_set& in, std::int64_t cutoff,
                                                  std::uint64_t dive, std::uint32_t noise,
                                                  const wf::search_limits& limits = {}) {
  Problem problem(in, noise);
  return wf::branch_and_bound(problem, limits, wf::keep_going{}, {cutoff, dive});
}

template <class Outcome>
std::string schedule_fault(const task_set& in, const Outcome& out) {
  return out.found ? wf_test::schedule_fault(in, out.best, out.value) : "";
}

// The searches of a set of tasks that nothing stops.
template <class Problem>
void check_exact(const task_set& in, std::int64_t optimum, std::uint64_t dive, std::uint32_t noise,
                 std::int64_t cutoff = wf::unbounded) {
  CAPTURE(dive);
  CAPTURE(noise);
  CAPTURE(cutoff);
  const auto out = solve<Problem>(in, cutoff, dive, noise);
  CHECK(wf_test::proof_fault(out, optimum, cutoff) == "");
  CHECK(schedule_fault(in, out) == "");
}

constexpr std::uint64_t dives[] = {0, 1, 2, 7, 64};

}  // namespace

TEST_CASE("branch and bound agrees with enumeration, in every order of search") {
  std::mt19937 random(96);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    knapsack k;
    const std::size_t items = 1 + random() % 10;
    for (std::size_t i = 0; i < items; ++i) {
      k.values.push_back(static_cast<std::int64_t>(random() % 20));
      k.weights.push_back(static_cast<std::int64_t>(random() % 20));
    }
    k.capacity = static_cast<std::int64_t>(random() % 60);
    std::int64_t best = INT64_MAX;
    for (std::uint32_t set = 0; set < (1U << items); ++set) {
      std::int64_t lost = 0, weight = 0;
      for (std::size_t i = 0; i < items; ++i)
        ((set >> i) & 1) != 0 ? weight += k.weights[i] : lost += k.values[i];
      if (weight <= k.capacity) best = std::min(best, lost);
    }
    for (const std::uint64_t dive : {0U, 1U, 5U}) {
      wf::branch_and_bound_options options;
      options.dive = dive;
      const auto found = wf::branch_and_bound(k, {}, wf::keep_going{}, options);
      REQUIRE(found.found);
      CHECK(found.status == wf::search_status::proven);
      CHECK(found.value == best);
      CHECK(found.bound == best);
      const auto stopped =
          wf::branch_and_bound(k, {.max_nodes = 1 + random() % 10}, wf::keep_going{}, options);
      CHECK(stopped.bound <= best);
      if (stopped.found) CHECK(stopped.value >= best);
    }
  }
}

TEST_CASE("branch and bound finds schedules of least makespan in every order of search") {
  std::mt19937 random(311);
  for (int round = 0; round < 250; ++round) {
    CAPTURE(round);
    const task_set in = wf_test::random_tasks(random, 1, 8);
    const std::int64_t optimum = wf_test::least_makespan(in);
    REQUIRE(optimum < wf::unbounded);
    const auto noise = static_cast<std::uint32_t>(random() | 1);
    for (const std::uint64_t dive : dives) {
      check_exact<dominated_makespan>(in, optimum, dive, 0);
      check_exact<dominated_makespan>(in, optimum, dive, noise);
      check_exact<dominated_makespan>(in, optimum, dive, noise, optimum + 1);
      check_exact<dominated_makespan>(in, optimum, dive, noise, optimum);
      if (in.tasks > 5) continue;
      check_exact<blunt_makespan>(in, optimum, dive, noise);
      check_exact<blunt_makespan>(in, optimum, dive, 0, optimum);
      check_exact<makespan_problem>(in, optimum, dive, noise, optimum + 2);
    }
  }
}

TEST_CASE("what cannot be is infeasible in every order of search; a limit says so") {
  std::mt19937 random(312);
  int limited = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    task_set in = wf_test::random_tasks(random, 2, 6);
    const std::int64_t least = wf_test::least_makespan(in);
    if (round % 2 == 0)
      in.deadline = static_cast<std::int32_t>(least - round / 2 % 2);
    else
      in.before[0] |= 1U << (in.tasks - 1), in.before[in.tasks - 1] |= 1;  // a cycle
    const std::int64_t optimum = wf_test::least_makespan(in);
    REQUIRE(optimum == (round % 4 == 0 ? least : wf::unbounded));
    const std::uint64_t dive = dives[random() % 5];
    check_exact<makespan_problem>(in, optimum, dive, 0);
    check_exact<dominated_makespan>(in, optimum, dive, 7);
    const auto all = solve<dominated_makespan>(in, wf::unbounded, dive, 3);
    if (all.counters.nodes == 0) continue;
    const auto some = solve<dominated_makespan>(in, wf::unbounded, dive, 3,
                                                {.max_nodes = 1 + random() % all.counters.nodes});
    CHECK(wf_test::outcome_fault(some, optimum) == "");
    CHECK((some.status == wf::search_status::stopped_by_limit) ==
          (some.counters.nodes < all.counters.nodes));
    limited += some.status == wf::search_status::stopped_by_limit;
  }
  CHECK(limited > 50);
}

TEST_CASE("a dive of so many nodes starts at the best that waits, of equal ones the first") {
  const auto order = [](std::uint64_t dive) {
    alike tree;
    const auto out = wf::branch_and_bound(tree, {.max_nodes = 9}, wf::keep_going{}, {.dive = dive});
    CHECK(out.counters.nodes == 9);
    return tree.expanded;
  };
  CHECK(order(0) == std::vector<std::uint64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256});
  CHECK(order(1) == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(order(3) == std::vector<std::uint64_t>{1, 2, 4, 3, 6, 12, 5, 10, 20});
}

TEST_CASE("the more it may do the better its value and its bound, and its caller may stop it") {
  std::mt19937 random(313);
  std::size_t nodes = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const task_set in = wf_test::random_tasks(random, 5, 8);
    const std::int64_t optimum = wf_test::least_makespan(in);
    const auto noise = static_cast<std::uint32_t>(random() % 4);
    const auto run = [&](const wf::search_limits& limits, auto&& callback) {
      dominated_makespan problem(in, noise);
      return wf::branch_and_bound(problem, limits, callback, {.dive = dives[round % 5]});
    };
    CHECK(wf_test::anytime_fault(run, &wf::search_limits::max_nodes, optimum) == "");
    CHECK(wf_test::anytime_fault(run, &wf::search_limits::max_steps, optimum) == "");
    CHECK(wf_test::stop_fault(run, optimum, 1 + random() % 40) == "");
    nodes += run({}, wf::keep_going{}).counters.nodes;
  }
  CHECK(nodes > 600);
}

TEST_CASE("it repeats itself to the last count, and no order of children changes the optimum") {
  std::mt19937 random(314);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const task_set in = wf_test::random_tasks(random, 2, 8);
    const auto noise = static_cast<std::uint32_t>(random() % 3);
    const wf::branch_and_bound_options options{.dive = dives[random() % 5]};
    wf_test::witness first_seen, second_seen;
    dominated_makespan one(in, noise), two(in, noise), three(wf_test::renamed(in, random));
    wf_test::shuffled<dominated_makespan> mixed(one, static_cast<std::uint32_t>(random()));
    const auto first = wf::branch_and_bound(one, {}, first_seen, options);
    const auto second = wf::branch_and_bound(two, {}, second_seen, options);
    CHECK(wf_test::same_outcome(first, second));
    CHECK(first_seen.seen == second_seen.seen);
    const wf::keep_going go;
    CHECK(wf_test::proof_fault(wf::branch_and_bound(mixed, {}, go, options), first.value) == "");
    CHECK(wf_test::proof_fault(wf::branch_and_bound(three, {}, go, options), first.value) == "");
  }
}

TEST_CASE("a limit on the open states is kept, and stops the search with what it knows") {
  std::mt19937 random(315);
  int stopped = 0, much = 0;
  for (int round = 0; round < 35; ++round) {
    CAPTURE(round);
    task_set in = wf_test::random_tasks(random, 8, 8);
    for (std::uint32_t& before : in.before) before &= 3;  // more orders are possible
    in.machines = 3;
    const std::int64_t optimum = wf_test::least_makespan(in);
    const std::uint64_t dive = dives[random() % 5], most = 1 + random() % 50;
    CAPTURE(dive);
    CAPTURE(most);
    const auto peak = [&](std::uint64_t max_open) {
      wf_test::counting<dominated_makespan> problem(dominated_makespan(in, 1));
      wf_test::counted::most = wf_test::counted::living;
      const auto out =
          wf::branch_and_bound(problem, {.max_open = max_open}, wf::keep_going{}, {.dive = dive});
      CHECK(wf_test::outcome_fault(out, optimum) == "");
      if (max_open != 0) {
        // The dive and what waits for the next one, and the children of the last expansion.
        CHECK(out.counters.most_open <= (dive == 0 ? 1 : 2) * max_open + 8);
        stopped += out.status == wf::search_status::stopped_by_limit;
      } else {
        CHECK(wf_test::proof_fault(out, optimum) == "");
      }
      return wf_test::counted::most - wf_test::counted::living;
    };
    // A table holds up to 2c of its c states, and one that grows 3c: those of the dive, those met,
    // and those that wait for the next dive. The rest are the children.
    const std::int64_t few = (dive == 0 ? 5 : 7) * (static_cast<std::int64_t>(most) + 8) + 40;
    CHECK(peak(most) <= few);
    much += peak(0) > 2 * few;
  }
  CHECK(stopped > 10);
  CHECK(much > 5);
}
