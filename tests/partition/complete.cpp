// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/complete.hpp>

#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <partition/random_program.hpp>

#include "programs.hpp"

namespace {

using wf::gate_spec;

// A program with deadlines and the given gates.
wf::partitioned_program gated(const wf::graph_view& workflow, const std::vector<gate_spec>& gates) {
  const wf::registry kernels = wf::builtin_registry();
  const auto timed = wf::derive_deadlines(workflow, kernels, 1000);
  REQUIRE(timed);
  auto p = programs::cut(timed->view());
  REQUIRE(p);
  for (const gate_spec& gate : gates) {
    p = wf::insert_gate(static_cast<wf::partitioned_program&&>(*p), gate, kernels);
    REQUIRE(p);
  }
  return static_cast<wf::partitioned_program&&>(*p);
}
std::vector<gate_spec> all_gates() {
  return {std::begin(wf::standard_gates), std::end(wf::standard_gates)};
}
wf::error fault(const wf::partitioned_program& p,
                const wf::guard_rules& rules = wf::guard_rules::standard()) {
  return wf::complete(p, rules, wf::builtin_registry()).error();
}

// Only the check makes a program guarded.
static_assert(!std::is_constructible_v<wf::guarded_program, wf::partitioned_program>);

}  // namespace

TEST_CASE("E7: a step that inserts a gate cannot be left out") {
  const wf::graph workflow = programs::parsed(programs::one_hop);
  CHECK(fault(gated(workflow.view(), all_gates())).code == wf::errc::none);
  for (const gate_spec& left_out : wf::standard_gates) {
    std::vector<gate_spec> gates;
    for (const gate_spec& g : wf::standard_gates)
      if (g.kernel != left_out.kernel) gates.push_back(g);
    const wf::error e = fault(gated(workflow.view(), gates));
    CHECK(e.code == wf::errc::unguarded_message);
    CHECK(std::string(e.message.view()).find(std::string(left_out.kernel->name.data())) !=
          std::string::npos);
    // Nor is it missed where no rule asks for it.
    wf::guard_rules fewer;
    for (const gate_spec& g : gates) fewer.gates.push_back(g);
    CHECK(fault(gated(workflow.view(), gates), fewer).code == wf::errc::none);
  }
  CHECK(std::string(wf::to_text(fault(gated(workflow.view(), {}))).view()) ==
        "WF904 in 'send#1': the message is not guarded by 'peer_health_gate_tx': no such gate "
        "is on its way");
}
TEST_CASE("a program without messages needs no gate") {
  CHECK(fault(gated(programs::parsed(programs::local).view(), {})).code == wf::errc::none);
}
TEST_CASE("a reader in front of a gate is found") {
  const wf::registry kernels = wf::builtin_registry();
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const wf::partitioned_program p = gated(program.workflow().view(), all_gates());
    REQUIRE(fault(p).code == wf::errc::none);
    for (std::size_t i = 0; i < p.partitions.size(); ++i) {
      const wf::graph_view g = p.partitions[i].workflow.view();
      const wf::detail::gate_chains chains(g, kernels);
      // Every operand that is behind gates, moved to each value before them.
      for (std::uint32_t at = 0; at < g.operands.size(); ++at) {
        wf::value_id v = g.operands[at];
        while (g[v].producer != wf::node_id::none) {
          const wf::node_id from = g[v].producer;
          const wf::meaning m = chains.meaning_of(from);
          if (m != wf::meaning::admission && m != wf::meaning::permission) break;
          const std::uint32_t k =
              m == wf::meaning::permission ? 1 : wf::index_of(v) - g[from].outputs.first;
          v = g.inputs_of(g[from])[k];
          wf::partitioned_program mutant = p;
          mutant.partitions[i].workflow.set_operand(at, v);
          REQUIRE(fault(mutant).code == wf::errc::unguarded_message);
          ++tried;
        }
      }
    }
  }
  CHECK(tried > 10000);
}
TEST_CASE("a message that does not wait for its deadline is found") {
  const wf::partitioned_program p = gated(programs::parsed(programs::one_hop).view(), all_gates());
  const wf::graph_view g = p.partitions[0].workflow.view();
  REQUIRE(g.edges.size() == 1);
  wf::graph without(g.text_of(g.name));
  {
    wf::graph_builder into(g.text_of(g.name));
    const wf::symbol_map symbols;
    wf::graph_copier copier(g, into, symbols, {}, wf::duplicates::keep);
    REQUIRE(copier.copy_inputs().code == wf::errc::none);
    const auto order = wf::topological_order(g);
    for (const wf::node_id id : *order) REQUIRE(copier.copy(id).code == wf::errc::none);
    without = into.take();
  }
  wf::partitioned_program mutant = p;
  mutant.partitions[0].workflow = without;
  CHECK(fault(mutant).code == wf::errc::unguarded_message);
}
TEST_CASE("contracts are asked about every program") {
  wf::guard_rules rules = wf::guard_rules::standard();
  rules.contracts.push_back(
      {"no copies", [](const wf::partition& part, const wf::registry&) -> wf::error {
         const wf::graph_view g = part.workflow.view();
         for (const wf::node& n : g.nodes)
           if (g.op_name(n) == wf::text_view("copy"))
             return wf::make_error(wf::errc::contract_broken, {}, "it copies");
         return {};
       }});
  const wf::error e = fault(gated(programs::parsed(programs::one_hop).view(), all_gates()), rules);
  CHECK(e.code == wf::errc::contract_broken);
  CHECK(std::string(e.subject.view()).substr(0, 8) == "M_peers#");
  CHECK(std::string(e.message.view()) == "no copies: it copies");
  CHECK(fault(gated(wf::graph("empty").view(), {}), rules).code == wf::errc::none);
}
TEST_CASE("a guarded program can be changed, and must be checked again") {
  auto guarded = wf::complete(gated(programs::parsed(programs::gossip).view(), all_gates()),
                              wf::guard_rules::standard(), wf::builtin_registry());
  REQUIRE(guarded);
  CHECK(guarded->parts().partitions.size() == 1);
  const wf::partitioned_program p = static_cast<wf::guarded_program&&>(*guarded).take();
  CHECK(p.edges.size() == 1);
}
