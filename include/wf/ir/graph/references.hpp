// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/graph/view.hpp>

namespace wf {

namespace detail {

constexpr bool inside(range r, std::size_t size) {
  return r.first <= size && r.count <= size - r.first;
}

constexpr error malformed(text_view subject, text_view message) {
  return make_error(errc::malformed_graph, subject, message);
}

/// Finds two equal non-empty names and stores them in `duplicate`; false if there are none. Hashes
/// the names: O(names) expected.
constexpr bool find_duplicate(const graph_view& g, const table<text_ref>& names,
                              text_view& duplicate) {
  hash_index index;
  index.reserve(names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const text_view name = g.text_of(names[i]);
    if (name.empty()) continue;
    const std::uint64_t hash = hash_text(name);
    const auto is_same = [&](std::uint32_t other) { return g.text_of(names[other]) == name; };
    if (index.find(hash, is_same) != hash_index::none) {
      duplicate = name;
      return true;
    }
    index.insert(hash, i);
  }
  return false;
}

/// True if an extent is defined in a graph: a size, a symbol with a valid name, or an existing
/// derived extent.
constexpr bool is_defined(const graph_view& g, extent e) {
  if (e.is_derived()) return e.index() < g.derived.size();
  if (!e.is_symbol()) return e.is_fixed();
  std::uint64_t rest = e.name().packed;
  if ((rest & 63) >= 54) return false;  // the first character is a digit
  for (; rest != 0; rest >>= 6)
    if ((rest & 63) == 0) return false;
  return e.name().packed != 0;
}

constexpr error check_texts(const graph_view& g) {
  const std::size_t pool = g.characters.size();
  if (!inside(g.name, pool)) return malformed("graph", "its name lies outside the text pool");
  for (const operation& o : g.operations) {
    if (!inside(o.name, pool) || !inside(o.domain, pool) || o.name.count == 0)
      return malformed("graph", "an operator's name lies outside the text pool");
    if (o.hash != hash_text(g.text_of(o.name)))
      return malformed(g.text_of(o.name), "the operator's hash is not that of its name");
  }
  for (const attribute& a : g.attributes) {
    if (!inside(a.name, pool) || !inside(a.characters, pool) || a.denominator <= 0 ||
        a.kind > attribute_kind::extent)
      return malformed("graph", "an attribute is out of range");
    extent e;
    e.code = a.number;
    if (a.kind == attribute_kind::extent && !e.is_unknown() && !is_defined(g, e))
      return malformed(g.text_of(a.name), "the extent of the attribute is undefined");
  }
  for (const declared_cost& c : g.costs)
    if (!inside(c.metric, pool) || !inside(c.formula, pool))
      return malformed("graph", "a declared cost lies outside the text pool");
  std::size_t empty = 0;
  table<text_ref> polynomials;
  for (text_ref d : g.derived) {
    if (!inside(d, pool)) return malformed("graph", "a derived extent lies outside the text pool");
    empty += d.count == 0 ? 1 : 0;
    polynomials.push_back(d);
  }
  text_view twice;  // duplicates would give equal extents different numbers
  if (empty > 1 || find_duplicate(g, polynomials, twice))
    return malformed(twice, "two derived extents are the same polynomial");
  return {};
}

constexpr error check_values(const graph_view& g) {
  for (const value& v : g.values) {
    if (!inside(v.name, g.characters.size()))
      return malformed("graph", "a value's name lies outside the text pool");
    if (v.producer != node_id::none && index_of(v.producer) >= g.nodes.size())
      return malformed(g.text_of(v.name), "a value's producer does not exist");
    const shape& s = v.type.shape;
    if (static_cast<std::size_t>(v.type.type) >= dtype_count)
      return malformed(g.text_of(v.name), "there is no such element type");
    if (s.has_rank() && s.rank > max_rank)
      return malformed(g.text_of(v.name), "it has over 8 dimensions");
    for (std::uint32_t d = 0; s.has_rank() && d < s.rank; ++d)
      if (!s.extents[d].is_unknown() && !is_defined(g, s.extents[d]))
        return malformed(g.text_of(v.name), "one of its extents is undefined");
    if (v.type.known.bits > all_property_bits ||
        (!v.type.known.empty() && close_properties(v.type.known.bits) != v.type.known))
      return malformed(g.text_of(v.name), "its properties lack one that the others imply");
  }
  for (value_id operand : g.operands)
    if (index_of(operand) >= g.values.size())
      return malformed("graph", "an operand does not exist");
  return {};
}

constexpr bool has_ranges_inside(const graph_view& g, const node& n) {
  const std::size_t pool = g.characters.size();
  return n.op < g.operations.size() && n.effects <= effect::external && inside(n.name, pool) &&
         inside(n.peer, pool) && inside(n.location.file, pool) &&
         inside(n.inputs, g.operands.size()) && inside(n.outputs, g.values.size()) &&
         inside(n.attributes, g.attributes.size()) && inside(n.costs, g.costs.size());
}

constexpr bool has_attribute_twice(const graph_view& g, const node& n) {
  const view<attribute> list = g.attributes_of(n);
  for (std::uint32_t a = 1; a < list.size(); ++a)
    for (std::uint32_t b = 0; b < a; ++b)
      if (g.text_of(list[a].name) == g.text_of(list[b].name)) return true;
  return false;
}

// Results are contiguous, owned by their node, and in the order of the nodes; a value without a
// producer is an input.
constexpr error check_nodes(const graph_view& g) {
  const auto wrong = [](std::uint32_t i, text_view message) {
    return malformed((text() << '@' << i).view(), message);
  };
  std::size_t produced = 0;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const node& n = g.nodes[i];
    if (!has_ranges_inside(g, n)) return wrong(i, "a reference of the node lies outside its table");
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      if (g.values[n.outputs.first + k].producer != static_cast<node_id>(i))
        return wrong(i, "a result of the node names another producer");
    if (n.outputs.count != 0 && n.outputs.first < next)
      return wrong(i, "its results come before those of an earlier node");
    if (n.outputs.count != 0) next = n.outputs.first + n.outputs.count;
    produced += n.outputs.count;
    if (has_attribute_twice(g, n)) return wrong(i, "the node has an attribute twice");
  }
  for (const value& v : g.values)
    if (v.producer == node_id::none) ++produced;
  if (produced != g.values.size())
    return malformed("graph", "a value is not among the results of its producer");
  return {};
}

constexpr error check_edges_and_outputs(const graph_view& g) {
  for (const edge& e : g.edges)
    if (index_of(e.from) >= g.nodes.size() || index_of(e.to) >= g.nodes.size() ||
        (e.kind != edge_kind::control && e.kind != edge_kind::mutate))
      return malformed("graph", "an edge names a node that does not exist, or is a data edge");
  for (const output& o : g.outputs) {
    if (!inside(o.name, g.characters.size()))
      return malformed("graph", "an output's name lies outside the text pool");
    if (index_of(o.source) >= g.values.size())
      return malformed(g.text_of(o.name), "the output's value does not exist");
  }
  return {};
}

constexpr error check_references(const graph_view& g) {
  if (error e = check_texts(g); e.code != errc::none) return e;
  if (error e = check_values(g); e.code != errc::none) return e;
  if (error e = check_nodes(g); e.code != errc::none) return e;
  return check_edges_and_outputs(g);
}

}  // namespace detail

/// Checks the references of a graph: ids and texts lie in their tables, results are contiguous,
/// owned by their node and in the order of the nodes, no node has an attribute twice, no polynomial
/// occurs twice, sets of properties are closed. Types may be unknown, names may repeat and cycles
/// may exist: users of incomplete graphs, such as the type solver, require no more. Errors:
/// `malformed_graph`. O(size of the graph); O(1) for a view that is sealed (see `validated`).
constexpr result<nothing> validate_references(const graph_view& g) {
  if (g.is_sealed()) return nothing{};
  if (error e = detail::check_references(g); e.code != errc::none) return e;
  return nothing{};
}

}  // namespace wf
