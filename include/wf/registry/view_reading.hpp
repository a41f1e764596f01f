// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/ir/type/shape.hpp>

namespace wf {

struct rule_input;

/// Access pattern by which one result of a view reads its operand, the first operand of the node.
struct view_reading {
  /// Kinds of access pattern.
  enum class way : std::uint8_t {
    copied,  ///< any other pattern: a consumer must copy the elements
    flat,    ///< the same elements in the same row-major order, possibly in another shape
    walked,  ///< each dimension of the result walks along dimensions of the operand
  };
  /// Marks a dimension of the operand along which no dimension of the result walks.
  static constexpr std::uint8_t none = 0xff;

  /// The kind of this pattern; `walker` and `start` matter for `walked` only.
  way how = way::copied;
  /// For `walked`, by dimension of the operand: the dimension of the result that walks along it;
  /// `none` if the index stays at `start`. A dimension of the result that walks along no dimension
  /// repeats the elements; one that walks along two reads a diagonal.
  std::uint8_t walker[max_rank] = {none, none, none, none, none, none, none, none};
  /// For `walked`, by dimension of the operand: the start index, in elements.
  std::int64_t start[max_rank] = {};

  /// The pattern `flat`: the same elements in the same row-major order.
  static constexpr view_reading flat() {
    view_reading out;
    out.how = way::flat;
    return out;
  }
  /// The pattern `walked` in which dimension i of the result walks along dimension i of the
  /// operand.
  static constexpr view_reading straight(std::uint32_t rank) {
    view_reading out;
    out.how = way::walked;
    for (std::uint32_t p = 0; p < rank && p < max_rank; ++p)
      out.walker[p] = static_cast<std::uint8_t>(p);
    return out;
  }
};

/// Computes the access pattern by which result number `result` of a view reads the first operand.
/// Shapes are static, as the registry inferred them.
using view_rule = view_reading (*)(const rule_input&, std::uint32_t result);

/// The `view_rule` of operators such as `reshape`: the only result has the elements of the operand
/// in row-major order.
constexpr view_reading read_flat(const rule_input&, std::uint32_t) { return view_reading::flat(); }

}  // namespace wf
