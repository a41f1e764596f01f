// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/topology.hpp>

namespace wf {

/// True if `name` may name an input, an output or a node: a letter or underscore, then letters,
/// digits, underscores, dots and primes.
constexpr bool is_valid_name(text_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.empty() || !letter(name[0])) return false;
  for (char c : name)
    if (!letter(c) && !(c >= '0' && c <= '9') && c != '.' && c != '\'') return false;
  return true;
}

namespace detail {

constexpr bool inside(range r, std::size_t size) {
  return r.first <= size && r.count <= size - r.first;
}

/// The first pair of equal names: by hash buckets, O(names) expected.
template <class NameOf>
constexpr bool find_duplicate(std::size_t count, NameOf name_of_index, text_view& duplicate) {
  std::size_t capacity = 8;
  while (capacity < 2 * count) capacity *= 2;
  table<std::uint32_t> slots(capacity);
  for (std::uint32_t i = 0; i < count; ++i) {
    const text_view name = name_of_index(i);
    if (name.empty()) continue;
    std::size_t at = hash_text(name) & (capacity - 1);
    for (; slots[at] != 0; at = (at + 1) & (capacity - 1)) {
      if (name_of_index(slots[at] - 1) != name) continue;
      duplicate = name;
      return true;
    }
    slots[at] = i + 1;
  }
  return false;
}

constexpr error malformed(text_view subject, text_view message) {
  return make_error(errc::malformed_graph, subject, message);
}

/// True if an extent has a meaning in a graph: a size, a symbol with a name, or a derived extent
/// that exists.
constexpr bool is_defined(const graph_view& g, extent e) {
  if (e.is_derived()) return e.index() < g.derived.size();
  if (!e.is_symbol()) return e.is_fixed();
  std::uint64_t rest = e.name().packed;
  if ((rest & 63) >= 54) return false;  // a digit comes first
  for (; rest != 0; rest >>= 6)
    if ((rest & 63) == 0) return false;
  return e.name().packed != 0;
}

constexpr error check_references(const graph_view& g) {
  const std::size_t pool = g.characters.size();
  if (!inside(g.name, pool)) return malformed("graph", "its name lies outside the text pool");
  for (const operation& o : g.operations) {
    if (!inside(o.name, pool) || !inside(o.domain, pool) || o.name.count == 0)
      return malformed("graph", "an operator's name lies outside the text pool");
    if (o.hash != hash_text(g.text_of(o.name)))
      return malformed(g.text_of(o.name), "the operator's hash is not that of its name");
  }
  for (const attribute& a : g.attributes) {
    if (!inside(a.name, pool) || !inside(a.characters, pool) || a.denominator <= 0)
      return malformed("graph", "an attribute is out of range");
    extent e;
    e.code = a.number;
    if (a.kind == attribute_kind::extent && !e.is_unknown() && !is_defined(g, e))
      return malformed(g.text_of(a.name), "the extent of the attribute is undefined");
  }
  for (const declared_cost& c : g.costs)
    if (!inside(c.metric, pool) || !inside(c.formula, pool))
      return malformed("graph", "a declared cost lies outside the text pool");
  for (text_ref d : g.derived)
    if (!inside(d, pool)) return malformed("graph", "a derived extent lies outside the text pool");
  for (const value& v : g.values) {
    if (!inside(v.name, pool))
      return malformed("graph", "a value's name lies outside the text pool");
    if (v.producer != node_id::none && index_of(v.producer) >= g.nodes.size())
      return malformed(g.text_of(v.name), "a value's producer does not exist");
  }
  for (value_id operand : g.operands)
    if (index_of(operand) >= g.values.size())
      return malformed("graph", "an operand does not exist");
  return {};
}

constexpr error check_value(const graph_view& g, std::uint32_t i) {
  const value& v = g.values[i];
  const text label = text() << '%' << i;
  if (v.type.type == dtype::unknown) return malformed(label.view(), "its element type is unknown");
  const shape& s = v.type.shape;
  if (!s.has_rank() || s.rank > max_rank) return malformed(label.view(), "its rank is unknown");
  for (std::uint32_t d = 0; d < s.rank; ++d)
    if (!is_defined(g, s[d])) return malformed(label.view(), "one of its extents is undefined");
  if (v.type.known.bits > all_property_bits || close_properties(v.type.known.bits) != v.type.known)
    return malformed(label.view(), "its properties lack one that the others imply");
  if (v.producer == node_id::none && !is_valid_name(g.text_of(v.name)))
    return make_error(errc::invalid_name, label.view(), "an input needs a name");
  return {};
}

constexpr error check_nodes(const graph_view& g) {
  std::size_t produced = 0;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const node& n = g.nodes[i];
    const std::size_t pool = g.characters.size();
    const text number = text() << '@' << i;
    if (n.op >= g.operations.size() || !inside(n.name, pool) || !inside(n.peer, pool) ||
        !inside(n.source.file, pool) || !inside(n.inputs, g.operands.size()) ||
        !inside(n.outputs, g.values.size()) || !inside(n.attributes, g.attributes.size()) ||
        !inside(n.costs, g.costs.size()))
      return malformed(number.view(), "a reference of the node lies outside its table");
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      if (g.values[n.outputs.first + k].producer != static_cast<node_id>(i))
        return malformed(number.view(), "a result of the node names another producer");
    produced += n.outputs.count;
    for (std::uint32_t a = 1; a < n.attributes.count; ++a)
      for (std::uint32_t b = 0; b < a; ++b)
        if (g.text_of(g.attributes_of(n)[a].name) == g.text_of(g.attributes_of(n)[b].name))
          return malformed(number.view(), "the node has an attribute twice");
  }
  for (const value& v : g.values)
    if (v.producer == node_id::none) ++produced;
  if (produced != g.values.size())
    return malformed("graph", "a value is not among the results of its producer");
  return {};
}

}  // namespace detail

