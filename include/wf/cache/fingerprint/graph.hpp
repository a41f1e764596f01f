// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cache/fingerprint/fingerprint.hpp>
#include <wf/ir/compare/digest.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/ir/graph/frozen.hpp>

namespace wf {

namespace detail {

// The key of a graph with invalid references: all its records as stored.
constexpr digest128 key_of_tables(const graph_view& g) {
  hasher128 d('B');
  const auto fold = [&](range r) { d.word(r.first | std::uint64_t{r.count} << 32); };
  d.characters({g.characters.data(), g.characters.size()});
  fold(g.name);
  for (const operation& o : g.operations) d.word(o.hash), fold(o.name), fold(o.domain);
  d.word(g.nodes.size());
  for (const node& n : g.nodes) {
    d.word(n.op | std::uint64_t{static_cast<std::uint8_t>(n.effects)} << 32);
    for (const range r : {n.name, n.peer, n.inputs, n.outputs, n.attributes, n.costs,
                          n.location.file, range{n.location.line, n.location.column}})
      fold(r);
  }
  d.word(g.values.size());
  for (const value& v : g.values) {
    d.word(static_cast<std::uint64_t>(v.type.type) | std::uint64_t{v.type.known.bits} << 8);
    fold(v.name), fold({index_of(v.producer), v.type.shape.rank});
    for (extent e : v.type.shape.extents) d.word(static_cast<std::uint64_t>(e.code));
  }
  for (value_id id : g.operands) d.word(index_of(id));
  d.word(g.attributes.size());
  for (const attribute& a : g.attributes) {
    fold(a.name), fold(a.characters);
    d.word(static_cast<std::uint64_t>(a.kind)).word(static_cast<std::uint64_t>(a.number));
    d.word(static_cast<std::uint64_t>(a.denominator)).word(std::bit_cast<std::uint64_t>(a.real));
  }
  d.word(g.costs.size());
  for (const declared_cost& c : g.costs) fold(c.metric), fold(c.formula);
  d.word(g.edges.size());
  for (const edge& e : g.edges)
    d.word(static_cast<std::uint64_t>(e.kind)), fold({index_of(e.from), index_of(e.to)});
  d.word(g.outputs.size());
  for (const output& o : g.outputs) fold(o.name), d.word(index_of(o.source));
  for (text_ref r : g.derived) fold(r);
  return d.value();
}

}  // namespace detail

/// The strict key of a graph, also its fingerprint: equal for graphs that are `same`
/// (ir/compare/same.hpp) and for no others. It covers everything a product of the graph may show:
/// names, source locations, the numbers of nodes and values. A graph that `validate_references`
/// refuses has the key of its tables. O(size).
struct strict_key {
  /// The strict key of a graph.
  constexpr digest128 operator()(const graph_view& g) const {
    if (!validate_references(g)) return detail::key_of_tables(g);
    return hasher128('G').characters(to_text(g).view()).value();
  }
};

/// The semantic key of a graph: its `digest` (ir/compare/digest.hpp). Graphs with the same
/// computation have the same key even if their nodes are numbered or named differently or come from
/// other source lines, so that moving code does not rebuild the products. For products that show
/// none of that: a price, a program without debugging information; not a mapping, which names nodes
/// by number. Cyclic graphs, which have no digest, have the strict key. O(size) expected.
struct semantic_key {
  /// The semantic key of a graph.
  constexpr digest128 operator()(const graph_view& g) const {
    const digest128 d = digest(g);
    return d != digest128{} ? d : strict_key{}(g);
  }
};

/// The fingerprint of a graph is its strict key.
template <class Graph>
  requires std::same_as<Graph, graph> || std::same_as<Graph, graph_view>
constexpr void fingerprint(fingerprinter& f, const Graph& g) {
  f(strict_key{}(g));
}
/// A frozen graph has the fingerprint of the original graph.
template <graph_sizes Sizes>
constexpr void fingerprint(fingerprinter& f, const frozen_graph<Sizes>& g) {
  f(strict_key{}(g));
}

}  // namespace wf
