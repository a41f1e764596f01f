// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/critical_path.hpp>
#include <wf/cost/static_cost.hpp>

namespace wf {

/// Maximum number of polynomials in a maximum; beyond it: `errc::formula_limit`.
inline constexpr std::size_t max_maximum_parts = 64;

namespace detail {

// True if q - p has no negative coefficient, so that p <= q wherever no symbol is negative.
constexpr bool is_dominated(const polynomial& p, const polynomial& q, bool& fits) {
  polynomial difference;
  if (subtract(q, p, difference) != errc::none) return fits = false;
  for (const polynomial_term& term : difference.terms())
    if (term.coefficient.sign() < 0) return false;
  return true;
}

// A total order of polynomials: by their leading terms, highest first.
constexpr bool precedes(const polynomial& p, const polynomial& q) {
  const view<polynomial_term> a = p.terms(), b = q.terms();
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const int order = monomial::compare(a[i].powers, b[i].powers);
    if (order != 0) return order < 0;
    if (a[i].coefficient != b[i].coefficient) return b[i].coefficient < a[i].coefficient;
  }
  return a.size() > b.size();
}

}  // namespace detail

/// The maximum of polynomials in nonnegative symbols: a critical path or largest cost before the
/// sizes are known. A regular value.
///
/// Invariant: no polynomial is dominated by another, coefficient by coefficient, and they are in a
/// fixed order, so the order of insertion does not matter. The empty maximum is zero.
class polynomial_maximum {
 public:
  constexpr polynomial_maximum() = default;
  /// The maximum of one polynomial.
  constexpr polynomial_maximum(const polynomial& only) { parts_.push_back(only); }

  /// The polynomials, none dominated by another.
  constexpr view<polynomial> parts() const { return {parts_.data(), parts_.size()}; }
  /// True if it is at most one polynomial, zero included.
  constexpr bool is_polynomial() const { return parts_.size() <= 1; }
  /// The polynomial if `is_polynomial`; zero for the empty maximum.
  constexpr polynomial single() const {
    if (parts_.empty()) return {};
    return parts_[0];
  }

  /// Replaces this by its maximum with a polynomial. Errors: `errc::formula_limit` beyond
  /// `max_maximum_parts`, `errc::overflow`; the value is unspecified after an error. O(parts ·
  /// terms²).
  constexpr errc include(const polynomial& p) {
    bool fits = true;
    table<polynomial> kept;
    for (const polynomial& part : parts_) {
      if (detail::is_dominated(p, part, fits)) return fits ? errc::none : errc::overflow;
      if (!detail::is_dominated(part, p, fits)) kept.push_back(part);
    }
    if (!fits) return errc::overflow;
    if (kept.size() >= max_maximum_parts) return errc::formula_limit;
    std::size_t at = kept.size();
    kept.push_back(p);
    for (; at > 0 && detail::precedes(p, kept[at - 1]); --at) kept[at] = kept[at - 1];
    kept[at] = p;
    parts_.swap(kept);
    return errc::none;
  }
  /// Replaces this by its maximum with another. Errors: as above.
  constexpr errc include(const polynomial_maximum& other) {
    for (const polynomial& part : other.parts())
      if (const errc code = include(part); code != errc::none) return code;
    return errc::none;
  }
  /// Adds a polynomial to every part. `errc::overflow`. O(parts · terms²).
  constexpr errc add(const polynomial& more) {
    polynomial_maximum sum;
    if (parts_.empty()) return include(more);
    for (const polynomial& part : parts_) {
      polynomial shifted;
      errc code = wf::add(part, more, shifted);
      if (code == errc::none) code = sum.include(shifted);
      if (code != errc::none) return code;
    }
    parts_.swap(sum.parts_);
    return errc::none;
  }

  /// True if the maximum is proven to be at most `maximum` over the ranges of its symbols.
  template <std::same_as<symbol_domain>... Range>
  constexpr bool at_most(std::int64_t maximum, const Range&... ranges) const {
    if (parts_.empty()) return maximum >= 0;
    for (const polynomial& part : parts_)
      if (!wf::at_most(part, maximum, ranges...)) return false;
    return true;
  }

  friend constexpr bool operator==(const polynomial_maximum&, const polynomial_maximum&) = default;

 private:
  table<polynomial> parts_;
};

/// Text such as "max(2*M**3, M**2 + 4)"; a single polynomial without "max".
constexpr text to_text(const polynomial_maximum& m) {
  if (m.is_polynomial()) return to_text(m.single());
  text out("max(");
  for (std::size_t i = 0; i < m.parts().size(); ++i)
    out << (i == 0 ? "" : ", ") << to_text(m.parts()[i]).view();
  return out << ')';
}

