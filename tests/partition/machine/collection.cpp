// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/collection.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>
#include <partition/random_program.hpp>

#include "../../sanitized.hpp"
#include "../programs.hpp"

using namespace machine_case;

namespace {

constexpr std::int64_t ms = 1'000'000;

// Nodes take time, those without operands so much that calls wait for them.
struct slow : hashing {
  std::uint64_t seed = 0;
  std::int64_t duration(const wf::graph_view& g, wf::node_id id, std::uint32_t machine) const {
    const std::uint64_t h = hashed::mixed(hashed::mixed(seed, wf::index_of(id)), machine) >> 7;
    if (h % 3 == 0) return 0;
    return g[id].inputs.count == 0 ? static_cast<std::int64_t>(h % 200) * ms
                                   : static_cast<std::int64_t>(h % 8) * ms;
  }
};

// A random program on machines with many faults, and calls of it.
struct random_run {
  std::mt19937_64 random;
  random_program program;
  wf::deployment d;
  machines_of m;
  wf::machine_run_options options;
  slow evaluate;
  std::vector<call> calls;

  static wf::deployment make(const random_program& p, std::uint64_t seed) {
    return deployed(p.workflow(), seed % 3 == 0 ? 60 * ms : 100'000 * ms,
                    {.split_disconnected = seed % 4 == 0});
  }
  explicit random_run(std::uint64_t seed)
      : random(seed), program(seed), d(make(program, seed)), m(d, seed % 2 == 0 ? 1 : 2) {
    m.script.seed = seed;
    m.script.delay_ns = {0, 5 * ms};
    options.messages.retries = static_cast<std::uint32_t>(seed % 5);
    options.messages.budget_ns = 2'000 * ms;
    evaluate.seed = seed;
    for (int k = 0; k < 6; ++k)
      calls.push_back(call_at(d, static_cast<std::int64_t>(random() % 400) * ms));
    add_rules();
    add_events();
  }
  void add_rules() {
    using wf::fault::rule_effect;
    for (const auto effect :
         {rule_effect::drop, rule_effect::duplicate, rule_effect::delay, rule_effect::corrupt}) {
      if (random() % 3 == 0) continue;
      wf::fault::rule r;
      r.effect = effect;
      r.probability = 0.05 * static_cast<double>(1 + random() % 6);
      r.delay_ns = {0, static_cast<std::int64_t>(random() % 300) * ms};
      m.script.rules.push_back(r);
    }
  }
  std::uint32_t machine() { return static_cast<std::uint32_t>(random() % m.roles.size()); }
  std::int64_t time() { return static_cast<std::int64_t>(random() % 600) * ms; }
  void add_events() {
    using wf::fault::action_kind;
    for (std::uint64_t k = random() % 5; k > 0; --k) {
      wf::fault::event e;
      e.when.at_ns = time();
      e.what.peer = machine();
      e.what.kind = random() % 4 == 0   ? action_kind::partition
                    : random() % 4 == 0 ? action_kind::pause
                                        : action_kind::crash;
      e.what.duration_ns = random() % 6 == 0 && e.what.kind == action_kind::crash ? -1 : time();
      e.what.hold = random() % 2 == 0;
      if (e.what.kind == action_kind::crash && random() % 3 == 0) {
        // When it takes a message, at once.
        e.when.at_ns = -1;
        e.when.peer = e.what.peer;
        e.when.count = static_cast<wf::fault::counter>(random() % 4);
        e.when.number = 1 + random() % 5;
      }
      m.script.events.push_back(e);
      if (e.what.kind != action_kind::partition) continue;
      e.when.at_ns += time();
      e.what.kind = action_kind::heal;
      m.script.events.push_back(e);
    }
  }
  wf::result<report> run(bool collects) {
    options.messages.collects = collects;
    options.keep_records = true;
    return m.run(d, calls, options, evaluate);
  }
};

bool same(const wf::machine_output<std::uint64_t>& a, const wf::machine_output<std::uint64_t>& b) {
  return a.program == b.program && a.output == b.output && a.machine == b.machine &&
         a.call == b.call && a.time == b.time && a.value.datum == b.value.datum &&
         std::equal(a.path.begin(), a.path.end(), b.path.begin(), b.path.end()) &&
         std::equal(a.value.machines.begin(), a.value.machines.end(), b.value.machines.begin(),
                    b.value.machines.end());
}
bool same(const wf::machine_failure& a, const wf::machine_failure& b) {
  return a.machine == b.machine && a.other == b.other && a.program == b.program &&
         a.node == b.node && a.call == b.call && a.why == b.why && a.failure.code == b.failure.code;
}
template <class Table>
bool all_same(const Table& a, const Table& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return same(x, y); });
}

}  // namespace

