// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/from_graph.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/workflow.hpp>

#include <mapping/check_schedule.hpp>

#include "../random_ticks.hpp"

namespace {

// Two products of 16 x 16, one of them transposed, and their product.
constexpr auto products = wf::workflow<"products">([](wf::scope& s) {
  auto a = s.input<"a", double, 16, 16>();
  auto b = s.input<"b", double, 16, 16>();
  auto left = s.let<"left">(a * b);
  auto right = s.let<"right">(b * a);
  s.output<"c">(s.let<"both">(left * trans(right)));
});
constexpr std::int64_t product = 2 * 16 * 16 * 16;  // flops

constexpr wf::task_options two(std::int64_t bandwidth, std::int64_t latency) {
  wf::task_options o;
  o.processors = 2;
  o.link = {bandwidth, latency};
  return o;
}
constexpr std::int64_t makespan(const wf::task_options& o) {
  const wf::registry kernels = wf::builtin_registry();
  const auto s = wf::schedule(products.graph(), wf::flops, kernels, o);
  return s && s->times.proven() && s->times.bound == s->times.makespan ? s->times.makespan : -1;
}
// Either a matrix of 2048 bytes moves to the other processor, or everything runs on one.
static_assert(makespan({}) == 3 * product);
static_assert(makespan(two(0, 0)) == 2 * product);
static_assert(makespan(two(2, 5)) == 2 * product + 1024 + 5);
static_assert(makespan(two(0, 3 * product)) == 3 * product);

wf::errc fault(const wf::graph_view& g, const wf::metric_spec& m, const wf::task_options& o) {
  const auto t = wf::tasks_of(g, m, wf::builtin_registry(), o);
  return t ? wf::errc::none : t.error().code;
}

}  // namespace

TEST_CASE("views are no tasks, but pass on what waits for them") {
  const auto t = wf::tasks_of(products.graph(), wf::flops, wf::builtin_registry(), two(1, 7));
  REQUIRE(t);
  REQUIRE(t->graph.tasks.size() == 3);
  CHECK(t->graph.name == wf::text("products"));
  CHECK(t->graph.tasks[0] == wf::graph_task{wf::text("left"), product});
  CHECK(t->graph.tasks[2].label == wf::text("both"));
  CHECK(t->graph.edges == wf::table<wf::task_edge>{{0, 2, 2048 + 7}, {1, 2, 2048 + 7}});
  const wf::graph_view g = products.graph();
  CHECK(g.label(t->nodes[2]) == wf::text("both"));
}

TEST_CASE("a reader of parts gets the parts, and never more than the whole") {
  const auto g = wf::capture("parts", [](wf::scope& s) {
    auto a = s.input<"a", double, 8, 8>();
    auto whole = s.let<"whole">(a * a);
    auto head = slice<0, 0, 2>(whole);
    s.output<"one">(s.let<"first">(head * a));
    s.output<"many">(s.let<"second">((trans(whole) * whole) * a));
  });
  REQUIRE(g);
  const auto t = wf::tasks_of(*g, wf::flops, wf::builtin_registry(), two(1, 0));
  REQUIRE(t);
  REQUIRE(t->graph.edges.size() == 3);
  CHECK(t->graph.edges[0].delay == 2 * 8 * 8);
  CHECK(t->graph.edges[1].delay == 8 * 8 * 8);  // the view of a matrix has its size
  // At a byte per unit of time without latency, delays are bytes.
  REQUIRE(t->bytes.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) CHECK(t->bytes[k] == t->graph.edges[k].delay);
}

TEST_CASE("durations are rounded up, by node") {
  wf::task_options o;
  o.rate = 1000;
  const auto t = wf::tasks_of(products.graph(), wf::flops, wf::builtin_registry(), o);
  REQUIRE(t);
  CHECK(t->graph.tasks[0].duration == (product + 999) / 1000);
}

