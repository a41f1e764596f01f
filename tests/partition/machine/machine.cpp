// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/machine.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include <partition/machine_case.hpp>

#include "../programs.hpp"

using namespace machine_case;

namespace {

constexpr std::int64_t ms = 1'000'000;

// A world without a network: what a machine asks for is written down.
struct notes {
  std::int64_t clock = 0;
  bool is_late = false;
  int starts = 0, looks = 0;
  std::vector<std::pair<std::int64_t, std::uint64_t>> timers;
  std::vector<wf::machine_message<std::uint64_t>> sent;
  std::vector<wf::machine_output<std::uint64_t>> outputs;
  std::vector<wf::machine_failure> failures;

  std::int64_t local() const { return clock; }
  std::int64_t slowness() const { return 200; }
  void look() { ++looks; }
  void wake_after(std::int64_t d, std::uint64_t id) { timers.emplace_back(d, id); }
  bool begins(std::int64_t deadline) const { return !is_late && clock < deadline; }
  void started() { ++starts; }
  void gave(wf::machine_output<std::uint64_t> o) { outputs.push_back(std::move(o)); }
  void failed(wf::machine_failure f) { failures.push_back(std::move(f)); }
  void send(const wf::machine_message<std::uint64_t>& m) { sent.push_back(m); }
};
template <class Evaluate>
struct lone {
  wf::deployment d;
  wf::table<wf::text> roles;
  wf::machine_plan plan;
  wf::execution_tags tags;
  std::vector<call> calls;
  Evaluate evaluate;
  wf::machine<std::uint64_t, Evaluate> machine;
  notes out;

  lone(const char* program, wf::table<wf::text> classes, std::uint32_t number,
       std::int64_t per_hop = 1000 * ms)
      : d(deployed(programs::parsed(program), per_hop)),
        roles(std::move(classes)),
        plan(d, kernels, roles),
        calls{call_at(d, 3 * ms)},
        machine(plan, number, tags, {calls.data(), calls.size()}, evaluate, {}) {}
  static inline const wf::registry kernels = wf::builtin_registry();
};
const wf::table<wf::text> two_classes{wf::text("@self"), wf::text("peers")};

}  // namespace

