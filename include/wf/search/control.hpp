// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <wf/core/callable.hpp>
#include <wf/core/integer.hpp>

namespace wf {

/// The value of "no solution" and of "no bound": larger than every cost.
inline constexpr std::int64_t unbounded = INT64_MAX;

/// Proof status of a finished search.
enum class search_status : std::uint8_t {
  proven,             ///< the incumbent is optimal
  infeasible,         ///< there is no solution
  stopped_by_limit,   ///< a limit was reached: the incumbent (if any) and the bound are valid
  stopped_by_caller,  ///< the progress callback returned false: likewise
  within_tolerance,   ///< an inexact option (weight, beam, early stop) was set and its guarantee
                      ///< holds
};

/// The English name of a status, such as "proven".
constexpr const char* to_text(search_status status) {
  switch (status) {
    case search_status::proven:
      return "proven";
    case search_status::infeasible:
      return "infeasible";
    case search_status::stopped_by_limit:
      return "stopped by a limit";
    case search_status::stopped_by_caller:
      return "stopped by the caller";
    case search_status::within_tolerance:
      return "within tolerance";
  }
  return "unknown";
}

/// Limits of a search. Zero means the default: at run time no limit on nodes and steps; in constant
/// evaluation limits that are reached before those of a compiler (clang: 1,048,576 statements an
/// evaluation; g++: 262,144 iterations of a loop). Time limits belong in the callback: wf never
/// reads a clock to decide.
struct search_limits {
  /// The maximum number of states expanded.
  std::uint64_t max_nodes = 0;
  /// The maximum number of elementary steps that the problem reports through `steps()`, if it does.
  /// A step is one pass of the problem's innermost loop with all that surrounds it, 30 to 170
  /// statements.
  std::uint64_t max_steps = 0;
  /// The maximum number of states in memory at a time (A*: open and closed ones).
  std::uint64_t max_open = 0;
  /// The callback is called once per this many nodes, and after each better incumbent.
  std::uint64_t progress_interval = 0;
  friend constexpr bool operator==(const search_limits&, const search_limits&) = default;

  /// These limits with the defaults in place of zeros, those of constant evaluation while
  /// compiling.
  constexpr search_limits resolved() const {
    // Not const: the initialiser of a constant integer is itself evaluated as a constant.
    bool compiling = std::is_constant_evaluated();
    search_limits out = *this;
    if (out.max_nodes == 0) out.max_nodes = compiling ? 4'000 : UINT64_MAX;
    if (out.max_steps == 0) out.max_steps = compiling ? 22'000 : UINT64_MAX;
    if (out.max_open == 0) out.max_open = compiling ? 4'000 : 4'000'000;
    if (out.progress_interval == 0) out.progress_interval = 16;
    return out;
  }
  /// True if so many nodes, steps or open states reach one of these limits, which are resolved.
  constexpr bool reached_by(std::uint64_t nodes, std::uint64_t steps,
                            std::uint64_t open = 0) const {
    return nodes >= max_nodes || steps >= max_steps || open >= max_open;
  }
  /// The limits that remain after so many nodes and steps, where these limits are resolved: at
  /// least 1 of each, since 0 means the default.
  constexpr search_limits left_after(std::uint64_t nodes, std::uint64_t steps) const {
    search_limits out = *this;
    if (max_nodes != UINT64_MAX) out.max_nodes = max_nodes > nodes ? max_nodes - nodes : 1;
    if (max_steps != UINT64_MAX) out.max_steps = max_steps > steps ? max_steps - steps : 1;
    return out;
  }
};

/// A non-negative fraction; a zero denominator means infinity.
struct ratio {
  /// The dividend.
  std::int64_t numerator = 0;
  /// The divisor; 0: infinity.
  std::int64_t denominator = 1;
  friend constexpr bool operator==(const ratio&, const ratio&) = default;
};

/// The relative gap (incumbent - bound) / incumbent, unreduced; 0/1 if they meet, 1/0 if there is
/// no incumbent.
constexpr ratio gap_between(std::int64_t incumbent, std::int64_t bound) {
  if (incumbent == unbounded) return {1, 0};
  if (bound >= incumbent) return {0, 1};
  std::int64_t difference = 0;
  if (!checked_subtract(incumbent, bound, difference)) return {1, 0};
  return {difference, incumbent > 0 ? incumbent : 0};
}

/// A snapshot of a running search for its progress callback.
struct search_progress {
  /// The value of the best solution so far; `unbounded` if there is none.
  std::int64_t incumbent = unbounded;
  /// A lower bound on every solution.
  std::int64_t bound = 0;
  /// Number of states expanded so far.
  std::uint64_t nodes = 0;
  /// Number of open states.
  std::uint64_t open = 0;
  friend constexpr bool operator==(const search_progress&, const search_progress&) = default;

  /// (incumbent - bound) / incumbent.
  constexpr ratio gap() const { return gap_between(incumbent, bound); }
};

/// A callable that receives the progress and returns false to stop the search.
template <class F>
concept progress_callback = requires(F& f, const search_progress& progress) {
  { f(progress) } -> std::convertible_to<bool>;
};

/// A type-erased progress callback: engines that take it are compiled once.
using any_progress_callback = callable<bool, const search_progress&>;

/// Wraps a progress callback of type `F` as a type-erased one.
template <class F>
using progress_callback_to = callable_to<F, bool, const search_progress&>;

/// A progress callback that never stops the search.
struct keep_going {
  /// Always true.
  constexpr bool operator()(const search_progress&) const { return true; }
};

/// Work counters of a search.
struct search_counters {
  /// Number of states expanded.
  std::uint64_t nodes = 0;
  /// Number of states generated, the root included.
  std::uint64_t generated = 0;
  /// Number of states dropped because their bound reached the incumbent.
  std::uint64_t pruned = 0;
  /// Number of states dropped because an equal one was no worse.
  std::uint64_t duplicates = 0;
  /// Number of incumbents found, each better than the one before.
  std::uint64_t incumbents = 0;
  /// The maximum number of states open at a time.
  std::uint64_t most_open = 0;
  /// Number of dives: greedy roundings of a relaxation to a solution, without backtracking.
  std::uint64_t dives = 0;
  /// Number of cutting planes added to a relaxation.
  std::uint64_t cuts = 0;

  /// Adds the counters of a search that ran before or after this one.
  constexpr void add(const search_counters& other) {
    nodes += other.nodes;
    generated += other.generated;
    pruned += other.pruned;
    duplicates += other.duplicates;
    incumbents += other.incumbents;
    if (most_open < other.most_open) most_open = other.most_open;
    dives += other.dives;
    cuts += other.cuts;
  }
  friend constexpr bool operator==(const search_counters&, const search_counters&) = default;
};

namespace detail {

/// True if the problem counts its own elementary steps.
template <class P>
concept counts_steps = requires(const P& p) {
  { p.steps() } -> std::convertible_to<std::uint64_t>;
};

/// The steps that a problem reports; 0 if it does not count them.
template <class P>
constexpr std::uint64_t steps_of(const P& problem) {
  if constexpr (counts_steps<P>) return problem.steps();
  return 0;
}

}  // namespace detail
}  // namespace wf
