// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/digest.hpp>
#include <wf/ir/frozen.hpp>
#include <wf/ir/text.hpp>
#include <wf/pass/fingerprint.hpp>

namespace wf {

/// The strict key of a graph, and its fingerprint: equal for graphs that are `same` (ir/same.hpp)
/// and for no others. It counts all that a product of the graph may show: names, source locations,
/// the numbers of nodes and values. The graph must have its references in range. O(size).
struct strict_key {
  /// The key.
  constexpr digest128 operator()(const graph_view& g) const {
    return hasher128('G').characters(to_text(g).view()).value();
  }
};

/// The semantic key of a graph: its `digest` (ir/digest.hpp). Two graphs that compute the same have
/// the same key though their nodes are numbered or named otherwise or were written elsewhere, so
/// that moving code does not rebuild what was made of it. For products that show none of that: a
/// price, a program without debugging information; not a mapping, which names nodes by number.
/// Cyclic graphs, which have no digest, have the strict key. O(size) expected.
struct semantic_key {
  /// The key.
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
/// The same of a frozen graph, which has the fingerprint of the graph.
template <graph_sizes Sizes>
constexpr void fingerprint(fingerprinter& f, const frozen_graph<Sizes>& g) {
  f(strict_key{}(g));
}

}  // namespace wf
