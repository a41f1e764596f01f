// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <wf/core/container/heap.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/search/state_index.hpp>

namespace wf {

/// A minimisation problem for branch and bound.
///
/// - `state`: a movable value, a partial solution.
/// - `root()`: the state without any decision.
/// - `bound(state, cutoff)`: a lower bound on every completion of the state, or `cutoff` or more if
///   no completion is below `cutoff` (`unbounded` if there is none at all). It may tighten the
///   state by dropping completions that are not below `cutoff`.
/// - `feasible(state)`: true if the state, just bounded, is a solution; its bound is its value.
/// - `expand(state, emit)`: calls `emit(child)` for children that together cover every completion.
///
/// Optional: `steps()`, see `search_limits::max_steps`; and dominance, see `dominance_problem`.
template <class P>
concept bounded_problem =
    std::movable<typename P::state> && std::default_initializable<typename P::state> &&
    requires(P& p, typename P::state& s, const typename P::state& c, std::int64_t cutoff) {
      { p.root() } -> std::same_as<typename P::state>;
      { p.bound(s, cutoff) } -> std::same_as<std::int64_t>;
      { p.feasible(c) } -> std::convertible_to<bool>;
      p.expand(c, [](typename P::state&&) {});
    };

/// A bounded problem with dominance: `same(a, b)`, compatible with `hash(state)`, is true if two
/// states have the same future. `spent(state)` is the cost of the decisions so far; of two such
/// states the one that spent less dominates.
template <class P>
concept dominance_problem = bounded_problem<P> && requires(P& p, const typename P::state& s) {
  { p.hash(s) } -> std::same_as<std::uint64_t>;
  { p.same(s, s) } -> std::convertible_to<bool>;
  { p.spent(s) } -> std::same_as<std::int64_t>;
};

/// Options of branch and bound: cutoff and search order.
struct branch_and_bound_options {
  /// Search only for solutions below this value, such as the value of a known solution.
  std::int64_t cutoff = unbounded;
  /// 0: depth-first, children in the order of their bounds, then as emitted. Otherwise a hybrid of
  /// best-first and depth-first: after this many nodes of a depth-first dive, the search continues
  /// at the open state of least bound (1: pure best-first). While `max_open` is reached it stays
  /// depth-first. Source: Allouche, de Givry, Katsirelos, Schiex and Zytnicki, CP 2015.
  std::uint64_t dive = 0;
};

/// The outcome of branch and bound: best solution, bound and proof status.
template <class State>
struct search_outcome {
  /// Proof status. `infeasible` also means: no solution below the given cutoff.
  search_status status = search_status::infeasible;
  /// True if `best` is a solution.
  bool found = false;
  /// The best solution found; valid if `found`.
  State best{};
  /// The value of `best`; `unbounded` if there is none.
  std::int64_t value = unbounded;
  /// A lower bound on every solution, valid however the search ended.
  std::int64_t bound = unbounded;
  /// Work counters of the search.
  search_counters counters;

  /// (value - bound) / value.
  constexpr ratio gap() const { return gap_between(value, bound); }
};

namespace detail {

template <class P, class Callback>
class branch_and_bound_run {
  using state = typename P::state;
  struct node {
    state at{};
    std::int64_t bound = 0;
    std::uint64_t number = 0;
  };
  struct by_bound {
    constexpr bool operator()(const node& a, const node& b) const {
      return a.bound != b.bound ? a.bound < b.bound : a.number < b.number;
    }
  };

 public:
  constexpr branch_and_bound_run(P& problem, const search_limits& limits, Callback& callback,
                                 const branch_and_bound_options& options)
      : problem_(problem),
        limits_(limits.resolved()),
        callback_(callback),
        options_(options),
        cutoff_(options.cutoff) {}

  constexpr search_outcome<state> run() {
    generate(problem_.root(), INT64_MIN);
    stack_children();
    while (next()) {
      if (stack_.back().bound >= cutoff_) {
        stack_.pop_back();
        ++counters().pruned;
        continue;
      }
      if (stopped()) break;
      node current = std::move(stack_.back());
      stack_.pop_back();
      ++counters().nodes;
      ++dived_;
      problem_.expand(current.at,
                      [&](state&& child) { generate(std::move(child), current.bound); });
      stack_children();
    }
    return finish();
  }

 private:
  constexpr search_counters& counters() { return out_.counters; }

  /// Ensures that the stack holds the next state; false if no open state is left.
  constexpr bool next() {
    const std::size_t waiting = stack_.size() + heap_.size();
    if (waiting > counters().most_open) counters().most_open = waiting;
    if (options_.dive != 0 && dived_ >= options_.dive && waiting < limits_.max_open) {
      while (!stack_.empty()) {
        heap_.push(std::move(stack_.back()));
        stack_.pop_back();
      }
    }
    if (!stack_.empty()) return true;
    dived_ = 0;
    if (heap_.empty()) return false;
    stack_.push_back(heap_.pop());
    if (stack_.back().bound < cutoff_) return true;
    counters().pruned += 1 + heap_.size();
    stack_.clear();
    heap_.clear();
    return false;
  }

