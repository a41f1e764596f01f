// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/cost/cost.hpp>
#include <wf/cost/kernel_set.hpp>
#include <wf/cost/symbolic_cost.hpp>

namespace wf {

/// True for types with a graph known at compile time, such as workflows captured by `workflow` and
/// plans chosen by `optimise`.
template <class T>
concept static_graph = requires {
  { T::graph() } -> std::same_as<graph_view>;
};

namespace detail {

struct static_price {
  bool ok = false;
  std::int64_t value = 0;
};

constexpr static_price outcome_of_pricing(const result<std::int64_t>& priced) {
  return priced ? static_price{true, *priced} : static_price{};
}

// No local variable holds the price: clang would evaluate its initialiser twice.
template <class Source, class Metric, class Kernels>
constexpr static_price try_price() {
  return outcome_of_pricing(price(Source::graph(), Metric::spec, Kernels::registry()));
}

template <class Source, class Metric, class Kernels>
constexpr error price_failure() {
  if (Source::graph().is_static())
    return price(Source::graph(), Metric::spec, Kernels::registry()).error();
  return price_symbolic(Source::graph(), Metric::spec, Kernels::registry()).error();
}

template <bool Ok, class Source, class Metric, class Kernels>
struct price_check {};
template <class Source, class Metric, class Kernels>
struct price_check<false, Source, Metric, Kernels>
    : report<diagnose<&price_failure<Source, Metric, Kernels>>> {};

// One evaluation per workflow and metric, however often the cost is used.
template <class Source, class Metric, class Kernels>
struct priced {
  static constexpr static_price outcome = try_price<Source, Metric, Kernels>();
  using check = decltype(price_check<outcome.ok, Source, Metric, Kernels>{});
  static constexpr std::int64_t value = outcome.value;
};

// Costs of symbolic workflows: a polynomial lives on the heap, so each use computes it again.
template <class Source, class Metric, class Kernels>
struct symbolic_priced {
  static constexpr bool ok =
      price_symbolic(Source::graph(), Metric::spec, Kernels::registry()).has_value();
  using check = decltype(price_check<ok, Source, Metric, Kernels>{});
  static constexpr symbolic_cost value() {
    return *price_symbolic(Source::graph(), Metric::spec, Kernels::registry());
  }
};

template <class Metric>
concept maximal_metric =
    Metric::spec.rule == combination::maximum || Metric::spec.rule == combination::critical_path;

}  // namespace detail

/// The costs of a workflow known at compile time: `cost(kalman)[flops]`.
template <static_graph Source, class Kernels = kernel_set<>>
class static_cost {
 public:
  /// The cost in a metric: for static shapes a `std::int64_t`, so that a failing `static_assert`
  /// prints the number; for symbolic shapes a `symbolic_cost`, or a `polynomial_maximum` if the
  /// metric is a maximum or a critical path (include <wf/cost/polynomial_maximum.hpp>). Compile
  /// errors: WF301 for an operator without kernel, WF305 for an unknown cost, WF207 for the peak of
  /// a symbolic workflow.
  template <metric_type Metric>
  constexpr auto operator[](Metric m) const {
    if constexpr (Source::graph().is_static()) {
      return detail::priced<Source, Metric, Kernels>::value;
    } else if constexpr (detail::maximal_metric<Metric>) {
      static_assert(
          requires { static_maximum(Source{}, m, Kernels{}); },
          "WF207: it is a maximum of polynomials: include <wf/cost/polynomial_maximum.hpp>");
      return static_maximum(Source{}, m, Kernels{});
    } else {
      return detail::symbolic_priced<Source, Metric, Kernels>::value();
    }
  }
};

/// The costs of a workflow captured at compile time, with the built-in registry:
/// `static_assert(wf::cost(kalman)[wf::flops] < 2'000)`.
template <static_graph Source>
constexpr static_cost<Source> cost(const Source&) {
  return {};
}

/// The costs with the user's kernels in addition to the built-in ones: `wf::cost(w,
/// wf::with_kernels<my_domain>)[messages]`.
template <static_graph Source, const auto&... Domain>
constexpr static_cost<Source, kernel_set<Domain...>> cost(const Source&, kernel_set<Domain...>) {
  return {};
}

namespace detail {

template <class Source, class Metric, class Kernels, std::int64_t Maximum>
constexpr error budget_failure() {
  const std::int64_t actual = priced<Source, Metric, Kernels>::value;
  const graph_view g = Source::graph();
  return make_error(errc::budget_exceeded, g.text_of(g.name),
                    (text() << Metric::spec.name << " is " << actual << ' ' << Metric::spec.unit
                            << ", over the budget of " << Maximum)
                        .view());
}

template <class Source, class Metric, class Kernels, std::int64_t Maximum, symbol_domain... Range>
constexpr error range_failure() {
  const graph_view g = Source::graph();
  const symbol_domain domain[] = {Range...};
  return budget_fault(g.text_of(g.name), Metric::spec.name,
                      symbolic_priced<Source, Metric, Kernels>::value(), Maximum, domain);
}

template <class Source, class Metric, class Kernels, std::int64_t Maximum, symbol_domain... Range>
constexpr bool range_holds() {
  const error fault = range_failure<Source, Metric, Kernels, Maximum, Range...>();
  return fault.code == errc::none;
}

}  // namespace detail

/// True if a static workflow's cost is at most `Maximum`; otherwise a compile error, WF110, whose
/// message states the workflow's name and both numbers: `static_assert(wf::within<decltype(kalman),
/// wf::flops, 2'000>());`
///
/// For a symbolic workflow, over ranges of its symbols: `wf::within<decltype(w), wf::flops,
/// 100'000, wf::symbol_range("M", 1, 64)>()`. The message then names a size over the budget; an
/// undecided comparison is WF207. `with_kernels<...>` as argument adds the user's kernels.
template <static_graph Source, const auto& Metric, std::int64_t Maximum, symbol_domain... Range,
          class Kernels = kernel_set<>>
constexpr bool within(Kernels = {}) {
  using metric = std::remove_cvref_t<decltype(Metric)>;
  if constexpr (sizeof...(Range) != 0) {
    if constexpr (!detail::range_holds<Source, metric, Kernels, Maximum, Range...>())
      (void)sizeof(
          report<diagnose<&detail::range_failure<Source, metric, Kernels, Maximum, Range...>>>);
  } else if constexpr (detail::priced<Source, metric, Kernels>::value > Maximum) {
    (void)sizeof(report<diagnose<&detail::budget_failure<Source, metric, Kernels, Maximum>>>);
  }
  return true;
}

}  // namespace wf
