// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/search/search_region.hpp>
#include <wf/select/conflict.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/select.hpp>
#include <wf/select/stage.hpp>

namespace wf {

/// One point of a front with its selection.
struct pareto_point {
  /// The selection.
  selection best;
  /// Its totals in the metrics of the front, in their units.
  objective_vector value;
  /// True if no selection within the limits dominates it; false for the incumbent of a stopped
  /// search.
  bool proven = true;
  friend constexpr bool operator==(const pareto_point&, const pareto_point&) = default;
};

/// Status of the search for a front.
enum class pareto_status : std::uint8_t {
  complete,           ///< every non-dominated vector is in the front, with a proof
  full,               ///< the front has the maximum number of points
  stopped_by_limit,   ///< a limit of the search was reached
  stopped_by_caller,  ///< the callback returned false
};

/// The English name of a status, such as "complete".
constexpr const char* to_text(pareto_status status) {
  switch (status) {
    case pareto_status::complete:
      return "complete";
    case pareto_status::full:
      return "full";
    case pareto_status::stopped_by_limit:
      return "stopped by a limit";
    case pareto_status::stopped_by_caller:
      return "stopped by the caller";
  }
  return "unknown";
}

/// The non-dominated totals of a problem in two or three metrics, with one selection for each.
///
/// Invariant, whatever the status: every selection within the limits is equalled or dominated, in
/// these metrics, by a proven point, or lies in an open box.
struct pareto_front {
  /// The metric numbers, in the order of the values of a vector.
  table<std::uint32_t> metrics;
  /// The points in lexicographic order of their values.
  table<pareto_point> points;
  /// The boxes that may hold further non-dominated vectors; empty if the front is complete.
  table<objective_box> open;
  /// `complete`, or the reason why the front is incomplete.
  pareto_status status = pareto_status::complete;
  /// Number of selection problems solved.
  std::uint32_t searches = 0;
  /// Work counters of all searches together.
  search_counters counters;

  /// True if the front is complete.
  constexpr bool proven() const { return status == pareto_status::complete; }
  friend constexpr bool operator==(const pareto_front&, const pareto_front&) = default;
};

/// Limits of the search for a front.
struct pareto_limits {
  /// The limits of all its searches together.
  search_limits search;
  /// The maximum number of points; at least 1.
  std::uint32_t max_points = 1'000;
  friend constexpr bool operator==(const pareto_limits&, const pareto_limits&) = default;
};

/// A snapshot of a running search for a front.
struct pareto_progress {
  /// Number of proven points so far.
  std::uint32_t points = 0;
  /// Number of boxes that may hold more points.
  std::uint32_t open = 0;
  /// Number of selection problems begun.
  std::uint32_t searches = 0;
  /// Progress of the present selection problem: one metric (or the sum of the others) within a box.
  search_progress search;

  /// Converts, so that a progress callback of `select` can be used.
  constexpr operator search_progress() const { return search; }
};

/// A callable that receives the progress of a front and returns false to stop the search.
template <class F>
concept pareto_callback = requires(F& f, const pareto_progress& progress) {
  { f(progress) } -> std::convertible_to<bool>;
};

namespace detail {

/// Searches the boxes of the open region: first the least value of one metric with the others below
/// the upper corner of the box, then among those selections the least sum of the others. The result
/// is a non-dominated point, and a proof that the box is empty below its value in the first metric.
template <class Callback>
class pareto_solver {
 public:
  /// The objective of `problem` is the sum of `metrics`; `limits` are resolved.
  constexpr pareto_solver(const selection_problem& problem, view<std::uint32_t> metrics,
                          const pareto_limits& limits, Callback& callback,
                          const any_measure* measure)
      : p_(problem),
        count_(static_cast<std::uint32_t>(metrics.size())),
        limits_(limits),
        callback_(callback),
        measure_(measure) {
    out_.metrics = table<std::uint32_t>(metrics);
  }

  constexpr result<pareto_front> run() {
    prepare();
    for (std::uint32_t i = 0; i < count_ && going_on_; ++i) ideal_[i] = search(i, most_);
    while (going_on_ && !region_.open().empty()) search_largest_box();
    if (out_.points.empty() && !holds_) return failure();
    return finish();
  }

 private:
  /// A box that spans more than whole / slices of the known range is halved before it is searched.
  static constexpr std::int64_t slices = 8, whole = 1024;