  constexpr void generate(state child, std::int64_t parent) {
    ++counters().generated;
    if (steps_of(problem_) >= limits_.max_steps) {  // the next expansion stops the search: skip the
                                                    // bound
      children_.push_back({std::move(child), parent, counters().generated});
      return;
    }
    std::int64_t bound = problem_.bound(child, cutoff_);
    if (bound < parent) bound = parent;
    if (bound >= cutoff_) {
      ++counters().pruned;
      return;
    }
    if (problem_.feasible(child)) {
      cutoff_ = out_.value = bound;
      out_.best = std::move(child);
      out_.found = true;
      ++counters().incumbents;
      announce_ = true;
      return;
    }
    if (dominated(child)) {
      ++counters().duplicates;
      return;
    }
    children_.push_back({std::move(child), bound, counters().generated});
  }

  /// True if an equal state that spent no more is known; otherwise records this one.
  constexpr bool dominated(const state& s) {
    if constexpr (dominance_problem<P>) {
      const std::uint64_t hash = problem_.hash(s);
      const std::uint32_t known =
          index_.find(hash, [&](std::uint32_t number) { return problem_.same(met_[number], s); });
      if (known == no_state) {
        if (met_.size() < limits_.max_open) {
          index_.insert(hash, static_cast<std::uint32_t>(met_.size()));
          met_.push_back(s);
        }
        return false;
      }
      if (problem_.spent(met_[known]) <= problem_.spent(s)) return true;
      met_[known] = s;
    }
    return false;
  }

  /// Moves the children onto the stack, the best on top (insertion sort, since there are few).
  constexpr void stack_children() {
    for (std::size_t i = 1; i < children_.size(); ++i)
      for (std::size_t j = i; j > 0 && by_bound{}(children_[j - 1], children_[j]); --j) {
        node moving = std::move(children_[j]);
        children_[j] = std::move(children_[j - 1]);
        children_[j - 1] = std::move(moving);
      }
    for (node& child : children_) stack_.push_back(std::move(child));
    children_.clear();
  }

  /// A proven lower bound: the least open bound, or the cutoff. O(open states).
  constexpr std::int64_t proven_bound() const {
    std::int64_t least = cutoff_;
    if (!heap_.empty() && heap_.top().bound < least) least = heap_.top().bound;
    for (const node& waiting : stack_)
      if (waiting.bound < least) least = waiting.bound;
    return least;
  }

  /// True if a limit or the caller ends the search before the next expansion.
  constexpr bool stopped() {
    if (counters().nodes >= limits_.max_nodes || steps_of(problem_) >= limits_.max_steps ||
        stack_.size() >= limits_.max_open) {
      out_.status = search_status::stopped_by_limit;
      return stop_ = true;
    }
    if (announce_ || counters().nodes % limits_.progress_interval == 0) {
      announce_ = false;
      const std::uint64_t waiting = stack_.size() + heap_.size();
      if (!callback_(search_progress{out_.value, proven_bound(), counters().nodes, waiting})) {
        out_.status = search_status::stopped_by_caller;
        return stop_ = true;
      }
    }
    return false;
  }

  constexpr search_outcome<state> finish() {
    out_.bound = proven_bound();
    if (!stop_ || out_.bound >= cutoff_)
      out_.status = out_.found ? search_status::proven : search_status::infeasible;
    return std::move(out_);
  }

  P& problem_;
  search_limits limits_;
  Callback& callback_;
  branch_and_bound_options options_;
  std::int64_t cutoff_;
  std::uint64_t dived_ = 0;
  bool stop_ = false;
  bool announce_ = false;
  table<node> stack_;
  table<node> children_;
  binary_heap<node, by_bound> heap_;
  table<state> met_;
  state_index index_;
  search_outcome<state> out_;
};

}  // namespace detail

/// Minimises by branch and bound: anytime and deterministic, at run time and in constant
/// evaluation. The bound of the outcome is valid however the search ended: the least bound of the
/// open states, or the value. The callback is called before expansions (see
/// `search_limits::progress_interval`). Memory: about `max_open` states of the dive (beyond it the
/// search stops), as many that wait for a later dive in a hybrid search, and as many recorded
/// states if there is dominance.
template <bounded_problem P, class Callback = keep_going>
  requires progress_callback<std::remove_reference_t<Callback>>
constexpr search_outcome<typename P::state> branch_and_bound(
    P& problem, const search_limits& limits = {}, Callback&& callback = {},
    const branch_and_bound_options& options = {}) {
  return detail::branch_and_bound_run<P, std::remove_reference_t<Callback>>(problem, limits,
                                                                            callback, options)
      .run();
}

}  // namespace wf
