// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/validate.hpp>

namespace wf {

/// The value of a symbol, for `bind_symbols`.
struct symbol_size {
  /// The symbol to replace.
  symbol name;
  /// Its value in every shape: a number of elements, at least 0.
  std::int64_t size = 0;
};

/// Replaces symbols by sizes wherever they occur: in shapes, derived extents and extent attributes.
/// Other symbols stay. Errors: those of `validate`, `bad_attribute` for a negative size,
/// `shape_mismatch` where an extent would become negative or fractional, `overflow`. O(size of the
/// graph).
constexpr result<graph> bind_symbols(const graph_view& workflow, view<symbol_size> sizes) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  symbol_map symbols;
  for (const symbol_size& s : sizes) {
    if (s.size < 0)
      return make_error(errc::bad_attribute, to_text(s.name).view(), "a size is not negative");
    symbols.bind(s.name, extent(s.size));
  }
  const auto order = topological_order(g);
  if (!order) return order.error();
  return detail::copy_nodes(g, *order, symbols, duplicates::merge);
}

}  // namespace wf
