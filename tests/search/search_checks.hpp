// SPDX-License-Identifier: BSL-1.0
#pragma once

// Properties of every outcome and every report of a search, independent of the engine and the
// problem. A check returns the first violation, or "".

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <wf/search/control.hpp>

namespace wf_test {

/// Records the reports of a search, and stops it after `stop_after` of them.
struct witness {
  std::vector<wf::search_progress> seen{};
  std::size_t stop_after = SIZE_MAX;

  bool operator()(const wf::search_progress& progress) {
    seen.push_back(progress);
    return seen.size() < stop_after;
  }
};

inline bool is_gap(wf::ratio gap, std::int64_t incumbent, std::int64_t bound) {
  if (incumbent == wf::unbounded) return gap == wf::ratio{1, 0};
  return gap == (bound >= incumbent ? wf::ratio{0, 1} : wf::ratio{incumbent - bound, incumbent});
}

/// Checks the reports of a search of `nodes` nodes with a report at every node; the optimum is
/// known and positive.
inline std::string history_fault(const std::vector<wf::search_progress>& seen, std::int64_t optimum,
                                 std::uint64_t nodes) {
  if (seen.size() != nodes) return "not a report for every node";
  wf::search_progress last{wf::unbounded, INT64_MIN, 0, 0};
  for (const wf::search_progress& p : seen) {
    if (p.incumbent < optimum) return "an incumbent below the optimum";
    if (p.bound > optimum) return "a bound above the optimum";
    if (p.incumbent > last.incumbent) return "an incumbent became worse";
    if (p.bound < last.bound) return "a bound became worse";
    if (p.nodes != static_cast<std::uint64_t>(&p - seen.data())) return "nodes miscounted";
    if (p.open == 0) return "nothing waits, yet the search goes on";
    if (!is_gap(p.gap(), p.incumbent, p.bound)) return "a wrong gap";
    last = p;
  }
  return "";
}

/// The reports among these that are due at an interval, or because of a new incumbent.
inline std::vector<wf::search_progress> due(const std::vector<wf::search_progress>& seen,
                                            std::uint64_t interval) {
  std::vector<wf::search_progress> out;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i].nodes % interval == 0 || seen[i].incumbent != seen[i - 1].incumbent)
      out.push_back(seen[i]);
  return out;
}

/// Checks an outcome, given the optimum (`unbounded`: there is no solution) and the cutoff of the
/// search. An `inexact` search had a weight or a beam.
template <class Outcome>
std::string outcome_fault(const Outcome& out, std::int64_t optimum,
                          std::int64_t cutoff = wf::unbounded, bool inexact = false) {
  using enum wf::search_status;
  if (out.found != (out.value != wf::unbounded)) return "found or not?";
  if (out.value < optimum) return "better than the optimum";
  if (out.found && out.value >= cutoff) return "not below the cutoff";
  if (out.bound > std::min(optimum, cutoff)) return "a bound above the optimum";
  if (!is_gap(out.gap(), out.value, out.bound)) return "a wrong gap";
  if (out.found != (out.counters.incumbents > 0)) return "incumbents miscounted";
  const bool closed = out.bound == std::min(out.value, cutoff);
  if (out.status == proven) return out.found && closed ? "" : "not a proof";
  if (out.status == infeasible)
    return !out.found && closed && optimum >= cutoff ? "" : "not infeasible";
  if (closed) return "a proof was not noticed";
  if (out.status == within_tolerance && (!inexact || !out.found)) return "within what tolerance?";
  return "";
}

/// Checks the outcome of a search that was not stopped: the proven optimum, or the proof that
/// nothing is below the cutoff.
template <class Outcome>
std::string proof_fault(const Outcome& out, std::int64_t optimum,
                        std::int64_t cutoff = wf::unbounded) {
  using enum wf::search_status;
  const std::string fault = outcome_fault(out, optimum, cutoff);
  if (!fault.empty()) return fault;
  if (out.status != (optimum < cutoff ? proven : infeasible)) return "the wrong status";
  return out.found && out.value != optimum ? "not the optimum" : "";
}

/// True if outcomes and statistics are equal.
template <class Outcome>
bool same_outcome(const Outcome& a, const Outcome& b) {
  if constexpr (requires { a.went_depth_first; })
    if (a.went_depth_first != b.went_depth_first) return false;
  return a.status == b.status && a.found == b.found && (!a.found || a.best == b.best) &&
         a.value == b.value && a.bound == b.bound && a.counters == b.counters;
}

