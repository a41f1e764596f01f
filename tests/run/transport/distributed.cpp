// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/distributed.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "../../partition/programs.hpp"
#include "in_threads.hpp"
#include "machine_runs.hpp"

using namespace machine_runs;

namespace {

using outcome = wf::result<report>;

// The reports of all processes.
std::vector<outcome> distributed(const wf::deployment& d, const machines_of& m,
                                 const std::vector<call>& calls, std::uint32_t ranks,
                                 const wf::distributed_options& options = {}) {
  return in_threads::run(
      ranks, [&](wf::loopback& carrier) { return run_here(carrier, d, m, calls, options); });
}
// All outputs of all calls: what each is on each machine, sorted.
std::vector<std::string> sorted_outputs(const wf::deployment& d,
                                        const std::vector<const report*>& all) {
  std::vector<std::string> out;
  for (const report* r : all)
    for (const auto& o : r->outputs) out.push_back(line_of(d, o));
  std::sort(out.begin(), out.end());
  return out;
}
std::vector<std::string> sorted_outputs(const wf::deployment& d, const std::vector<outcome>& all) {
  std::vector<const report*> reports;
  for (const outcome& r : all) {
    REQUIRE_MESSAGE(r, to_text(r.error()).view());
    CHECK_MESSAGE(r->failure.code == wf::errc::none, to_text(r->failure).view());
    CHECK(r->failures.empty());
    reports.push_back(&*r);
  }
  return sorted_outputs(d, reports);
}
}  // namespace

