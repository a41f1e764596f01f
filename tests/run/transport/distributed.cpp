// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/distributed.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "../../partition/programs.hpp"
#include "in_threads.hpp"
#include "machine_runs.hpp"
#include "mortal.hpp"

using namespace machine_runs;

namespace {

using outcome = wf::result<part_report>;

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
// The outputs of a run without faults.
std::vector<std::string> expected_of(const problem& p) {
  machines_of good = p.m;
  good.script.rules.clear();
  good.script.knobs.clear();
  const auto plain = good.run(p.d, p.calls);
  REQUIRE(plain);
  return sorted_outputs(p.d, {&*plain});
}
}  // namespace

TEST_CASE("processes compute together what the simulator does, with loss, copies and damage") {
  std::size_t outputs = 0, dropped = 0, refused = 0;
  for (std::uint32_t i = 0; i < 24; ++i) {
    CAPTURE(i);
    const problem p = with_rules(i);
    const auto all = distributed(p.d, p.m, p.calls, 1 + i % 4);
    const auto expected = expected_of(p);
    CHECK(sorted_outputs(p.d, all) == expected);
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
    machines_of other(m);
    other.script.seed = seed;
    call c = call_at(d, 0);
    c.machine = host;
    const std::vector<call> calls{c};
    return run_here(carrier, d, other, calls, options);
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
  const std::uint32_t dies = wf::fault::find_peer(m.script, "servers0");
  std::vector<outcome> all(3);
  mortal::run({-1, -1, -1}, [&](mortal::carrier& carrier) {
    if (carrier.rank() == dies) throw mortal::killed();
    all[carrier.rank()] = run_here(carrier, d, m, calls, options);
  });
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

namespace {

// What the survivors of a run that recovers report together.
struct deadly_machines {
  std::vector<const report*> left;
  std::size_t deaths = 0, begun_again = 0;
  std::vector<outcome> all;
  std::vector<char> died;

  deadly_machines(const problem& p, const std::vector<int>& nodes, const std::vector<int>& calls)
      : all(calls.size()) {
    wf::distributed_options options;
    options.recovers = true;
    options.processes.longest_ns = 20'000 * ms;
    died = mortal::run(calls, [&](mortal::carrier& carrier) {
      mortal_hashing computes;
      computes.left = nodes[carrier.rank()];
      computes.die = [] { throw mortal::killed(); };
      all[carrier.rank()] = run_here(carrier, p.d, p.m, p.calls, options, computes);
    });
    for (std::uint32_t r = 0; r < all.size(); ++r) {
      deaths += died[r] != 0;
      if (died[r] == 0) check(r);
    }
  }
  void check(std::uint32_t r) {
    CAPTURE(r);
    REQUIRE_MESSAGE(all[r], to_text(all[r].error()).view());
    CHECK_MESSAGE(all[r]->failure.code == wf::errc::none, to_text(all[r]->failure).view());
    CHECK(all[r]->failures.empty());
    for (const std::uint32_t l : all[r]->lost) CHECK(died[l] != 0);
    begun_again += !all[r]->lost.empty();
    left.push_back(&*all[r]);
  }
};
// With rules, and a network that soon sends again what is lost.
problem impatient(std::uint32_t i) {
  problem out = with_rules(i);
  using wf::fault::knob;
  out.m.script.knobs.push_back({knob::ttl_ns, 5 * ms});
  out.m.script.knobs.push_back({knob::backoff_cap_ns, 2 * ms});
  return out;
}
}  // namespace

TEST_CASE("whoever dies before an operator: the others have all outputs, once, with loss as well") {
  std::size_t deaths = 0, begun_again = 0, outputs = 0;
  for (std::uint32_t i = 0; i < 80; ++i) {
    CAPTURE(i);
    std::mt19937 random(i);
    const problem p = impatient(i);
    const std::uint32_t ranks = 2 + i % 4;
    const deadly_machines run(p, mortal::deaths(random, ranks, 2, 12), std::vector<int>(ranks, -1));
    const std::vector<std::string> expected = expected_of(p);
    CHECK(sorted_outputs(p.d, run.left) == expected);
    outputs += expected.size();
    deaths += run.deaths;
    begun_again += run.begun_again;
  }
  CHECK(deaths > 30);
  CHECK(begun_again > 30);
  CHECK(outputs > 100);
}
TEST_CASE("whoever dies while processes talk, also about losses and the end: nothing is doubled") {
  std::size_t deaths = 0, missing = 0;
  for (std::uint32_t i = 0; i < 90; ++i) {
    CAPTURE(i);
    std::mt19937 random(i);
    const problem p = impatient(i);
    const std::uint32_t ranks = 2 + i % 4;
    const deadly_machines run(p, std::vector<int>(ranks, -1), mortal::deaths(random, ranks, 3, 60));
    deaths += run.deaths;
    const std::vector<std::string> expected = expected_of(p);
    const std::vector<std::string> found = sorted_outputs(p.d, run.left);
    // What somebody computed who died after the end is lost with it.
    CHECK(std::includes(expected.begin(), expected.end(), found.begin(), found.end()));
    missing += found.size() != expected.size();
  }
  CHECK(deaths > 60);
  CHECK(missing < 15);
}
TEST_CASE("a run that recovers is that of one that does not if nobody is lost") {
  for (std::uint32_t i = 0; i < 12; ++i) {
    CAPTURE(i);
    const problem p = impatient(i);
    const std::vector<int> never(1 + i % 4, -1);
    const deadly_machines run(p, never, never);
    CHECK(run.begun_again == 0);
    CHECK(sorted_outputs(p.d, run.left) == expected_of(p));
  }
}

namespace {

// True for a batch that says the end.
bool says_end(wf::view<std::uint8_t> bytes) {
  struct reader {
    bool& is_end;

    bool message(const wf::fault::envelope&, bool, wf::view<std::uint8_t>) { return true; }
    bool termination(const wf::termination_message& m) {
      is_end = is_end || m.what == wf::termination_message::kind::over;
      return true;
    }
    bool event(std::uint32_t) { return true; }
  };
  bool is_end = false;
  const auto read = wf::read_batch(bytes, wf::detail::run_of_batch(bytes), reader{is_end});
  return read && is_end;
}

}  // namespace

TEST_CASE("whoever dies while it tells the end: the others hear of it, and have their outputs") {
  for (std::uint32_t i = 0; i < 40; ++i) {
    CAPTURE(i);
    const problem p = impatient(i);
    const std::uint32_t ranks = 3 + i % 3;
    std::vector<outcome> all(ranks);
    wf::distributed_options options;
    options.recovers = true;
    options.processes.longest_ns = 10'000 * ms;
    // Each but the last one tells those before it, and the next one.
    const std::vector<char> died =
        mortal::run(std::vector<int>(ranks, -1), [&](mortal::carrier& carrier) {
          std::uint32_t told = 0;
          carrier.dies_at = [&](wf::view<std::uint8_t> bytes) {
            return says_end(bytes) && told++ == carrier.rank() + 1 && carrier.rank() + 1 != ranks;
          };
          all[carrier.rank()] = run_here(carrier, p.d, p.m, p.calls, options);
        });
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (died[r] != 0) continue;
      REQUIRE(all[r]);
      CHECK_MESSAGE(all[r]->failure.code == wf::errc::none, to_text(all[r]->failure).view());
      // The simulator's on these machines.
      for (const std::string& line : expected_of(p)) {
        const auto& o = all[r]->outputs;
        const bool is_own = std::stoul(line.substr(line.find(' '))) % ranks == r;
        CHECK(is_own == std::any_of(o.begin(), o.end(),
                                    [&](const auto& x) { return line_of(p.d, x) == line; }));
      }
    }
    CHECK(died[0] != 0);
  }
}
