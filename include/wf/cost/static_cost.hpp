// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/ill_formed.hpp>
#include <wf/cost/cost.hpp>

namespace wf {

/// True for types that know a graph while compiling, such as workflows captured by `workflow` and
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

template <class Source, class Metric>
constexpr static_price try_price() {
  const auto priced = price(Source::graph(), Metric::spec);
  return priced ? static_price{true, *priced} : static_price{};
}

template <class Source, class Metric>
constexpr error price_failure() {
  if (Source::graph().is_static()) return price(Source::graph(), Metric::spec).error();
  return price_symbolic(Source::graph(), Metric::spec).error();
}

template <bool Ok, class Source, class Metric>
struct price_check {};
template <class Source, class Metric>
struct price_check<false, Source, Metric> : report<diagnose<&price_failure<Source, Metric>>> {};

// One evaluation a workflow and metric, however often the cost is asked for.
template <class Source, class Metric>
struct priced {
  static constexpr static_price outcome = try_price<Source, Metric>();
  using check = decltype(price_check<outcome.ok, Source, Metric>{});
  static constexpr std::int64_t value = outcome.value;
};

}  // namespace detail

/// The costs of a workflow known while compiling: `cost(kalman)[flops]`.
template <static_graph Source>
class static_cost {
 public:
  /// The cost in a metric: a `std::int64_t` for static shapes, so that a failing `static_assert`
  /// prints the figure; a `polynomial` for symbolic ones. Compile errors: WF301 for an operator
  /// without kernel, WF305 for an unknown cost, WF207 for the peak of a symbolic workflow.
  template <metric_type Metric>
  constexpr auto operator[](Metric) const {
    if constexpr (Source::graph().is_static()) {
      return detail::priced<Source, Metric>::value;
    } else {
      return *price_symbolic(Source::graph(), Metric::spec);
    }
  }
};

/// The costs of a workflow captured while compiling, with the built-in registry:
/// `static_assert(wf::cost(kalman)[wf::flops] < 2'000)`.
template <static_graph Source>
constexpr static_cost<Source> cost(const Source&) {
  return {};
}

namespace detail {

template <class Source, class Metric, std::int64_t Maximum>
constexpr error budget_failure() {
  const std::int64_t actual = priced<Source, Metric>::value;
  const graph_view g = Source::graph();
  return make_error(errc::budget_exceeded, g.text_of(g.name),
                    (text() << Metric::spec.name << " is " << actual << ' ' << Metric::spec.unit
                            << ", over the budget of " << Maximum)
                        .view());
}

}  // namespace detail

/// True if a static workflow's cost is at most `Maximum`; otherwise a compile error, WF110, whose
/// sentence holds the workflow's name and both figures:
/// `static_assert(wf::within<decltype(kalman), wf::flops, 2'000>());`
template <static_graph Source, const auto& Metric, std::int64_t Maximum>
constexpr bool within() {
  using metric = std::remove_cvref_t<decltype(Metric)>;
  if constexpr (detail::priced<Source, metric>::value > Maximum)
    (void)sizeof(report<diagnose<&detail::budget_failure<Source, metric, Maximum>>>);
  return true;
}

}  // namespace wf
