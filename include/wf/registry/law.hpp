// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <limits>

#include <wf/core/text/view.hpp>

namespace wf {

/// Algebraic laws of an operator `f`, for passes and transforms that rewrite graphs. They hold in
/// exact arithmetic on real (complex, boolean) elements; rounding may break them in the last digit,
/// so bitwise reproducible results allow commutativity alone. `a`, `b`, `c` are operands of
/// matching shapes.
struct law_set {
  bool commutative = false;  ///< f(a, b) = f(b, a)
  bool associative = false;  ///< f(f(a, b), c) = f(a, f(b, c))
  bool idempotent = false;   ///< f(f(a)) = f(a) for one operand; f(a, a) = a for two
  bool selective = false;    ///< f(a, b) is a or b
  bool involution = false;   ///< f(f(a)) = a
  /// Linear in each operand, with the others fixed: f(x a + y b) = x f(a) + y f(b).
  bool linear = false;
  /// Results are exact for floating-point and complex elements, too: elements move, one of several
  /// is selected, or a sign changes. Idempotence, involution and inverse then hold bit for bit.
  bool never_rounds = false;
  /// Each element of the result depends only on the elements at the same (broadcast) position.
  bool elementwise = false;
  /// If a <= b elementwise, then f(a) <= f(b) elementwise; with several operands, in each of them.
  bool monotone = false;
  /// The number e with f(a, e) = f(e, a) = a for every a; NaN if there is none.
  double neutral = std::numeric_limits<double>::quiet_NaN();
  /// Operators g, separated by spaces, with f(a, g(b, c)) = g(f(a, b), f(a, c)) and the mirror
  /// image f(g(a, b), c) = g(f(a, c), f(b, c)).
  text_view distributes_over = {};
  /// The operator g with g(f(a)) = a wherever f(a) is defined.
  text_view inverse = {};

  /// True if `neutral` is stated.
  constexpr bool has_neutral() const { return neutral == neutral; }
  /// True if `name` is one of the operators in `distributes_over`. O(size).
  constexpr bool distributes(text_view name) const {
    text_view rest = distributes_over;
    while (!rest.empty()) {
      const std::size_t end = rest.find(' ');
      if (rest.part(0, end) == name) return true;
      rest = rest.part(end + 1);
    }
    return false;
  }
};

/// The union of two stated sets of laws of one operator; the first text wins.
constexpr law_set joined(const law_set& a, const law_set& b) {
  return {.commutative = a.commutative || b.commutative,
          .associative = a.associative || b.associative,
          .idempotent = a.idempotent || b.idempotent,
          .selective = a.selective || b.selective,
          .involution = a.involution || b.involution,
          .linear = a.linear || b.linear,
          .never_rounds = a.never_rounds || b.never_rounds,
          .elementwise = a.elementwise || b.elementwise,
          .monotone = a.monotone || b.monotone,
          .neutral = a.has_neutral() ? a.neutral : b.neutral,
          .distributes_over = a.distributes_over.empty() ? b.distributes_over : a.distributes_over,
          .inverse = a.inverse.empty() ? b.inverse : a.inverse};
}

}  // namespace wf