/// Checks the one invariant that appending cannot break unnoticed by its own caller: input names
/// are unique, and so are output names. Errors: `duplicate_name`. O(names) expected.
constexpr result<nothing> validate_names(const graph_view& g) {
  text_view twice;
  if (detail::find_duplicate(
          g.values.size(),
          [&](std::uint32_t i) {
            return g.values[i].producer == node_id::none ? g.text_of(g.values[i].name)
                                                         : text_view{};
          },
          twice))
    return make_error(errc::duplicate_name, twice, "two inputs have this name");
  if (detail::find_duplicate(
          g.outputs.size(), [&](std::uint32_t i) { return g.text_of(g.outputs[i].name); }, twice))
    return make_error(errc::duplicate_name, twice, "two outputs have this name");
  return nothing{};
}

/// Checks every invariant of a graph: references in range, types complete, results contiguous and
/// owned, input and output names valid and unique, no cycle. Returns the first violation as a typed
/// error. O(size of the graph), O(E log V) if ids do not ascend.
constexpr result<nothing> validate(const graph_view& g) {
  using detail::malformed;
  if (error e = detail::check_references(g); e.code != errc::none) return e;
  if (error e = detail::check_nodes(g); e.code != errc::none) return e;
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (error e = detail::check_value(g, i); e.code != errc::none) return e;
  for (const edge& e : g.edges)
    if (index_of(e.from) >= g.nodes.size() || index_of(e.to) >= g.nodes.size() ||
        e.kind == edge_kind::data)
      return malformed("graph", "an edge names a node that does not exist, or is a data edge");
  for (const output& o : g.outputs) {
    if (!detail::inside(o.name, g.characters.size()) || !is_valid_name(g.text_of(o.name)))
      return make_error(errc::invalid_name, "graph", "an output needs a valid name");
    if (index_of(o.source) >= g.values.size())
      return malformed(g.text_of(o.name), "the output's value does not exist");
  }
  if (auto names = validate_names(g); !names) return names;
  if (auto order = topological_order(g); !order) return order.error();
  return nothing{};
}

}  // namespace wf