  constexpr void prepare() {
    selection_stage all = weighted_stage(p_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      std::int64_t& most = all.maximum[out_.metrics[i]];
      most_[i] = most;
      if (kind_of(i) < kind_of(first_)) first_ = i;  // the engine's bounds are strongest for sums
      if (kind_of(i) == aggregation::sum && most == unbounded)
        most = largest_total;  // no real limit, but dominance then compares each limited sum
                               // separately
    }
    region_ = search_region(count_, most_);
    reduced_ = reduce(p_, all);
    steps_ = reduced_.steps;
    reduced_.steps = 0;
  }

  constexpr aggregation kind_of(std::uint32_t i) const { return p_.metrics[out_.metrics[i]].kind; }

  // --- which box, and how ------------------------------------------------------------------------

  /// The upper end of a box, at most the largest known value.
  constexpr std::int64_t reach(const objective_box& box, std::uint32_t i) const {
    return box.high[i] < largest_[i] ? box.high[i] : largest_[i];
  }
  /// The part of the known range that a box spans in a metric, in units of 1 / `whole`, at least 1.
  constexpr std::int64_t share(const objective_box& box, std::uint32_t i) const {
    const std::int64_t high = reach(box, i);
    if (high <= box.low[i] || largest_[i] <= ideal_[i]) return 1;
    const int128 part = int128{high - box.low[i]} * whole / (largest_[i] - ideal_[i]);
    return part < 1 ? 1 : static_cast<std::int64_t>(part);
  }

  constexpr const objective_box& largest_box() const {
    const table<objective_box>& open = region_.open();
    std::size_t best = 0;
    std::int64_t most = 0;
    for (std::size_t b = 0; b < open.size(); ++b) {
      std::int64_t size = 1;
      for (std::uint32_t i = 0; i < count_; ++i) size *= share(open[b], i);
      if (size <= most) continue;
      most = size;
      best = b;
    }
    return open[best];
  }

  /// Halving a large box spreads early points over the front; the other half stays open.
  constexpr void search_largest_box() {
    const objective_box& box = largest_box();
    objective_vector most = box.high;
    std::uint32_t widest = first_ == 0 ? 1 : 0;
    for (std::uint32_t i = 0; i < count_; ++i)
      if (i != first_ && share(box, i) > share(box, widest)) widest = i;
    if (share(box, widest) > whole / slices)
      most[widest] = box.low[widest] + (reach(box, widest) - box.low[widest]) / 2;
    search(first_, most);
  }

  // --- searches ----------------------------------------------------------------------------------

  /// The stage that minimises one metric, the others at most `most`.
  constexpr selection_stage stage_below(std::uint32_t metric, const objective_vector& most) const {
    selection_stage stage = limited_stage(p_);
    stage.weight[out_.metrics[metric]] = 1;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (i == metric) continue;
      tighten(stage, {out_.metrics[i], most[i]});
      if (always_measure_ && kind_of(i) == aggregation::measured)
        tighten(stage, {out_.metrics[i], largest_total});
    }
    return stage;
  }

  /// The known point with the least value in a metric among those with the others at most `most`;
  /// null if there is none.
  constexpr const pareto_point* known_below(std::uint32_t metric,
                                            const objective_vector& most) const {
    const pareto_point* best = nullptr;
    for (const pareto_point& point : out_.points) {
      objective_vector v = point.value;
      if (best != nullptr && v[metric] >= best->value[metric]) continue;
      v[metric] = 0;
      if (v.no_worse_than(most)) best = &point;
    }
    return best;
  }

  /// Finds the least value of a metric, the others at most `most`, and a point with that value if
  /// none is known. Returns the proven lower bound of the value.
  constexpr std::int64_t search(std::uint32_t metric, objective_vector most) {
    if (const pareto_status why = spent(); why != pareto_status::complete) {
      stop(why);
      return 0;
    }
    const pareto_point* const known = known_below(metric, most);
    const selection_stage stage = stage_below(metric, most);
    const stage_outcome found = solve(stage, known == nullptr ? nullptr : &known->best);
    const objective_vector corner = most;
    most[metric] = found.bound == unbounded ? unbounded : found.bound - 1;
    region_.exclude(most);
    if (!going_on_)
      hold(found);
    else if (found.found && (known == nullptr || found.value < known->value[metric]))
      complete(metric, corner, found);
    return found.bound;
  }

