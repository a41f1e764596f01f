// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <wf/core/text/view.hpp>

namespace wf {

/// An equation of tensors such as "ij,jk->ik": one ASCII letter per dimension of each operand and
/// of the result. A view of its text, which must outlive it.
class einsum_equation {
 public:
  /// Any text can be viewed: operands end at the first '-', and letters are not checked. O(size).
  constexpr explicit einsum_equation(text_view written)
      : written_(written), arrow_(written.find('-')) {}

  /// True if the operands are followed by "->"; else there is no result.
  constexpr bool has_result() const { return written_.part(arrow_).starts_with("->"); }
  /// Number of operands; at least 1. O(size).
  constexpr std::size_t operands() const {
    std::size_t count = 1;
    for (std::size_t i = 0; i < arrow_; ++i) count += written_[i] == ',' ? 1 : 0;
    return count;
  }
  /// The letters of operand `number`; none beyond the last operand. O(size).
  constexpr text_view operand(std::size_t number) const {
    std::size_t first = 0;
    for (; number > 0 && first <= arrow_; --number) first = written_.find(',', first) + 1;
    if (first > arrow_) return {};
    const std::size_t comma = written_.find(',', first);
    return written_.part(first, (comma < arrow_ ? comma : arrow_) - first);
  }
  /// The letters of the result.
  constexpr text_view result() const {
    return has_result() ? written_.part(arrow_ + 2) : text_view();
  }
  /// True if the result has a dimension of this letter. O(letters).
  constexpr bool keeps(char letter) const { return result().find(letter) < result().size(); }

 private:
  text_view written_;
  std::size_t arrow_;
};

}  // namespace wf
