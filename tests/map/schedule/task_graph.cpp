// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/schedule/task_graph.hpp>

namespace {

constexpr wf::task_graph diamond() {
  wf::task_graph g;
  g.name = wf::text("diamond");
  g.processors = 2;
  const auto a = g.add("a", 2), b = g.add("b", 3), c = g.add("c", 4), d = g.add("d", 1);
  g.connect(a, b, 5);
  g.connect(a, c);
  g.connect(b, d);
  g.connect(c, d, 1);
  g.resources.push_back({wf::text("memory"), 10});
  g.demands.push_back({b, 0, 6});
  return g;
}
static_assert(validate(diamond()).has_value());
static_assert(diamond() == diamond());
static_assert(diamond().duration(2, 1) == 4);

template <class Change>
wf::error refused(Change change) {
  wf::task_graph g = diamond();
  change(g);
  const auto valid = validate(g);
  REQUIRE_FALSE(valid);
  return valid.error();
}

template <class Change>
void check_invalid(Change change, const char* part) {
  const wf::error e = refused(change);
  CHECK(e.code == wf::errc::invalid_problem);
  CAPTURE(e.message);
  CHECK(doctest::String(e.message.view().begin(), static_cast<unsigned>(e.message.view().size())) ==
        doctest::Contains(part));
}

}  // namespace

TEST_CASE("task graph: what is wrong is named") {
  using graph = wf::task_graph;
  check_invalid([](graph& g) { g = graph(); }, "at least one task");
  check_invalid([](graph& g) { g.processors = 5000; }, "at most 4096");
  check_invalid([](graph& g) { g.tasks[1].duration = -1; }, "time must not be negative");
  check_invalid([](graph& g) { g.durations_on.resize(7); }, "times for each processor");
  check_invalid([](graph& g) { g.edges[0].delay = -1; }, "delay must not be negative");
  check_invalid([](graph& g) { g.edges[0].to = 4; }, "0 -> 4");
  check_invalid([](graph& g) { g.edges[0].to = 0; }, "0 -> 0");
  check_invalid([](graph& g) { g.connect(0, 1); }, "0 -> 1 is there twice");
  check_invalid([](graph& g) { g.connect(3, 0); }, "cycle");
  check_invalid([](graph& g) { g.resources[0].capacity = -1; }, "capacity");
  check_invalid([](graph& g) { g.demands[0].amount = -1; }, "demand must not be negative");
  check_invalid([](graph& g) { g.demands[0].resource = 1; }, "not there");
  check_invalid([](graph& g) { g.demands.push_back({1, 0, 1}); }, "twice");
}

TEST_CASE("task graph: what cannot fit and what overflows") {
  const wf::error e = refused([](wf::task_graph& g) { g.demands[0].amount = 11; });
  CHECK(e.code == wf::errc::mapping_infeasible);
  CHECK(e.message == "it needs 11 of memory, of which there is 10");
  CHECK(refused([](wf::task_graph& g) { g.tasks[0].duration = wf::max_task_time; }).code ==
        wf::errc::overflow);
}

TEST_CASE("task graph: times for each processor") {
  wf::task_graph g = diamond();
  g.durations_on = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(validate(g).has_value());
  CHECK(g.duration(2, 1) == 6);
}

TEST_CASE("task graph: the demands on a resource, by task") {
  wf::task_graph g;
  for (int i = 0; i < 3; ++i) g.add("t", 1);
  g.resources = {{wf::text("memory"), 8}, {wf::text("crane"), 1}};
  g.demands = {{2, 0, 5}, {0, 1, 1}, {0, 0, 3}};
  CHECK(g.demands_on(0) == wf::table<std::int64_t>{3, 0, 5});
  CHECK(g.demands_on(1) == wf::table<std::int64_t>{1, 0, 0});
}
