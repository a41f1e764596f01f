// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/language/evaluate.hpp>

namespace wf {

/// The value of a formula, exact or enclosed by bounds: `5*N*log2(N)` at N = 100. Evaluation is
/// that of `evaluate`; fractions stay exact, and only values that are no fractions of 128-bit
/// integers are enclosed. `lookup(name, out)` gives the values of symbols.
///
/// Errors: those of `evaluate`, but `overflow` only for exponents of more than six digits, and
/// `no_exact_value` only without a real value; `undecided` (with the position) if a comparison, a
/// condition or a rounding needs narrower bounds.
template <symbol_lookup<enclosure> Lookup>
constexpr result<enclosure> enclose(const formula_view& source, const Lookup& lookup) {
  return detail::evaluate_as<enclosure>(source, lookup);
}

/// The value of a formula, exact or enclosed by bounds, for a list of bindings. Errors as with a
/// lookup.
constexpr result<enclosure> enclose(const formula_view& source, view<binding> bindings = {}) {
  return enclose(source, binding_lookup(bindings));
}

/// True if the value of a formula is not 0, as guards and limits test it. Values that are no
/// fractions are compared by their bounds. Errors as `evaluate`, and `undecided` if the bounds do
/// not decide.
template <class Lookup>
  requires symbol_lookup<Lookup, rational> && symbol_lookup<Lookup, enclosure>
constexpr result<bool> holds(const formula_view& source, const Lookup& lookup) {
  const result<rational> exact = evaluate(source, lookup);
  if (exact) return exact->numerator != 0;
  if (exact.error().code != errc::no_exact_value) return exact.error();
  const result<enclosure> within = enclose(source, lookup);
  if (!within) return within.error();
  int sign = 0;
  if (const errc code = detail::sign_of(*within, sign); code != errc::none)
    return make_error(code, "", (text() << to_text(*within).view() << " may be 0").view());
  return sign != 0;
}

/// True if the value of a formula is not 0, given a list of bindings. Errors as with a lookup.
constexpr result<bool> holds(const formula_view& source, view<binding> bindings = {}) {
  return holds(source, binding_lookup(bindings));
}

}  // namespace wf
