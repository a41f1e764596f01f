// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/gates.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/compare/digest.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/partition/complete.hpp>

#include <partition/random_program.hpp>

#include "programs.hpp"

namespace {

// "receive(dedup health backoff) copy | ...": the chains of a program's messages.
std::string chains_of(const wf::partition& p, const wf::registry& kernels) {
  const wf::graph_view g = p.workflow.view();
  const wf::detail::gate_chains chains(g, kernels);
  std::string out;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto id = static_cast<wf::node_id>(i);
    std::vector<wf::node_id> list;
    if (chains.meaning_of(id) == wf::meaning::receiving)
      for (const wf::node_id n : chains.behind(g, id)) list.push_back(n);
    if (chains.meaning_of(id) == wf::meaning::sending) {
      for (const wf::node_id n : chains.before(g, id)) list.push_back(n);
      for (const wf::edge& e : g.edges)
        if (e.to == id) list.push_back(e.from);
    }
    if (list.empty()) continue;
    out += (out.empty() ? "" : " ") + std::string(g.op_name(g[id])) + "(";
    for (const wf::node_id n : list)
      out += (n == list[0] ? "" : " ") + std::string(g.op_name(g[n]));
    out += ")";
  }
  return out;
}
constexpr wf::result<wf::partitioned_program> with_gates(wf::partitioned_program p,
                                                         wf::view<wf::gate_spec> gates) {
  const wf::registry kernels = wf::builtin_registry();
  for (const wf::gate_spec& gate : gates) {
    auto next = wf::insert_gate(static_cast<wf::partitioned_program&&>(p), gate, kernels);
    if (!next) return next;
    p = static_cast<wf::partitioned_program&&>(*next);
  }
  return p;
}
std::string everything(const wf::partitioned_program& p) {
  std::string out;
  for (const wf::partition& part : p.partitions)
    out += std::string(wf::to_text(part.workflow.view()).view()) + "\n";
  for (const wf::wire_edge& e : p.edges)
    out +=
        std::to_string(wf::index_of(e.send)) + ">" + std::to_string(wf::index_of(e.receive)) + " ";
  return out;
}
// The digests of the programs, which do not depend on the order of nodes.
std::vector<std::uint64_t> digests(const wf::partitioned_program& p) {
  std::vector<std::uint64_t> out;
  for (const wf::partition& part : p.partitions)
    out.push_back(wf::digest(part.workflow.view()).low);
  return out;
}

constexpr bool is_guarded(const char* source) {
  auto p = programs::cut(source);
  if (!p) return false;
  auto guarded = with_gates(static_cast<wf::partitioned_program&&>(*p), wf::standard_gates);
  return guarded && wf::complete(static_cast<wf::partitioned_program&&>(*guarded),
                                 wf::guard_rules::standard(), wf::builtin_registry());
}
static_assert(is_guarded(programs::local));
static_assert(is_guarded(programs::one_hop));
static_assert(is_guarded(programs::gossip));

}  // namespace

