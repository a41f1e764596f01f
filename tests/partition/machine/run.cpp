// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/run.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <wf/simulate/fault/parse_script.hpp>

#include <partition/broken_storms.hpp>
#include <partition/machine_case.hpp>
#include <partition/random_program.hpp>
#include <simulation/broken_gates.hpp>

#include "../../sanitized.hpp"
#include "../programs.hpp"

using namespace machine_case;
using wf::fault::reason;

namespace {

constexpr std::int64_t ms = 1'000'000;

// The outputs of each call are those of the workflow run whole, once each.
void check_whole(const wf::deployment& d, const report& r, const hashed::outputs& whole,
                 std::uint64_t calls) {
  for (std::uint64_t k = 1; k <= calls; ++k) {
    const auto found = outputs_of(d, r, k);
    REQUIRE(found.size() == whole.size());
    for (const auto& [name, list] : found) {
      REQUIRE(list.size() == 1);
      REQUIRE(list[0] == whole.at(name));
    }
  }
}
wf::fault::rule drop(double probability) {
  wf::fault::rule r;
  r.effect = wf::fault::rule_effect::drop;
  r.probability = probability;
  return r;
}
// Refusals of a machine for a reason.
std::uint64_t refused(const report& r, std::uint32_t machine, reason why) {
  return r.run.counts.peers[machine].refused[static_cast<unsigned>(why)];
}

}  // namespace