TEST_CASE("what finished calls have left can be forgotten: nothing else changes") {
  const std::uint64_t seeds = wf_test::sanitized ? 100 : 1000;
  std::size_t smaller = 0, restarts = 0, failures = 0, outputs = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    random_run c(seed);
    const hashed::outputs whole = hashed::run_whole(c.program.workflow());
    const auto kept = c.run(false), collected = c.run(true);
    REQUIRE(kept);
    REQUIRE(collected);
    REQUIRE(kept->run.broken.invariant == 0);
    REQUIRE(collected->run.trace == kept->run.trace);
    REQUIRE(all_same(collected->outputs, kept->outputs));
    REQUIRE(all_same(collected->failures, kept->failures));
    REQUIRE(std::equal(kept->received.begin(), kept->received.end(), collected->received.begin()));
    REQUIRE(collected->slots_kept <= kept->slots_kept);
    // A message is received, with what it carries, however late it comes.
    std::vector<std::uint64_t> fired(kept->received.size());
    for (const wf::fault::record& r : kept->records)
      if (r.what == wf::fault::happening::fired && r.edge < fired.size()) ++fired[r.edge];
    REQUIRE(std::equal(fired.begin(), fired.end(), kept->received.begin()));
    for (const auto& o : kept->outputs) REQUIRE(o.value.datum == whole.at(name_of(c.d, o)));
    smaller += collected->slots_kept < kept->slots_kept ? 1 : 0;
    restarts += kept->restarts;
    failures += kept->failures.size();
    outputs += kept->outputs.size();
  }
  CHECK(smaller > seeds / 2);
  CHECK(restarts > seeds / 4);
  CHECK(failures > seeds);
  CHECK(outputs > 10 * seeds);
}
TEST_CASE("what is kept does not grow with the number of calls") {
  const std::uint64_t seeds = wf_test::sanitized ? 25 : 150;
  std::size_t from_start = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const wf::deployment d =
        deployed(program.workflow(), 100'000 * ms, {.split_disconnected = seed % 2 == 0});
    machines_of m(d, seed % 3 == 2 ? 2 : 1);
    m.script.seed = seed;
    m.script.delay_ns = {0, 5 * ms};
    add_rules(m.script, {wf::fault::rule_effect::drop, wf::fault::rule_effect::duplicate}, 0.1,
              50 * ms);
    slow evaluate;
    evaluate.seed = seed;
    const auto kept = [&](int number, bool collects) {
      std::vector<call> calls;
      for (int k = 0; k < number; ++k) calls.push_back(call_at(d, k * 7 * ms));
      wf::machine_run_options options;
      options.messages.collects = collects;
      return m.run(d, calls, options, evaluate)->slots_kept;
    };
    const std::size_t none = kept(0, true);
    REQUIRE(kept(3, true) == none);
    REQUIRE(kept(12, true) == none);
    REQUIRE(kept(12, false) >= none + 9 + 3);
    from_start += none;
  }
  CHECK(from_start > seeds);
}
TEST_CASE("a call that waits for a machine that is gone for good is finished") {
  struct slow_start : hashing {
    std::int64_t duration(const wf::graph_view& g, wf::node_id id, std::uint32_t) const {
      return g.op_name(g[id]) == wf::text_view("parameter") ? 1'000 * ms : 0;
    }
  };
  const wf::deployment d =
      deployed(programs::parsed("wf.graph 1 \"M\"\n"
                                "input \"x\" : f64[]\n"
                                "input \"servers\" : peer[1]\n"
                                "node user.parameter() peer \"givers\" -> f64[]\n"
                                "node wire.send(%2, %1) effect external -> f64[], peer[], u64[]\n"
                                "node wire.send(%0, %1) effect external -> f64[], peer[], u64[]\n"
                                "node elementwise.add(%3, %6) -> f64[]\n"
                                "output \"y\" = %9\n"));
  machines_of m(d);
  const std::uint32_t server = wf::fault::find_peer(m.script, "servers0");
  REQUIRE(server < m.script.peers.size());
  const auto run = [&](const std::vector<call>& calls) {
    return *m.run(d, calls, {}, slow_start());
  };
  // It waits, and goes on.
  CHECK(run({call_at(d, 0)}).outputs.size() == 1);
  CHECK(run({call_at(d, 0)}).slots_kept == run({}).slots_kept);
  wf::fault::event crash;
  crash.when.at_ns = 100 * ms;
  crash.what.kind = wf::fault::action_kind::crash;
  crash.what.peer = server;
  m.script.events.push_back(crash);
  // Without its giver alone, the server waits for it to come back.
  crash.what.peer = wf::fault::find_peer(m.script, "givers0");
  m.script.events[0].what.peer = crash.what.peer;
  CHECK(run({call_at(d, 0)}).slots_kept > run({}).slots_kept);
  m.script.events[0].what.peer = server;
  m.script.events.push_back(crash);
  // The second call is a reason to look at the first one, which waits then.
  const std::vector<call> two = {call_at(d, 0), call_at(d, 50 * ms)};
  CHECK(run(two).outputs.empty());
  CHECK(run(two).slots_kept == run({}).slots_kept);
  // When it comes back all is lost: the call is not made again, but another one is.
  m.script.events.pop_back();
  m.script.events[0].what.duration_ns = 10 * ms;
  CHECK(run({call_at(d, 0)}).outputs.empty());
  CHECK(run({call_at(d, 0), call_at(d, 150 * ms)}).outputs.size() == 1);
  CHECK(run({call_at(d, 0), call_at(d, 150 * ms)}).slots_kept == run({}).slots_kept);
}
