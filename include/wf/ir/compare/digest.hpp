// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <wf/core/container/hash_index.hpp>
#include <wf/core/digest.hpp>
#include <wf/ir/graph/topology.hpp>

namespace wf {

/// The version of the digests that this header computes. It is folded into every digest and changes
/// with their definition, so that a stored digest never matches one of another version.
inline constexpr std::uint32_t digest_version = 2;

namespace detail {

/// Adds a member to the digest of a multiset: a commutative sum, so that order does not count.
constexpr void add_member(digest128& set, const digest128& member) {
  set.high += member.high;
  set.low += member.low;
}

/// Folds in an extent by its content; a derived one by its polynomial.
constexpr void fold(hasher128& d, const graph_view& g, extent e) {
  if (e.is_derived())
    d.word(~std::uint64_t{0} - 1).characters(g.text_of(g.derived[e.index()]));
  else
    d.word(static_cast<std::uint64_t>(e.code));
}
/// Folds in an element type, a shape and properties.
constexpr void fold(hasher128& d, const graph_view& g, const value_type& t) {
  const shape& s = t.shape;
  d.word(static_cast<std::uint64_t>(t.type) | std::uint64_t{t.known.bits & 0xffff} << 8 |
         std::uint64_t{s.rank} << 32);
  for (std::uint32_t i = 0; s.has_rank() && i < s.rank; ++i) fold(d, g, s[i]);
}
/// The digest of an attribute.
constexpr digest128 digest_of(const graph_view& g, const attribute& a) {
  hasher128 d('a');
  d.characters(g.text_of(a.name)).word(static_cast<std::uint64_t>(a.kind));
  if (a.kind == attribute_kind::real) {
    d.word(std::bit_cast<std::uint64_t>(a.real));
  } else if (a.kind == attribute_kind::string) {
    d.characters(g.text_of(a.characters));
  } else if (a.kind == attribute_kind::extent) {
    extent e;
    e.code = a.number;
    fold(d, g, e);
  } else {
    d.word(static_cast<std::uint64_t>(a.number));
    if (a.kind == attribute_kind::rational) d.word(static_cast<std::uint64_t>(a.denominator));
  }
  return d.value();
}
/// Folds in a node's own content except for its operator: effect, peer, and in any order its
/// attributes and costs.
constexpr void fold(hasher128& d, const graph_view& g, const node& n) {
  d.word(static_cast<std::uint64_t>(n.effects));
  if (n.peer.count != 0) d.characters(g.text_of(n.peer));
  digest128 set;
  for (const attribute& a : g.attributes_of(n)) add_member(set, digest_of(g, a));
  if (n.attributes.count != 0) d.word(n.attributes.count).fold(set);
  set = {};
  for (const declared_cost& c : g.costs_of(n))
    add_member(
        set,
        hasher128('c').characters(g.text_of(c.metric)).characters(g.text_of(c.formula)).value());
  if (n.costs.count != 0) d.word(std::uint64_t{n.costs.count} << 32).fold(set);
}

/// Digests of a graph's nodes: local ones, ones over all sources, and ones over all users.
class graph_structure {
 public:
  constexpr explicit graph_structure(const graph_view& g) : g_(g), edges_(g) {
    operations_.reserve(g.operations.size());
    for (const operation& o : g.operations)
      operations_.push_back(
          hasher128('o').characters(g.text_of(o.name)).characters(g.text_of(o.domain)).value());
    auto order = sorted_nodes(g);
    acyclic_ = order.has_value();
    if (acyclic_) order_ = *static_cast<result<table<node_id>>&&>(order);
  }

  constexpr bool is_acyclic() const { return acyclic_; }

  /// Local digest of a node: operator, attributes, costs, effect, peer and result types.
  constexpr digest128 local(const node& n) const {
    hasher128 d('n');
    d.fold(operations_[n.op]);
    detail::fold(d, g_, n);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      detail::fold(d, g_, g_.values[n.outputs.first + k].type);
    return d.value();
  }
  constexpr table<digest128> local() const {
    table<digest128> out;
    out.reserve(g_.nodes.size());
    for (const node& n : g_.nodes) out.push_back(local(n));
    return out;
  }

  /// Digest of a graph input: its name and type.
  constexpr digest128 input(const value& v) const {
    hasher128 d('i');
    d.characters(g_.text_of(v.name));
    detail::fold(d, g_, v.type);
    return d.value();
  }

  /// Combines the colour of each node with the colours of all nodes it depends on. O(operands +
  /// edges).
  constexpr table<digest128> with_sources(const table<digest128>& colour) const {
    table<digest128> out(g_.nodes.size());
    for (node_id id : order_) {
      const node& n = g_[id];
      hasher128 d('u');
      d.fold(colour[index_of(id)]).word(n.inputs.count);
      for (value_id operand : g_.inputs_of(n)) fold(d, operand, out);
      const view<edge> before = edges_.of(id);
      digest128 set;
      for (const edge& e : before) add_member(set, ordered(e.kind, out[index_of(e.from)]));
      if (!before.empty()) d.word(before.size()).fold(set);
      out[index_of(id)] = d.value();
    }
    return out;
  }

  /// Combines the colour of each node with the colours of all nodes that depend on it, and with the
  /// names of the outputs among its results. O(operands + edges + outputs).
  constexpr table<digest128> with_users(const table<digest128>& colour) const {
    table<digest128> out(g_.nodes.size());  // first the multiset of a node's users, then its digest
    for (const output& o : g_.outputs) {
      const value& v = g_[o.source];
      if (v.producer == node_id::none) continue;
      hasher128 d('y');
      d.characters(g_.text_of(o.name)).word(position_of(o.source));
      add_member(out[index_of(v.producer)], d.value());
    }
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t at = index_of(order_[i]);
      out[at] = hasher128('d').fold(colour[at]).fold(out[at]).value();
      std::uint64_t position = 0;
      for (value_id operand : g_.inputs_of(g_.nodes[at])) {
        const node_id from = g_[operand].producer;
        if (from != node_id::none)
          add_member(
              out[index_of(from)],
              hasher128('r').fold(out[at]).word(position).word(position_of(operand)).value());
        ++position;
      }
      for (const edge& e : edges_.of(order_[i]))
        add_member(out[index_of(e.from)], ordered(e.kind, out[at]));
    }
    return out;
  }

