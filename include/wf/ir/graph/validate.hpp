// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/character.hpp>
#include <wf/ir/graph/graph.hpp>
#include <wf/ir/graph/topology.hpp>

namespace wf {

/// True if `name` may name an input, an output or a node: a letter or underscore, then letters,
/// digits, underscores, dots and primes.
constexpr bool is_valid_name(text_view name) {
  if (name.empty() || !detail::is_letter(name[0])) return false;
  for (char c : name)
    if (!detail::is_letter(c) && !detail::is_digit(c) && c != '.' && c != '\'') return false;
  return true;
}

namespace detail {

constexpr error check_type(const graph_view& g, std::uint32_t i) {
  const value& v = g.values[i];
  const auto wrong = [i](errc code, text_view message) {
    return make_error(code, (text() << '%' << i).view(), message);
  };
  if (v.type.type == dtype::unknown)
    return wrong(errc::malformed_graph, "its element type is unknown");
  if (!v.type.shape.has_rank()) return wrong(errc::malformed_graph, "its rank is unknown");
  for (std::uint32_t d = 0; d < v.type.shape.rank; ++d)
    if (v.type.shape[d].is_unknown())
      return wrong(errc::malformed_graph, "one of its extents is undefined");
  if (v.producer == node_id::none && !is_valid_name(g.text_of(v.name)))
    return wrong(errc::invalid_name, "an input needs a name");
  return {};
}

}  // namespace detail

/// Checks the one invariant that a single append cannot see: input names are unique, and so are
/// output names. Errors: `duplicate_name`. O(names) expected.
constexpr result<nothing> validate_names(const graph_view& g) {
  text_view twice;
  table<text_ref> inputs, outputs;
  for (const value& v : g.values)
    if (v.producer == node_id::none) inputs.push_back(v.name);
  for (const output& o : g.outputs) outputs.push_back(o.name);
  if (detail::find_duplicate(g, inputs, twice))
    return make_error(errc::duplicate_name, twice, "two inputs have this name");
  if (detail::find_duplicate(g, outputs, twice))
    return make_error(errc::duplicate_name, twice, "two outputs have this name");
  return nothing{};
}

/// Checks every invariant of a graph: references in range, types complete, results contiguous and
/// owned by their node, input and output names valid and unique, no cycle. Returns the first
/// violation: `malformed_graph`, `invalid_name`, `duplicate_name` or `cyclic_graph`. It checks
/// sealed views too; see `validated`. O(size of the graph), O(E log V) if ids do not ascend.
constexpr result<nothing> validate(const graph_view& g) {
  if (error e = detail::check_references(g); e.code != errc::none) return e;
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (error e = detail::check_type(g, i); e.code != errc::none) return e;
  for (const output& o : g.outputs)
    if (!is_valid_name(g.text_of(o.name)))
      return make_error(errc::invalid_name, "graph", "an output needs a valid name");
  if (auto names = validate_names(g); !names) return names;
  if (auto order = detail::sorted_nodes(g); !order) return order.error();
  return nothing{};
}

/// Validates a graph and seals its view: users of the sealed view take its validity for granted.
/// Every function that takes a graph and returns a `result` begins with this call, so a chain of
/// passes validates once. Errors and complexity: those of `validate`; O(1) for a view that is
/// sealed.
constexpr result<graph_view> validated(const graph_view& g) {
  if (g.is_sealed()) return g;
  if (auto valid = validate(g); !valid) return valid.error();
  return g.sealed();
}
/// The same for a graph, which stays marked as valid until it changes: `validated(std::move(g))`.
constexpr result<graph> validated(graph&& g) {
  if (auto valid = validated(g.view()); !valid) return valid.error();
  g.mark_valid();
  return static_cast<graph&&>(g);
}

namespace detail {

/// Marks a graph as valid without a check, after a pass that preserves validity; tests check the
/// claim.
constexpr graph made_valid(graph g) {
  g.mark_valid();
  return g;
}

/// Marks a graph that was read or built as valid if it is. Errors: those of `g`.
constexpr result<graph> with_validity(result<graph> g) {
  if (g && validated((*g).view())) (*g).mark_valid();
  return g;
}

}  // namespace detail

}  // namespace wf
