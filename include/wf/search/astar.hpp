// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/heap.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/search/run_control.hpp>

namespace wf {

/// A least-cost path problem for A*.
///
/// - `state`: a regular value.
/// - `root()`: the start state.
/// - `g(state)`: the cost of the path to the state, non-negative and stored in the state.
/// - `h(state)`: a lower bound on the remaining cost to a goal (`unbounded`: no goal is reachable).
///   If it is admissible, the proven value is the optimum; it need not be consistent.
/// - `goal(state)`: true at the end of a path.
/// - `expand(state, emit)`: calls `emit(child)` for every successor.
/// - `hash(state)`, `same(a, b)`: identify states with the same future; of two such states the
///   search keeps the one with the smaller g.
///
/// Optional: `incumbent(state, out)`, a quick completion; true if `out` is a goal reached through
/// the state. Optional: `steps()`, see `search_limits::max_steps`. Optional: `interrupted()`, true
/// if the caller wants the search to stop and `expand` may therefore have left out successors.
template <class P>
concept path_problem =
    std::copyable<typename P::state> && std::default_initializable<typename P::state> &&
    requires(P& p, const typename P::state& s) {
      { p.root() } -> std::same_as<typename P::state>;
      { p.g(s) } -> std::same_as<std::int64_t>;
      { p.h(s) } -> std::same_as<std::int64_t>;
      { p.goal(s) } -> std::convertible_to<bool>;
      p.expand(s, [](typename P::state&&) {});
      { p.hash(s) } -> std::same_as<std::uint64_t>;
      { p.same(s, s) } -> std::convertible_to<bool>;
    };

/// Options of A*: weight, beam width and cutoff.
struct astar_options {
  /// The priority of a state is g + h * numerator / denominator (weighted A*). A larger weight
  /// finds goals sooner; a weight below 1 counts as 1.
  std::int64_t weight_numerator = 1;
  /// See `weight_numerator`; must be positive.
  std::int64_t weight_denominator = 1;
  /// Stop as soon as the incumbent is certified to be at most weight times the optimum, before the
  /// proof of optimality. Ignored by a beam search and once the store is full.
  bool stop_within_weight = false;
  /// 0: no beam. Otherwise the number of states expanded per depth; the rest is discarded, and only
  /// its least f is kept for the bound.
  std::uint32_t beam_width = 0;
  /// Search only for goals below this value.
  std::int64_t cutoff = unbounded;
};

/// The outcome of A*: best goal, bound and proof status.
template <class State>
struct path_outcome {
  /// Proof status. `infeasible` also means: no goal below the given cutoff.
  search_status status = search_status::infeasible;
  /// True if `best` is a goal.
  bool found = false;
  /// The best goal found; valid if `found`.
  State best{};
  /// The g of `best`; `unbounded` if there is none.
  std::int64_t value = unbounded;
  /// A lower bound on every goal (if h is admissible), valid however the search ended.
  std::int64_t bound = unbounded;
  /// True if the store was full and the search went on depth-first.
  bool went_depth_first = false;
  /// Work counters of the search.
  search_counters counters;

  /// (value - bound) / value.
  constexpr ratio gap() const { return gap_between(value, bound); }
};

namespace detail {

template <class P, class Callback>
class astar_run {
  using state = typename P::state;
  struct node {
    state at{};
    std::int64_t g = 0;
    std::int64_t f = 0;  // max of g + h over the path: still a lower bound
    bool open = false;
    std::uint32_t depth = 0;  // below the frontier
  };
  struct entry {
    std::int64_t key = 0;
    std::int64_t g = 0;
    std::int64_t f = 0;
    std::uint64_t number = 0;
    std::uint32_t at = hash_index::none;
  };
  struct by_key {
    constexpr bool operator()(const entry& a, const entry& b) const {
      if (a.key != b.key) return a.key < b.key;
      if (a.g != b.g) return a.g > b.g;
      return a.number < b.number;
    }
  };

 public:
  constexpr astar_run(P& problem, const search_limits& limits, Callback& callback,
                      const astar_options& options)
      : problem_(problem),
        control_(storable(limits.resolved())),
        callback_(callback),
        options_(options),
        cutoff_(options.cutoff) {}

