// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stdexcept>
#include <string>

#include <wf/ir/form/parse.hpp>
#include <wf/partition/gates.hpp>
#include <wf/registry/domain/builtin.hpp>

/// The example programs E1 to E7: workflows with messages, in the text form.
namespace programs {

inline constexpr const char* local =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "node elementwise.negate(%0) -> f64[4]\n"
    "node movement.copy(%1) -> f64[4]\n"
    "output \"y\" = %2\n";

inline constexpr const char* one_hop =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"peers\" : peer[P]\n"
    "node elementwise.negate(%0) -> f64[4]\n"
    "node wire.send(%2, %1) effect external -> f64[4], peer[], u64[]\n"
    "node movement.copy(%3) -> f64[4]\n"
    "output \"y\" = %6\n";

inline constexpr const char* request_and_reply =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"servers\" : peer[S]\n"
    "input \"clients\" : peer[C]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "node elementwise.negate(%3) -> f64[4]\n"
    "node wire.send(%6, %2) effect external -> f64[4], peer[], u64[]\n"
    "node movement.copy(%7) -> f64[4]\n"
    "output \"y\" = %10\n";

/// The same, where the clients are of the host's class.
inline constexpr const char* reply_to_host =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"servers\" : peer[S]\n"
    "input \"clients\" : peer[C]\n"
    "node wire.as_class(%2) [class = \"@self\"] -> peer[C]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "node elementwise.negate(%4) -> f64[4]\n"
    "node wire.send(%7, %3) effect external -> f64[4], peer[], u64[]\n"
    "node movement.copy(%8) -> f64[4]\n"
    "output \"y\" = %11\n";

/// The host asks each server, which answers its sender.
inline constexpr const char* question =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"servers\" : peer[S]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "node elementwise.negate(%2) -> f64[4]\n"
    "node wire.send(%5, %3) effect external -> f64[4], peer[], u64[]\n"
    "node movement.copy(%6) -> f64[4]\n"
    "output \"y\" = %9\n";

/// A machine that knows another one sends it a value of the same program.
inline constexpr const char* gossip =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "node user.sample() effect stateful -> peer[1]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "node movement.copy(%2) -> f64[4]\n"
    "output \"y\" = %5\n";

/// A machine that is known from the start, as an input of one machine.
inline constexpr const char* static_peer =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"P7\" : peer[]\n"
    "node elementwise.negate(%0) -> f64[4]\n"
    "node wire.send(%2, %1) effect external -> f64[4], peer[], u64[]\n"
    "node movement.copy(%3) -> f64[4]\n"
    "output \"y\" = %6\n";

/// Two readers of one message.
inline constexpr const char* two_readers =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"peers\" : peer[P]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "node movement.copy(%2) -> f64[4]\n"
    "node elementwise.negate(%2) -> f64[4]\n"
    "output \"a\" = %5\n"
    "output \"b\" = %6\n";

/// Two messages to the same machines.
inline constexpr const char* two_messages =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"peers\" : peer[P]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "node movement.copy(%2) -> f64[4]\n"
    "node movement.copy(%5) -> f64[4]\n"
    "output \"a\" = %8\n"
    "output \"b\" = %9\n";

/// Nobody reads what is sent.
inline constexpr const char* unread =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"peers\" : peer[P]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
    "output \"number\" = %4\n";

/// A gate of a user, behind the standard ones.
inline constexpr wf::kernel_spec quota{
    .name = "quota_gate",
    .domain = "user",
    .meaning = wf::meaning::admission,
    .signature = "A: any [...], from: peer [] -> C[...], sender: peer []",
    .effects = wf::effect::stateful,
    .summary = "drops what exceeds a quota"};
inline constexpr wf::gate_spec quota_gate{"insert_quota", wf::gate_side::receiving, &quota, 9};

/// A program in the text form, which must parse.
constexpr wf::graph parsed(const char* source) {
  const auto g = wf::parse_graph(source);
  if (!g) throw std::invalid_argument(std::string(wf::to_text(g.error()).view()));
  return *g;
}
/// The same, placed with the built-in operators.
constexpr wf::result<wf::placed_graph> placed(const char* source) {
  return wf::place(parsed(source).view(), wf::builtin_registry());
}
/// A workflow, placed with the built-in operators, with nodes that receive.
constexpr wf::result<wf::wired_program> wired(const wf::graph_view& workflow) {
  const auto placed = wf::place(workflow, wf::builtin_registry());
  if (!placed) return placed.error();
  return wf::insert_receives(*placed);
}
/// A workflow, placed with the built-in operators and cut; its edges analysed.
constexpr wf::result<wf::partitioned_program> cut(const wf::graph_view& workflow,
                                                  const wf::cut_options& options = {}) {
  const wf::registry kernels = wf::builtin_registry();
  const auto program = wired(workflow);
  if (!program) return program.error();
  auto parts = wf::cut(*program, options);
  if (!parts) return parts.error();
  return wf::analyse_edges(static_cast<wf::partitioned_program&&>(*parts), kernels);
}
/// The same of a program in the text form, which must parse.
constexpr wf::result<wf::partitioned_program> cut(const char* source,
                                                  const wf::cut_options& options = {}) {
  return cut(parsed(source).view(), options);
}

}  // namespace programs
