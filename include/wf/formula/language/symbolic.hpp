// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/formula/language/code.hpp>
#include <wf/formula/language/evaluate.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/formula/polynomial/polynomial.hpp>

namespace wf {

/// A lookup that maps every symbol to itself.
struct free_symbols {
  /// The symbol of this name as a polynomial; false if the name is invalid for a symbol.
  constexpr bool operator()(text_view name, polynomial& out) const {
    const symbol s = make_symbol(name);
    if (!s) return false;
    out = polynomial(s);
    return true;
  }
};

/// The canonical polynomial of a formula; `lookup(name, out)` gives each symbol's value, itself a
/// polynomial (a number, a symbol, or a product of dimensions). Evaluation is as for numbers,
/// except: `sum_over` with symbolic bounds becomes its closed form, valid for hi >= lo - 1; an
/// exact division becomes its quotient, valid where the divisor is not 0; rounding an
/// integer-valued polynomial has no effect. Errors as `evaluate`, and `not_polynomial` if the
/// result has no such form or a condition depends on a symbol.
template <symbol_lookup<polynomial> Lookup>
constexpr result<polynomial> evaluate_symbolic(const formula_view& source, const Lookup& lookup) {
  return detail::evaluate_as<polynomial>(source, lookup);
}

/// The canonical polynomial of a formula in its own symbols. Errors as with a lookup, except
/// `unknown_symbol`.
constexpr result<polynomial> evaluate_symbolic(const formula_view& source) {
  return evaluate_symbolic(source, free_symbols{});
}

/// Parses a polynomial in any form: "M**3 + 3*M**2", "(M + N)**2". Errors as `parse_formula` and
/// `evaluate_symbolic`.
constexpr result<polynomial> parse_polynomial(text_view source, text_position origin = {1, 1, 0}) {
  const result<formula> parsed = parse_formula(source, origin);
  if (!parsed) return parsed.error();
  return evaluate_symbolic(*parsed);
}

}  // namespace wf
