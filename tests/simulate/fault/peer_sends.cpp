// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/peer_sends.hpp>

#include <doctest/doctest.h>

#include <vector>

#include <wf/simulate/fault/peer_network.hpp>

using namespace wf::fault;

namespace {

constexpr std::int64_t ms = 1'000'000;

// A sends once; whether the peers are passive before and after the end.
struct one_send {
  send_options how;
  std::vector<reason> ends;
  bool was_passive = true;
  bool leaves_probe = false;

  template <class Net>
  void start(Net& net) {
    net.wake_after(0, ms, 0);
    CHECK(!net.is_passive());
  }
  template <class Net>
  void woke(Net& net, std::uint32_t p, std::uint64_t) {
    CHECK(net.is_passive());
    const send_receipt sent = net.send(p, 1, 0, 7, how);
    if (sent.why != reason::none) ends.push_back(sent.why);
    was_passive = net.is_passive();
  }
  template <class Net>
  void ended(Net& net, const send_end& e) {
    CHECK(e.payload == 7);
    CHECK(net.is_passive() != leaves_probe);
    ends.push_back(e.why);
  }
};

}  // namespace

TEST_CASE("a network is passive when no send waits, however many timers are out of date") {
  script s;
  s.peers.resize(2);
  s.delay_ns = {ms, ms};
  one_send program;
  program.how = {1000 * ms, 3, -1};
  no_history none;
  peer_network net(s, program, none);
  net.start();
  while (!net.is_passive()) REQUIRE(net.step());
  CHECK(net.now() == 3 * ms);
  CHECK(program.ends == std::vector<reason>{reason::none});
  CHECK(!program.was_passive);
  CHECK(net.step());  // the timer of the send
  CHECK(net.finish());
}
TEST_CASE("a network that asks for a sign of life is not passive") {
  script s;
  s.peers.resize(2);
  s.rules.push_back({});  // drops all
  s.knobs = {{knob::ttl_ns, 10 * ms}, {knob::governor_threshold, 1}, {knob::backoff_base_ns, ms}};
  one_send program;
  program.how = {60 * ms, 2, -1};
  program.leaves_probe = true;
  no_history none;
  peer_network net(s, program, none);
  CHECK(net.run());
  CHECK(program.ends == std::vector<reason>{reason::deadline});
  CHECK(net.is_passive());
}
TEST_CASE("a send without time fails at once, and attempts end with the budget") {
  script s;
  s.peers.resize(2);
  s.rules.push_back({});  // drops all
  s.knobs = {{knob::ttl_ns, 10 * ms}};
  for (const bool is_late : {true, false}) {
    CAPTURE(is_late);
    one_send program;
    program.how = {100 * ms, 2, is_late ? 0 : -1};
    recorder history;
    peer_network net(s, program, history);
    CHECK(net.run());
    CHECK(program.ends == std::vector<reason>{is_late ? reason::deadline : reason::exhausted});
    CHECK(program.was_passive == is_late);
    int attempts = 0;
    for (const record& r : history.records) attempts += r.what == happening::sent ? 1 : 0;
    CHECK(attempts == (is_late ? 0 : 3));
  }
}
