// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/search/run_control.hpp>
#include <wf/search/seen_states.hpp>

namespace wf {

/// A minimisation problem that holds one partial solution and changes it step by step.
///
/// - `choice`: a regular value, a step.
/// - `apply(choice)`, `undo()`: take a step, and take the last one back.
/// - `is_complete()`: true if nothing is left to choose; `value()` is then the cost of the
///   solution, and `keep()` stores it.
/// - `enter(cutoff)`: false if no completion of the partial solution is below `cutoff`. It is
///   called once after each step, before the functions below.
/// - `describe(words)`: appends words and returns their hash. If two partial solutions have the
///   same words and one has a completion of at most some value, then so has the other, or its
///   `spent()` exceeds that value. `spent()` is the cost so far, a lower bound on every completion.
/// - `branch(choices)`: appends the steps that lead to completions, the most promising one last.
template <class P>
concept stepwise_problem =
    std::copyable<typename P::choice> && std::default_initializable<typename P::choice> &&
    requires(P& p, const P& c, const typename P::choice& step, std::int64_t cutoff,
             table<typename P::choice>& steps, table<std::uint32_t>& words) {
      p.apply(step);
      p.undo();
      { c.is_complete() } -> std::convertible_to<bool>;
      { c.value() } -> std::same_as<std::int64_t>;
      p.keep();
      { p.enter(cutoff) } -> std::convertible_to<bool>;
      { p.describe(words) } -> std::same_as<std::uint64_t>;
      { c.spent() } -> std::same_as<std::int64_t>;
      p.branch(steps);
    };

/// Options of a depth-first search: cutoff, known bound and sufficient value.
struct depth_first_options {
  std::int64_t cutoff = unbounded;  ///< search only for solutions below this value
  std::int64_t bound = INT64_MIN;   ///< a known lower bound: a solution that meets it is optimal
  /// A sufficient value: the search ends with the first solution of at most this value.
  std::int64_t enough = INT64_MIN;
};

/// The outcome of a depth-first search; the problem keeps the solution itself.
struct depth_first_outcome {
  /// Proof status; `infeasible`: no solution is below the cutoff; `within_tolerance`: the search
  /// ended with a sufficient value.
  search_status status = search_status::infeasible;
  bool found = false;              ///< true if a solution below the cutoff was found
  std::int64_t value = unbounded;  ///< value of the best solution; `unbounded` if there is none
  search_counters counters;        ///< work counters of the search
};

namespace detail {

template <class P, class Callback>
class depth_first_run {
 public:
  constexpr depth_first_run(P& problem, seen_states& seen, const search_limits& limits,
                            const depth_first_options& options, Callback& callback)
      : problem_(problem),
        seen_(seen),
        control_(limits.resolved()),
        options_(options),
        callback_(callback),
        cutoff_(options.cutoff) {}

  // Expands up to `most_nodes` more nodes; true if the search has ended.
  constexpr bool advance(std::uint64_t most_nodes) {
    if (!begun_) {
      begun_ = true;
      ++counters().generated;
      visit();
    }
    const std::uint64_t begin = counters().nodes;
    while (!levels_.empty() && !is_done()) {
      if (counters().nodes - begin >= most_nodes) return false;
      if (steps_.size() == levels_.back()) {
        levels_.pop_back();
        if (!levels_.empty()) problem_.undo();
        continue;
      }
      if (stopped()) break;
      const typename P::choice next = steps_.back();
      steps_.pop_back();
      problem_.apply(next);
      ++counters().generated;
      if (!visit()) problem_.undo();
    }
    // Restores the initial state of the problem.
    for (; levels_.size() > 1; levels_.pop_back()) problem_.undo();
    levels_.clear();
    finish();
    return true;
  }
  // The outcome, once `advance` has returned true.
  constexpr const depth_first_outcome& outcome() const { return out_; }

 private:
  constexpr search_counters& counters() { return out_.counters; }
  constexpr bool is_done() const {
    return cutoff_ <= options_.bound || (out_.found && cutoff_ <= options_.enough);
  }

  // Visits the partial solution; true if it pushed a level of steps.
  constexpr bool visit() {
    if (problem_.is_complete()) {
      if (problem_.value() < cutoff_) {
        cutoff_ = out_.value = problem_.value();
        out_.found = true;
        problem_.keep();
        ++counters().incumbents;
        control_.announce();
      }
      return false;
    }
    if (!problem_.enter(cutoff_)) {
      ++counters().pruned;
      return false;
    }
    words_.clear();
    const std::uint64_t hash = problem_.describe(words_);
    if (std::int64_t* spent = seen_.find(hash, words_)) {
      // No completion was below the cutoff of that time, which was no lower than the present one.
      // If the reason was the cost spent then, nothing follows for this state.
      if (*spent < cutoff_) {
        ++counters().duplicates;
        return false;
      }
      *spent = problem_.spent();
    } else {
      seen_.insert(hash, words_, problem_.spent());
    }
    ++counters().nodes;
    levels_.push_back(steps_.size());
    problem_.branch(steps_);
    if (steps_.size() > counters().most_open) counters().most_open = steps_.size();
    return true;
  }

  constexpr bool stopped() {
    return !control_.go_on(counters().nodes, steps_of(problem_), steps_.size(), callback_, [&] {
      return search_progress{out_.value, options_.bound, counters().nodes,
                             static_cast<std::uint64_t>(steps_.size())};
    });
  }

  constexpr void finish() {
    if (out_.found && cutoff_ <= options_.bound)
      out_.status = search_status::proven;
    else if (out_.found && cutoff_ <= options_.enough)
      out_.status = search_status::within_tolerance;
    else if (control_.stopped())
      out_.status = control_.reason();
    else
      out_.status = out_.found ? search_status::proven : search_status::infeasible;
  }

  P& problem_;
  seen_states& seen_;
  run_control control_;
  depth_first_options options_;
  Callback& callback_;
  std::int64_t cutoff_;
  bool begun_ = false;
  table<typename P::choice> steps_;
  table<std::size_t> levels_;  // the first step of each level
  table<std::uint32_t> words_;
  depth_first_outcome out_;
};

}  // namespace detail

/// Depth-first branch and bound on one partial solution that changes, with a transposition table:
/// deterministic, at run time and in constant evaluation, in bounded memory (the table and the
/// steps along one path). The entries of `seen` must come from searches of the same problem whose
/// cutoffs were no lower. The problem must be in its initial state, and is restored to it.
/// `max_open` limits the waiting steps. Source of the table: transposition tables, see Sen and
/// Bagchi, "Fast recursive formulations for best-first search that allow controlled use of memory",
/// IJCAI 1989.
template <stepwise_problem P, class Callback = keep_going>
  requires progress_callback<std::remove_reference_t<Callback>>
constexpr depth_first_outcome depth_first(P& problem, seen_states& seen,
                                          const search_limits& limits = {},
                                          const depth_first_options& options = {},
                                          Callback&& callback = {}) {
  detail::depth_first_run<P, std::remove_reference_t<Callback>> run(problem, seen, limits, options,
                                                                    callback);
  run.advance(UINT64_MAX);
  return run.outcome();
}

}  // namespace wf
