// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/polynomial/compare.hpp>

namespace wf {

/// The integers low, low + 1, ..., high for a symbol: `symbol_range("M", 1, 64)`. A name that no
/// symbol can have gives a range that every comparison refuses.
constexpr symbol_domain symbol_range(text_view name, std::int64_t low, std::int64_t high) {
  return {make_symbol(name), low, high};
}

/// True if it is proven that `p` is at most `maximum` at every integer point of the ranges, which
/// must cover the symbols of `p`; `compare` tells false from undecided. As `compare`.
template <std::same_as<symbol_domain>... Range>
constexpr bool at_most(const polynomial& p, std::int64_t maximum, const Range&... ranges) {
  const symbol_domain domain[] = {ranges..., {}};
  const auto order = compare(p, polynomial(maximum), view<symbol_domain>(domain, sizeof...(Range)));
  return order &&
         (*order == ordering::less || *order == ordering::less_equal || *order == ordering::equal);
}

/// True if it is proven that `p` is smaller than `q` at every integer point of the ranges, which
/// must cover the symbols of their difference; `compare` tells false from undecided. As `compare`.
template <std::same_as<symbol_domain>... Range>
constexpr bool less_over(const polynomial& p, const polynomial& q, const Range&... ranges) {
  const symbol_domain domain[] = {ranges..., {}};
  const auto order = compare(p, q, view<symbol_domain>(domain, sizeof...(Range)));
  return order && *order == ordering::less;
}

/// The cost of a symbolic workflow in a sum metric: a polynomial, with the questions that budgets
/// ask of it.
class symbolic_cost : public polynomial {
 public:
  constexpr symbolic_cost() = default;
  /// What this polynomial counts.
  constexpr symbolic_cost(const polynomial& p) : polynomial(p) {}

  /// True if it is proven to be at most `maximum` over the ranges of its symbols:
  /// `wf::cost(w)[wf::flops].at_most(100'000, wf::symbol_range("M", 1, 64))`.
  template <std::same_as<symbol_domain>... Range>
  constexpr bool at_most(std::int64_t maximum, const Range&... ranges) const {
    return wf::at_most(*this, maximum, ranges...);
  }
  /// True if it is proven to be smaller than `other` over the ranges of their symbols.
  template <std::same_as<symbol_domain>... Range>
  constexpr bool less_over(const polynomial& other, const Range&... ranges) const {
    return wf::less_over(*this, other, ranges...);
  }
  /// The cost at a point: `at({{wf::make_symbol("M"), 64}})`. Errors: `unknown_symbol`, `overflow`,
  /// `no_exact_value`.
  constexpr result<std::int64_t> at(std::initializer_list<assignment> point) const {
    const auto value = evaluate_at(*this, view<assignment>(point.begin(), point.size()));
    if (!value) return value.error();
    return to_int64(*value);
  }

  /// Refused with a sentence, WF109: it is larger than a number at some sizes only.
  template <detail::any_integer Integer>
  friend constexpr std::strong_ordering operator<=>(const symbolic_cost&, Integer) {
    static_assert(sizeof(Integer) == 0,
                  "WF109: a symbolic cost is no number: ask at_most(maximum, symbol_range(...)), "
                  "or bind the symbols");
    return std::strong_ordering::equal;
  }
};

namespace detail {

// Templates, so that only who fails a budget pays for the sentence.
template <class Domain>
constexpr text point_text(const Domain& domain, bool upper) {
  text out;
  for (const symbol_domain& side : domain)
    out << (out.empty() ? "" : ", ") << to_text(side.name).view() << " = "
        << (upper ? side.high : side.low);
  return out;
}

/// Says where a cost exceeds a budget: from which size on, or at which corner of the domain.
template <class Polynomial>
constexpr text excess_text(const Polynomial& p, std::int64_t maximum, view<symbol_domain> domain) {
  if (domain.size() == 1) {
    const auto runs = crossovers(p, polynomial(maximum), domain[0]);
    for (std::size_t i = 0; runs && i < runs->size(); ++i) {
      const std::int64_t low = (*runs)[i].low;
      if ((*runs)[i].sign > 0)
        return text(" at ") << to_text(domain[0].name).view() << " = " << low;
    }
  }
  for (const bool upper : {true, false}) {
    table<assignment> corner;
    for (const symbol_domain& side : domain)
      corner.push_back({side.name, upper ? side.high : side.low});
    const auto value = evaluate_at(p, corner);
    if (value && rational(maximum) < *value)
      return text(" at ") << point_text(domain, upper).view();
  }
  return text(" somewhere");
}

}  // namespace detail

/// What is wrong with the claim that a cost is at most `maximum` over a domain: `budget_exceeded`
/// with the place, `not_comparable` if it is not decided, an error of `compare`; or the error with
/// the code `none` if the claim holds.
template <std::derived_from<polynomial> Polynomial>
constexpr error budget_fault(text_view subject, text_view metric, const Polynomial& p,
                             std::int64_t maximum, view<symbol_domain> domain) {
  const auto order = compare(p, polynomial(maximum), domain);
  if (!order) return make_error(order.error().code, subject, order.error().message.view());
  if (*order == ordering::unknown)
    return make_error(errc::not_comparable, subject,
                      (text() << metric << " is " << to_text(p).view()
                              << ", not decided against the budget of " << maximum)
                          .view());
  if (*order != ordering::greater && *order != ordering::greater_equal && *order != ordering::mixed)
    return {};
  return make_error(errc::budget_exceeded, subject,
                    (text() << metric << " is " << to_text(p).view() << ", over the budget of "
                            << maximum << detail::excess_text(p, maximum, domain).view())
                        .view());
}

}  // namespace wf