TEST_CASE("E2: each message passes the gates of its sender and of its receiver, in their order") {
  const wf::registry kernels = wf::builtin_registry();
  const auto p = with_gates(*programs::cut(programs::one_hop), wf::standard_gates);
  REQUIRE(p);
  // The peers of a message are a value, not an attribute, and are guarded all the same (G16).
  CHECK(chains_of(p->partitions[0], kernels) == "send(peer_health_gate_tx backoff_gate_tx)");
  CHECK(chains_of(p->partitions[1], kernels) ==
        "receive(dedup_gate_rx peer_health_gate_rx backoff_gate_rx)");
  // A gate passes values: the message still carries the payload, and machines come last (G17).
  const wf::graph_view g = p->partitions[0].workflow.view();
  const wf::node& send = g[p->edges[0].send];
  CHECK(g[g.inputs_of(send)[0]].type.type == wf::dtype::f64);
  CHECK(g[g.inputs_of(send)[1]].type.type == wf::dtype::peer);
  CHECK(g.inputs_of(send).size() == 2);
}
TEST_CASE("E2: gates that are inserted again change nothing") {
  const auto once = with_gates(*programs::cut(programs::one_hop), wf::standard_gates);
  REQUIRE(once);
  const auto twice = with_gates(*once, wf::standard_gates);
  REQUIRE(twice);
  CHECK(everything(*once) == everything(*twice));
}
TEST_CASE("E6: messages of equal names have gates of their own (G1)") {
  const wf::registry kernels = wf::builtin_registry();
  const auto p =
      with_gates(*programs::cut("wf.graph 1 \"M\"\n"
                                "input \"x\" : f64[4]\n"
                                "input \"peers\" : peer[P]\n"
                                "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
                                "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
                                "output \"a\" = %2\noutput \"b\" = %5\n"),
                 wf::standard_gates);
  REQUIRE(p);
  CHECK(chains_of(p->partitions[1], kernels) ==
        "receive(dedup_gate_rx peer_health_gate_rx backoff_gate_rx) "
        "receive(dedup_gate_rx peer_health_gate_rx backoff_gate_rx)");
}
TEST_CASE("a message with a deadline waits for its check, of what the gates have left") {
  const wf::registry kernels = wf::builtin_registry();
  const auto timed = wf::derive_deadlines(programs::parsed(programs::one_hop).view(), kernels, 100);
  REQUIRE(timed);
  const auto p = with_gates(*programs::cut(timed->view()), wf::standard_gates);
  REQUIRE(p);
  CHECK(chains_of(p->partitions[0], kernels) ==
        "send(peer_health_gate_tx backoff_gate_tx deadline_check)");
  REQUIRE(wf::complete(*p, wf::guard_rules::standard(), kernels));
}
TEST_CASE("gates stand in their order, in whatever order they are inserted") {
  const wf::registry kernels = wf::builtin_registry();
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const auto timed = wf::derive_deadlines(program.workflow().view(), kernels, 1000);
    REQUIRE(timed);
    const auto p = programs::cut(timed->view());
    REQUIRE(p);
    const auto usual = with_gates(*p, wf::standard_gates);
    REQUIRE(usual);
    std::vector<wf::gate_spec> gates(std::begin(wf::standard_gates), std::end(wf::standard_gates));
    std::mt19937_64 random(seed);
    std::shuffle(gates.begin(), gates.end(), random);
    const auto other = with_gates(*p, {gates.data(), gates.size()});
    REQUIRE(other);
    CHECK(wf::complete(*other, wf::guard_rules::standard(), kernels));
    CHECK(digests(*usual) == digests(*other));
    const auto again = with_gates(*other, {gates.data(), gates.size()});
    REQUIRE(again);
    CHECK(everything(*other) == everything(*again));
  }
}
TEST_CASE("a gate of the wrong meaning, or unknown, is refused") {
  const wf::registry kernels = wf::builtin_registry();
  const auto p = programs::cut(programs::one_hop);
  const auto code = [&](const wf::gate_spec& gate, const wf::registry& known) {
    return wf::insert_gate(*p, gate, known).error().code;
  };
  CHECK(code({"g", wf::gate_side::sending, &wf::kernels::dedup_gate_rx, 1}, kernels) ==
        wf::errc::invalid_gate);
  CHECK(code({"g", wf::gate_side::receiving, nullptr, 1}, kernels) == wf::errc::invalid_gate);
  CHECK(code(wf::standard_gates[0], wf::registry()) == wf::errc::invalid_gate);
}
TEST_CASE("a user's gate stands where its order says") {
  constexpr auto taste = wf::kernel_spec{.name = "taste",
                                         .domain = "user",
                                         .meaning = wf::meaning::admission,
                                         .signature =
                                             "A: any [...], from: peer [] -> C[...], "
                                             "sender: peer []",
                                         .effects = wf::effect::stateful};
  wf::registry kernels = wf::builtin_registry();
  REQUIRE(kernels.add(taste));
  auto p = with_gates(*programs::cut(programs::one_hop), wf::standard_gates);
  REQUIRE(p);
  const auto tasted =
      wf::insert_gate(*p, {"insert_taste", wf::gate_side::receiving, &taste, 2}, kernels);
  REQUIRE(tasted);
  CHECK(chains_of(tasted->partitions[1], kernels) ==
        "receive(dedup_gate_rx peer_health_gate_rx taste backoff_gate_rx)");
}
