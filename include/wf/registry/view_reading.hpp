// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/ir/type/shape.hpp>

namespace wf {

struct rule_input;

/// How a result of a view reads the operand that it is a view of, which is the node's first one.
struct view_reading {
  /// The ways to read.
  enum class way : std::uint8_t {
    copied,  ///< as nothing below says: who needs it must copy it
    flat,    ///< the same elements in the same row-major order, perhaps in another shape
    walked,  ///< each dimension of the result walks along dimensions of the operand
  };
  /// No dimension.
  static constexpr std::uint8_t none = 0xff;

  /// How it reads.
  way how = way::copied;
  /// Walked, by dimension of the operand: the dimension of the result that walks along it, `none`
  /// if it stays where it starts. A dimension of the result that walks along none repeats what is
  /// there; one that walks along two reads a diagonal.
  std::uint8_t walker[max_rank] = {none, none, none, none, none, none, none, none};
  /// Walked, by dimension of the operand: the position that the reading starts from.
  std::int64_t start[max_rank] = {};

  /// The same elements in the same row-major order.
  static constexpr view_reading flat() {
    view_reading out;
    out.how = way::flat;
    return out;
  }
  /// Every dimension of the result walks along that of the operand of the same number.
  static constexpr view_reading straight(std::uint32_t rank) {
    view_reading out;
    out.how = way::walked;
    for (std::uint32_t p = 0; p < rank && p < max_rank; ++p)
      out.walker[p] = static_cast<std::uint8_t>(p);
    return out;
  }
};

/// Tells how result number `result` of a view reads the first operand; shapes are static, and those
/// that the registry inferred.
using view_rule = view_reading (*)(const rule_input&, std::uint32_t result);

/// The reading of a view whose only result has the elements of its operand in their order: the rule
/// of operators such as `reshape`.
constexpr view_reading read_flat(const rule_input&, std::uint32_t) { return view_reading::flat(); }

}  // namespace wf
