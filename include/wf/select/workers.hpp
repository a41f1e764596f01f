// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/select/select.hpp>

namespace wf {

/// Metrics of a selection problem whose work is shared by workers.
struct shared_work {
  std::uint32_t work = 0;     ///< index of a metric that is a sum
  std::uint32_t path = 0;     ///< index of a metric that is a critical path
  std::uint32_t workers = 1;  ///< number of workers, at least 1
  /// The least improvement that is searched for, in millionths of the value; 0: any.
  std::uint32_t tolerance = 0;

  /// The larger of the work of each worker and of the path, of a selection with these totals.
  constexpr std::int64_t value_of(view<std::int64_t> totals) const {
    const std::int64_t each = detail::ceil_div(totals[work], workers);
    return each < totals[path] ? totals[path] : each;
  }
};

/// The best selection for workers, and that of least work.
struct shared_selection {
  selection_result best;           ///< its `objective` and `bound` are of the shared time
  table<std::int64_t> least_work;  ///< totals of the selection of least work
  std::uint32_t searches = 0;      ///< how many were made
};

namespace detail {

// A search of a problem with another objective and, unless it is negative, a limit on the work.
template <class Search>
constexpr result<selection_result> search_shared(selection_problem& p, std::uint32_t metric,
                                                 const shared_work& of, std::int64_t most_work,
                                                 Search& search) {
  p.objective = minimise_metric(metric);
  if (most_work < 0) return search(p);
  p.limits.push_back({of.work, most_work});
  auto found = search(p);
  p.limits.resize(p.limits.size() - 1);
  return found;
}

}  // namespace detail

/// Minimises max(⌈work / workers⌉, path) by searches that each minimise one metric: first the work;
/// then, again and again, the path among selections whose work would allow a better value, until
/// there is none, or none that improves it by the tolerance. `search(problem)` is `select` with its
/// limits and hooks. What it proves holds for the whole: the value cannot be below ⌈least work /
/// workers⌉, nor below the bound of the last search. Errors: those of `search`; `invalid_problem`
/// for metrics of other kinds or no workers.
template <class Search>
constexpr result<shared_selection> select_for_workers(selection_problem p, const shared_work& of,
                                                      Search&& search) {
  if (of.work >= p.metrics.size() || p.metrics[of.work].kind != aggregation::sum)
    return make_error(errc::invalid_problem, "work", "it is no metric that is a sum");
  if (of.path >= p.metrics.size() || p.metrics[of.path].kind != aggregation::critical_path)
    return make_error(errc::invalid_problem, "path", "it is no metric that is a critical path");
  if (of.workers == 0) return make_error(errc::invalid_problem, "workers", "there is none");
  auto least = detail::search_shared(p, of.work, of, -1, search);
  if (!least) return least.error();
  shared_selection out;
  out.searches = 1;
  out.least_work = least->best.totals;
  out.best = static_cast<selection_result&&>(*least);
  const std::int64_t workers = of.workers;
  std::int64_t bound = detail::ceil_div(out.best.bound[0], workers);
  std::int64_t value = of.value_of(out.best.best.totals);
  search_status status = out.best.status;
  while (value > bound) {
    const auto step = static_cast<std::int64_t>(int128{value} * of.tolerance / 1'000'000);
    const std::int64_t wanted = value - (step < 1 ? 1 : step);
    if (wanted < bound) break;  // near enough
    // Rounded up, the share of each worker is at most `wanted`.
    const std::int64_t most_work = wanted > INT64_MAX / workers ? -1 : wanted * workers;
    auto next = detail::search_shared(p, of.path, of, most_work, search);
    if (!next && next.error().code != errc::infeasible) {
      if (next.error().code != errc::search_limit) return next.error();
      status = search_status::stopped_by_limit;
      break;
    }
    ++out.searches;
    if (!next) {
      if (bound < wanted + 1) bound = wanted + 1;
      break;
    }
    out.best.counters.add(next->counters);
    const std::int64_t found = of.value_of(next->best.totals);
    // What would be better than `wanted` has a path of that bound at least.
    const std::int64_t proven = next->bound[0] < wanted + 1 ? next->bound[0] : wanted + 1;
    if (proven > bound) bound = proven;
    if (found > wanted) {
      if (next->status != search_status::proven) status = next->status;
      if (found >= value) break;
    }
    value = found;
    const search_counters counters = out.best.counters;
    out.best = static_cast<selection_result&&>(*next);
    out.best.counters = counters;
    out.best.rejected.resize(0);  // they speak of the path alone
    status = out.best.status;
  }
  out.best.objective = {value};
  out.best.bound = {bound < value ? bound : value};
  out.best.status = bound >= value                    ? search_status::proven
                    : status == search_status::proven ? search_status::within_tolerance
                                                      : status;
  return out;
}

}  // namespace wf
