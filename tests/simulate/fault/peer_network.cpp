// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/peer_network.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <wf/simulate/fault/checker.hpp>
#include <wf/simulate/fault/parse_script.hpp>

using namespace wf::fault;

namespace {

constexpr script parsed(const char* members) {
  wf::text source("{\"wf_faults\": 1, \"seed\": 1, \"peers\": [\"A\", \"B\", \"C\"], ");
  source << "\"delay_ns\": [1000, 1000]" << members << "}";
  auto read = parse_script(source.view());
  return read ? *read : script{};
}

// --- a tiny case, while compiling and at run time ---

struct two_sends {
  std::uint64_t fired_payloads = 0;
  std::uint32_t acknowledged = 0;

  template <class Net>
  constexpr void start(Net& net) {
    send_options o;
    o.retries = 3;
    o.budget_ns = 1'000'000'000;
    net.send(0, 1, 0, 5, o);
    net.send(0, 1, 0, 7, o);
  }
  template <class Net>
  constexpr void fired(Net&, const delivery& d) {
    fired_payloads = 100 * fired_payloads + d.payload;
  }
  template <class Net>
  constexpr void ended(Net&, const send_end& e) {
    acknowledged += e.why == reason::none;
  }
};
struct tiny_outcome {
  std::uint64_t payloads = 0;
  std::uint32_t acknowledged = 0;
  bool holds = false;
  wf::digest128 trace;

  friend constexpr bool operator==(const tiny_outcome&, const tiny_outcome&) = default;
};
// The first attempt of the first send is lost, the second send is doubled.
constexpr tiny_outcome tiny() {
  script s;
  s.seed = 1;
  s.peers.resize(2);
  s.delay_ns = {1000, 2000};
  rule lost, twice;
  lost.kind = 0;
  lost.sequence = {1, 1};
  lost.attempt = {0, 0};
  twice.kind = 0;
  twice.sequence = {2, 2};
  twice.effect = rule_effect::duplicate;
  twice.delay_ns = {500, 900};
  s.rules = {lost, twice};
  two_sends program;
  checker check(2);
  trace_hash trace;
  observe_all history(check, trace);
  peer_network net(s, program, history);
  const bool ran = net.run().has_value();
  check.finish();
  return {program.fired_payloads, program.acknowledged, ran && check.holds(), trace.value()};
}
constexpr tiny_outcome while_compiling = tiny();
static_assert(while_compiling.holds && while_compiling.payloads == 705 &&
              while_compiling.acknowledged == 2);

// --- programs of the tests below ---

// Sends as many payloads as it is told, all at once; notes what is outstanding.
struct burst_program {
  std::uint32_t count = 100;
  send_options options;
  std::vector<std::uint64_t> fired_payloads;
  std::vector<reason> ends;

  template <class Net>
  void start(Net& net) {
    for (std::uint32_t i = 0; i < count; ++i)
      if (const auto sent = net.send(0, 1, 0, i, options); sent.why != reason::none)
        ends.push_back(sent.why);
  }
  template <class Net>
  void fired(Net&, const delivery& d) {
    fired_payloads.push_back(d.payload);
  }
  template <class Net>
  void ended(Net&, const send_end& e) {
    ends.push_back(e.why);
  }
};
struct outcome {
  tally counts{3};
  violation broken;
};
template <class Program>
outcome run(const script& s, Program& program, const network_options& options = {}) {
  outcome out;
  checker check(3);
  observe_all history(check, out.counts);
  peer_network net(s, program, history, options);
  const auto ran = net.run();
  CHECK_MESSAGE(ran, to_text(ran.error()).view());
  check.finish();
  out.broken = check.found();
  CHECK_MESSAGE(check.holds(), out.broken.sentence.view());
  return out;
}

}  // namespace

TEST_CASE("a run has the same trace while compiling and at run time") {
  CHECK(tiny() == while_compiling);
}

TEST_CASE("payloads fire once each, however small the window") {
  for (const char* window : {"1", "2", "7", "64"}) {
    burst_program program;
    const wf::text members = wf::text(", \"knobs\": {\"dedup_window\": ") << window << "}";
    const outcome out = run(parsed(std::string(members.view()).c_str()), program);
    CHECK(program.fired_payloads.size() == 100);
    CHECK(out.counts.peers[0].acknowledged == 100);
    CHECK(out.counts.peers[0].retries == 0);
  }
}

TEST_CASE("sends beyond the outbound queue fail at once, and the others do not") {
  burst_program program;
  const outcome out =
      run(parsed(", \"knobs\": {\"dedup_window\": 4, \"outbound_capacity\": 10}"), program);
  CHECK(program.fired_payloads.size() == 14);
  CHECK(out.counts.peers[0].failed[static_cast<unsigned>(reason::outbound_full)] == 86);
}

TEST_CASE("without an answer a send is made again with its number, within its budget") {
  burst_program program;
  program.count = 1;
  program.options.retries = 3;
  program.options.budget_ns = 400'000'000;
  const outcome out = run(parsed(", \"rules\": [{\"do\": {\"drop\": true}}]"), program);
  CHECK(program.ends == std::vector<reason>{reason::exhausted});
  CHECK(out.counts.peers[0].attempts == 4);
  // A quarter of the budget each, and waits of 10, 20 and 40 ms between them.
  REQUIRE(out.counts.timeouts.size() == 4);
  CHECK(out.counts.timeouts[0].time == 100'000'000);
  CHECK(out.counts.timeouts[1].time == 210'000'000);
  CHECK(out.counts.timeouts[2].time == 330'000'000);
  CHECK(out.counts.timeouts[3].time == 400'000'000);  // cut by the deadline
}