  /// The reason why no further search is allowed; `complete` if there is none.
  constexpr pareto_status spent() const {
    if (out_.points.size() >= limits_.max_points) return pareto_status::full;
    if (limits_.search.reached_by(out_.counters.nodes, steps_))
      return pareto_status::stopped_by_limit;
    return pareto_status::complete;
  }

  /// Adds the point with the least sum of the other metrics among the selections of least value in
  /// one metric.
  constexpr void complete(std::uint32_t metric, objective_vector most, const stage_outcome& least) {
    selection_stage stage = stage_below(metric, most);
    for (std::uint32_t i = 0; i < count_; ++i) stage.weight[out_.metrics[i]] = i != metric;
    tighten(stage, {out_.metrics[metric], least.value});
    selection first = least.best;
    const stage_outcome found = solve(stage, measure_all(first) ? &first : nullptr);
    if (!going_on_) return hold(found.found ? found : least);
    if (!found.found) {  // the hook rejects all of them: measure at once from now on
      always_measure_ = true;
      return;
    }
    const objective_vector value = value_of(found.best);
    region_.add(value);
    for (std::uint32_t i = 0; i < count_; ++i)
      if (largest_[i] < value[i]) largest_[i] = value[i];
    out_.points.push_back({found.best, value, true});
    if (!tell({})) stop(pareto_status::stopped_by_caller);
  }

  constexpr stage_outcome solve(const selection_stage& stage, const selection* known) {
    ++out_.searches;
    const auto inform = [&](const search_progress& progress) { return tell(progress); };
    const search_limits left = limits_.search.left_after(out_.counters.nodes, steps_);
    const progress_callback_to<decltype(inform)> asked(inform);
    stage_outcome found;
    if (limits_candidates(stage)) {
      found = solve_stage(p_, stage, reduce(p_, stage), known, measure_, asked, left);
    } else {
      price_objective(p_, stage, reduced_);
      found = solve_stage(p_, stage, reduced_, known, measure_, asked, left);
    }
    steps_ += found.steps;
    out_.counters.add(found.counters);
    if (found.status == search_status::stopped_by_limit) stop(pareto_status::stopped_by_limit);
    if (found.status == search_status::stopped_by_caller) stop(pareto_status::stopped_by_caller);
    return found;
  }

  /// True if a limit on a metric that is no sum is tighter than the problem's: it removes single
  /// candidates, so the common reductions do not apply.
  constexpr bool limits_candidates(const selection_stage& stage) const {
    for (std::uint32_t i = 0; i < count_; ++i)
      if (kind_of(i) != aggregation::sum && stage.maximum[out_.metrics[i]] < most_[i]) return true;
    return false;
  }

  // --- what is found -----------------------------------------------------------------------------

  constexpr objective_vector value_of(const selection& s) const {
    objective_vector out;
    for (std::uint32_t i = 0; i < count_; ++i) out[i] = s.totals[out_.metrics[i]];
    return out;
  }

  /// Fills in the measured metrics, which a search without limits on them omits; false if the hook
  /// rejects the selection or it exceeds their limits.
  constexpr bool measure_all(selection& s) {
    for (std::uint32_t i = 0; i < count_ && measure_ != nullptr; ++i) {
      if (kind_of(i) != aggregation::measured) continue;
      if (!measure_total(*measure_, p_, s, out_.metrics[i])) return false;
      if (s.totals[out_.metrics[i]] > most_[i]) return false;
    }
    return true;
  }

  /// Keeps the incumbent of a stopped search, unless a point is as good.
  constexpr void hold(const stage_outcome& found) {
    if (!found.found) return;
    held_ = {found.best, {}, false};
    if (!measure_all(held_.best)) return;
    held_.value = value_of(held_.best);
    for (const pareto_point& point : out_.points)
      if (point.value.no_worse_than(held_.value)) return;
    holds_ = true;
  }

  constexpr bool tell(const search_progress& progress) {
    return static_cast<bool>(callback_(pareto_progress{
        static_cast<std::uint32_t>(out_.points.size()),
        static_cast<std::uint32_t>(region_.open().size()), out_.searches, progress}));
  }
  constexpr void stop(pareto_status why) {
    going_on_ = false;
    out_.status = why;
  }

  constexpr error failure() {
    if (going_on_)
      return describe(
          p_, find_conflict(p_, limits_.search.left_after(out_.counters.nodes, steps_), measure_));
    return make_error(errc::search_limit, "",
                      out_.status == pareto_status::stopped_by_caller
                          ? "the caller stopped the search before it had a selection"
                          : "the search reached its limit before it had a selection");
  }