  constexpr path_outcome<state> run() {
    generate(problem_.root(), 0);
    if (options_.beam_width != 0)
      run_beam();
    else
      run_best_first();
    return finish();
  }

 private:
  // The limits, with no more states than the index can number.
  static constexpr search_limits storable(search_limits limits) {
    if (limits.max_open > hash_index::none - 1) limits.max_open = hash_index::none - 1;
    return limits;
  }
  constexpr std::uint64_t max_open() const { return control_.limits().max_open; }
  constexpr search_counters& counters() { return out_.counters; }

  constexpr bool is_stale(const entry& e) const {
    return !nodes_[e.at].open || nodes_[e.at].g != e.g;
  }

  constexpr void run_best_first() {
    while (!heap_.empty()) {
      const entry top = heap_.top();
      if (is_stale(top) || top.f >= cutoff_) {
        heap_.pop();
        if (!is_stale(top)) ++counters().pruned;
        continue;
      }
      if (stopped(heap_.size())) return;
      if (options_.stop_within_weight && out_.value <= top.key) return;
      heap_.pop();
      expand(top.at);
      if (interrupted()) {  // more successors may remain: reopen it
        nodes_[top.at].open = true;
        return heap_.push(top);
      }
      if (left_out_) {  // successors that did not fit are generated again depth-first
        nodes_[top.at].open = true;
        heap_.push(top);
      }
      if (nodes_.size() >= max_open()) return run_depth_first();
    }
  }

  constexpr void expand(std::uint32_t at) {
    nodes_[at].open = false;
    ++counters().nodes;
    const state current = nodes_[at].at;  // the table may grow below
    const std::int64_t f = nodes_[at].f;
    problem_.expand(current, [&](state&& child) { generate(std::move(child), f); });
  }

  /// The f of a state below a parent, path-max applied; `unbounded` if no goal is reachable.
  constexpr std::int64_t estimate(const state& s, std::int64_t parent) {
    const std::int64_t f = saturating_add(problem_.g(s), problem_.h(s));
    return f < parent ? parent : f;
  }

  /// True if the state is worth keeping; a goal becomes the incumbent instead.
  constexpr bool alive(state& s, std::int64_t f) {
    ++counters().generated;
    if (f >= cutoff_) {
      ++counters().pruned;
      return false;
    }
    if (problem_.goal(s)) {
      take(std::move(s));
      return false;
    }
    return true;
  }

  constexpr void take(state goal) {
    const std::int64_t value = problem_.g(goal);
    if (value >= cutoff_) return;
    cutoff_ = out_.value = value;
    out_.best = std::move(goal);
    out_.found = true;
    ++counters().incumbents;
    control_.announce();
  }

  constexpr void complete(const state& s) {
    if constexpr (requires(state& o) {
                    { problem_.incumbent(s, o) } -> std::convertible_to<bool>;
                  }) {
      state goal{};
      if (problem_.incumbent(s, goal)) take(std::move(goal));
    }
  }

  constexpr void generate(state child, std::int64_t parent) {
    const std::int64_t f = estimate(child, parent);
    if (!alive(child, f)) return;
    const std::int64_t g = problem_.g(child);
    const std::uint64_t hash = problem_.hash(child);
    std::uint32_t at = index_.find(
        hash, [&](std::uint32_t number) { return problem_.same(nodes_[number].at, child); });
    if (at != hash_index::none && nodes_[at].g <= g) {
      ++counters().duplicates;
      return;
    }
    complete(child);
    if (at == hash_index::none && nodes_.size() >= max_open()) {
      left_out_ = true;
      if (options_.beam_width != 0 && f < forgotten_) forgotten_ = f;
      return;
    }
    if (at == hash_index::none) {
      at = static_cast<std::uint32_t>(nodes_.size());
      index_.insert(hash, at);
      nodes_.push_back({std::move(child), g, f, true, 0});
    } else {
      nodes_[at] = {std::move(child), g, f, true, 0};
    }
    const entry added{key(g, f), g, f, counters().generated, at};
    if (options_.beam_width != 0)
      layer_.push_back(added);
    else
      heap_.push(added);
  }

  /// True if the weight is valid and above 1.
  constexpr bool weighted() const {
    return options_.weight_denominator > 0 &&
           options_.weight_numerator > options_.weight_denominator;
  }