TEST_CASE("a call makes a machine of the host send, with the execution and the budget") {
  lone<hashing> host(programs::one_hop, two_classes, 0);
  CHECK(host.machine.is_active());
  host.machine.begin(host.out);
  CHECK(host.out.starts >= 2);  // a life, and its list of machines
  host.machine.plan_calls(host.out, false);
  REQUIRE(host.out.timers.size() == 1);
  CHECK(host.out.timers[0] == std::pair<std::int64_t, std::uint64_t>(3 * ms, 0));
  host.out.clock = 3 * ms;
  host.machine.plan_calls(host.out, false);  // of another life: it is too late
  CHECK(host.out.timers.size() == 1);
  host.machine.plan_calls(host.out, true);
  REQUIRE(host.out.timers.size() == 2);
  CHECK(host.out.timers[1].first == 0);
  CHECK(host.machine.woke(host.out, 0) == 1);
  host.machine.go_on(host.out);
  REQUIRE(host.out.sent.size() == 1);
  const auto& m = host.out.sent[0];
  CHECK(m.to == 1);
  CHECK(m.edge == 0);
  CHECK(m.call == 1);
  CHECK(host.tags.steps(m.tag) == wf::table<std::uint64_t>{1});
  CHECK(m.how.budget_ns == 1000 * ms);
  CHECK(m.how.within_ns == -1);
  CHECK(host.out.looks == 1);  // the negation
  CHECK(host.out.failures.empty());

  // What arrives elsewhere is enough to compute the output there.
  lone<hashing> other(programs::one_hop, two_classes, 1);
  other.machine.begin(other.out);
  const std::uint32_t tag = other.tags.extend(wf::execution_tags::always, 1);
  CHECK(!other.machine.receive(other.out, 7, tag, m.content, 0, 5 * ms));
  CHECK(other.machine.receive(other.out, 0, tag, m.content, 0, 5 * ms));
  other.machine.go_on(other.out);
  REQUIRE(other.out.outputs.size() == 1);
  CHECK(other.out.outputs[0].machine == 1);
  CHECK(other.out.outputs[0].call == 1);
  CHECK(other.machine.site().filled() > 0);
  other.machine.forget(tag);
  CHECK(other.machine.site().filled() == 0);
  // The message is for another class.
  CHECK(!host.machine.receive(host.out, 0, tag, m.content, 0, 5 * ms));
}
TEST_CASE("a list of several machines is a step of the path, and a late message is not sent") {
  const wf::table<wf::text> three{wf::text("@self"), wf::text("peers"), wf::text("peers")};
  for (const bool is_late : {false, true}) {
    CAPTURE(is_late);
    lone<hashing> host(programs::one_hop, three, 0);
    host.out.is_late = is_late;
    host.machine.begin(host.out);
    host.machine.woke(host.out, 0);
    host.machine.go_on(host.out);
    CHECK(host.out.sent.size() == (is_late ? 0 : 2));
    for (std::uint32_t k = 0; k < host.out.sent.size(); ++k) {
      CHECK(host.out.sent[k].to == k + 1);
      CHECK(host.tags.steps(host.out.sent[k].tag) ==
            wf::table<std::uint64_t>{1, wf::execution_tags::step_to(k + 1)});
    }
    REQUIRE(host.out.failures.size() == (is_late ? 1 : 0));
    if (is_late) CHECK(host.out.failures[0].why == wf::fault::reason::deadline);
  }
}
TEST_CASE("a message that is caused by another one has the rest of its time") {
  struct ageing : hashing {
    notes* world = nullptr;
    wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                         wf::table<value>& results, std::uint32_t machine) const {
      world->clock += 20 * ms;
      return hashing::operator()(g, id, operands, results, machine);
    }
  };
  for (const std::int64_t remaining : {50 * ms, 20 * ms, 10 * ms}) {
    CAPTURE(remaining);
    lone<ageing> server(programs::request_and_reply,
                        {wf::text("@self"), wf::text("servers"), wf::text("clients")}, 1);
    server.evaluate.world = &server.out;
    server.machine.begin(server.out);
    const std::uint32_t tag = server.tags.extend(wf::execution_tags::always, 1);
    const auto& edges = server.d.parts().edges;
    std::uint32_t edge = 0;
    while (!(server.d.parts().partitions[edges[edge].to].role == "servers")) ++edge;
    CHECK(server.machine.receive(server.out, edge, tag, {7, {}}, 0, remaining));
    server.machine.go_on(server.out);
    CHECK(server.out.clock == 20 * ms);
    // Without time the deadline gate lets nothing pass.
    REQUIRE(server.out.sent.size() == (remaining > 20 * ms ? 1 : 0));
    if (remaining > 20 * ms) CHECK(server.out.sent[0].how.within_ns == 30 * ms);
  }
}
TEST_CASE("a node that takes time keeps a machine, and a former life's is not carried out") {
  struct slow : hashing {
    std::int64_t duration(const wf::graph_view&, wf::node_id, std::uint32_t) const {
      return 10 * ms;
    }
  };
  lone<slow> host(programs::local, {wf::text("@self")}, 0);
  host.machine.begin(host.out);
  host.machine.woke(host.out, 0);
  host.machine.go_on(host.out);
  REQUIRE(host.out.timers.size() == 1);
  CHECK(host.out.timers[0].first == 20 * ms);  // on a machine that is slow by a factor of two
  host.machine.begin(host.out);
  CHECK(host.machine.woke(host.out, host.out.timers[0].second) == 0);
  host.machine.go_on(host.out);
  CHECK(host.out.looks == 0);
  host.machine.woke(host.out, 0);
  host.machine.go_on(host.out);
  REQUIRE(host.out.timers.size() == 2);
  CHECK(host.out.timers[1].second != host.out.timers[0].second);
  host.machine.woke(host.out, host.out.timers[1].second);
  CHECK(host.out.looks == 1);
}
