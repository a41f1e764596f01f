// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/hosted_machines.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <partition/machine_case.hpp>

#include "../../partition/programs.hpp"

using namespace machine_case;

namespace {

using hosted = wf::hosted_machines<std::uint64_t, hashing>;

// A network that writes down what is sent, and answers nothing.
struct notebook {
  struct note {
    std::uint32_t from = 0, to = 0, edge = 0;
    std::uint64_t payload = 0;
  };
  std::uint32_t here = 0;
  std::vector<note> sent;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> timers;
  wf::fault::reason why = wf::fault::reason::none;

  bool hosts(std::uint32_t p) const { return p == here; }
  std::int64_t local(std::uint32_t) const { return 0; }
  std::int64_t slowness(std::uint32_t) const { return 100; }
  void look() {}
  void wake_after(std::uint32_t p, std::int64_t, std::uint64_t id) { timers.emplace_back(p, id); }
  bool begins(std::uint32_t, std::int64_t) const { return true; }
  wf::fault::send_receipt send(std::uint32_t from, std::uint32_t to, std::uint32_t edge,
                               std::uint64_t payload, const wf::fault::send_options&) {
    sent.push_back({from, to, edge, payload});
    return {sent.size(), why};
  }
};
struct two_machines {
  wf::deployment d = deployed(programs::parsed(programs::one_hop));
  wf::registry kernels = wf::builtin_registry();
  wf::table<wf::text> roles{wf::text("@self"), wf::text("peers")};
  wf::machine_plan plan{d, kernels, roles};
  std::vector<call> calls{call_at(d, 0)};
  hashing evaluate;
  wf::machine_options options{.keeps_sends = true};
  hosted host{plan, {calls.data(), calls.size()}, evaluate, options};
  hosted other{plan, {calls.data(), calls.size()}, evaluate, options};
};

}  // namespace

TEST_CASE("a message is kept until its end, and is enough for another process") {
  two_machines m;
  notebook here;
  m.host.start(here);
  REQUIRE(here.timers.size() == 1);
  CHECK(here.timers[0] == std::pair<std::uint32_t, std::uint64_t>(0, 0));
  m.host.woke(here, 0, 0);
  REQUIRE(here.sent.size() == 1);
  const auto [from, to, edge, payload] = here.sent[0];
  const hosted::bytes carried = m.host.cargo(0, payload);
  REQUIRE(carried != nullptr);
  CHECK(m.host.cargo(1, payload) == nullptr);
  CHECK(m.host.cargo(0, payload + 1) == nullptr);
  REQUIRE(m.host.log().sends.size() == 1);
  CHECK(m.host.log().sends[0].call == 1);

  notebook there;
  there.here = 1;
  m.other.start(there);
  CHECK(there.timers.empty());                                    // the call is the host's
  m.other.fired(there, {1, 0, 0, edge, 1, payload, 5}, nullptr);  // of a script
  CHECK(m.other.log().received[0] == 0);
  m.other.fired(there, {1, 0, 0, edge, 1, payload, 5}, carried);
  REQUIRE(m.other.log().outputs.size() == 1);
  CHECK(m.other.log().outputs[0].call == 1);
  CHECK(m.other.log().received[0] == 1);
  CHECK(m.other.filled() > 0);

  m.host.ended(here, {0, to, edge + 1, 1, payload, wf::fault::reason::none});  // of a script
  CHECK(m.host.cargo(0, payload) != nullptr);
  m.host.ended(here, {0, to, edge, 1, payload, wf::fault::reason::exhausted});
  CHECK(m.host.cargo(0, payload) == nullptr);
  REQUIRE(m.host.log().failures.size() == 1);
  CHECK(m.host.log().failures[0].why == wf::fault::reason::exhausted);
  CHECK(m.host.log().failures[0].call == 1);
}
TEST_CASE("a message that is malformed is a failure of its receiver, and nothing else") {
  two_machines m;
  notebook there;
  there.here = 1;
  m.other.start(there);
  const auto bytes = std::make_shared<const wf::table<std::uint8_t>>(wf::table<std::uint8_t>{1, 0});
  m.other.fired(there, {1, 0, 0, 0, 1, 0, 5}, bytes);
  CHECK(m.other.log().outputs.empty());
  REQUIRE(m.other.log().failures.size() == 1);
  CHECK(m.other.log().failures[0].machine == 1);
  CHECK(m.other.log().failures[0].other == 0);
  CHECK(m.other.log().failures[0].failure.code == wf::errc::malformed_message);
}
TEST_CASE("a send that fails at once, and a machine that restarts, keep no message") {
  two_machines m;
  notebook here;
  here.why = wf::fault::reason::deadline;
  m.host.start(here);
  m.host.woke(here, 0, 0);
  REQUIRE(m.host.log().failures.size() == 1);
  CHECK(m.host.log().failures[0].why == wf::fault::reason::deadline);
  CHECK(m.host.cargo(0, here.sent[0].payload) == nullptr);

  two_machines again;
  here = {};
  again.host.start(here);
  again.host.woke(here, 0, 0);
  CHECK(again.host.cargo(0, here.sent[0].payload) != nullptr);
  again.host.restarted(here, 0);
  CHECK(again.host.cargo(0, here.sent[0].payload) == nullptr);
  CHECK(again.host.log().restarts == 1);
  CHECK(here.timers.size() == 1);  // the call was made in the life before
}
