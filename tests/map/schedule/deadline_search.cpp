// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/deadline_search.hpp>

#include <doctest/doctest.h>

#include <wf/search/executor.hpp>
#include <wf/search/threads.hpp>

#include <mapping/check_schedule.hpp>

#include "../task_graphs.hpp"

namespace {

// Improves a list schedule, also without delays, for which `schedule_tasks` uses another search.
template <class Callback = wf::keep_going>
wf::task_schedule bettered(const wf::task_graph& g, const wf::schedule_options& options = {},
                           Callback callback = {}) {
  wf::task_schedule best = *wf::hlfet(g);
  wf::in_turn executor;
  wf::detail::search_by_deadlines(g, options, callback, executor, best);
  CHECK(mapping_benchmark::fault_of(g, best) == "");
  return best;
}

// A fork and a join with many tasks between them, for which most bounds are weak.
wf::task_graph hard_graph(unsigned seed) {
  wf_test::task_dice dice(seed);
  wf::task_graph g;
  g.processors = 4;
  for (int t = 0; t < 22; ++t) g.add("t", dice(20, 100));
  for (std::uint32_t t = 1; t < 21; ++t) {
    g.connect(0, t, dice(1, 12));
    g.connect(t, 21, dice(1, 12));
  }
  return g;
}

}  // namespace

TEST_CASE("list schedules are bettered to the optimum") {
  wf_test::task_dice dice(61);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    wf::task_graph g = dice.graph({.tasks = 5,
                                   .processors = static_cast<std::uint32_t>(dice(0, 3)),
                                   .density = static_cast<int>(dice(0, 70)),
                                   .largest_delay = dice(0, 1) == 0 ? 0 : 20,
                                   .resources = static_cast<std::uint32_t>(i % 4 == 0)});
    if (i % 5 == 0)  // beyond 32 bits
      for (wf::graph_task& t : g.tasks) t.duration <<= 33;
    if (i % 5 == 0)
      for (wf::task_edge& e : g.edges) e.delay <<= 33;
    const wf::task_schedule s = bettered(g);
    CHECK(s.proven());
    wf::task_graph small = g;
    if (i % 5 == 0) {
      for (wf::graph_task& t : small.tasks) t.duration >>= 33;
      for (wf::task_edge& e : small.edges) e.delay >>= 33;
    }
    CHECK(s.makespan == wf_test::every_schedule(small).least() << (i % 5 == 0 ? 33 : 0));
  }
}

TEST_CASE("limits and memory are obeyed") {
  const wf::task_graph g = hard_graph(62);
  wf::schedule_options options;
  options.limits.max_nodes = 3000;
  const wf::task_schedule limited = bettered(g, options);
  CHECK(limited.counters.nodes == 3000);
  CHECK(limited.status == wf::search_status::stopped_by_limit);
  CHECK(limited.bound <= limited.makespan);
  CHECK(limited.bound > 0);
  options.memory = 1000;
  const wf::task_schedule listed = bettered(g, options);
  CHECK(listed.counters.nodes == 0);
  CHECK(listed.makespan == wf::hlfet(g)->makespan);
  options = {};
  const wf::task_schedule stopped =
      bettered(g, options, [](const wf::search_progress& p) { return p.nodes < 100; });
  CHECK(stopped.status == wf::search_status::stopped_by_caller);
  CHECK(stopped.counters.nodes < 200);
}

TEST_CASE("a search whose steps do not fit into its memory ends") {
  const wf::task_graph g =
      wf_test::task_dice(64).graph({.tasks = 60, .processors = 8, .density = 1, .longest = 50});
  wf::schedule_options options;
  options.memory = 16 * wf::detail::delay_problem<std::int64_t>::bytes(wf::prepare(g));
  const wf::task_schedule s = bettered(g, options);
  CHECK((s.proven() || s.status == wf::search_status::stopped_by_limit));
  options.limits.max_open = 20;
  CHECK(bettered(g, options).status == wf::search_status::stopped_by_limit);
}

TEST_CASE("large graphs get a list schedule and a bound") {
  wf::task_graph g;
  g.processors = 3;
  for (std::uint32_t t = 0; t < 5000; ++t) {
    g.add("t", 1 + t % 7);
    if (t > 10) g.connect(t - 9, t, t % 5);
  }
  const wf::task_schedule s = bettered(g);
  CHECK(s.bound > 0);
  CHECK(s.counters.nodes == 0);
}

TEST_CASE("threads change nothing") {
  wf::threads two(2), four(4);
  int hard = 0;
  for (unsigned seed = 63; seed < 67; ++seed) {
    CAPTURE(seed);
    const wf::task_graph g = hard_graph(seed);
    wf::schedule_options options;
    options.limits.max_nodes = 12'000;
    const wf::task_schedule one = bettered(g, options);
    for (wf::threads* pool : {&two, &four}) {
      wf::task_schedule best = *wf::hlfet(g);
      wf::keep_going callback;
      wf::detail::search_by_deadlines(g, options, callback, *pool, best);
      CHECK(best == one);
    }
    hard += one.counters.nodes == 12'000;
  }
  CHECK(hard > 1);
  const wf::task_graph g = hard_graph(67);
  wf::task_schedule best = *wf::hlfet(g);
  auto stop = [](const wf::search_progress& p) { return p.nodes < 8'000; };
  wf::detail::search_by_deadlines(g, {}, stop, four, best);
  CHECK(mapping_benchmark::fault_of(g, best) == "");
  CHECK((best.proven() || best.status == wf::search_status::stopped_by_caller));
}