TEST_CASE("programs on machines compute what the workflow computes, for each call") {
  std::size_t messages = 0;
  const std::uint64_t seeds = wf_test::sanitized ? 200 : 1000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const wf::deployment d = deployed(program.workflow());
    machines_of m(d);
    m.script.seed = seed;
    m.script.delay_ns = {0, 5 * ms};
    const auto r = m.run(d, {call_at(d, 0), call_at(d, 3 * ms), call_at(d, 3 * ms)});
    REQUIRE(r);
    REQUIRE(r->failure.code == wf::errc::none);
    REQUIRE(r->run.broken.invariant == 0);
    REQUIRE(r->failures.empty());
    check_whole(d, *r, hashed::run_whole(program.workflow()), 3);
    for (const std::uint64_t n : r->received) messages += n;
    // The same again, to the record.
    const auto again = m.run(d, {call_at(d, 0), call_at(d, 3 * ms), call_at(d, 3 * ms)});
    REQUIRE(again->run.trace == r->run.trace);
  }
  CHECK(messages > 8 * seeds);
}
TEST_CASE("loss, copies, delays and corruption change no output") {
  const std::uint64_t seeds = wf_test::sanitized ? 100 : 600;
  std::uint64_t lost = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const wf::deployment d = deployed(program.workflow());
    machines_of m(d);
    m.script.seed = seed;
    m.script.delay_ns = {0, 5 * ms};
    add_rules(m.script,
              {wf::fault::rule_effect::drop, wf::fault::rule_effect::duplicate,
               wf::fault::rule_effect::delay, wf::fault::rule_effect::corrupt},
              0.2, 20 * ms);
    const auto r = m.run(d, {call_at(d, 0), call_at(d, 10 * ms)});
    REQUIRE(r);
    REQUIRE(r->run.broken.invariant == 0);
    REQUIRE(r->failures.empty());
    check_whole(d, *r, hashed::run_whole(program.workflow()), 2);
    for (const auto& one : r->run.counts.peers)
      lost += one.refused[static_cast<unsigned>(reason::duplicate)];
  }
  CHECK(lost > seeds);
}
TEST_CASE("split classes compute on machines what whole ones do") {
  using found = std::multiset<std::tuple<std::string, std::uint32_t, std::vector<std::uint64_t>,
                                         std::uint64_t, std::vector<std::uint32_t>>>;
  const auto outputs = [](const wf::deployment& d, const report& r) {
    found out;
    for (const auto& o : r.outputs)
      out.emplace(name_of(d, o), o.machine,
                  std::vector<std::uint64_t>(o.path.begin(), o.path.end()), o.value.datum,
                  std::vector<std::uint32_t>(o.value.machines.begin(), o.value.machines.end()));
    return out;
  };
  const std::uint64_t seeds = wf_test::sanitized ? 100 : 500;
  std::size_t split = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const random_program program(seed, seed % 2 == 0);
    if (!programs::wired(program.workflow().view())) continue;  // its edges form a cycle
    const wf::deployment whole = deployed(program.workflow());
    const wf::deployment parts =
        deployed(program.workflow(), 100'000'000'000, {.split_disconnected = true});
    split += parts.parts().partitions.size() - whole.parts().partitions.size();
    // One machine for each class, and now and then two, whose answers stay apart.
    const std::uint32_t each = seed % 5 == 0 ? 2 : 1;
    machines_of m(whole, each);
    REQUIRE(machines_of(parts, each).roles.size() == m.roles.size());
    m.script.seed = seed;
    m.script.delay_ns = {0, 5 * ms};
    if (seed % 3 == 0) m.script.rules.push_back(drop(0.2));
    const auto r = m.run(parts, {call_at(parts, 0), call_at(parts, 3 * ms)});
    REQUIRE(r);
    REQUIRE(r->failure.code == wf::errc::none);
    REQUIRE(r->run.broken.invariant == 0);
    REQUIRE(r->failures.empty());
    const auto expected = m.run(whole, {call_at(whole, 0), call_at(whole, 3 * ms)});
    REQUIRE(outputs(parts, *r) == outputs(whole, *expected));
    REQUIRE(std::equal(r->received.begin(), r->received.end(), expected->received.begin(),
                       expected->received.end()));
    if (each == 1) check_whole(parts, *r, hashed::run_whole(program.workflow()), 2);
  }
  CHECK(split > seeds);
}
TEST_CASE("E4: a request to two servers has two replies, which stay apart") {
  const wf::graph g = programs::parsed(programs::request_and_reply);
  const wf::deployment d = deployed(g);
  machines_of m(d, 2);
  const auto r = m.run(d, {call_at(d, 0)});
  REQUIRE(r);
  REQUIRE(r->failures.empty());
  // Each server answers each of the two clients.
  const auto found = outputs_of(d, *r, 1);
  REQUIRE(found.at("y").size() == 4);
  for (const std::uint64_t y : found.at("y")) CHECK(y == hashed::run_whole(g).at("y"));
  std::vector<wf::table<std::uint64_t>> paths;
  for (const auto& o : r->outputs) {
    CHECK(o.path.size() == 3);
    for (const auto& other : paths)
      CHECK_FALSE(std::equal(other.begin(), other.end(), o.path.begin(), o.path.end()));
    paths.push_back(o.path);
  }
}
TEST_CASE("messages of one execution meet, and meet what the machine knows (G19)") {
  // Two values go to two servers, which add them to a parameter of their own.
  const wf::graph g = programs::parsed(
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[]\n"
      "input \"z\" : f64[]\n"
      "input \"servers\" : peer[2]\n"
      "node user.parameter() peer \"servers\" -> f64[]\n"
      "node wire.send(%0, %2) effect external -> f64[], peer[], u64[]\n"
      "node wire.send(%1, %2) effect external -> f64[], peer[], u64[]\n"
      "node elementwise.add(%4, %7) -> f64[]\n"
      "node elementwise.add(%10, %3) -> f64[]\n"
      "node wire.send(%11, %5) effect external -> f64[], peer[], u64[]\n"
      "node movement.copy(%12) -> f64[]\n"
      "output \"y\" = %15\n");
  const wf::deployment d = deployed(g);
  CHECK(d.parts().partitions.size() == 2);
  machines_of m(d, 2);
  const auto r = m.run(d, {call_at(d, 0), call_at(d, 0)});
  REQUIRE(r);
  for (std::uint64_t k = 1; k <= 2; ++k) {
    const auto found = outputs_of(d, *r, k);
    REQUIRE(found.at("y").size() == 2);
    for (const std::uint64_t y : found.at("y")) CHECK(y == hashed::run_whole(g).at("y"));
  }
}
TEST_CASE("nodes of the host with effects and no operand run once for each call (G20)") {
  const wf::graph g = programs::parsed(
      "wf.graph 1 \"M\"\n"
      "node user.sample() effect stateful -> f64[]\n"
      "output \"y\" = %0\n");
  const wf::deployment d = deployed(g);
  const auto r = machines_of(d).run(d, {call_at(d, 0), call_at(d, 1), call_at(d, 2)});
  REQUIRE(r);
  CHECK(r->outputs.size() == 3);
}
TEST_CASE("what is asked for must exist") {
  const wf::deployment d = deployed(programs::parsed(programs::one_hop));
  machines_of m(d);
  const auto message = [&](const std::vector<call>& calls) {
    const auto r = m.run(d, calls);
    return r ? std::string() : std::string(wf::to_text(r.error()).view());
  };
  CHECK(message({call_at(d, 0)}) == "");
  CHECK(message({call{1, 0, {}}}).find("host's class") != std::string::npos);
  CHECK(message({call{0, 0, {}}}).find("'x'") != std::string::npos);
  m.roles.pop_back();
  CHECK(message({call_at(d, 0)}).find("'peers': no machine has this class") != std::string::npos);
  m.roles.push_back({wf::text("nobody"), wf::text("peers")});
  CHECK(message({call_at(d, 0)}).find("'nobody': it is not in the script") != std::string::npos);
}

