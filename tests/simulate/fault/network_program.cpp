// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/network_program.hpp>

#include <doctest/doctest.h>

#include <wf/simulate/process/network.hpp>

#include <vector>

#include "../process/rated_process.hpp"

using namespace wf::fault;
using wf_test::rated;

namespace {

// Peers whose messages and timers wait until the test hands them on.
struct still_net {
  struct message {
    std::uint32_t from, to, edge;
    std::uint64_t payload;
  };
  struct timer {
    std::uint32_t peer;
    std::uint64_t id;
  };
  std::vector<message> messages;
  std::vector<timer> timers;
  std::uint32_t incarnations[2] = {0, 0};

  std::int64_t local(std::uint32_t) const { return 1; }
  std::int64_t slowness(std::uint32_t) const { return 100; }
  std::uint32_t incarnation(std::uint32_t p) const { return incarnations[p]; }
  void wake_after(std::uint32_t p, std::int64_t, std::uint64_t id) { timers.push_back({p, id}); }
  send_receipt send(std::uint32_t from, std::uint32_t to, std::uint32_t edge, std::uint64_t payload,
                    const send_options&) {
    messages.push_back({from, to, edge, payload});
    return {messages.size(), reason::none};
  }
};

struct fixture {
  wf::network<rated> n;
  wf::table<wf::network_input<std::int64_t>> in;
  wf::table<std::uint32_t> peer_of{0, 1};
  wf::table<wf::text> names{wf::text("A"), wf::text("B")};
  fixture() {
    const auto a = n.add_host(), b = n.add_host();
    n.add_node("a", rated({1}, {1}, 1), a);
    n.add_node("b", rated({1}, {1}, 1), b);
    n.connect(0, 0, 1, 0);
    for (std::int64_t k = 0; k < 3; ++k) in.push_back({0, 0, k, 0});
  }
};

template <class Program>
void run_timers(Program& program, still_net& net) {
  while (!net.timers.empty()) {
    const auto t = net.timers.front();
    net.timers.erase(net.timers.begin());
    program.woke(net, t.peer, t.id);
  }
}
template <class Program>
void hand_on(Program& program, still_net& net, const still_net::message& m) {
  program.fired(net, {m.to, m.from, 0, m.edge, 0, m.payload, 0});
  run_timers(program, net);
}

}  // namespace

TEST_CASE("data that overtake each other are taken in their order, copies once") {
  const fixture f;
  network_program<rated> program(f.n, f.in, f.peer_of, f.names, {});
  still_net net;
  program.start(net);
  run_timers(program, net);
  REQUIRE(net.messages.size() == 3);
  for (const std::size_t k : {2u, 0u, 1u}) hand_on(program, net, net.messages[k]);
  hand_on(program, net, {0, 1, 0, 99});  // none of the program's
  REQUIRE(program.finish([](std::uint32_t) { return true; }));
  wf::network<rated> calm = f.n;
  const auto wanted = calm.run(f.in);
  const auto found = program.outputs();
  REQUIRE(found.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) CHECK(found[k].value == wanted->outputs[k].value);
}

TEST_CASE("a restart begins the network anew, and data from before have no effect") {
  const fixture f;
  network_program<rated> program(f.n, f.in, f.peer_of, f.names, {});
  still_net net;
  program.start(net);
  run_timers(program, net);
  const auto before = net.messages;
  net.messages.clear();
  hand_on(program, net, before[0]);
  net.incarnations[1] = 1;
  program.restarted(net, 1);
  REQUIRE(net.messages.size() == 1);  // B tells A
  hand_on(program, net, before[1]);   // late, and answered: A knows less
  const auto told = net.messages;
  net.messages.clear();
  hand_on(program, net, told[0]);
  REQUIRE(net.messages.size() == 3);
  const auto again = net.messages;
  for (const auto& m : again) hand_on(program, net, m);
  REQUIRE(program.finish([](std::uint32_t) { return true; }));
  CHECK(program.outputs().size() == 3);
  CHECK(program.restarts() == 1);
  CHECK(program.finish([](std::uint32_t p) { return p == 0; }).error().subject == wf::text("B"));
}

TEST_CASE("a datum that cannot be sent ends the run and names the peer") {
  const fixture f;
  network_program<rated> program(f.n, f.in, f.peer_of, f.names, {});
  still_net net;
  program.start(net);
  run_timers(program, net);
  const auto m = net.messages[0];
  program.ended(net, {m.from, m.to, m.edge, 1, m.payload, reason::exhausted});
  const auto end = program.finish([](std::uint32_t) { return true; });
  CHECK(end.error().subject == wf::text("B"));
  CHECK(end.error().message ==
        wf::text("A cannot reach the peer: a datum from a to b is lost, exhausted"));
}