TEST_CASE("resources are metrics of nodes, the user's own ones too") {
  wf::task_options o;
  o.processors = 2;
  o.resources.push_back({wf::memory, 3000});
  const auto t = wf::tasks_of(products.graph(), wf::flops, wf::builtin_registry(), o);
  REQUIRE(t);
  CHECK(t->graph.demands.size() == 3);
  CHECK(t->graph.demands[0] == wf::resource_demand{0, 0, 2048});
  // Only one result of 2048 bytes exists at a time.
  CHECK(makespan(o) == 3 * product);
  o.resources[0].capacity = 2047;
  CHECK(fault(products.graph(), wf::flops, o) == wf::errc::mapping_infeasible);

  const auto inversion = wf::capture(
      "inversion", [](wf::scope& s) { s.output<"B">(inv(s.input<"A", double, 64, 64>())); });
  REQUIRE(inversion);
  wf::task_options with;
  with.resources.push_back({wf::memory, 1 << 30, true});
  const auto own = wf::tasks_of(*inversion, wf::flops, wf::builtin_registry(), with);
  REQUIRE(own);
  CHECK(own->graph.demands[0].amount > 64 * 64 * 8 + 65'536);

  wf_test::task_dice dice(1);
  const wf::graph g = wf_test::random_ticks(dice, 9);
  wf::task_options slots;
  slots.resources.push_back({wf_test::slots, 5});
  const auto ticking = wf::tasks_of(g, wf_test::ticks, wf::builtin_registry(), slots);
  REQUIRE(ticking);
  CHECK(ticking->graph.resources[0] == wf::renewable_resource{wf::text("slots"), 5});
  for (const wf::resource_demand& d : ticking->graph.demands) CHECK(d.amount <= 3);
}

TEST_CASE("a task waits for exactly the tasks before it") {
  wf_test::task_dice dice(7);
  int through = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const wf::graph g = wf_test::random_ticks(dice, 10);
    const auto t =
        wf::tasks_of(g, wf_test::ticks, wf::builtin_registry(), wf_test::random_machine(dice));
    if (!t) {
      CHECK(t.error().code == wf::errc::invalid_problem);  // every duration is 0
      continue;
    }
    REQUIRE(t->bytes.size() == t->graph.edges.size());
    const auto after = wf_test::reachable(g.view());
    const std::size_t count = t->nodes.size();
    std::vector<std::vector<bool>> tasks(count, std::vector<bool>(count));
    for (std::uint32_t b = 0; b < count; ++b)  // tasks are in topological order
      for (const wf::task_edge& e : t->graph.edges)
        if (e.to == b) {
          tasks[e.from][b] = true;
          for (std::size_t c = 0; c < count; ++c)
            if (tasks[c][e.from]) tasks[c][b] = true;
        }
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = 0; b < count; ++b) {
        const bool waits = after[wf::index_of(t->nodes[a])][wf::index_of(t->nodes[b])];
        REQUIRE(tasks[a][b] == waits);
        through += waits;
      }
  }
  CHECK(through > 300);
}

TEST_CASE("the schedule of a small workflow is the best of all, and obeys every rule") {
  wf_test::task_dice dice(8);
  int scheduled = 0;
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const wf::graph g = wf_test::random_ticks(dice, static_cast<std::uint32_t>(dice(3, 8)));
    const auto s =
        wf::schedule(g, wf_test::ticks, wf::builtin_registry(), wf_test::random_machine(dice));
    if (!s || s->tasks.nodes.size() > 6) continue;
    CHECK(mapping_benchmark::fault_of(s->tasks.graph, s->times) == "");
    REQUIRE(s->times.proven());
    CHECK(s->times.makespan == wf_test::every_schedule(s->tasks.graph).least());
    ++scheduled;
  }
  CHECK(scheduled > 200);
}

TEST_CASE("what is not known or not valid is an error") {
  const auto call = wf::capture("call", [](wf::scope& s) {
    auto x = s.input<"x", double, 4>();
    s.output<"y">(wf::opaque<"mystery", "X: f64 [N] -> Y[N]">(x));
  });
  REQUIRE(call);
  CHECK(fault(*call, wf::flops, {}) == wf::errc::unknown_cost);
  const auto views = wf::capture(
      "views", [](wf::scope& s) { s.output<"t">(trans(s.input<"a", double, 2, 3>())); });
  REQUIRE(views);
  CHECK(fault(*views, wf::flops, {}) == wf::errc::invalid_problem);
  wf::task_options o;
  o.rate = 0;
  CHECK(fault(products.graph(), wf::flops, o) == wf::errc::invalid_problem);
  CHECK(fault(products.graph(), wf::flops, two(-1, 0)) == wf::errc::invalid_problem);
  CHECK(fault(products.graph(), wf::flops, two(0, -1)) == wf::errc::invalid_problem);
  CHECK(fault(products.graph(), wf::flops, two(0, INT64_MAX)) == wf::errc::overflow);
  CHECK(fault(products.graph(), wf::latency, {}) == wf::errc::unknown_cost);
  wf::metric_spec whole = wf::flops;
  whole.rule = wf::combination::measured;
  CHECK(fault(products.graph(), whole, {}) == wf::errc::invalid_problem);
}

TEST_CASE("the delay of a link is rounded up once, and never overflows") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 1000; ++round) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
    const wf::host_link measured{below(10'000), 1 + below(1000) * below(1'000'000)};
    const wf::task_link l = wf::in_nanoseconds(measured);
    const std::int64_t bytes = below(1 << 20);
    // The least delay in which the bytes fit at this rate.
    const std::int64_t sent = l.delay(bytes) - measured.latency_ns;
    CHECK(wf::int128{sent} * measured.bytes_per_second >= wf::int128{bytes} * 1'000'000'000);
    CHECK((sent == 0 ||
           wf::int128{sent - 1} * measured.bytes_per_second < wf::int128{bytes} * 1'000'000'000));
  }
  CHECK(wf::in_nanoseconds({5, 0}).delay(INT64_MAX) == 5);
  CHECK(wf::in_nanoseconds({5, 1}).delay(INT64_MAX) == INT64_MAX);
  CHECK(wf::task_link{1, 5}.delay(INT64_MAX) == INT64_MAX);
  wf::task_options without_period = two(1, 1);
  without_period.link.period = 0;
  CHECK(fault(products.graph(), wf::flops, without_period) == wf::errc::invalid_problem);
}
