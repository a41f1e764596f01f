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
TEST_CASE("bootstraps run at each start of a machine, and nothing of a former life is left") {
  struct counting : hashing {
    int* started;
    wf::error operator()(const wf::graph_view& g, wf::node_id id, wf::view<const value*> operands,
                         wf::table<value>& results, std::uint32_t machine) const {
      if (g.op_name(g[id]) == wf::text_view("warm")) ++*started;
      return hashing::operator()(g, id, operands, results, machine);
    }
  };
  wf::deployment_settings s;
  s.per_hop_budget = 100'000 * ms;
  s.bootstraps.push_back(
      {wf::text("warm_up"),
       wf::text("peers"),
       programs::parsed("wf.graph 1 \"b\"\nnode user.warm() effect stateful -> f64[]\n"
                        "output \"w\" = %0\n"),
       {}});
  const auto d = wf::deployment_toolchain(s)(programs::parsed(programs::one_hop));
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
  CHECK(r->outputs.size() == 2);
  CHECK(r->failures.empty());
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
  REQUIRE(d.program.parts().partitions.size() == 1);
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