TEST_CASE("processes compute together what the simulator does, with loss, copies and damage") {
  std::size_t outputs = 0, dropped = 0, refused = 0;
  for (std::uint32_t i = 0; i < 24; ++i) {
    CAPTURE(i);
    const auto [d, m, calls] = with_rules(i);
    machines_of good = m;
    good.script.rules.clear();
    good.script.knobs.clear();
    const auto plain = good.run(d, calls);
    REQUIRE(plain);
    const auto all = distributed(d, m, calls, 1 + i % 4);
    const auto expected = sorted_outputs(d, {&*plain});
    CHECK(sorted_outputs(d, all) == expected);
    outputs += expected.size();
    for (const outcome& r : all)
      for (const auto& p : r->run.counts.peers) {
        dropped += p.dropped;
        refused += p.refused[static_cast<unsigned>(wf::fault::reason::checksum)];
      }
  }
  CHECK(outputs > 50);
  CHECK(dropped > 10);
  CHECK(refused > 10);
}
TEST_CASE("what rules do to messages is the same in the simulator and in processes") {
  std::uint64_t dropped = 0, doubled = 0;
  for (const std::uint64_t seed : {3U, 9U, 14U}) {
    CAPTURE(seed);
    const auto [d, m, calls] = without_time(seed);
    const auto simulated = m.run(d, calls);
    REQUIRE(simulated);
    for (const std::uint32_t ranks : {2U, 3U}) {
      CAPTURE(ranks);
      const auto all = distributed(d, m, calls, ranks);
      CHECK(sorted_outputs(d, all) == sorted_outputs(d, {&*simulated}));
      for (std::uint32_t p = 0; p < m.script.peers.size(); ++p) {
        CAPTURE(p);
        const auto& counts = all[p % ranks]->run.counts.peers[p];
        CHECK(counts_of(counts) == counts_of(simulated->run.counts.peers[p]));
        dropped += counts.dropped;
        doubled += counts.refused[static_cast<unsigned>(wf::fault::reason::duplicate)];
      }
    }
  }
  CHECK(dropped > 5);
  CHECK(doubled > 5);
}
TEST_CASE("a machine that crashes by a counter of another process restarts, and others go on") {
  const wf::deployment d = deployed(programs::parsed(programs::request_and_reply));
  machines_of m(d);
  m.script.knobs.push_back({wf::fault::knob::per_hop_budget_ns, 20 * ms});
  wf::fault::event crash;  // the server, once a client took something
  crash.when = {-1, wf::fault::counter::fired, wf::fault::find_peer(m.script, "clients0"), 2, -1};
  crash.what.kind = wf::fault::action_kind::crash;
  crash.what.peer = wf::fault::find_peer(m.script, "servers0");
  crash.what.duration_ns = 5 * ms;
  m.script.events.push_back(crash);
  REQUIRE(crash.when.peer < 3);
  REQUIRE(crash.what.peer < 3);
  std::vector<call> calls;
  for (int k = 0; k < 10; ++k) calls.push_back(call_at(d, 10 * k * ms));
  const auto all = distributed(d, m, calls, 3);
  std::uint32_t restarts = 0;
  std::size_t outputs = 0;
  for (std::uint32_t r = 0; r < 3; ++r) {
    REQUIRE(all[r]);
    CHECK_MESSAGE(all[r]->failure.code == wf::errc::none, to_text(all[r]->failure).view());
    CHECK(all[r]->restarts == (r == crash.what.peer ? 1 : 0));
    restarts += all[r]->restarts;
    outputs += all[r]->outputs.size();
  }
  CHECK(restarts == 1);
  CHECK(outputs >= 9);  // what was under way when it crashed may be lost with it
}
TEST_CASE("errors before a run, and processes of different runs, are told") {
  const wf::deployment d = deployed(programs::parsed(programs::one_hop));
  const machines_of m(d);
  const auto run = [&](wf::loopback& carrier, std::uint64_t seed, std::uint32_t host,
                       const wf::distributed_options& options) {
    machines_of other(d);
    other.script.seed = seed;
    call c = call_at(d, 0);
    c.machine = host;
    const std::vector<call> calls{c};
    return wf::run_distributed<std::uint64_t>(carrier, d, wf::builtin_registry(), other.script,
                                              {m.roles.data(), m.roles.size()},
                                              {calls.data(), calls.size()}, hashing(), options);
  };
  for (const outcome& r : in_threads::run(2, [&](wf::loopback& c) { return run(c, 1, 1, {}); })) {
    REQUIRE(!r);
    CHECK(r.error().code == wf::errc::simulation_failed);
  }
  wf::distributed_options options;
  options.processes.longest_ns = 300 * ms;
  const auto strangers =
      in_threads::run(2, [&](wf::loopback& c) { return run(c, c.rank(), 0, options); });
  for (const outcome& r : strangers) {
    REQUIRE(r);
    CHECK(r->failure.code == wf::errc::transport_failed);
  }
  options.owners = {0, 2};
  for (const outcome& r :
       in_threads::run(2, [&](wf::loopback& c) { return run(c, 1, 0, options); })) {
    REQUIRE(r);
    CHECK(r->failure.code == wf::errc::transport_failed);
  }
}
TEST_CASE("when a process is lost, the others come to their end") {
  const wf::deployment d = deployed(programs::parsed(programs::request_and_reply), 400 * ms);
  machines_of m(d);
  m.script.knobs.push_back({wf::fault::knob::per_hop_budget_ns, 20 * ms});
  const std::vector<call> calls{call_at(d, 0), call_at(d, 50 * ms)};
  wf::distributed_options options;
  options.machines.messages.retries = 4;
  wf::loopback_hub hub(3);
  const std::uint32_t dies = wf::fault::find_peer(m.script, "servers0");
  hub.lose(dies);
  std::vector<outcome> all(3);
  std::vector<std::thread> threads;
  for (std::uint32_t r = 0; r < 3; ++r)
    if (r != dies)
      threads.emplace_back([&, r] {
        wf::loopback carrier(hub, r);
        all[r] = wf::run_distributed<std::uint64_t>(
            carrier, d, wf::builtin_registry(), m.script, {m.roles.data(), m.roles.size()},
            {calls.data(), calls.size()}, hashing(), options);
      });
  for (std::thread& t : threads) t.join();
  std::size_t failures = 0;
  for (std::uint32_t r = 0; r < 3; ++r) {
    if (r == dies) continue;
    REQUIRE(all[r]);
    CHECK_MESSAGE(all[r]->failure.code == wf::errc::none, to_text(all[r]->failure).view());
    CHECK(all[r]->outputs.empty());
    for (const wf::machine_failure& f : all[r]->failures) CHECK(f.other == dies);
    failures += all[r]->failures.size();
  }
  CHECK(failures == 2);
}
