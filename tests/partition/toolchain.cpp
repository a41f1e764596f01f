// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/toolchain.hpp>

#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/partition/traffic.hpp>

#include <partition/random_program.hpp>

#include "programs.hpp"

namespace {

constexpr auto whole() { return wf::deployment_toolchain(wf::deployment_settings{}); }

// E1 to E6, with all seventeen steps, while compiling.
constexpr bool deploys(const char* source, std::size_t partitions, std::size_t edges) {
  const auto d = whole()(programs::parsed(source));
  return d && d->program.parts().partitions.size() == partitions &&
         d->program.parts().edges.size() == edges;
}
static_assert(deploys(programs::local, 1, 0));
static_assert(deploys(programs::one_hop, 2, 1));
static_assert(deploys(programs::static_peer, 2, 1));
static_assert(deploys(programs::request_and_reply, 3, 2));
static_assert(deploys(programs::reply_to_host, 2, 2));
static_assert(deploys(programs::gossip, 1, 1));
static_assert(deploys(programs::two_readers, 2, 1));
static_assert(deploys(programs::two_messages, 2, 2));
static_assert(deploys(programs::unread, 1, 0));

// Classes are split if it is asked for.
constexpr std::size_t programs_of(const char* source, bool splits) {
  wf::deployment_settings s;
  s.cutting.split_disconnected = splits;
  return wf::deployment_toolchain(s)(programs::parsed(source))->program.parts().partitions.size();
}
static_assert(programs_of(programs::reply_to_host, false) == 2);
static_assert(programs_of(programs::reply_to_host, true) == 3);

// A price of the wires holds a workflow to its budget, while compiling.
constexpr auto asking = wf::workflow<"asking">([](wf::scope& s) {
  const auto x = s.input<"x", double, 64>();
  const auto servers = s.input<"servers", wf::peer, 2>();
  const auto [there, from, request] = s.let_each(wf::send(x, servers));
  const auto [back, replier, reply] = s.let_each(wf::send(wf::sum(there), from));
  s.output<"y">(back + back);
});
constexpr std::int64_t bytes_to(const char* role) {
  return *wf::wire_bytes(whole()(wf::graph(asking.graph()))->program.parts(), role);
}
static_assert(bytes_to("servers") == 1024);
static_assert(bytes_to("@self") == 8);

std::string failure(const wf::result<wf::deployment>& d) {
  return d ? "" : std::string(wf::to_text(d.error()).view());
}

}  // namespace

