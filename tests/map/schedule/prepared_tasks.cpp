// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/prepared_tasks.hpp>

#include <doctest/doctest.h>

#include "../task_graphs.hpp"

TEST_CASE("prepared graphs hold the tasks and edges of the graph in a topological order") {
  wf_test::task_dice dice(31);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 6,
                                         .processors = static_cast<std::uint32_t>(dice(1, 3)),
                                         .heterogeneous = dice(0, 1) == 0,
                                         .resources = static_cast<std::uint32_t>(dice(0, 2))});
    for (const bool reversed : {false, true}) {
      const bool by_paths = dice(0, 1) == 0;
      const wf::prepared_tasks w =
          by_paths ? wf::prepare_by_paths(g, reversed) : wf::prepare(g, reversed);
      REQUIRE(w.size() == g.tasks.size());
      std::size_t edges = 0;
      std::vector<bool> met(w.size());
      for (std::uint32_t t = 0; t < w.size(); ++t) {
        const std::uint32_t original = w.original[t];
        CHECK(!met[original]);
        met[original] = true;
        for (std::uint32_t p = 0; p < g.processors; ++p) {
          CHECK(w.duration(t, p) == g.duration(original, p));
          CHECK(w.durations[t] <= w.duration(t, p));
        }
        for (std::uint32_t r = 0; r < g.resources.size(); ++r) {
          std::int64_t amount = 0;
          for (const wf::resource_demand& d : g.demands)
            if (d.task == original && d.resource == r) amount = d.amount;
          CHECK(w.demand(t, r) == amount);
        }
        std::uint32_t last = 0;
        for (const wf::task_neighbour& e : w.later_than(t)) {
          CHECK(e.task > t);
          CHECK(e.task >= last);
          last = e.task;
          std::uint32_t from = original, to = w.original[e.task];
          if (reversed) std::swap(from, to);
          const std::int64_t delay = g.processors == 1 ? -1 : e.delay;
          bool found = false, back = false;
          for (const wf::task_edge& of : g.edges)
            found = found || (of.from == from && of.to == to && (delay < 0 || of.delay == delay));
          for (const wf::task_neighbour& b : w.earlier_than(e.task))
            back = back || (b.task == t && b.delay == e.delay);
          CHECK(found);
          CHECK(back);
          ++edges;
        }
      }
      CHECK(edges == g.edges.size());
      CHECK(w.earlier.size() == edges);
    }
  }
}

TEST_CASE("of tasks that are ready at once, those with the longest path ahead come first") {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {1, 5, 3, 4}) g.add("t", time);
  g.connect(2, 3);
  CHECK(wf::prepare(g).original == wf::table<std::uint32_t>{0, 1, 2, 3});
  CHECK(wf::prepare_by_paths(g).original == wf::table<std::uint32_t>{2, 1, 3, 0});
  CHECK(wf::prepare_by_paths(g, true).original == wf::table<std::uint32_t>{3, 1, 2, 0});
}

TEST_CASE("delays count between processors only") {
  wf::task_graph g;
  g.add("a", 1);
  g.add("b", 2);
  g.connect(0, 1, 5);
  CHECK(!wf::prepare(g).has_delays);
  CHECK(wf::prepare(g).processors == 2);
  g.processors = 1;
  CHECK(!wf::prepare(g).has_delays);
  g.processors = 2;
  CHECK(wf::prepare(g).has_delays);
}

TEST_CASE("processors with the same times are alike") {
  wf::task_graph g;
  g.processors = 2;
  g.add("a", 7);
  g.durations_on = {3, 3};
  CHECK(wf::prepare(g).durations_on.empty());
  CHECK(wf::prepare(g).durations[0] == 3);
  g.durations_on = {3, 2};
  CHECK(wf::prepare(g).durations_on.size() == 2);
  CHECK(wf::prepare(g).durations[0] == 2);
}
