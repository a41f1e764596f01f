// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <wf/core/text/view.hpp>

namespace wf {

/// An equation of tensors such as "ij,jk->ik": one ASCII letter per dimension of each operand and
/// of the result. A view of its text, which must outlive it.
///
/// Any text can be viewed: operands end at the first '-', and letters are not checked. Build it
/// with braces: an aggregate is not tried as the target of the conversions of `text_view`.
struct einsum_equation {
  text_view written;                      ///< the whole equation
  std::size_t arrow = written.find('-');  ///< where the operands end

  /// True if the operands are followed by "->"; else there is no result.
  constexpr bool has_result() const { return written.part(arrow).starts_with("->"); }
  /// Number of operands; at least 1. O(size).
  constexpr std::size_t operands() const {
    std::size_t count = 1;
    for (std::size_t i = 0; i < arrow; ++i) count += written[i] == ',' ? 1 : 0;
    return count;
  }
  /// The letters of operand `number`; none beyond the last operand. O(size).
  constexpr text_view operand(std::size_t number) const {
    std::size_t first = 0;
    for (; number > 0 && first <= arrow; --number) first = written.find(',', first) + 1;
    if (first > arrow) return {};
    const std::size_t comma = written.find(',', first);
    return written.part(first, (comma < arrow ? comma : arrow) - first);
  }
  /// The letters of the result.
  constexpr text_view result() const {
    return has_result() ? written.part(arrow + 2) : text_view();
  }
  /// True if the result has a dimension of this letter. O(letters).
  constexpr bool keeps(char letter) const { return result().find(letter) < result().size(); }
};

}  // namespace wf
