// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/tensor_program.hpp>

namespace wf::logic::detail {

/// Adds nodes to the scalar expressions of a program. Each function returns the new node.
class scalar_writer {
 public:
  /// The program must outlive the writer.
  constexpr explicit scalar_writer(tensor_program& p) : scalars_(p.scalars) {}

  constexpr std::uint32_t scalar(const scalar_node& n) const {
    scalars_.push_back(n);
    return static_cast<std::uint32_t>(scalars_.size() - 1);
  }
  constexpr std::uint32_t number(double value) const {
    scalar_node n;
    n.number = value;
    return scalar(n);
  }
  /// A node of a kind with a number: a variable, join or lookup.
  constexpr std::uint32_t leaf(scalar_kind kind, std::uint32_t index) const {
    scalar_node n;
    n.kind = kind;
    n.index = index;
    return scalar(n);
  }
  /// A node of a kind with operands.
  constexpr std::uint32_t combine(scalar_kind kind, std::uint32_t left, std::uint32_t right = none,
                                  std::uint32_t other = none) const {
    scalar_node n;
    n.kind = kind;
    n.left = left;
    n.right = right;
    n.other = other;
    return scalar(n);
  }
  /// The same, or a simpler node of the same value where an operand is 0 or 1: products with 0 are
  /// 0, and so are quotients of 0.
  constexpr std::uint32_t simplified(scalar_kind kind, std::uint32_t a, std::uint32_t b = none,
                                     std::uint32_t c = none) const {
    const bool product = kind == scalar_kind::product, sum = kind == scalar_kind::sum;
    if ((product || kind == scalar_kind::quotient || kind == scalar_kind::negation) && is(a, 0))
      return a;
    if ((product && is(b, 0)) || (product && is(a, 1)) || (sum && is(a, 0))) return b;
    if ((product && is(b, 1)) || ((sum || kind == scalar_kind::difference) && is(b, 0))) return a;
    if (kind == scalar_kind::choice && is(b, 0) && is(c, 0)) return b;
    return combine(kind, a, b, c);
  }
  /// True for a node that is this number.
  constexpr bool is(std::uint32_t node, double number) const {
    return scalars_[node].kind == scalar_kind::number && scalars_[node].number == number;
  }

 private:
  table<scalar_node>& scalars_;
};

}  // namespace wf::logic::detail