  /// Folds in a value: an input, or the digest of its producer and its position among the results.
  constexpr void fold(hasher128& d, value_id id, const table<digest128>& nodes) const {
    const value& v = g_[id];
    if (v.producer == node_id::none) {
      d.fold(input(v));
    } else {
      d.fold(nodes[index_of(v.producer)]).word(position_of(id));
    }
  }

 private:
  constexpr std::uint64_t position_of(value_id id) const {
    return index_of(id) - g_[g_[id].producer].outputs.first;
  }
  static constexpr digest128 ordered(edge_kind kind, const digest128& other) {
    return hasher128('e').word(static_cast<std::uint64_t>(kind)).fold(other).value();
  }

  graph_view g_;
  incoming_edges edges_;
  bool acyclic_ = false;
  table<node_id> order_;
  table<digest128> operations_;
};

/// Number of distinct digests. O(digests) expected.
constexpr std::size_t count_distinct(const table<digest128>& digests) {
  hash_index index;
  index.reserve(digests.size());
  for (std::uint32_t i = 0; i < digests.size(); ++i) {
    const auto is_same = [&](std::uint32_t other) { return digests[other] == digests[i]; };
    if (index.find(digests[i].low, is_same) == hash_index::none) index.insert(digests[i].low, i);
  }
  return index.size();
}

/// Maximum number of rounds of colour refinement.
inline constexpr int max_refinements = 16;

/// Node digests by colour refinement: digests over the sources are refined by the users until no
/// further nodes are told apart, at most `max_refinements` rounds.
constexpr table<digest128> refined_digests(const graph_structure& structure) {
  table<digest128> colour = structure.with_sources(structure.local());
  std::size_t distinct = count_distinct(colour);
  for (int round = 0; distinct < colour.size() && round < max_refinements; ++round) {
    colour = structure.with_sources(structure.with_users(colour));
    const std::size_t now = count_distinct(colour);
    if (now == distinct) break;
    distinct = now;
  }
  return colour;
}

}  // namespace detail

/// The digest of a graph's structure: a fixed function of the graph, the same on every compiler and
/// platform, that depends on
///
/// - the inputs in their order: name, element type, shape, properties;
/// - the outputs in their order: name and value;
/// - the nodes in any order: operator and domain, attributes in any order (name, kind and value,
///   reals by their bits), declared costs in any order, effect, class of peers, operands in their
///   order, and for each result element type, shape and properties;
/// - the control and mutate edges in any order;
///
/// and on nothing else: not on the numbers of nodes and values, and so not on the order of
/// insertion; not on the names of the workflow, of nodes and of results; not on source locations;
/// not on the layout of the text pools. Operands are never reordered, not even those of commutative
/// operators; symbols and the texts of polynomials count as they are written.
///
/// Graphs that are `same` (ir/compare/same.hpp) have the same digest. Graphs of different structure
/// have different digests, except by chance, as with any 128 bits, and except where colour
/// refinement cannot tell them apart: graphs that differ only in the wiring of nodes with equal
/// surroundings. Not for adversarial input. A cyclic graph, and one that `validate_references`
/// refuses, has the digest 0. O(size of the graph) expected if no two nodes compute the same; up to
/// `detail::max_refinements` times that otherwise.
constexpr digest128 digest(const graph_view& g) {
  if (!validate_references(g)) return {};
  const detail::graph_structure structure(g);
  if (!structure.is_acyclic()) return {};
  const table<digest128> nodes = detail::refined_digests(structure);
  hasher128 d('g');
  d.word(digest_version).word(nodes.size()).word(g.outputs.size());
  for (const value& v : g.values)
    if (v.producer == node_id::none) d.fold(structure.input(v));
  for (const output& o : g.outputs) {
    d.characters(g.text_of(o.name));
    structure.fold(d, o.source, nodes);
  }
  digest128 set;
  for (const digest128& n : nodes) detail::add_member(set, n);
  return d.fold(set).value();
}

/// The digests of all values of a graph, by id. Each covers everything the value depends on over
/// operands, control and mutate edges, with the content that counts for a graph, and its position
/// among the results of its node; an input counts by name and type. Equal digests mean equal
/// computations: two nodes with equal operators and operands have results of the same digest,
/// though a stateful operator may give different data. The digest of a value does not depend on the
/// rest of the graph. All digests of a cyclic or refused graph are 0. O(size of the graph).
constexpr table<digest128> value_digests(const graph_view& g) {
  table<digest128> out(g.values.size());
  if (!validate_references(g)) return out;
  const detail::graph_structure structure(g);
  if (!structure.is_acyclic()) return out;
  const table<digest128> nodes = structure.with_sources(structure.local());
  for (std::uint32_t i = 0; i < g.values.size(); ++i) {
    hasher128 d('v');
    d.word(digest_version);
    structure.fold(d, static_cast<value_id>(i), nodes);
    out[i] = d.value();
  }
  return out;
}

/// The digest of one value: its entry in `value_digests`, or 0 if it does not exist. O(size of the
/// graph).
constexpr digest128 digest(const graph_view& g, value_id id) {
  return index_of(id) < g.values.size() ? value_digests(g)[index_of(id)] : digest128{};
}

}  // namespace wf
