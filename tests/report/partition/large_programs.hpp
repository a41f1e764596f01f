// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <wf/ir/graph/graph.hpp>
#include <wf/ir/type/shape.hpp>

/// Programs whose pictures are large.
namespace large_programs {

inline constexpr wf::value_type number{wf::dtype::f64, {}, wf::shape::of(4, 4)};

inline wf::value_id add(wf::graph& g, const char* op, wf::value_id operand) {
  const wf::value_type types[] = {number};
  return wf::graph_view::output_of(g[g.add_node({.op = op}, {&operand, 1}, {types, 1})]);
}
inline wf::value_id send(wf::graph& g, wf::value_id what, wf::value_id to) {
  const wf::value_id operands[] = {what, to};
  const wf::value_type types[] = {
      number, {wf::dtype::peer, {}, {}}, {wf::dtype::u64, {}, wf::shape()}};
  return wf::graph_view::output_of(
      g[g.add_node({.op = "send", .domain = "wire", .effects = wf::effect::external}, {operands, 2},
                   {types, 3})]);
}

/// Workers that each get something of the host, pass something on to the next one, and answer the
/// first one; the last one sends to itself.
inline wf::graph workers(std::uint32_t count) {
  wf::graph g("train");
  const wf::value_id x = g.add_input("x", number);
  std::vector<wf::value_id> peers;
  for (std::uint32_t i = 0; i < count; ++i)
    peers.push_back(g.add_input(("worker_" + std::to_string(i)).c_str(),
                                {wf::dtype::peer, {}, wf::shape::of(std::int64_t{1 + i % 3})}));
  wf::value_id last = x;
  for (std::uint32_t i = 0; i < count; ++i) {
    const wf::value_id got = add(g, "user.join", send(g, i % 2 == 0 ? x : last, peers[i]));
    last = i % 2 == 0 ? got : x;
    if (i > 1)
      g.add_output(("y" + std::to_string(i)).c_str(), add(g, "copy", send(g, got, peers[0])));
    if (i + 1 == count) g.add_output("end", add(g, "copy", send(g, got, peers[i])));
  }
  return g;
}
/// A chain of nodes on one other class.
inline wf::graph chain(std::uint32_t length) {
  wf::graph g("chain");
  const wf::value_id x = g.add_input("x", number);
  const wf::value_id peers = g.add_input("peers", {wf::dtype::peer, {}, wf::shape::of(2)});
  wf::value_id at = send(g, x, peers);
  for (std::uint32_t i = 0; i < length; ++i) at = add(g, "user.layer", at);
  g.add_output("y", at);
  return g;
}

}  // namespace large_programs
