// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/registry/infer.hpp>

namespace wf {

namespace detail {

constexpr error find_misfit(const graph_view& g, node_id id, const kernel_spec& k,
                            const signature& s, view<value_type> operands,
                            view<attribute_value> attributes) {
  const node& n = g[id];
  const auto inferred = infer(k, s, {operands, attributes, &g});
  if (!inferred)
    return make_error(inferred.error().code, g.label(id).view(), inferred.error().message.view());
  bool same_shape = inferred->count == n.outputs.count, same_type = true;
  for (std::uint32_t i = 0; same_shape && i < n.outputs.count; ++i) {
    const value_type &wanted = inferred->results[i], &is = g.values[n.outputs.first + i].type;
    same_shape = !wanted.shape.has_rank() || wanted.shape.rank == is.shape.rank;
    for (std::uint32_t d = 0; same_shape && wanted.shape.has_rank() && d < is.shape.rank; ++d)
      same_shape =
          !wanted.shape[d].is_fixed() || !is.shape[d].is_fixed() || wanted.shape[d] == is.shape[d];
    same_type = same_type && (wanted.type == dtype::unknown || wanted.type == is.type);
  }
  if (!same_shape)
    return make_error(errc::shape_mismatch, g.label(id).view(),
                      "its result has another shape than its operands give");
  if (!same_type)
    return make_error(errc::dtype_mismatch, g.label(id).view(),
                      "its result has another element type than its operands give");
  return {};
}

}  // namespace detail

/// Checks a node of a graph, whose references must be in range, against the kernel of its operator
/// with the parsed signature `s`. `validate` knows no operators, so passes that rewrite or compute
/// by meaning call this first. Extents that are not fixed fit any extent. Returns an error with
/// code `none` if the node fits, else one that names the node: the errors of `infer`;
/// `shape_mismatch` or `dtype_mismatch` for results other than the kernel gives on these operands.
/// O(size of the node).
constexpr error find_misfit(const graph_view& g, node_id id, const kernel_spec& k,
                            const signature& s) {
  const node& n = g[id];
  table<value_type> operands;
  operands.reserve(n.inputs.count);
  for (value_id operand : g.inputs_of(n)) operands.push_back(g[operand].type);
  return detail::find_misfit(g, id, k, s, operands, attribute_values(g, n));
}

/// The same, parsing the signature first. Errors: also `bad_signature`.
constexpr error find_misfit(const graph_view& g, node_id id, const kernel_spec& k) {
  const auto s = parse_signature(k.signature);
  if (!s) return s.error();
  return find_misfit(g, id, k, *s);
}

}  // namespace wf