/// The value at a point of nonnegative symbols. Errors: as for polynomials.
constexpr result<rational> evaluate_at(const polynomial_maximum& m, view<assignment> point) {
  rational largest;
  for (std::size_t i = 0; i < m.parts().size(); ++i) {
    const auto value = evaluate_at(m.parts()[i], point);
    if (!value) return value.error();
    if (i == 0 || largest < *value) largest = *value;
  }
  return largest;
}

/// An interval of integers on which a maximum equals one of its polynomials.
struct maximum_piece {
  /// Lower end, included.
  std::int64_t low = 0;
  /// Upper end, included.
  std::int64_t high = 0;
  /// The polynomial; among equal ones, that of the preceding piece.
  polynomial largest;
  friend constexpr bool operator==(const maximum_piece&, const maximum_piece&) = default;
};

namespace detail {

// Partitions a range into runs on which the order of the polynomials does not change, and calls
// `visit(low, high)` for each in order. O(polynomials² · degree) runs.
template <class Visit>
constexpr error for_each_ordered_run(const table<polynomial>& all, const symbol_domain& domain,
                                     Visit&& visit) {
  table<std::int64_t> last;  // last integers of the runs, ascending
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto runs = crossovers(all[i], all[j], domain);
      if (!runs) return runs.error();
      for (const sign_interval& run : *runs) {
        std::size_t at = last.size();
        while (at > 0 && last[at - 1] > run.high) --at;
        if (at > 0 && last[at - 1] == run.high) continue;
        last.push_back(run.high);
        for (std::size_t k = last.size() - 1; k > at; --k) last[k] = last[k - 1];
        last[at] = run.high;
      }
    }
  if (last.empty()) last.push_back(domain.high);
  std::int64_t low = domain.low;
  for (const std::int64_t high : last) {
    visit(low, high);
    low = high + 1;
  }
  return {};
}

// Index of the largest polynomial at an integer where all values are known to exist; `preferred`
// wins ties.
constexpr std::size_t largest_at(view<polynomial> all, symbol s, std::int64_t x,
                                 std::size_t preferred) {
  const assignment point{s, x};
  std::size_t best = preferred < all.size() ? preferred : 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto value = evaluate_at(all[i], view<assignment>(&point, 1));
    const auto champion = evaluate_at(all[best], view<assignment>(&point, 1));
    if (*champion < *value) best = i;
  }
  return best;
}

constexpr error value_fault(view<polynomial> all, const symbol_domain& domain) {
  for (const polynomial& p : all)
    for (const std::int64_t x : {domain.low, domain.high}) {
      const assignment point{domain.name, x};
      if (const auto value = evaluate_at(p, view<assignment>(&point, 1)); !value)
        return value.error();
    }
  return {};
}

// True if every part of `a` lies (strictly) below some part of `b` over a domain.
constexpr bool lies_below(const polynomial_maximum& a, const polynomial_maximum& b,
                          view<symbol_domain> domain, std::uint32_t budget, bool strictly) {
  const polynomial zero;
  const view<polynomial> low = a.parts().empty() ? view<polynomial>(&zero, 1) : a.parts();
  const view<polynomial> high = b.parts().empty() ? view<polynomial>(&zero, 1) : b.parts();
  for (const polynomial& p : low) {
    bool below = false;
    for (std::size_t j = 0; j < high.size() && !below; ++j) {
      const auto order = compare(p, high[j], domain, budget);
      below =
          order && (*order == ordering::less ||
                    (!strictly && (*order == ordering::less_equal || *order == ordering::equal)));
    }
    if (!below) return false;
  }
  return true;
}

}  // namespace detail

/// The pieces of the maximum over the range of its one symbol, in order; together they cover the
/// range. Exact. Errors: `unknown_symbol` (another symbol occurs), `not_comparable` (an empty
/// range), `overflow`. O(parts² · degree) pieces at most.
constexpr result<table<maximum_piece>> pieces_of(const polynomial_maximum& m,
                                                 const symbol_domain& domain) {
  table<polynomial> all(m.parts());
  if (all.empty()) all.push_back({});
  if (domain.low > domain.high || !domain.name)
    return make_error(errc::not_comparable, "", "the range is empty or has no symbol");
  if (error e = detail::value_fault(all, domain); e.code != errc::none) return e;
  table<maximum_piece> pieces;
  std::size_t largest = all.size();
  const error fault =
      detail::for_each_ordered_run(all, domain, [&](std::int64_t low, std::int64_t high) {
        const std::size_t now = detail::largest_at(all, domain.name, low, largest);
        if (now == largest)
          pieces.back().high = high;
        else
          pieces.push_back({low, high, all[now]});
        largest = now;
      });
  if (fault.code != errc::none) return fault;
  return pieces;
}

