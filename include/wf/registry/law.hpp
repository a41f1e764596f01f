// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/view.hpp>

namespace wf {

/// Equations that an operator satisfies, for passes and transforms that rewrite graphs. They hold
/// in exact arithmetic on real (complex, boolean) elements; rounding may break them in the last
/// digit, so who must reproduce results bit for bit uses commutativity alone. `f` is the operator;
/// `a`, `b`, `c` are operands whose shapes fit.
struct law_set {
  bool commutative = false;  ///< f(a, b) = f(b, a)
  bool associative = false;  ///< f(f(a, b), c) = f(a, f(b, c))
  bool idempotent = false;   ///< of one operand f(f(a)) = f(a); of two f(a, a) = a
  bool involution = false;   ///< applied to its own results it gives the operands: f(f(a)) = a
  /// Linear in each operand, the others held: f(x a + y b) = x f(a) + y f(b).
  bool linear = false;
  /// Of floating-point and complex elements, too, each result is computed without rounding:
  /// elements move, one of several is chosen, or a sign changes. Then idempotence, involution and
  /// inverse hold bit for bit.
  bool never_rounds = false;
  /// An element of the result depends only on the elements at the same (broadcast) place.
  bool elementwise = false;
  /// Where no element of a is larger than that of b, no element of f(a) is larger than that of
  /// f(b); of several operands in each.
  bool monotone = false;
  /// Operators g, separated by spaces, with f(a, g(b, c)) = g(f(a, b), f(a, c)) and the mirror
  /// image f(g(a, b), c) = g(f(a, c), f(b, c)).
  text_view distributes_over = {};
  /// The operator g with g(f(a)) = a wherever f(a) is defined.
  text_view inverse = {};

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

/// The laws of an operator of which both sets are stated; where both state a text, the first.
constexpr law_set joined(const law_set& a, const law_set& b) {
  return {.commutative = a.commutative || b.commutative,
          .associative = a.associative || b.associative,
          .idempotent = a.idempotent || b.idempotent,
          .involution = a.involution || b.involution,
          .linear = a.linear || b.linear,
          .never_rounds = a.never_rounds || b.never_rounds,
          .elementwise = a.elementwise || b.elementwise,
          .monotone = a.monotone || b.monotone,
          .distributes_over = a.distributes_over.empty() ? b.distributes_over : a.distributes_over,
          .inverse = a.inverse.empty() ? b.inverse : a.inverse};
}

}  // namespace wf
