// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/formula/polynomial/polynomial.hpp>
#include <wf/formula/polynomial/sign.hpp>
#include <wf/ir/graph/graph.hpp>
#include <wf/rewrite/bind.hpp>
#include <wf/select/optimise.hpp>

namespace wf {

/// A range of sizes with one optimal plan.
struct plan_piece {
  /// The smallest size of the piece.
  std::int64_t low = 0;
  /// The largest size of the piece, inclusive.
  std::int64_t high = 0;
  /// `errc::none`, or `errc::infeasible`: no plan meets the limits at these sizes.
  errc failure = errc::none;
  /// The workflow to run, with the size still a symbol.
  graph chosen;
  /// The candidate of each class (see `number_classes`).
  table<std::uint32_t> candidates;
  /// True if the objective is a polynomial of the size on this piece.
  bool has_value = false;
  /// The objective as a polynomial of the size, if `has_value`.
  polynomial value;
};

/// The optimal plans of a workflow over a range of its one symbol. Every piece is proven optimal
/// for every size in it.
struct piecewise_plan {
  /// The range for which the plans were computed.
  symbol_domain range;
  /// The pieces, ascending; they partition the range, and adjacent pieces differ.
  table<plan_piece> pieces;
  /// The alternatives, common to all sizes.
  priced_choices from;
  /// Number of selection problems solved.
  std::uint32_t solved = 0;
  /// Number of sizes decided one by one.
  std::uint32_t single_sizes = 0;

  /// The piece of a size; null outside the range. O(log pieces).
  constexpr const plan_piece* plan_for(std::int64_t size) const {
    if (size < range.low || size > range.high || pieces.empty()) return nullptr;
    std::size_t first = 0, count = pieces.size();
    while (count > 1) {
      const std::size_t half = count / 2;
      if (pieces[first + half].low <= size)
        first += half, count -= half;
      else
        count = half;
    }
    return &pieces[first];
  }
  /// The plan of a size, with the size bound to the symbol. Errors: `bad_attribute` outside the
  /// range, `infeasible`, those of `bind_symbols`.
  constexpr result<graph> bound_for(std::int64_t size) const {
    const plan_piece* piece = plan_for(size);
    if (piece == nullptr)
      return make_error(
          errc::bad_attribute, to_text(range.name).view(),
          (text() << size << " is outside of the range [" << range.low << ", " << range.high << ']')
              .view());
    if (piece->failure != errc::none)
      return make_error(piece->failure, to_text(range.name).view(),
                        (text() << "no plan keeps the limits at " << size).view());
    const symbol_size bound{range.name, size};
    return bind_symbols(piece->chosen, view<symbol_size>(&bound, 1));
  }
};

}  // namespace wf
