// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/polynomial/compare.hpp>

namespace wf {

/// The integers low, low + 1, ..., high as range of a symbol: `symbol_range("M", 1, 64)`. An
/// invalid name gives a range that every comparison refuses.
constexpr symbol_domain symbol_range(text_view name, std::int64_t low, std::int64_t high) {
  return {make_symbol(name), low, high};
}

/// True if `p` is proven to be at most `maximum` at every integer point of the ranges, which must
/// cover the symbols of `p`; `compare` distinguishes false from undecided. Complexity: as
/// `compare`.
template <std::same_as<symbol_domain>... Range>
constexpr bool at_most(const polynomial& p, std::int64_t maximum, const Range&... ranges) {
  const symbol_domain domain[] = {ranges..., {}};
  const auto order = compare(p, polynomial(maximum), view<symbol_domain>(domain, sizeof...(Range)));
  return order &&
         (*order == ordering::less || *order == ordering::less_equal || *order == ordering::equal);
}

/// True if `p` is proven to be less than `q` at every integer point of the ranges, which must cover
/// the symbols of their difference; `compare` distinguishes false from undecided. Complexity: as
/// `compare`.
template <std::same_as<symbol_domain>... Range>
constexpr bool less_over(const polynomial& p, const polynomial& q, const Range&... ranges) {
  const symbol_domain domain[] = {ranges..., {}};
  const auto order = compare(p, q, view<symbol_domain>(domain, sizeof...(Range)));
  return order && *order == ordering::less;
}

/// The cost of a symbolic workflow in a sum metric: a polynomial with comparisons against budgets.
class symbolic_cost : public polynomial {
 public:
  constexpr symbolic_cost() = default;
  /// The cost that a polynomial states.
  constexpr symbolic_cost(const polynomial& p) : polynomial(p) {}

  /// True if the cost is proven to be at most `maximum` over the ranges of its symbols:
  /// `wf::cost(w)[wf::flops].at_most(100'000, wf::symbol_range("M", 1, 64))`.
  template <std::same_as<symbol_domain>... Range>
  constexpr bool at_most(std::int64_t maximum, const Range&... ranges) const {
    return wf::at_most(*this, maximum, ranges...);
  }
  /// True if the cost is proven to be less than `other` over the ranges of their symbols.
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

  /// Comparison with a number is a compile error, WF109: the result depends on the sizes.
  template <detail::any_integer Integer>
  friend constexpr std::strong_ordering operator<=>(const symbolic_cost&, Integer) {
    static_assert(sizeof(Integer) == 0,
                  "WF109: a symbolic cost is no number: ask at_most(maximum, symbol_range(...)), "
                  "or bind the symbols");
    return std::strong_ordering::equal;
  }
};

namespace detail {

// Templates, so that only a failing budget is charged for the message.
template <class Domain>
constexpr text point_text(const Domain& domain, bool upper) {
  text out;
  for (const symbol_domain& side : domain)
    out << (out.empty() ? "" : ", ") << to_text(side.name).view() << " = "
        << (upper ? side.high : side.low);
  return out;
}

/// The place where a cost exceeds a budget: the smallest such size, or a corner of the domain.
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

/// Checks that a cost is at most `maximum` over a domain. Errors: `budget_exceeded` with the place,
/// `not_comparable` if it is not decided, those of `compare`; code `none` if the bound holds.
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
