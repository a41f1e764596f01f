// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/formula/number/rational.hpp>
#include <wf/formula/polynomial/polynomial.hpp>
#include <wf/formula/polynomial/sign.hpp>

namespace wf {

/// Relation of one polynomial to another over a whole domain of integer points.
enum class ordering : std::uint8_t {
  less,           ///< smaller at every point
  less_equal,     ///< never larger; smaller somewhere and equal somewhere
  equal,          ///< equal at every point
  greater_equal,  ///< never smaller; larger somewhere and equal somewhere
  greater,        ///< larger at every point
  mixed,          ///< smaller somewhere and larger somewhere
  unknown,        ///< not decided within the budget, or numbers do not fit 128 bits
};

/// The name of an ordering, such as "less_equal".
constexpr text_view to_text(ordering o) {
  constexpr text_view names[] = {"less",    "less_equal", "equal",  "greater_equal",
                                 "greater", "mixed",      "unknown"};
  return names[static_cast<std::size_t>(o)];
}

/// The default number of boxes that `compare` may examine: enough for costs of two or three sizes,
/// small enough for constant evaluation.
inline constexpr std::uint32_t default_compare_budget = 200;

namespace detail {

constexpr ordering ordering_of(int least, int most) {
  return most < 0                  ? ordering::less
         : least > 0               ? ordering::greater
         : least == 0 && most == 0 ? ordering::equal
         : most == 0               ? ordering::less_equal
         : least == 0              ? ordering::greater_equal
                                   : ordering::mixed;
}

constexpr errc check_domain(view<symbol_domain> domain) {
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (domain[i].low > domain[i].high || !domain[i].name) return errc::not_comparable;
    for (std::size_t j = 0; j < i; ++j)
      if (domain[j].name == domain[i].name) return errc::not_comparable;
  }
  return errc::none;
}

/// The domains of the symbols that occur in the polynomial.
constexpr errc relevant_box(const polynomial& p, view<symbol_domain> domain,
                            table<symbol_domain>& box, symbol& missing) {
  if (const errc code = check_domain(domain); code != errc::none) return code;
  for (const symbol s : symbols_of(p)) {
    std::size_t i = 0;
    while (i < domain.size() && domain[i].name != s) ++i;
    if (i == domain.size()) return missing = s, errc::unknown_symbol;
    box.push_back(domain[i]);
  }
  return errc::none;
}

constexpr error domain_error(errc code, symbol missing) {
  if (code == errc::unknown_symbol)
    return make_error(
        code, "",
        (text("the domain says nothing of the symbol '") << to_text(missing).view() << "'").view());
  if (code == errc::not_comparable)
    return make_error(code, "", "a domain is empty or has no symbol, or a symbol has two domains");
  return make_error(code, "", "the coefficients of the difference do not fit 128 bits");
}

}  // namespace detail

/// Compares `p` with `q` at the integer points of a domain, which must bound every symbol of their
/// difference. Sound: every answer but `unknown` is proven.
///
/// In one symbol the answer is exact for every polynomial whose scaled coefficients fit 128 bits.
/// In several symbols, boxes are bounded and halved, `budget` of them at most, and the answer may
/// be `unknown`. Errors: `unknown_symbol` (no domain for a symbol), `not_comparable` (an invalid
/// domain), `overflow`.
constexpr result<ordering> compare(const polynomial& p, const polynomial& q,
                                   view<symbol_domain> domain,
                                   std::uint32_t budget = default_compare_budget) {
  polynomial difference;
  table<symbol_domain> box;
  symbol missing;
  errc code = subtract(p, q, difference);
  if (code == errc::none) code = detail::relevant_box(difference, domain, box, missing);
  if (code != errc::none) return detail::domain_error(code, missing);
  int least = 0, most = 0;
  if (!detail::least_sign(difference, box, budget, least)) return ordering::unknown;
  if (negate(difference, difference) != errc::none ||
      !detail::least_sign(difference, box, budget, most))
    return ordering::unknown;
  return detail::ordering_of(least, -most);
}

/// Compares `p` with `q` over the range of their one symbol. Errors: as in several symbols.
constexpr result<ordering> compare(const polynomial& p, const polynomial& q,
                                   const symbol_domain& domain) {
  return compare(p, q, view<symbol_domain>(&domain, 1));
}

/// The maximal runs of integers in the domain of one symbol on which p - q has one sign, in order;
/// together they are the domain. Exact up to the range of 64-bit integers: a crossover lies where
/// one run ends and the next begins. Errors: `unknown_symbol` (another symbol occurs),
/// `not_comparable` (an empty domain), `overflow`. O(degree**3 log(domain)).
constexpr result<table<sign_interval>> crossovers(const polynomial& p, const polynomial& q,
                                                  const symbol_domain& domain) {
  polynomial difference;
  table<symbol_domain> box;
  symbol missing;
  errc code = subtract(p, q, difference);
  if (code == errc::none)
    code = detail::relevant_box(difference, view<symbol_domain>(&domain, 1), box, missing);
  table<sign_interval> runs;
  if (code == errc::none) code = sign_intervals(difference, domain, runs);
  if (code != errc::none) return detail::domain_error(code, missing);
  return runs;
}

}  // namespace wf
