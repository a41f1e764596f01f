// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <wf/core/container/hash.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/registry/domain/builtin.hpp>

/// A stand-in for computing: the value of a node is a hash of its operator and its operands', so
/// that equal outputs come of equal computations. A message's value is what was sent.
namespace hashed {

/// Outputs by name.
using outputs = std::map<std::string, std::uint64_t>;

/// A hash of two numbers, in their order.
constexpr std::uint64_t mixed(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}
/// The value of an input.
constexpr std::uint64_t input(wf::text_view name) { return wf::hash_text(name); }

/// What an operator means.
inline wf::meaning meaning_of(const wf::graph_view& g, const wf::node& n) {
  static const wf::registry kernels = wf::builtin_registry();
  const wf::kernel_spec* const k = kernels.find(g.op_name(n));
  return k == nullptr ? wf::meaning::other : k->meaning;
}

/// The outputs of a workflow that runs whole, on one machine.
inline outputs run_whole(const wf::graph& workflow) {
  const wf::graph_view g = workflow.view();
  std::map<std::uint32_t, std::uint64_t> known;
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == wf::node_id::none) known[i] = input(g.text_of(g.values[i].name));
  const auto order = wf::topological_order(g);
  for (const wf::node_id id : *order) {
    const wf::node& n = g[id];
    std::uint64_t h = wf::hash_text(g.op_name(n));
    for (const wf::value_id v : g.inputs_of(n)) h = mixed(h, known.at(wf::index_of(v)));
    if (meaning_of(g, n) == wf::meaning::sending) h = known.at(wf::index_of(g.inputs_of(n)[0]));
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) known[n.outputs.first + k] = h;
  }
  outputs out;
  for (const wf::output& o : g.outputs)
    out[std::string(g.text_of(o.name))] = known.at(wf::index_of(o.source));
  return out;
}

}  // namespace hashed