TEST_CASE("a send fails at its deadline, not after it") {
  burst_program program;
  program.count = 1;
  program.options.retries = 50;
  program.options.budget_ns = 100'000'000;
  const outcome out = run(parsed(", \"rules\": [{\"do\": {\"drop\": true}}]"), program);
  CHECK(program.ends == std::vector<reason>{reason::deadline});
  CHECK(out.counts.peers[0].last_end == 100'000'000);
}

TEST_CASE("a lost answer doubles nothing") {
  burst_program program;
  program.count = 20;
  program.options.retries = 9;
  program.options.budget_ns = 10'000'000'000;
  const outcome out =
      run(parsed(", \"knobs\": {\"backoff_cap_ns\": 50000000, \"governor_threshold\": 1000}, "
                 "\"rules\": [{\"match\": {\"kind\": \"ack\", \"attempt\": [0, 1]}, \"do\": "
                 "{\"drop\": true}}]"),
          program);
  CHECK(program.fired_payloads.size() == 20);
  CHECK(out.counts.peers[0].acknowledged == 20);
  CHECK(out.counts.peers[1].refused[static_cast<unsigned>(reason::duplicate)] > 0);
}

TEST_CASE("a corrupted message is dropped and counted") {
  burst_program program;
  program.count = 5;
  program.options.retries = 5;
  program.options.budget_ns = 10'000'000'000;
  const outcome out = run(parsed(", \"rules\": [{\"match\": {\"kind\": \"data\", \"attempt\": [0, "
                                 "0]}, \"do\": {\"corrupt\": {\"bits\": 2}}}]"),
                          program);
  CHECK(program.fired_payloads.size() == 5);
  CHECK(out.counts.peers[1].refused[static_cast<unsigned>(reason::checksum)] == 5);
}

TEST_CASE("an allow list refuses those that it lacks, in both directions") {
  burst_program program;
  program.count = 0;
  const outcome out = run(
      parsed(", \"events\": [{\"when\": {\"at_ns\": 0}, \"do\": {\"policy\": {\"peer\": \"A\", "
             "\"allow\": [\"C\"]}}},"
             "{\"when\": {\"at_ns\": 1}, \"do\": {\"send\": {\"src\": \"A\", \"dst\": \"B\", "
             "\"edge\": 0}}},"
             "{\"when\": {\"at_ns\": 1}, \"do\": {\"send\": {\"src\": \"B\", \"dst\": \"A\", "
             "\"edge\": 0}}},"
             "{\"when\": {\"at_ns\": 1}, \"do\": {\"send\": {\"src\": \"A\", \"dst\": \"C\", "
             "\"edge\": 0}}},"
             "{\"when\": {\"at_ns\": 9000}, \"do\": {\"policy\": {\"peer\": \"A\", \"allow\": "
             "null}}},"
             "{\"when\": {\"at_ns\": 9001}, \"do\": {\"send\": {\"src\": \"A\", \"dst\": \"B\", "
             "\"edge\": 0}}}]"),
      program);
  CHECK(out.counts.peers[0].refused[static_cast<unsigned>(reason::not_allowlisted)] == 2);
  CHECK(out.counts.peers[1].fired == 1);
  CHECK(out.counts.peers[2].fired == 1);
}

namespace {

// A → B → C, each within the rest of the budget; every step takes a while.
struct relay_program {
  std::vector<std::int64_t> remaining;
  std::vector<bool> in_time;

  template <class Net>
  void start(Net& net) {
    send_options o;
    o.budget_ns = 1'000'000;
    net.send(0, 1, 0, 0, o);
  }
  template <class Net>
  void fired(Net& net, const delivery& d) {
    remaining.push_back(d.remaining_ns);
    if (d.peer != 1) return;
    net.wake_after(1, 300'000, static_cast<std::uint64_t>(d.remaining_ns));
    net.protect(1, 999'999, d.remaining_ns, 0);
    net.protect(1, 1'000'000, d.remaining_ns, 1);
  }
  template <class Net>
  void woke(Net& net, std::uint32_t p, std::uint64_t left) {
    send_options o;
    o.budget_ns = 5'000'000;
    o.within_ns = static_cast<std::int64_t>(left) - 300'000;
    net.send(p, 2, 1, 0, o);
  }
  template <class Net>
  void protected_begins(Net&, std::uint32_t, std::uint64_t, bool begins) {
    in_time.push_back(begins);
  }
};
// Two peers that wait for each other.
struct waiting_program {
  template <class Emit>
  void waits(Emit&& emit) const {
    emit(0u, 1u);
    emit(1u, 0u);
  }
};

}  // namespace

TEST_CASE("remaining time travels as a duration, whatever the clocks show") {
  for (const char* clock : {"",
                            ", \"events\": [{\"when\": {\"at_ns\": 0}, \"do\": {\"clock\": "
                            "{\"peer\": \"B\", \"offset_ns\": -262000000000}}}]"}) {
    relay_program program;
    run(parsed(clock), program);
    CHECK(program.remaining == std::vector<std::int64_t>{1'000'000, 700'000});
    CHECK(program.in_time == std::vector<bool>{true, false});
  }
}

TEST_CASE("peers that wait for each other are named") {
  waiting_program program;
  no_history history;
  const script s = parsed("");
  peer_network net(s, program, history);
  const auto ran = net.run();
  REQUIRE_FALSE(ran);
  CHECK(std::string(ran.error().message.view()) == "the peers hang: A waits for B, B waits for A");
}
