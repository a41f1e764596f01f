// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/place/map.hpp>
#include <wf/simulate/replay/mapping.hpp>

#include "../../map/networks.hpp"
#include "../../map/random_mapping.hpp"
#include "../../map/small_problems.hpp"

namespace {

constexpr wf::workload forked() {
  wf::workload_operator o;
  o.macs = 64;
  o.output_bytes = 8;
  o.first_axis = o.second_axis = 4;
  wf::workload w = wf_test::alike("fork", o, {"a", "b", "c"});
  for (const std::uint32_t to : {1u, 2u}) w.connect(0, to, 8, wf::operand_split::by_both);
  return w;
}

constexpr wf::pe_array pair() {
  wf::pe_array a = wf_test::row_of(2, 100);
  a.hop_latency = 1;
  return a;
}

constexpr bool search_and_replay_agree_while_compiling() {
  const wf::workload w = forked();
  const wf::mapping m = *wf::map(w, pair());
  return wf::simulate(w, pair(), m)->makespan == 24 && m.makespan == 24;
}
static_assert(search_and_replay_agree_while_compiling());

/// a on the left PE, b and c on the right one: 16, a transfer of 1 + 2, 16, 16.
constexpr wf::mapping by_hand() {
  const wf::placement_request requests[] = {
      {0, {0, 0, 1, 1}, 0}, {1, {0, 1, 1, 1}, 0}, {2, {0, 1, 1, 1}, 0}};
  return *wf::arrange(forked(), pair(), requests);
}
static_assert(by_hand().makespan == 51);
static_assert(wf::simulate(forked(), pair(), by_hand())->makespan == 51);
// With a single link the second transfer starts 3 cycles later, still long before c can start.
static_assert(wf::simulate(forked(), pair(), by_hand(), {.link_contention = true})->makespan == 51);
static_assert(wf::simulate(forked(), pair(), by_hand(), {.link_contention = true})->link_waiting ==
              3);

/// Checks that every event of the replay has the place and time of the mapping.
void compare(const wf::workload& w, const wf::mapping& m, const wf::execution_trace& t) {
  std::size_t executions = 0;
  for (const wf::trace_event& e : t.events) {
    const wf::placement& p = m.operators[e.op];
    REQUIRE(e.where == p.where);
    if (e.kind == wf::trace_kind::execute) {
      ++executions;
      REQUIRE(e.begin == p.start);
      REQUIRE(e.end == p.finish);
    } else {
      REQUIRE(e.begin >= p.finish);
      REQUIRE(e.end <= m.operators[e.reader].start);
      REQUIRE(e.destination == m.operators[e.reader].where);
    }
  }
  REQUIRE(executions == m.sequence.size());
  REQUIRE(t.accounts.size() == w.operators.size());
}

}  // namespace

TEST_CASE("the trace tells what ran and what moved") {
  const auto t = wf::simulate(forked(), pair(), by_hand());
  REQUIRE(t);
  REQUIRE(t->events.size() == 5);
  CHECK(t->events[0] ==
        wf::trace_event{wf::trace_kind::execute, 0, 0, 0, 16, {0, 0, 1, 1}, {0, 0, 1, 1}, 8});
  CHECK(t->events[1] ==
        wf::trace_event{wf::trace_kind::transfer, 0, 1, 16, 19, {0, 0, 1, 1}, {0, 1, 1, 1}, 8});
  CHECK(t->accounts[2] == wf::resource_account{16, 16, 8, 8, 16, 1});
  CHECK(t->processed == 5);
}