  /// The priority of a state: f, or the weighted f.
  constexpr std::int64_t key(std::int64_t g, std::int64_t f) const {
    if (!weighted()) return f;
    const int128 rest =
        static_cast<int128>(f - g) * options_.weight_numerator / options_.weight_denominator;
    return rest > INT64_MAX - g ? INT64_MAX : g + static_cast<std::int64_t>(rest);
  }

  /// Expands layer by layer, each cut to the width of the beam.
  constexpr void run_beam() {
    while (!layer_.empty()) {
      heap_.clear();
      for (const entry& e : layer_) heap_.push(e);
      layer_.clear();
      for (std::uint32_t width = 0; !heap_.empty();) {
        const entry top = heap_.top();
        if (is_stale(top) || top.f >= cutoff_) {
          heap_.pop();
          if (!is_stale(top)) ++counters().pruned;
          continue;
        }
        if (width == options_.beam_width) break;
        if (nodes_.size() >= max_open()) {
          control_.stop(search_status::stopped_by_limit);
          break;
        }
        if (stopped(heap_.size() + layer_.size())) return;
        heap_.pop();
        ++width;
        expand(top.at);
        if (interrupted()) {
          nodes_[top.at].open = true;
          return heap_.push(top);
        }
      }
      for (const entry& e : heap_.records()) forget(e);
    }
    heap_.clear();
  }

  constexpr void forget(const entry& e) {
    if (is_stale(e) || e.f >= cutoff_) return;
    nodes_[e.at].open = false;
    // A cheaper path to this state may come later; it is then expanded again.
    if (e.f < forgotten_) forgotten_ = e.f;
  }

  /// Runs when the store is full: a depth-first branch and bound below each frontier state, least f
  /// first, that keeps only the siblings along one path. It drops states that the store reaches at
  /// no greater cost, and states that close a cycle on the path.
  constexpr void run_depth_first() {
    out_.went_depth_first = true;
    while (!heap_.empty() || !stack_.empty()) {
      if (stack_.empty()) {
        const entry top = heap_.pop();
        if (is_stale(top)) continue;
        stack_.push_back(nodes_[top.at]);
        stack_.back().depth = 0;
      }
      if (stack_.back().f >= cutoff_) {
        stack_.pop_back();
        ++counters().pruned;
        continue;
      }
      if (stopped(heap_.size() + stack_.size())) return;
      const node current = std::move(stack_.back());
      stack_.pop_back();
      ++counters().nodes;
      path_.resize(current.depth);
      path_.push_back(current.at);
      const std::size_t first = stack_.size();
      problem_.expand(current.at, [&](state&& child) { stack_child(std::move(child), current); });
      if (interrupted()) return stack_.push_back(current);
      best_on_top(first);
    }
  }

  constexpr void stack_child(state child, const node& parent) {
    const std::int64_t f = estimate(child, parent.f);
    if (!alive(child, f)) return;
    const std::int64_t g = problem_.g(child);
    const std::uint32_t known = index_.find(problem_.hash(child), [&](std::uint32_t number) {
      return problem_.same(nodes_[number].at, child);
    });
    bool drop = known != hash_index::none && nodes_[known].g <= g;
    for (std::size_t i = path_.size(); i-- > 0 && !drop;) drop = problem_.same(path_[i], child);
    if (drop) {
      ++counters().duplicates;
    } else if (stack_.size() >= max_open() + most_beside) {
      is_full_ = true;
      if (f < forgotten_) forgotten_ = f;
    } else {
      stack_.push_back({std::move(child), g, f, true, parent.depth + 1});
    }
  }

  /// Sorts the stack from `first` on so that the state with the least f (ties: larger g, then
  /// earlier generated) is on top. O(n log n).
  constexpr void best_on_top(std::size_t first) {
    struct rank {
      std::int64_t f = 0, g = 0;
      std::size_t at = 0;
    };
    table<rank> order;
    for (std::size_t i = stack_.size(); i-- > first;)
      order.push_back({stack_[i].f, stack_[i].g, i});
    stable_sort(order,
                [](const rank& a, const rank& b) { return a.f != b.f ? a.f > b.f : a.g < b.g; });
    table<node> sorted;
    sorted.reserve(order.size());
    for (const rank& r : order) sorted.push_back(std::move(stack_[r.at]));
    for (std::size_t i = 0; i < sorted.size(); ++i) stack_[first + i] = std::move(sorted[i]);
  }