TEST_CASE("a guarded program is made by the check alone, so that steps keep their order") {
  using gates = decltype(wf::gate_step<"g">(wf::standard_gates[0], wf::registry()));
  static_assert(std::is_same_v<gates::in, wf::partitioned_program>);
  using check = decltype(wf::complete_step(wf::guard_rules(), wf::registry()));
  static_assert(std::is_same_v<check::in, wf::partitioned_program>);
  static_assert(std::is_same_v<check::out, wf::guarded_program>);
  static_assert(std::is_same_v<decltype(whole())::in, wf::graph>);
  static_assert(std::is_same_v<decltype(whole())::out, wf::deployment>);
}
TEST_CASE("the seventeen steps have the names and the order of the specification") {
  const char* const names[] = {"inline_for_partition",
                               "derive_wire_deadlines",
                               "validate",
                               "expand_ops",
                               "type_solver",
                               "infer_peer_classes",
                               "synthesize_wire_recvs",
                               "partition_by_wire_ops",
                               "resolve_slots",
                               "analyze_wire_edges",
                               "insert_dedup_gate_rx",
                               "insert_peer_health_gate_rx",
                               "insert_backoff_gate_rx",
                               "insert_peer_health_gate_tx",
                               "insert_backoff_gate_tx",
                               "insert_async_deadlines",
                               "validate_runtime_complete",
                               "deploy"};
  const wf::view<wf::text_view> found = decltype(whole())::names();
  REQUIRE(found.size() == 18);
  for (std::size_t i = 0; i < 18; ++i) CHECK(found[i] == wf::text_view(names[i]));
}
TEST_CASE("E7: what is missing is named, with its step") {
  const wf::graph g = programs::parsed(programs::one_hop);
  CHECK(failure(whole().drop<"insert_async_deadlines">()(g)).find("deadline_check") !=
        std::string::npos);
  CHECK(failure(whole().drop<"insert_backoff_gate_tx">()(g)).find("backoff_gate_tx") !=
        std::string::npos);
  // Without deadlines, nothing has to check them (G5).
  CHECK(whole().drop<"derive_wire_deadlines">().drop<"insert_async_deadlines">()(g));
  CHECK(whole().drop<"derive_wire_deadlines">()(g));
}
TEST_CASE("E7: two nodes that wait for each other") {
  wf::graph g("M");
  const wf::value_type t{wf::dtype::f64, {}, {}};
  const wf::value_id x = g.add_input("x", t);
  const wf::node_id f = g.add_node({.op = "negate", .domain = "elementwise"}, {&x, 1}, {&t, 1});
  const wf::value_id one = wf::graph_view::output_of(g[f]);
  const wf::node_id h = g.add_node({.op = "negate", .domain = "elementwise"}, {&one, 1}, {&t, 1});
  g.set_operand(g[f].inputs.first, wf::graph_view::output_of(g[h]));
  g.add_output("y", one);
  CHECK(whole()(g).error().code == wf::errc::cyclic_graph);
}
TEST_CASE("E7: a constant without a value") {
  const auto d =
      whole()(programs::parsed("wf.graph 1 \"M\"\n"
                               "node elementwise.constant() -> f64[]\n"
                               "output \"y\" = %0\n"));
  CHECK(d.error().code == wf::errc::bad_attribute);
}
TEST_CASE("a step of a user comes anywhere, and a change of a guarded program is checked again") {
  const wf::graph g = programs::parsed(programs::one_hop);
  std::size_t seen = 0;
  const auto look = wf::step<"look">([&](const wf::partitioned_program& p) {
    seen += p.partitions.size();
    return p;
  });
  CHECK(whole().insert_after<"partition_by_wire_ops">(look)(g));
  CHECK(seen == 2);
  // A user's step renames a program behind the check; the check follows.
  const auto rename = wf::step<"rename">([](const wf::guarded_program& p) {
    wf::partitioned_program out = p.parts();
    out.partitions[0].name = wf::text("mine");
    return out;
  });
  const auto again = wf::rename<"check_again">(
      wf::complete_step(wf::guard_rules::standard(), wf::builtin_registry()));
  const auto d = whole().insert_before<"deploy">(wf::chain<"mine">(rename, again))(g);
  REQUIRE(d);
  CHECK(std::string(d->program.parts().partitions[0].name.view()) == "mine");
}
TEST_CASE("a step that fails names itself") {
  const auto fail = wf::step<"mine">([](const wf::partitioned_program&) {
    return wf::result<wf::partitioned_program>(
        wf::make_error(wf::errc::contract_broken, "here", "no"));
  });
  const auto d = whole().insert_after<"resolve_slots">(fail)(programs::parsed(programs::local));
  REQUIRE_FALSE(d);
  CHECK(std::string(d.error().step.view()) == "mine");
}
TEST_CASE("gates of a user are demanded if the rules name them") {
  wf::deployment_settings s;
  REQUIRE(s.kernels.add(programs::quota));
  s.guards.gates.push_back(programs::quota_gate);
  const wf::graph g = programs::parsed(programs::one_hop);
  CHECK(wf::deployment_toolchain(s)(g).error().code == wf::errc::unguarded_message);
  CHECK(wf::deployment_toolchain(s).insert_after<"insert_backoff_gate_rx">(
      wf::gate_step<"insert_quota">(programs::quota_gate, s.kernels))(g));
}
TEST_CASE("the same workflow gives the same deployment, and the toolchain is what its steps are") {
  const wf::registry kernels = wf::builtin_registry();
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const auto d = whole()(program.workflow());
    REQUIRE(d);
    CHECK(d->identity == whole()(program.workflow())->identity);
  }
}
TEST_CASE("a workflow is deployed as it is: captured, parsed or built") {
  const wf::graph g = programs::parsed(programs::request_and_reply);
  CHECK(wf::deploy(g.view())->identity == whole()(g)->identity);
  CHECK(wf::deploy(g.view())->parts().edges.size() == 2);
  wf::deployment_settings hasty;
  hasty.per_hop_budget = 0;
  CHECK(wf::deploy(g.view(), hasty).error().code == wf::errc::bad_attribute);
}