TEST_CASE("random mappings replay to the cycle, and contention only adds") {
  int replayed = 0, longer = 0;
  std::int64_t planned = 0, contended = 0;
  for (std::uint64_t seed = 1; seed <= 2500; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 1, 9, 2, 3);
    const auto m = wf_test::random_mapping(random, w, a);
    if (!m) continue;
    ++replayed;
    const auto t = wf::simulate(w, a, *m);
    REQUIRE(t);
    REQUIRE(t->makespan == m->makespan);
    REQUIRE(t->link_waiting == 0);
    compare(w, *m, *t);
    const auto real = wf::simulate(w, a, *m, {.link_contention = true});
    REQUIRE(real);
    REQUIRE(real->makespan >= m->makespan);
    longer += real->makespan > m->makespan ? 1 : 0;
    planned += m->makespan;
    contended += real->makespan;
  }
  MESSAGE(replayed << " mappings; contention lengthens " << longer << " of them, all together by "
                   << (contended - planned) * 1000 / planned << " per mille");
  CHECK(replayed > 1000);
  CHECK(longer > 0);
}

TEST_CASE("searched mappings replay to the cycle") {
  int replayed = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w = wf_test::random_workload(random, 4);
    const wf::pe_array a = wf_test::random_array(random, 1, 3);
    const auto m = wf::map(w, a);
    if (!m) continue;
    ++replayed;
    const auto t = wf::simulate(w, a, *m);
    REQUIRE(t);
    REQUIRE(t->makespan == m->makespan);
    compare(w, *m, *t);
  }
  CHECK(replayed > 500);
}

TEST_CASE("a damaged mapping is noticed") {
  const wf::workload w = forked();
  const auto failure = [&](auto damage) {
    wf::mapping m = by_hand();
    damage(m);
    const auto t = wf::simulate(w, pair(), m);
    REQUIRE_FALSE(t);
    CHECK(t.error().code == wf::errc::simulation_failed);
    return t.error();
  };
  CHECK(failure([](auto& m) { m.rows = 2; }).subject == wf::text("fork"));
  failure([](auto& m) { m.sequence.pop_back(); });
  failure([](auto& m) { m.sequence[2] = 1; });
  failure([](auto& m) { m.sequence[2] = 9; });
  CHECK(failure([](auto& m) { m.operators[1].where.column = 2; }).subject == wf::text("b"));
  CHECK(failure([](auto& m) { m.operators[2].how.working_bytes = 101; }).subject == wf::text("c"));
  // Starts are recomputed, so that wrong ones are ignored; an order against the data flow is an
  // error.
  wf::mapping m = by_hand();
  m.operators[1].start += 5;
  CHECK(wf::simulate(w, pair(), m)->makespan == 51);
  const wf::error e = failure([](auto& bad) { bad.sequence = {1, 0, 2}; });
  CHECK(e.message == wf::text("deadlock: a waits for b, b waits for a"));
}

TEST_CASE("operators that block each other's memory are named") {
  // a's result remains until c has read it; c starts after b; b does not fit beside a's result.
  wf::workload w;
  wf::workload_operator o;
  o.macs = 4;
  o.first_axis = o.second_axis = 2;
  for (const char* label : {"a", "b", "c"}) {
    o.label = wf::text(label);
    o.output_bytes = label[0] == 'c' ? 0 : 60;
    w.add(o);
  }
  w.connect(0, 2, 10, wf::operand_split::by_both);
  wf::pe_array a = pair();
  a.columns = 1;
  a.memory_bytes = 120;
  const wf::rectangle one{0, 0, 1, 1};
  const wf::placement_request requests[] = {{0, one, 0}, {1, one, 0}, {2, one, 0}};
  const auto m = wf::arrange(w, a, requests);
  REQUIRE(m);
  CHECK(wf::simulate(w, a, *m));
  a.memory_bytes = 100;
  const auto t = wf::simulate(w, a, *m);
  REQUIRE_FALSE(t);
  CHECK(t.error().message == wf::text("deadlock: a waits for c, c waits for b, b waits for a"));
}

TEST_CASE("ResNet-50 replays to the cycle") {
  const auto w = wf_test::read_network("resnet50", 8);
  if (!w) return;
  wf::map_options options;
  options.limits.max_nodes = 10;
  const auto m = wf::map(*w, wf_test::mesh_8x8(), options);
  REQUIRE(m);
  const auto t = wf::simulate(*w, wf_test::mesh_8x8(), *m);
  REQUIRE(t);
  CHECK(t->makespan == m->makespan);
  compare(*w, *m, *t);
}