  constexpr pareto_front finish() {
    if (holds_) out_.points.push_back(held_);
    stable_sort(out_.points, [](const pareto_point& a, const pareto_point& b) {
      return precedes(a.value, b.value);
    });
    out_.open = region_.open();
    stable_sort(out_.open, [](const objective_box& a, const objective_box& b) {
      return precedes(a.low, b.low);
    });
    if (out_.open.empty()) out_.status = pareto_status::complete;
    return static_cast<pareto_front&&>(out_);
  }

  /// Lexicographic order of the values.
  static constexpr bool precedes(const objective_vector& a, const objective_vector& b) {
    for (std::uint32_t i = 0; i < max_objectives; ++i)
      if (a[i] != b[i]) return a[i] < b[i];
    return false;
  }

  const selection_problem& p_;
  std::uint32_t count_ = 0;
  pareto_limits limits_;
  Callback& callback_;
  const any_measure* measure_;
  std::uint32_t first_ = 0;  ///< the metric that box searches minimise
  objective_vector most_;    ///< the limits of the problem
  objective_vector ideal_;   ///< the ideal point: componentwise lower bounds on every selection
  objective_vector largest_;
  search_region region_;
  reduced_selection reduced_;  ///< keeps every non-dominated vector
  std::uint64_t steps_ = 0;
  bool going_on_ = true;
  bool always_measure_ = false;
  bool holds_ = false;
  pareto_point held_;  ///< the incumbent of a stopped search
  pareto_front out_;
};

/// `invalid_problem` for wrong metrics of a front or no point allowed.
constexpr error check_front(const selection_problem& p, view<std::uint32_t> metrics,
                            const pareto_limits& limits) {
  if (metrics.size() < 2 || metrics.size() > max_objectives)
    return invalid_problem("", "a front is over two or three metrics");
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i] >= p.metrics.size())
      return invalid_problem(numbered("metric", metrics[i]), "the front's metric is unknown");
    for (std::size_t j = 0; j < i; ++j)
      if (metrics[i] == metrics[j])
        return invalid_problem(p.metrics[metrics[i]].name, "it is twice among the front's metrics");
  }
  if (limits.max_points == 0) return invalid_problem("", "a front has at least one point");
  return {};
}

}  // namespace detail

/// Finds the Pareto front of two or three metrics: all vectors of their totals that no selection
/// within the limits improves in one metric without a loss in another, each with a selection. The
/// objective of the problem is ignored.
///
/// Method: the open part of the objective space is stored as boxes below local upper bounds
/// (`search_region`), and each box is searched by the epsilon-constraint method in two
/// lexicographic steps (Haimes, Lasdon and Wismer 1971; for the number of searches see Daechert and
/// Klamroth, "A linear bound on the number of scalarizations needed to solve discrete tricriteria
/// optimization problems", J. Global Optimization 2015); large boxes are halved, as in the balanced
/// box method (Boland, Charkhgard and Savelsbergh 2015). For n points that takes about 2 n searches
/// with two metrics, 4 n with three, and some for the halving. Every search is one of `select`'s.
///
/// Anytime: when the callback, a limit of the search or the maximum number of points ends it, the
/// front has the points proven so far, the incumbent of the last search (not proven), and the boxes
/// that are still open. Errors: `errc::invalid_problem` for other than two or three different
/// metrics of the problem or if no point is allowed, and those of `select`, of which
/// `errc::search_limit` means that there is no point at all.
template <class Callback = keep_going, class Measure = no_measure>
  requires pareto_callback<std::remove_reference_t<Callback>>
constexpr result<pareto_front> select_pareto(const selection_problem& problem,
                                             view<std::uint32_t> metrics,
                                             const pareto_limits& limits = {},
                                             Callback&& callback = {}, Measure&& measure = {}) {
  error e = detail::check_front(problem, metrics, limits);
  if (e.code != errc::none) return e;
  selection_problem summed = problem;
  summed.objective = {};
  for (const std::uint32_t metric : metrics) summed.objective.terms.push_back({metric, 1});
  pareto_limits resolved = limits;
  resolved.search = limits.search.resolved();
  const detail::measure_to<std::remove_reference_t<Measure>> measured(measure);
  e = detail::check_call(summed, resolved.search, measured.get());
  if (e.code != errc::none) return e;
  return detail::pareto_solver(summed, metrics, resolved, callback, measured.get()).run();
}

}  // namespace wf