// --- R1 to R8, on the programs of E2 and E4 ---

namespace {

// E2 with one attempt for each message, and 100 ms.
struct one_hop {
  wf::deployment d = deployed(programs::parsed(programs::one_hop), 100 * ms);
  machines_of m{d};
  wf::machine_run_options options;
  one_hop() {
    options.messages.retries = 0;
    options.service_ns = 0;
  }
  wf::fault::rule first_message(wf::fault::rule_effect effect) const {
    wf::fault::rule r;
    r.effect = effect;
    r.kind = 0;
    r.sequence = {1, 1};
    return r;
  }
  report run(std::initializer_list<std::int64_t> calls) const {
    std::vector<call> list;
    for (const std::int64_t at : calls) list.push_back(call_at(d, at));
    const auto r = m.run(d, list, options);
    REQUIRE(r);
    REQUIRE(r->run.broken.invariant == 0);
    return *r;
  }
};

}  // namespace

TEST_CASE("R1: of a copy 1 ms later the consumer sees nothing") {
  one_hop e;
  wf::fault::rule copy = e.first_message(wf::fault::rule_effect::duplicate);
  copy.delay_ns = {ms, ms};
  e.m.script.rules.push_back(copy);
  const report r = e.run({0});
  CHECK(r.outputs.size() == 1);
  CHECK(refused(r, 1, reason::duplicate) == 1);
}
TEST_CASE("R2: an equal payload in another call is another message (G21)") {
  const report r = one_hop().run({0, 5 * ms});
  CHECK(r.outputs.size() == 2);
  CHECK(r.outputs[0].value.datum == r.outputs[1].value.datum);
  CHECK(refused(r, 1, reason::duplicate) == 0);
}
TEST_CASE("R3: after a lost message the sender waits (G22)") {
  one_hop e;
  e.m.script.rules.push_back(e.first_message(wf::fault::rule_effect::drop));
  const report r = e.run({0, 109 * ms, 110 * ms});
  REQUIRE(r.run.counts.timeouts.size() == 1);
  CHECK(r.run.counts.timeouts[0].time == 100 * ms);
  REQUIRE(r.failures.size() == 2);
  CHECK(r.failures[0].why == reason::exhausted);
  CHECK(r.failures[0].call == 1);
  CHECK(r.failures[1].why == reason::cooldown);
  CHECK(r.failures[1].call == 2);
  REQUIRE(r.outputs.size() == 1);
  CHECK(r.outputs[0].call == 3);
}
TEST_CASE("what comes after the end of its send has its value") {
  // The send fails at 100 ms, and its message comes at 151 ms.
  one_hop late;
  wf::fault::rule delay = late.first_message(wf::fault::rule_effect::delay);
  delay.delay_ns = {150 * ms, 150 * ms};
  late.m.script.rules.push_back(delay);
  // The send is answered at 2 ms, the receiver forgets all at 10 ms, and a copy comes at 51 ms.
  one_hop again;
  wf::fault::rule copy = again.first_message(wf::fault::rule_effect::duplicate);
  copy.delay_ns = {50 * ms, 50 * ms};
  again.m.script.rules.push_back(copy);
  wf::fault::event crash;
  crash.when.at_ns = 10 * ms;
  crash.what.kind = wf::fault::action_kind::crash;
  crash.what.peer = 1;
  crash.what.duration_ns = 10 * ms;
  again.m.script.events.push_back(crash);
  const auto whole = hashed::run_whole(programs::parsed(programs::one_hop));
  for (const auto& [e, outputs, failures] : {std::tuple(late, 1u, 1u), std::tuple(again, 2u, 0u)}) {
    const report r = e.run({0});
    CHECK(r.failures.size() == failures);
    REQUIRE(r.outputs.size() == outputs);
    for (const auto& o : r.outputs) CHECK(o.value.datum == whole.at(name_of(e.d, o)));
  }
}
TEST_CASE("R4: after five timeouts a machine is down, and one answer brings it up") {
  one_hop e;
  wf::fault::rule all = drop(1);
  all.kind = 0;
  all.sequence = {1, 5};
  e.m.script.knobs.push_back({wf::fault::knob::deny_down, 0});
  e.m.script.rules.push_back(all);
  // Each after the wait before it: 10, 20, 40, 80 ms.
  const report r = e.run({0, 110 * ms, 230 * ms, 370 * ms, 550 * ms, 20'000 * ms});
  CHECK(r.run.counts.timeouts.size() == 5);
  REQUIRE(r.run.counts.downs.size() == 1);
  CHECK(r.run.counts.downs[0].time == 650 * ms);
  CHECK(r.run.counts.ups.size() == 1);
  REQUIRE(r.outputs.size() == 1);
  CHECK(r.outputs[0].call == 6);
  CHECK(r.run.counts.peers[0].backoff_entries == 0);
}
TEST_CASE("R5: an excluded machine gets nothing, and is heard no more") {
  // E4, where the servers are excluded by the host, and then the host by the servers.
  for (const std::uint32_t who : {0u, 1u}) {
    const wf::deployment d = deployed(programs::parsed(programs::request_and_reply), 100 * ms);
    machines_of m(d);
    wf::fault::event block;
    block.when.at_ns = 0;
    block.what.kind = wf::fault::action_kind::policy;
    block.what.peer = who;
    block.what.has_block = true;
    block.what.block.push_back(1 - who);
    m.script.events.push_back(block);
    wf::machine_run_options options;
    options.messages.retries = 0;
    const auto r = m.run(d, {call_at(d, ms)}, options);
    REQUIRE(r);
    REQUIRE(r->run.broken.invariant == 0);
    CHECK(r->outputs.empty());
    CHECK(refused(*r, who, reason::blocklisted) >= 1);
    CHECK(r->received[0] == 0);
  }
}
TEST_CASE("R6: a message that is ready 99 ms after its cause goes, and one at 100 ms does not") {
  struct slow : hashing {
    std::int64_t for_negate = 0;
    std::int64_t duration(const wf::graph_view& g, wf::node_id id, std::uint32_t) const {
      return g.op_name(g[id]) == wf::text_view("negate") ? for_negate : 0;
    }
  };
  for (const std::int64_t ready : {99 * ms, 100 * ms}) {
    CAPTURE(ready);
    const one_hop e;
    slow evaluate;
    evaluate.for_negate = ready;
    // Long after the clock began, since a deadline is no absolute time (G24).
    const auto r = e.m.run(e.d, {call_at(e.d, 7'000 * ms)}, e.options, evaluate);
    REQUIRE(r);
    if (ready < 100 * ms) {
      // One millisecond is left, and the answer takes two.
      CHECK(r->outputs.size() == 1);
    } else {
      CHECK(r->outputs.empty());
      REQUIRE(r->failures.size() == 1);
      CHECK(r->failures[0].why == reason::deadline);
      CHECK(r->failures[0].machine == 0);
      CHECK(r->failures[0].other == 1);  // it was for one machine
      CHECK(r->received[0] == 0);
      const auto two = machines_of(e.d, 2).run(e.d, {call_at(e.d, 0)}, e.options, evaluate);
      REQUIRE(two->failures.size() == 1);
      CHECK(two->failures[0].other == 0);  // for several ones
    }
  }
}
TEST_CASE("R6: time that a server takes is taken from its reply (G24)") {
  struct slow : hashing {
    std::int64_t duration(const wf::graph_view& g, wf::node_id id, std::uint32_t) const {
      return g.op_name(g[id]) == wf::text_view("negate") ? 95 * ms : 0;
    }
  };
  // A reply has 100 ms of its own, but no more than what the request has left when it comes.
  const auto outputs = [](const char* budget) {
    const wf::deployment d = deployed(
        programs::parsed((std::string("wf.graph 1 \"M\"\n"
                                      "input \"x\" : f64[4]\n"
                                      "input \"servers\" : peer[S]\n"
                                      "node wire.send(%0, %1) [deadline_budget = ") +
                          budget +
                          "] effect external -> f64[4], peer[], u64[]\n"
                          "node elementwise.negate(%2) -> f64[4]\n"
                          "node wire.send(%5, %3) effect external -> f64[4], peer[], u64[]\n"
                          "node movement.copy(%6) -> f64[4]\n"
                          "output \"y\" = %9\n")
                             .c_str()),
        100 * ms);
    const auto r = machines_of(d).run(d, {call_at(d, 0)}, {}, slow());
    REQUIRE(r);
    REQUIRE(r->run.broken.invariant == 0);
    return r->outputs.size();
  };
  CHECK(outputs("96000000") == 1);
  CHECK(outputs("95000000") == 0);
}
TEST_CASE("R6: a message that is late when it goes is refused, though its gate found it in time") {
  struct slow : hashing {
    std::int64_t duration(const wf::graph_view& g, wf::node_id id, std::uint32_t) const {
      return g.op_name(g[id]) == wf::text_view("negate") ? 30 * ms : 0;
    }
  };
  // One node of the chain runs between two gates: the message has its last gate at 90 ms, and its
  // turn at 120 ms.
  const wf::graph g = programs::parsed(
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "input \"servers\" : peer[S]\n"
      "node elementwise.negate(%0) -> f64[4]\n"
      "node elementwise.negate(%2) -> f64[4]\n"
      "node elementwise.negate(%3) -> f64[4]\n"
      "node elementwise.negate(%4) -> f64[4]\n"
      "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
      "node movement.copy(%6) -> f64[4]\n"
      "output \"y\" = %9\n"
      "output \"z\" = %5\n");
  for (const std::int64_t per_hop : {100 * ms, 1000 * ms, INT64_MAX}) {
    CAPTURE(per_hop);
    const wf::deployment d = deployed(g, per_hop);
    wf::machine_run_options options;
    options.keep_records = true;
    const auto r = machines_of(d).run(d, {call_at(d, 5)}, options, slow());
    REQUIRE(r);
    REQUIRE(r->run.broken.invariant == 0);
    std::int64_t gate = 0;
    for (const wf::fault::record& x : r->records)
      if (x.what == wf::fault::happening::began) gate = x.time;
    CHECK(gate == 90 * ms + 5);
    CHECK(r->outputs.size() == (per_hop == 100 * ms ? 1 : 2));
    REQUIRE(r->failures.size() == (per_hop == 100 * ms ? 1 : 0));
    if (!r->failures.empty()) CHECK(r->failures[0].why == reason::deadline);
  }
}
TEST_CASE("R7: the window is of messages, not of payloads") {
  one_hop e;
  e.m.script.knobs.push_back({wf::fault::knob::dedup_window, 2});
  CHECK(e.run({0, 10 * ms, 20 * ms, 30 * ms}).outputs.size() == 4);
}
TEST_CASE("R8: a machine with a full ingress asks its senders to wait") {
  one_hop e;
  e.d = deployed(programs::parsed(programs::one_hop), 60'000 * ms);
  e.m.script.knobs.push_back({wf::fault::knob::ingress_capacity, 8});
  e.m.script.knobs.push_back({wf::fault::knob::ttl_ns, 60'000 * ms});
  e.options.service_ns = 100 * ms;
  // Six are there at 6 ms, which the sender learns at 7 ms: wait for a second.
  const report r =
      e.run({0, ms, 2 * ms, 3 * ms, 4 * ms, 5 * ms, 6 * ms, 8 * ms, 90 * ms, 1'008 * ms});
  REQUIRE(r.failures.size() == 2);
  for (const wf::machine_failure& f : r.failures) CHECK(f.why == reason::cooldown);
  CHECK(r.failures[0].call == 8);
  CHECK(r.failures[1].call == 9);
  CHECK(r.outputs.size() == 8);
}
TEST_CASE("a report has the records of its run, and the call of each message, if it is to") {
  const wf::deployment d = deployed(programs::parsed(programs::request_and_reply));
  const machines_of m(d, 2);
  const std::vector<call> calls = {call_at(d, 0), call_at(d, 10 * ms)};
  const auto plain = m.run(d, calls);
  wf::machine_run_options options;
  options.keep_records = true;
  const auto kept = m.run(d, calls, options);
  REQUIRE(plain);
  REQUIRE(kept);
  CHECK(plain->records.empty());
  CHECK(plain->sends.empty());
  CHECK(kept->run.trace == plain->run.trace);
  wf::fault::trace_hash again;
  for (const wf::fault::record& r : kept->records) again(r);
  CHECK(again.value() == kept->run.trace);
  CHECK(again.records() == kept->run.records);
  // Two requests and four replies of each call.
  REQUIRE(kept->sends.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) CHECK(kept->sends[i].call == (i < 6 ? 1 : 2));
}

// --- broken gates ---

TEST_CASE("deployments under storms find a broken gate of each kind, and a small script for it") {
  wf::fault::script storm;
  storm.name = wf::text("storm");
  for (const char* p : {"A", "B", "C"}) storm.peers.push_back(wf::text(p));
  storm.delay_ns = {ms / 10, 2 * ms};
  storm.rules.push_back(drop(0.2));
  const partition_benchmark::storm_lottery all({storm});
  const auto check = [&]<class Gates>(const Gates&, const std::string& invariant) {
    const auto found = partition_benchmark::find_fault<Gates>(all, 1000);
    CAPTURE(found.fault);
    REQUIRE(found.seeds != 0);
    CHECK(found.fault.find(invariant) == 0);
    CHECK(broken_gates::lines_of(found.small.smallest) <= 5);
    CHECK(found.is_confirmed);
  };
  check(broken_gates::forgetful_dedup(), "invariant 5:");
  check(broken_gates::unblocking_health(), "invariant 6:");
  check(broken_gates::hasty_backoff(), "invariant 7:");
  check(broken_gates::endless_deadline(), "invariant 4:");
  CHECK(partition_benchmark::find_fault<wf::fault::standard_gates>(all, 100).seeds == 0);
}
TEST_CASE(
    "a machine that stops is suspected, then counts as down, and is live when it answers again") {
  const wf::deployment d = deployed(programs::parsed(programs::one_hop));
  machines_of m(d);
  wf::fault::event pause;
  pause.when.at_ns = 155 * ms;
  pause.what.kind = wf::fault::action_kind::pause;
  pause.what.peer = 1;
  pause.what.duration_ns = 500 * ms;
  m.script.events.push_back(pause);
  std::vector<call> calls;
  for (int k = 0; k < 100; ++k) calls.push_back(call_at(d, k * 10 * ms));
  wf::machine_run_options options;
  const auto unwatched = m.run(d, calls, options);
  options.watch_peers = true;
  const auto r = m.run(d, calls, options);
  REQUIRE(r);
  CHECK(r->run.trace == unwatched->run.trace);
  CHECK(unwatched->judgements.empty());
  CHECK(r->outputs.size() == 100);
  REQUIRE(r->judgements.size() >= 3);
  const wf::fault::peer_level levels[] = {wf::fault::peer_level::suspect,
                                          wf::fault::peer_level::down, wf::fault::peer_level::live};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(r->judgements[i].peer == 0);
    CHECK(r->judgements[i].other == 1);
    CHECK(r->judgements[i].level == levels[i]);
  }
  // Answers came every 10 ms: φ is 8 after 184 ms without one, and 16 after 368 ms.
  CHECK(r->judgements[0].local > 320 * ms);
  CHECK(r->judgements[0].local < 350 * ms);
  CHECK(r->judgements[1].local > 500 * ms);
  CHECK(r->judgements[1].local < 535 * ms);
  CHECK(r->judgements[2].local > 655 * ms);
  // Nobody is asked after the last call.
  for (std::size_t i = 3; i < r->judgements.size(); ++i) CHECK(r->judgements[i].local > 1000 * ms);
}
