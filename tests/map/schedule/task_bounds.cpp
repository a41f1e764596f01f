// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/task_bounds.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "../task_graphs.hpp"

namespace {

constexpr wf::task_graph fork(std::int64_t delay) {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {1, 4, 3, 2}) g.add("t", time);
  for (std::uint32_t t = 1; t < 4; ++t) g.connect(0, t, delay);
  return g;
}
constexpr std::int64_t tail_of_fork(std::int64_t delay) {
  return wf::tail_bounds(wf::prepare(fork(delay)))[0];
}
static_assert(tail_of_fork(0) == 5);   // the work on two processors
static_assert(tail_of_fork(3) == 6);   // 3 + half of the remaining work
static_assert(tail_of_fork(99) == 9);  // all on one processor

// The successors of t, with duration 0 for t itself.
wf::task_graph from(const wf::task_graph& g, std::uint32_t t) {
  std::vector<bool> behind(g.tasks.size());
  behind[t] = true;
  for (std::size_t round = 0; round < g.tasks.size(); ++round)
    for (const wf::task_edge& e : g.edges)
      if (behind[e.from]) behind[e.to] = true;
  wf::task_graph out;
  out.processors = g.processors;
  std::vector<std::uint32_t> number(g.tasks.size());
  for (std::uint32_t u = 0; u < g.tasks.size(); ++u)
    if (behind[u]) number[u] = out.add("t", u == t ? 0 : g.tasks[u].duration);
  for (const wf::task_edge& e : g.edges)
    if (behind[e.from]) out.connect(number[e.from], number[e.to], e.delay);
  return out;
}

}  // namespace

TEST_CASE("what follows a task takes at least its tail") {
  wf_test::task_dice dice(51);
  int tight = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 5,
                                         .processors = static_cast<std::uint32_t>(dice(1, 3)),
                                         .density = static_cast<int>(dice(20, 90)),
                                         .largest_delay = dice(0, 20)});
    const wf::prepared_tasks w = wf::prepare(g);
    const wf::table<std::int64_t> tails = wf::tail_bounds(w);
    for (std::uint32_t t = 0; t < w.size(); ++t) {
      const std::int64_t least = wf_test::every_schedule(from(g, w.original[t])).least();
      CHECK(tails[t] <= least);
      tight += tails[t] == least && least > 0;
    }
    const std::int64_t bound = wf::makespan_bound(w, tails);
    CHECK(bound <= wf_test::every_schedule(g).least());
  }
  CHECK(tight > 200);
}

TEST_CASE("bounds hold where times differ and resources are scarce") {
  wf_test::task_dice dice(52);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 5,
                                         .processors = 2,
                                         .largest_delay = dice(0, 9),
                                         .heterogeneous = true,
                                         .resources = static_cast<std::uint32_t>(dice(0, 1))});
    const wf::prepared_tasks w = wf::prepare(g, dice(0, 1) == 1);
    CHECK(wf::makespan_bound(w, wf::tail_bounds(w)) <= wf_test::every_schedule(g).least());
  }
}

TEST_CASE("neighbours of a task take as long as their best partition") {
  using neighbour = wf::detail::split_neighbour<std::int32_t>;
  wf_test::task_dice dice(53);
  const auto time = [&](std::int64_t most) { return static_cast<std::int32_t>(dice(0, most)); };
  wf::detail::one_machine<std::int32_t> here;
  for (int i = 0; i < 500; ++i) {
    CAPTURE(i);
    wf::table<neighbour> list;
    for (std::int64_t left = dice(0, 6); left > 0; --left)
      wf::detail::insert_sorted(list, {time(20), {time(9), time(9)}}, neighbour::is_before);
    wf::table<neighbour> by_head = list;
    wf::detail::stable_sort(
        by_head, [](const neighbour& a, const neighbour& b) { return a.here.tail < b.here.tail; });
    std::int32_t least = INT32_MAX;
    for (std::uint32_t set = 0; set < 1U << list.size(); ++set) {  // those that are here
      std::int32_t end = 0, last = 0;
      for (std::size_t k = 0; k < by_head.size(); ++k) {
        const neighbour& n = by_head[k];
        if ((set >> k & 1) != 0)  // not before its head, and after the one before it
          end = std::max(end, n.here.tail) + n.here.duration;
        else
          last = std::max(last, n.elsewhere);
      }
      least = std::min(least, std::max(end, last));
    }
    CHECK(wf::detail::time_beside(list, here, 0, list.size()) == least);
    CHECK(wf::detail::time_beside(list, here, 0, 2) <= least);
    const std::int32_t enough = time(20);
    CHECK(std::max(enough, wf::detail::time_beside(list, here, enough, list.size())) ==
          std::max(enough, least));
  }
}