/// Compares `a` with `b` at the integer points of a domain, which must bound their symbols. Sound:
/// every answer but `unknown` is proven. Exact in one symbol; in several symbols it is proven part
/// by part, and may be `unknown`. Errors: as `compare` of polynomials.
constexpr result<ordering> compare(const polynomial_maximum& a, const polynomial_maximum& b,
                                   view<symbol_domain> domain,
                                   std::uint32_t budget = default_compare_budget) {
  if (a.is_polynomial() && b.is_polynomial())
    return compare(a.single(), b.single(), domain, budget);
  if (const errc code = detail::check_domain(domain); code != errc::none)
    return detail::domain_error(code, {});
  if (domain.size() != 1) {
    const bool less = detail::lies_below(a, b, domain, budget, true);
    const bool greater = detail::lies_below(b, a, domain, budget, true);
    if (less || greater) return less ? ordering::less : ordering::greater;
    const bool below = detail::lies_below(a, b, domain, budget, false);
    const bool above = detail::lies_below(b, a, domain, budget, false);
    // One-sided answers need a point of equality and one of difference, which are not known here.
    return below && above ? ordering::equal : ordering::unknown;
  }
  table<polynomial> all(a.parts());
  if (all.empty()) all.push_back({});
  const std::size_t first = all.size();
  all.append(b.parts());
  if (all.size() == first) all.push_back({});
  if (error e = detail::value_fault(all, domain[0]); e.code != errc::none) return e;
  int least = 1, most = -1;
  const error fault =
      detail::for_each_ordered_run(all, domain[0], [&](std::int64_t low, std::int64_t) {
        const view<polynomial> every(all);
        const symbol s = domain[0].name;
        const assignment point{s, low};
        const auto left = evaluate_at(all[detail::largest_at(every.part(0, first), s, low, 0)],
                                      view<assignment>(&point, 1));
        const auto right = evaluate_at(
            every[first + detail::largest_at(every.part(first, all.size() - first), s, low, 0)],
            view<assignment>(&point, 1));
        const int sign = *left < *right ? -1 : *right < *left ? 1 : 0;
        if (sign < least) least = sign;
        if (sign > most) most = sign;
      });
  if (fault.code != errc::none) return fault;
  return detail::ordering_of(least, most);
}

/// The cost of any graph in a metric of the rule sum, maximum or critical path; exact for
/// nonnegative symbols. Errors: those of `validate` and of `pricer::price`; `not_comparable` for
/// other rules; `formula_limit` if too many incomparable paths remain; `overflow`. O(edges ·
/// parts²).
constexpr result<polynomial_maximum> price_maximum(const graph_view& workflow, const metric_spec& m,
                                                   const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  const auto failure = [&](errc code) {
    return make_error(code, m.name,
                      code == errc::formula_limit
                          ? "too many polynomials of which none is always the largest"
                          : "the exact cost does not fit 128 bits");
  };
  if (m.rule != combination::maximum && m.rule != combination::critical_path) {
    auto total = price_symbolic(g, m, r);
    if (!total) return total.error();
    return polynomial_maximum(*total);
  }
  pricer<polynomial> prices(g, m, r);
  polynomial_maximum out;
  table<polynomial_maximum> path(g.nodes.size());
  errc code = errc::none;
  const auto extend = [&](node_id id, node_id before) {
    if (m.rule == combination::maximum || code != errc::none) return;
    code = path[index_of(id)].include(path[index_of(before)]);
  };
  const auto finish = [&](node_id id) -> error {
    const auto own = prices.price(id);
    if (!own) return own.error();
    polynomial_maximum& here = path[index_of(id)];
    if (code == errc::none) code = here.add(*own);
    if (code == errc::none) code = out.include(here);
    return code == errc::none ? error{} : failure(code);
  };
  if (error e = detail::sweep_paths(g, extend, finish); e.code != errc::none) return e;
  return out;
}

/// The same with the built-in registry.
constexpr result<polynomial_maximum> price_maximum(const graph_view& g, const metric_spec& m) {
  return price_maximum(g, m, builtin_registry());
}

namespace detail {

template <class Source, class Metric, class Kernels>
constexpr error maximum_failure() {
  return price_maximum(Source::graph(), Metric::spec, Kernels::registry()).error();
}
template <bool Ok, class Source, class Metric, class Kernels>
struct maximum_check {};
template <class Source, class Metric, class Kernels>
struct maximum_check<false, Source, Metric, Kernels>
    : report<diagnose<&maximum_failure<Source, Metric, Kernels>>> {};

}  // namespace detail

/// The cost of a symbolic workflow in a maximum or critical-path metric: the value of
/// `cost(w)[metric]`. Compile errors: WF301, WF305, WF210 as `price_maximum`.
template <class Source, class Metric, class Kernels>
constexpr polynomial_maximum static_maximum(const Source&, const Metric&, const Kernels&) {
  constexpr bool ok = price_maximum(Source::graph(), Metric::spec, Kernels::registry()).has_value();
  using check = decltype(detail::maximum_check<ok, Source, Metric, Kernels>{});
  static_assert(sizeof(check) != 0);
  return *price_maximum(Source::graph(), Metric::spec, Kernels::registry());
}

}  // namespace wf
