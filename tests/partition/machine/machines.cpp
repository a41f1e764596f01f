// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/machines.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>

#include "../programs.hpp"

using namespace machine_case;

namespace {

constexpr std::int64_t ms = 1'000'000;

}  // namespace

TEST_CASE("a gate of a user is asked for every message") {
  struct two_of_three : hashing {
    int asked = 0;
    bool admits(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                std::uint32_t machine) {
      CHECK(g.op_name(g[id]) == wf::text_view("quota_gate"));
      CHECK(operands.size() == 2);
      REQUIRE(operands[1]->machines.size() == 1);
      CHECK(operands[1]->machines[0] == 0);
      CHECK(machine == 1);
      return ++asked % 3 != 0;
    }
  };
  wf::deployment_settings s;
  REQUIRE(s.kernels.add(programs::quota));
  s.guards.gates.push_back(programs::quota_gate);
  const auto d = wf::deployment_toolchain(s).insert_after<"insert_backoff_gate_rx">(
      wf::gate_step<"insert_quota">(programs::quota_gate, s.kernels))(
      programs::parsed(programs::one_hop));
  REQUIRE(d);
  const machines_of m(*d);
  std::vector<call> calls;
  for (int k = 0; k < 6; ++k) calls.push_back(call_at(*d, k * ms));
  two_of_three evaluate;
  const auto r =
      wf::run_deployment<std::uint64_t>(*d, s.kernels, m.script, {m.roles.data(), m.roles.size()},
                                        {calls.data(), calls.size()}, evaluate);
  REQUIRE(r);
  CHECK(r->outputs.size() == 4);
  REQUIRE(r->failures.size() == 2);
  CHECK(r->failures[0].call == 3);
  CHECK(r->failures[0].machine == 1);
  CHECK(evaluate.asked == 6);
}
TEST_CASE("an operator that fails ends what depends on it, and nothing else") {
  struct failing : hashing {
    wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                         wf::table<value>& results, std::uint32_t machine) const {
      if (g.op_name(g[id]) == wf::text_view("negate"))
        return wf::make_error(wf::errc::numerical_failure, "negate", "it cannot");
      return hashing::operator()(g, id, operands, results, machine);
    }
  };
  const wf::deployment d = deployed(programs::parsed(programs::two_readers));
  const auto r = machines_of(d).run(d, {call_at(d, 0)}, {}, failing());
  REQUIRE(r);
  REQUIRE(r->outputs.size() == 1);
  CHECK(name_of(d, r->outputs[0]) == "a");
  REQUIRE(r->failures.size() == 1);
  CHECK(r->failures[0].failure.code == wf::errc::numerical_failure);
}
TEST_CASE("a machine runs one node at a time, of all programs of its class") {
  struct slow : hashing {
    std::int64_t duration(const wf::graph_view&, wf::node_id, std::uint32_t) const {
      return 10 * ms;
    }
    wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                         wf::table<value>& results, std::uint32_t machine) const {
      if (g.op_name(g[id]) == wf::text_view("copy"))
        return wf::make_error(wf::errc::numerical_failure, "copy", "it cannot");
      return hashing::operator()(g, id, operands, results, machine);
    }
  };
  const wf::graph g = programs::parsed(
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "node elementwise.negate(%0) -> f64[4]\n"
      "node elementwise.negate(%0) -> f64[4]\n"
      "node elementwise.exp(%1) -> f64[4]\n"
      "node elementwise.exp(%2) -> f64[4]\n"
      "node movement.copy(%4) -> f64[4]\n"
      "output \"a\" = %1\noutput \"b\" = %2\n"
      "output \"c\" = %3\noutput \"d\" = %4\noutput \"e\" = %5\n");
  for (const bool splits : {false, true}) {
    CAPTURE(splits);
    const wf::deployment d = deployed(g, 100'000 * ms, {.split_disconnected = splits});
    REQUIRE(d.parts().partitions.size() == (splits ? 2 : 1));
    const auto r = machines_of(d).run(d, {call_at(d, ms)}, {}, slow());
    REQUIRE(r);
    // In the order in which they can run, whatever their programs.
    REQUIRE(r->outputs.size() == 4);
    for (std::uint32_t k = 0; k < 4; ++k) {
      CHECK(name_of(d, r->outputs[k]) == std::string(1, static_cast<char>('a' + k)));
      CHECK(r->outputs[k].time == ms + (k + 1) * 10 * ms);
      CHECK(r->outputs[k].program == (splits ? k % 2 : 0));
    }
    // A failure names the program of its node.
    REQUIRE(r->failures.size() == 1);
    const wf::machine_failure& f = r->failures[0];
    REQUIRE(f.program == (splits ? 1 : 0));
    const wf::graph_view at = d.parts().partitions[f.program].workflow.view();
    CHECK(at.op_name(at[f.node]) == wf::text_view("copy"));
  }
}
TEST_CASE("bootstraps run at each start of a machine, and nothing of a former life is left") {
  struct counting : hashing {
    int* started;
    wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                         wf::table<value>& results, std::uint32_t machine) const {
      if (g.op_name(g[id]) == wf::text_view("warm")) ++*started;
      return hashing::operator()(g, id, operands, results, machine);
    }
  };
  // Once for a machine, whatever the number of its programs.
  for (const bool splits : {false, true}) {
    CAPTURE(splits);
    wf::deployment_settings s;
    s.cutting.split_disconnected = splits;
    s.per_hop_budget = 100'000 * ms;
    s.bootstraps.push_back(
        {wf::text("warm_up"),
         wf::text("peers"),
         programs::parsed("wf.graph 1 \"b\"\nnode user.warm() effect stateful -> f64[]\n"
                          "output \"w\" = %0\n"),
         {}});
    const auto d = wf::deployment_toolchain(s)(programs::parsed(programs::two_messages));
    REQUIRE(d);
    machines_of m(*d);
    wf::fault::event crash;
    crash.when.at_ns = 5 * ms;
    crash.what.kind = wf::fault::action_kind::crash;
    crash.what.peer = 1;
    crash.what.duration_ns = 10 * ms;
    m.script.events.push_back(crash);
    int started = 0;
    counting evaluate;
    evaluate.started = &started;
    // The second message comes while the machine is away, and is sent again.
    const auto r = m.run(*d, {call_at(*d, 0), call_at(*d, 7 * ms)}, {}, evaluate);
    REQUIRE(r);
    CHECK(r->run.broken.invariant == 0);
    CHECK(r->restarts == 1);
    CHECK(started == 2);
    CHECK(r->outputs.size() == 4);
    CHECK(r->failures.empty());
  }
}
TEST_CASE("machines of an input can be others than those of its class") {
  const wf::deployment d = deployed(programs::parsed(programs::one_hop));
  machines_of m(d, 3);
  wf::machine_run_options options;
  CHECK(m.run(d, {call_at(d, 0)}, options)->outputs.size() == 3);
  options.lists.push_back({wf::text("peers"), {}});
  options.lists[0].machines.push_back(wf::text("peers2"));
  const auto one = m.run(d, {call_at(d, 0)}, options);
  REQUIRE(one->outputs.size() == 1);
  CHECK(one->outputs[0].machine == 3);
  // To nobody: the call ends all the same.
  options.lists[0].machines.clear();
  const auto none = m.run(d, {call_at(d, 0)}, options);
  REQUIRE(none);
  CHECK(none->outputs.empty());
  CHECK(none->failures.empty());
  options.lists[0].machines.push_back(wf::text("peers7"));
  CHECK(m.run(d, {call_at(d, 0)}, options).error().code == wf::errc::simulation_failed);
}
TEST_CASE("E5: a machine sends to itself") {
  const wf::graph g = programs::parsed(
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "input \"others\" : peer[1]\n"
      "node wire.as_class(%1) [class = \"@self\"] -> peer[1]\n"
      "node wire.send(%0, %2) effect external -> f64[4], peer[], u64[]\n"
      "node movement.copy(%3) -> f64[4]\n"
      "output \"y\" = %6\n");
  const wf::deployment d = deployed(g);
  REQUIRE(d.parts().partitions.size() == 1);
  machines_of m(d);
  wf::machine_run_options options;
  options.lists.push_back({wf::text("others"), {}});
  options.lists[0].machines.push_back(wf::text("host0"));
  const auto r = m.run(d, {call_at(d, 0)}, options);
  REQUIRE(r);
  REQUIRE(r->outputs.size() == 1);
  CHECK(r->outputs[0].value.datum == hashed::run_whole(g).at("y"));
}
TEST_CASE("an output can be who sent a message, with gates and without") {
  const wf::graph g = programs::parsed(
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "input \"peers\" : peer[P]\n"
      "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
      "output \"what\" = %2\n"
      "output \"who\" = %3\n");
  const wf::registry kernels = wf::builtin_registry();
  const auto unguarded = wf::complete(*programs::cut(g.view()), {}, kernels);
  REQUIRE(unguarded);
  for (const wf::deployment& d : {deployed(g), *wf::deploy(*unguarded, {}, {}, kernels)}) {
    const auto r = machines_of(d).run(d, {call_at(d, 0)});
    REQUIRE(r);
    REQUIRE(r->outputs.size() == 2);
    CHECK(r->outputs[0].value.datum == hashed::input("x"));
    REQUIRE(r->outputs[1].value.machines.size() == 1);
    CHECK(r->outputs[1].value.machines[0] == 0);
  }
}