/// Checks a search, `run(limits, callback)`, under growing limits of one kind until the limit is
/// not reached.
template <class Run>
std::string anytime_fault(Run&& run, std::uint64_t wf::search_limits::* kind,
                          std::int64_t optimum) {
  const auto whole = run(wf::search_limits{}, wf::keep_going{});
  std::int64_t value = wf::unbounded, bound = INT64_MIN;
  for (std::uint64_t limit = 1;; limit += 1 + limit / 6) {
    wf::search_limits limits;
    limits.*kind = limit;
    const auto out = run(limits, wf::keep_going{});
    const std::string fault = outcome_fault(out, optimum);
    if (!fault.empty()) return fault;
    if (out.value > value) return "more time, a worse value";
    if (out.bound < bound) return "more time, a worse bound";
    value = out.value;
    bound = out.bound;
    if (kind == &wf::search_limits::max_nodes) {
      if (out.counters.nodes != std::min(limit, whole.counters.nodes)) return "too few or too many";
      if ((out.status == wf::search_status::stopped_by_limit) != (limit < whole.counters.nodes))
        return "the wrong reason to stop";
    }
    if (out.status == wf::search_status::stopped_by_limit) continue;
    if (limit == 1 && whole.counters.nodes > 1) return "the limit was ignored";
    return same_outcome(out, whole) ? "" : "a limit that was not reached changed the answer";
  }
}

/// Checks a search with reports at every node and at this interval, which the caller stops at
/// various reports.
template <class Run>
std::string stop_fault(Run&& run, std::int64_t optimum, std::uint64_t interval) {
  witness every, all;
  const wf::search_limits limits{.progress_interval = interval};
  const auto whole = run(wf::search_limits{.progress_interval = 1}, every);
  const std::string fault = history_fault(every.seen, optimum, whole.counters.nodes);
  if (!fault.empty()) return fault;
  if (!same_outcome(run(limits, all), whole)) return "watching changes the search";
  if (all.seen != due(every.seen, interval)) return "not the reports that were due";
  for (std::size_t stop = 1; stop <= all.seen.size(); stop += 1 + stop / 6) {
    witness some{.stop_after = stop};
    const auto out = run(limits, some);
    const wf::search_progress& last = some.seen.back();
    if (!std::equal(some.seen.begin(), some.seen.end(), all.seen.begin())) return "another search";
    if (some.seen.size() != stop) return "the search went on";
    if (out.status != wf::search_status::stopped_by_caller) return "not stopped by the caller";
    if (out.value != last.incumbent || out.bound != last.bound || out.counters.nodes != last.nodes)
      return "not what was reported last";
    const std::string wrong = outcome_fault(out, optimum);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

/// A problem with its successors in random order.
template <class Problem>
struct shuffled : Problem {
  using typename Problem::state;
  std::uint32_t seed;

  shuffled(const Problem& problem, std::uint32_t s) : Problem(problem), seed(s) {}
  template <class Emit>
  void expand(const state& s, Emit&& emit) {
    std::vector<state> children;
    Problem::expand(s, [&](state&& child) { children.push_back(std::move(child)); });
    std::mt19937 random(seed++);
    for (std::size_t i = 0; i < children.size(); ++i) {
      std::swap(children[i], children[i + random() % (children.size() - i)]);
      emit(std::move(children[i]));
    }
  }
};

/// Counts the living objects of its type.
struct counted {
  static inline std::int64_t living = 0, most = 0;

  counted() { most = std::max(most, ++living); }
  counted(const counted&) : counted() {}
  counted& operator=(const counted&) = default;
  ~counted() { --living; }
};

/// A problem that counts its states in memory.
template <class Problem>
class counting {
 public:
  struct state {
    typename Problem::state inner;
    counted one{};
  };

  explicit counting(const Problem& problem) : in_(problem) {}
  state root() { return {in_.root()}; }
  std::int64_t g(const state& s) { return in_.g(s.inner); }
  std::int64_t h(const state& s) { return in_.h(s.inner); }
  bool goal(const state& s) { return in_.goal(s.inner); }
  std::int64_t bound(const state& s, std::int64_t cutoff) { return in_.bound(s.inner, cutoff); }
  bool feasible(const state& s) { return in_.feasible(s.inner); }
  std::int64_t spent(const state& s)
    requires requires(Problem& p) { p.spent(s.inner); }
  {
    return in_.spent(s.inner);
  }
  std::uint64_t hash(const state& s) { return in_.hash(s.inner); }
  bool same(const state& a, const state& b) { return in_.same(a.inner, b.inner); }
  template <class Emit>
  void expand(const state& s, Emit&& emit) {
    in_.expand(s.inner, [&](typename Problem::state&& child) { emit(state{std::move(child)}); });
  }

 private:
  Problem in_;
};

}  // namespace wf_test
