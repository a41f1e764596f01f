// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/peer_events.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <wf/simulate/fault/checker.hpp>
#include <wf/simulate/fault/parse_script.hpp>
#include <wf/simulate/fault/peer_network.hpp>

using namespace wf::fault;

namespace {

script with_events(const std::string& events) {
  const std::string source =
      "{\"wf_faults\": 1, \"seed\": 1, \"peers\": [\"A\", \"B\"], \"delay_ns\": [1000, 1000], "
      "\"events\": [" +
      events + "]}";
  const auto read = parse_script(wf::text_view(source.data(), source.size()));
  REQUIRE_MESSAGE(read, to_text(read.error()).view());
  return *read;
}
std::string at(long long time, const std::string& action) {
  return "{\"when\": {\"at_ns\": " + std::to_string(time) + "}, \"do\": " + action + "}";
}

// A sends one payload every 10 µs; when they fired.
struct ticking {
  int count = 10;
  std::int64_t budget = 1'000'000'000;
  std::vector<std::int64_t> fired_at, ended_at;
  std::vector<reason> ends;
  int restarts = 0;

  template <class Net>
  void start(Net& net) {
    net.wake_after(0, 0, 0);
  }
  template <class Net>
  void woke(Net& net, std::uint32_t p, std::uint64_t i) {
    send_options o;
    o.budget_ns = budget;
    o.retries = 15;
    net.send(p, 1, 0, i, o);
    if (static_cast<int>(i) + 1 < count) net.wake_after(p, 10'000, i + 1);
  }
  template <class Net>
  void fired(Net& net, const delivery&) {
    fired_at.push_back(net.now());
  }
  template <class Net>
  void ended(Net& net, const send_end& e) {
    ended_at.push_back(net.now());
    ends.push_back(e.why);
  }
  template <class Net>
  void restarted(Net&, std::uint32_t) {
    ++restarts;
  }
};
tally run(const script& s, ticking& program, const network_options& options = {}) {
  tally counts(2);
  checker check(2);
  observe_all history(check, counts);
  peer_network net(s, program, history, options);
  CHECK(net.run());
  check.finish();
  CHECK_MESSAGE(check.holds(), check.found().sentence.view());
  return counts;
}

}  // namespace

TEST_CASE("a held message goes on when its link is healed, a dropped one is lost") {
  for (const bool hold : {true, false}) {
    ticking program;
    program.count = 1;
    const std::string mode = hold ? "hold" : "drop";
    const tally counts =
        run(with_events(at(500, "{\"partition\": {\"from\": \"A\", \"to\": \"B\", \"mode\": \"" +
                                    mode + "\"}}") +
                        "," + at(70'000, "{\"heal\": {}}")),
            program);
    REQUIRE(program.fired_at.size() == 1);
    CHECK((program.fired_at[0] == 70'000) == hold);  // it was under way when the link was cut
    CHECK(counts.peers[0].dropped == (hold ? 0 : 1));
  }
}

TEST_CASE("a message that departs into a partition that holds keeps its delay") {
  ticking program;
  program.count = 1;
  run(with_events(at(0, "{\"partition\": {\"from\": \"*\", \"to\": \"B\", \"mode\": \"hold\"}}") +
                  "," + at(70'000, "{\"heal\": {\"to\": \"B\"}}")),
      program);
  REQUIRE(program.fired_at.size() == 1);
  CHECK(program.fired_at[0] == 71'000);
}

TEST_CASE("a paused peer does nothing, and then all that waited") {
  ticking program;
  const tally counts =
      run(with_events(at(15'000, "{\"pause\": {\"peer\": \"B\", \"for_ns\": 50000}}")), program);
  REQUIRE(program.fired_at.size() == 10);
  CHECK(program.fired_at[1] == 11'000);
  for (std::size_t i = 2; i <= 6; ++i) CHECK(program.fired_at[i] == 65'000);
  CHECK(program.fired_at[7] == 71'000);
  CHECK(counts.timeouts.size() == 0);
}

TEST_CASE("a crashed receiver loses what arrives, and a restarted one takes it again") {
  ticking program;
  const tally counts =
      run(with_events(at(15'000, "{\"crash\": {\"peer\": \"B\", \"restart_after_ns\": 30000}}")),
          program);
  CHECK(program.restarts == 1);
  CHECK(program.fired_at.size() == 10);
  CHECK(counts.peers[0].acknowledged == 10);
  CHECK(counts.timeouts.size() >= 3);
}

TEST_CASE("sends to a peer that never restarts fail by a typed error") {
  ticking program;
  program.budget = 500'000'000;
  const tally counts = run(with_events(at(15'000, "{\"crash\": {\"peer\": \"B\"}}")), program);
  CHECK(program.fired_at.size() == 2);
  CHECK(program.ends.size() == 10);
  CHECK(counts.peers[0].acknowledged == 2);
  CHECK(counts.downs.size() == 1);
  CHECK(counts.peers[0].unfinished == 0);
}

TEST_CASE("a crash after the n-th payload happens before its answer") {
  ticking program;
  program.budget = 200'000'000;
  const tally counts = run(with_events("{\"when\": {\"after\": {\"peer\": \"B\", \"count\": "
                                       "\"fired\", \"n\": 3, \"edge\": 0}}, \"do\": {\"crash\": "
                                       "{\"peer\": \"B\"}}}"),
                           program);
  CHECK(program.fired_at.size() == 3);
  CHECK(counts.peers[0].acknowledged == 2);
}

TEST_CASE("a crashed sender says no more, and its timers are void") {
  ticking program;
  const tally counts = run(with_events("{\"when\": {\"after\": {\"peer\": \"A\", \"count\": "
                                       "\"sent\", \"n\": 4}}, \"do\": {\"crash\": {\"peer\": "
                                       "\"A\", \"restart_after_ns\": 1000000}}}"),
                           program);
  CHECK(program.fired_at.size() == 4);
  CHECK(program.ends.size() == 3);
  CHECK(counts.timeouts.size() == 0);
}

TEST_CASE("a slow peer takes its payloads later, and a slow clock times out later") {
  ticking program;
  program.count = 2;
  network_options options;
  options.service_ns = 4'000;
  run(with_events(at(5'500, "{\"slow\": {\"peer\": \"B\", \"factor_pct\": 300}}")), program,
      options);
  CHECK(program.fired_at == std::vector<std::int64_t>{5'000, 23'000});

  ticking lonely;
  lonely.count = 1;
  lonely.budget = 1'000'000;
  run(with_events(at(0, "{\"clock\": {\"peer\": \"A\", \"rate_ppm\": -500000}}") + "," +
                  at(0, "{\"partition\": {\"from\": \"*\", \"to\": \"*\"}}")),
      lonely);
  REQUIRE(lonely.ended_at.size() == 1);
  CHECK(lonely.ended_at[0] == 2'000'000);
}

TEST_CASE("after the end of all faults everything works") {
  ticking program;
  program.count = 20;
  // Nine requests fail at once: the wait after the ninth failure in a row is 2.56 s.
  program.budget = 10'000'000'000;
  const tally counts = run(with_events(at(0, "{\"partition\": {\"from\": \"*\", \"to\": \"*\"}}") +
                                       "," + at(90'000, "{\"stop_faults\": true}")),
                           program);
  CHECK(program.fired_at.size() == 20);
  CHECK(counts.peers[0].acknowledged == 20);
}

TEST_CASE("knobs may change in mid-run") {
  ticking program;
  program.count = 50;
  const tally counts =
      run(with_events(at(55'000,
                         "{\"knob\": {\"peer\": \"B\", \"name\": \"dedup_window\", \"value\": "
                         "1}}") +
                      "," +
                      at(155'000,
                         "{\"knob\": {\"peer\": \"B\", \"name\": \"dedup_window\", "
                         "\"value\": 500}}")),
          program);
  CHECK(counts.peers[1].fired == 50);
}

TEST_CASE("a crash after the n-th acceptance happens before its effect") {
  ticking program;
  program.budget = 200'000'000;
  run(with_events("{\"when\": {\"after\": {\"peer\": \"B\", \"count\": \"accepted\", \"n\": 3}}, "
                  "\"do\": {\"crash\": {\"peer\": \"B\"}}}"),
      program);
  CHECK(program.fired_at.size() == 2);
}

TEST_CASE("an answer to a former life is none to the send that has its number now") {
  ticking program;
  program.count = 1;
  script s =
      with_events(at(10'000, "{\"crash\": {\"peer\": \"A\", \"restart_after_ns\": 5000}}") + "," +
                  at(20'000, "{\"send\": {\"src\": \"A\", \"dst\": \"B\", \"edge\": 0}}"));
  rule late, lost;  // the answer comes when the second send is under way, and that is lost
  late.kind = 1;
  late.effect = rule_effect::delay;
  late.delay_ns = {50'000, 50'000};
  lost.kind = 0;
  lost.between_ns = {15'000, 60'000};
  s.rules = {late, lost};
  const tally counts = run(s, program);
  CHECK(program.fired_at.size() == 1);
  CHECK(counts.peers[0].acknowledged == 0);
  CHECK(program.ends == std::vector<reason>{reason::exhausted});
}
