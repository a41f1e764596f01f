// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/ir/graph/references.hpp>

namespace wf {

namespace detail {

/// Compares the contents of two graphs.
class graph_comparison {
 public:
  constexpr graph_comparison(const graph_view& a, const graph_view& b) : a_(a), b_(b) {}

  constexpr bool same() const {
    if (a_.nodes.size() != b_.nodes.size() || a_.values.size() != b_.values.size() ||
        a_.outputs.size() != b_.outputs.size() || a_.edges.size() != b_.edges.size() ||
        !same(a_.name, b_.name))
      return false;
    for (std::size_t i = 0; i < a_.values.size(); ++i)
      if (!same(a_.values[i], b_.values[i])) return false;
    for (std::size_t i = 0; i < a_.nodes.size(); ++i)
      if (!same(a_.nodes[i], b_.nodes[i])) return false;
    for (std::size_t i = 0; i < a_.edges.size(); ++i)
      if (a_.edges[i] != b_.edges[i]) return false;
    for (std::size_t i = 0; i < a_.outputs.size(); ++i)
      if (a_.outputs[i].source != b_.outputs[i].source ||
          !same(a_.outputs[i].name, b_.outputs[i].name))
        return false;
    return true;
  }

  constexpr bool same(text_ref a, text_ref b) const {
    return a.count == b.count && a_.text_of(a) == b_.text_of(b);
  }
  constexpr bool same(extent a, extent b) const {
    if (!a.is_derived() || !b.is_derived()) return a == b;
    return same(a_.derived[a.index()], b_.derived[b.index()]);
  }
  constexpr bool same(const value& a, const value& b) const {
    return a.producer == b.producer && same(a.type, b.type) && same(a.name, b.name);
  }
  constexpr bool same(const value_type& a, const value_type& b) const {
    return a.known == b.known && same_but_properties(a, b);
  }
  constexpr bool same_but_properties(const value_type& a, const value_type& b) const {
    const shape &s = a.shape, &t = b.shape;
    if (a.type != b.type || s.rank != t.rank) return false;
    for (std::uint32_t d = 0; s.has_rank() && d < s.rank; ++d)
      if (!same(s[d], t[d])) return false;
    return true;
  }
  constexpr bool same(const attribute& a, const attribute& b) const {
    if (a.kind != b.kind || !same(a.name, b.name)) return false;
    switch (a.kind) {
      case attribute_kind::integer:
        return a.number == b.number;
      case attribute_kind::rational:
        return a.number == b.number && a.denominator == b.denominator;
      case attribute_kind::real:
        return std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real);
      case attribute_kind::string:
        return same(a.characters, b.characters);
      case attribute_kind::extent:
        break;
    }
    extent e, f;
    e.code = a.number;
    f.code = b.number;
    return same(e, f);
  }
  constexpr bool same(const operation& a, const operation& b) const {
    return a.hash == b.hash && same(a.name, b.name) && same(a.domain, b.domain);
  }
  constexpr bool same(const source_location_ref& a, const source_location_ref& b) const {
    return a.line == b.line && a.column == b.column && same(a.file, b.file);
  }
  constexpr bool same(const node& a, const node& b) const {
    if (a.effects != b.effects || a.inputs.count != b.inputs.count ||
        a.outputs.count != b.outputs.count || a.attributes.count != b.attributes.count ||
        (a.outputs.count != 0 && a.outputs.first != b.outputs.first))
      return false;
    if (!same(a_.operations[a.op], b_.operations[b.op]) || !same(a.name, b.name) ||
        !same(a.peer, b.peer) || !same(a.location, b.location))
      return false;
    for (std::uint32_t k = 0; k < a.inputs.count; ++k)
      if (a_.inputs_of(a)[k] != b_.inputs_of(b)[k]) return false;
    for (std::uint32_t k = 0; k < a.attributes.count; ++k)
      if (!same(a_.attributes_of(a)[k], b_.attributes_of(b)[k])) return false;
    return same(a_.costs_of(a), b_.costs_of(b));
  }
  constexpr bool same(view<declared_cost> a, view<declared_cost> b) const {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (!same(a[k], b[k])) return false;
    return true;
  }
  constexpr bool same(const declared_cost& a, const declared_cost& b) const {
    return same(a.metric, b.metric) && same(a.formula, b.formula);
  }

 private:
  const graph_view& a_;
  const graph_view& b_;
};

/// True if two nodes of a graph have equal attributes in any order. O(product of their numbers).
constexpr bool same_attributes(const graph_view& g, const node& a, const node& b) {
  if (a.attributes.count != b.attributes.count) return false;
  const graph_comparison comparison(g, g);
  for (const attribute& x : g.attributes_of(a)) {
    bool found = false;
    for (const attribute& y : g.attributes_of(b)) found = found || comparison.same(x, y);
    if (!found) return false;
  }
  return true;
}

/// True if two nodes of a graph declare equal costs in any order. O(product of their numbers).
constexpr bool same_costs(const graph_view& g, const node& a, const node& b) {
  if (a.costs.count != b.costs.count) return false;
  const graph_comparison comparison(g, g);
  const auto count = [&](const node& n, const declared_cost& wanted) {
    std::size_t found = 0;
    for (const declared_cost& c : g.costs_of(n)) found += comparison.same(c, wanted) ? 1 : 0;
    return found;
  };
  for (const declared_cost& c : g.costs_of(a))
    if (count(a, c) != count(b, c)) return false;
  return true;
}

/// True if two pure nodes of a graph are equal up to their operands: operator, class of peers,
/// number of operands, result types (known properties aside), and attributes and declared costs in
/// any order. Names and source locations do not count.
constexpr bool same_computation(const graph_view& g, const node& a, const node& b) {
  if (a.effects != effect::pure || b.effects != effect::pure || a.inputs.count != b.inputs.count ||
      a.outputs.count != b.outputs.count)
    return false;
  const graph_comparison comparison(g, g);
  if ((a.op != b.op && !comparison.same(g.operations[a.op], g.operations[b.op])) ||
      !comparison.same(a.peer, b.peer))
    return false;
  for (std::uint32_t k = 0; k < a.outputs.count; ++k) {
    const value_type& s = g.values[a.outputs.first + k].type;
    const value_type& t = g.values[b.outputs.first + k].type;
    if (s.type != t.type || !(s.shape == t.shape)) return false;
  }
  return same_attributes(g, a, b) && same_costs(g, a, b);
}

}  // namespace detail

/// True if two graphs have the same content: the same nodes, values, edges and outputs under the
/// same ids, in the same order, with equal text, numbers (reals by their bits) and source
/// locations. The layout of the text pools, the order of the operator tables, and unused table
/// entries do not count. False if `validate_references` refuses one of the graphs. O(size).
constexpr bool same(const graph_view& a, const graph_view& b) {
  return validate_references(a) && validate_references(b) && detail::graph_comparison(a, b).same();
}

}  // namespace wf