  /// A proven lower bound: the least f of all open and discarded states, or the cutoff. O(1) for
  /// plain A*, O(open states) otherwise.
  constexpr std::int64_t proven_bound() const {
    std::int64_t least = cutoff_ < forgotten_ ? cutoff_ : forgotten_;
    for (const node& waiting : stack_)
      if (waiting.f < least) least = waiting.f;
    for (const entry& e : layer_)
      if (e.f < least && !is_stale(e)) least = e.f;
    if (options_.beam_width == 0 && !weighted())
      return !heap_.empty() && heap_.top().f < least ? heap_.top().f : least;
    for (const entry& e : heap_.records())
      if (e.f < least && !is_stale(e)) least = e.f;
    return least;
  }

  /// True if a limit or the caller ends the search before the next expansion.
  constexpr bool stopped(std::size_t waiting) {
    if (waiting > counters().most_open) counters().most_open = waiting;
    // Besides those of incumbents, reports come at the multiples of the interval.
    if (counters().nodes % control_.limits().progress_interval == 0) control_.announce();
    return !control_.go_on(counters().nodes, steps_of(problem_), 0, callback_, [&] {
      return search_progress{out_.value, proven_bound(), counters().nodes, waiting};
    });
  }

  /// True if the problem was interrupted while it expanded a state.
  constexpr bool interrupted() {
    if constexpr (requires {
                    { problem_.interrupted() } -> std::convertible_to<bool>;
                  }) {
      if (problem_.interrupted()) {
        control_.stop(search_status::stopped_by_caller);
        return true;
      }
    }
    return false;
  }

  constexpr path_outcome<state> finish() {
    out_.bound = proven_bound();
    if (out_.bound >= cutoff_)
      out_.status = out_.found ? search_status::proven : search_status::infeasible;
    else if (control_.stopped())
      out_.status = control_.reason();
    else
      out_.status = is_full_     ? search_status::stopped_by_limit
                    : out_.found ? search_status::within_tolerance
                                 : search_status::stopped_by_limit;
    return std::move(out_);
  }

  P& problem_;
  run_control control_;
  Callback& callback_;
  astar_options options_;
  std::int64_t cutoff_;
  std::int64_t forgotten_ = unbounded;
  // The depth-first search may exceed `max_open` by this many states.
  static constexpr std::size_t most_beside = 1'000;
  bool left_out_ = false;  // an expansion left out successors because the store was full
  bool is_full_ = false;   // the depth-first search discarded states
  table<node> nodes_;
  table<node> stack_;
  table<state> path_;
  table<entry> layer_;
  binary_heap<entry, by_key> heap_;
  hash_index index_;
  path_outcome<state> out_;
};

}  // namespace detail

/// A*: finds the least-cost path from the root to a goal, at run time and in constant evaluation.
/// Ties go to the larger g, then to the earlier insertion, so the answer is deterministic. Anytime:
/// goals found on the way and the problem's quick completions are incumbents; the bound is the
/// least f of the open states. Memory: about `max_open` states, open and closed. When the store is
/// full, the search goes on as a depth-first branch and bound below the frontier. It still ends
/// with a proof unless the siblings along one path exceed `max_open` + 1,000: the states beyond are
/// discarded, and only their f enters the bound. A weighted search that stops at its first goal,
/// and a beam, report `within_tolerance` with the bound they can certify, or `proven` if that bound
/// meets the value. A beam that loses every goal, or that loses states to a full store, reports
/// `stopped_by_limit`. Source: Hart, Nilsson and Raphael 1968; Hansen and Zhou 2007 (anytime).
template <path_problem P, class Callback = keep_going>
  requires progress_callback<std::remove_reference_t<Callback>>
constexpr path_outcome<typename P::state> astar(P& problem, const search_limits& limits = {},
                                                Callback&& callback = {},
                                                const astar_options& options = {}) {
  return detail::astar_run<P, std::remove_reference_t<Callback>>(problem, limits, callback, options)
      .run();
}

}  // namespace wf
