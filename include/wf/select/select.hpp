// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/compiled.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/search/control.hpp>
#include <wf/search/executor.hpp>
#include <wf/select/certificate.hpp>
#include <wf/select/conflict.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/proof.hpp>
#include <wf/select/proof/recorder.hpp>
#include <wf/select/reduce/bound.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/stage.hpp>

namespace wf {
namespace detail {

/// Solves the levels of the objective in order, each with the earlier ones pinned to their optima,
/// and then explains the rejected candidates.
template <class Executor>
class selection_solver {
 public:
  constexpr selection_solver(const selection_problem& problem, const search_limits& limits,
                             const any_progress_callback& callback, const any_measure* measure,
                             Executor& executor, proof_recorder* recorder)
      : p_(problem),
        limits_(limits),
        callback_(callback),
        measure_(measure),
        executor_(executor),
        recorder_(recorder) {}

  constexpr result<selection_result> run() {
    const std::size_t count = p_.objective.lexicographic ? p_.objective.terms.size() : 1;
    for (std::size_t level = 0; level < count; ++level) {
      add_level(level);
      const record& at = levels_.back();
      if (recorder_ != nullptr) recorder_->begin(p_, at.stage, at.reduced);
      const stage_outcome found = solve_stage(
          p_, at.stage, at.reduced, level == 0 ? nullptr : &out_.best, measure_, callback_,
          limits_.left_after(out_.counters.nodes, steps_), executor_, recorder_);
      steps_ += found.steps;
      if (recorder_ != nullptr) recorder_->end(found.status == search_status::proven, found.value);
      out_.counters.add(found.counters);
      if (!found.found) return failure(found.status);
      out_.best = found.best;
      out_.status = found.status;
      out_.objective.push_back(found.value);
      out_.bound.push_back(found.bound < found.value ? found.bound : found.value);
      if (found.status != search_status::proven) break;
    }
    for (std::size_t level = out_.objective.size(); level < count; ++level) {  // level not reached
      out_.objective.push_back(out_.best.totals[p_.objective.terms[level].metric]);
      out_.bound.push_back(0);
    }
    explain();
    return static_cast<selection_result&&>(out_);
  }

 private:
  struct record {
    selection_stage stage;
    reduced_selection reduced;
  };

  constexpr void add_level(std::size_t level) {
    record added{limited_stage(p_), {}};
    const table<objective_term>& terms = p_.objective.terms;
    if (p_.objective.lexicographic) {
      added.stage.weight[terms[level].metric] = 1;
      for (std::uint32_t earlier = 0; earlier < level; ++earlier)
        tighten(added.stage, {terms[earlier].metric, out_.objective[earlier]});
    } else {
      added.stage = weighted_stage(p_);
    }
    added.reduced = reduce(p_, added.stage);
    levels_.push_back(static_cast<record&&>(added));
  }

  constexpr error failure(search_status status) {
    if (status == search_status::infeasible)
      return describe(p_, find_conflict(p_, limits_.left_after(out_.counters.nodes, steps_),
                                        measure_, executor_));
    return make_error(errc::search_limit, "",
                      status == search_status::stopped_by_caller
                          ? "the caller stopped the search before it had a selection"
                          : "the search reached its limit before it had a selection");
  }

  /// Goes through the levels: a candidate that a level cannot explain is left to the next one, and
  /// the last level explains all that remain.
  constexpr void explain() {
    settled_ = table<std::uint8_t>(p_.candidates.size());
    // The bounds of forced candidates are expensive: spend a fraction of the search's own steps,
    // and of a step limit.
    explaining_left_ =
        limits_.max_steps == UINT64_MAX ? steps_ / 8 + 40'000 : limits_.max_steps / 2;
    for (std::uint32_t level = 0; level < levels_.size(); ++level) {
      const record& at = levels_[level];
      selection_bounds bounds(p_, at.stage, at.reduced);
      for (std::uint32_t n = 0; n < p_.candidates.size(); ++n) {
        const std::uint32_t chosen = out_.best.chosen[p_.candidates[n].owner];
        if (chosen == no_candidate || chosen == n || settled_[n]) continue;
        rejection why = at.reduced.removed[n].candidate == no_candidate
                            ? forced(level, n, bounds)
                            : removed(level, at.reduced.removed[n]);
        if (why.candidate == no_candidate && level + 1 < levels_.size()) continue;
        if (why.candidate == no_candidate) why = no_better(level, n, out_.bound[level]);
        settled_[n] = 1;
        out_.rejected.push_back(why);
      }
      steps_ += bounds.steps();
    }
  }

  constexpr rejection no_better(std::uint32_t level, std::uint32_t n, std::int64_t least) const {
    rejection out;
    out.candidate = n;
    out.level = level;
    out.at_least = least < out_.bound[level] ? out_.bound[level] : least;
    out.allowed = out_.objective[level];
    return out;
  }

  /// The reason of a candidate that breaks a maximum: a limit of the user, or the optimum of an
  /// earlier level; empty if the pins of several levels may be involved.
  constexpr rejection over(std::uint32_t level, std::uint32_t n, std::uint32_t metric,
                           std::int64_t least) const {
    rejection out;
    if (level == 0) {
      out.candidate = n;
      out.kind = rejection_kind::over_limit;
      out.metric = metric;
      out.at_least = least;
      out.allowed = levels_[0].stage.maximum[metric];
    } else if (level == 1 && metric == p_.objective.terms[0].metric) {
      out = no_better(0, n, least);
    }
    return out;
  }

  /// The reason of a candidate that the reductions removed; empty if it does not hold at this
  /// level.
  constexpr rejection removed(std::uint32_t level, const rejection& why) const {
    const bool last = level + 1 == levels_.size();
    switch (why.kind) {
      case rejection_kind::unfinishable:
        return why;
      case rejection_kind::dominated:
        return last ? why : rejection{};
      case rejection_kind::over_limit:
        return over(level, why.candidate, why.metric, why.at_least);
      default:
        break;
    }
    if (level != 0) return {};
    rejection out = why;
    for (const std::uint8_t any : levels_[0].reduced.over_limit)
      if (any)
        out.kind = rejection_kind::conflicting_limits;  // the limits may have closed the cycle
    return out;
  }

  /// The reason from the bound with the candidate forced; empty if the bound gives none.
  constexpr rejection forced(std::uint32_t level, std::uint32_t n, selection_bounds& bounds) {
    const record& at = levels_[level];
    const std::uint32_t k = at.reduced.number_of[p_.candidates[n].owner];
    const std::uint64_t visits = bounds.visits_with();
    if (k == no_candidate || visits > explaining_left_) return {};
    explaining_left_ -= visits;
    std::uint32_t number = at.reduced.first[k];
    while (at.reduced.candidate_of[number] != n) ++number;
    const std::int64_t least = bounds.evaluate_with(number);
    if (least != unbounded) {
      const bool tells = level + 1 == levels_.size() || least > out_.objective[level];
      return tells ? no_better(level, n, least) : rejection{};
    }
    if (bounds.over_metric() != no_metric)
      return over(level, n, bounds.over_metric(), bounds.over_least());
    if (level != 0) return {};
    rejection out;
    out.candidate = n;
    out.kind = p_.limits.empty() ? rejection_kind::cyclic : rejection_kind::conflicting_limits;
    return out;
  }

  const selection_problem& p_;
  search_limits limits_;
  const any_progress_callback& callback_;
  const any_measure* measure_;
  Executor& executor_;
  proof_recorder* recorder_;
  std::uint64_t steps_ = 0;
  std::uint64_t explaining_left_ = 0;  ///< remaining visits for bounds of forced candidates
  table<record> levels_;
  table<std::uint8_t> settled_;
  selection_result out_;
};

/// Errors of the call: those of `validate`, `invalid_problem` for a measured metric without a hook,
/// `search_limit` for a problem too large for the step limit.
constexpr error check_call(const selection_problem& p, const search_limits& limits,
                           const any_measure* measure) {
  const error e = validate(p);
  if (e.code != errc::none) return e;
  if (measure == nullptr) {
    for (const objective_term& t : p.objective.terms)
      if (t.weight != 0 && p.metrics[t.metric].kind == aggregation::measured)
        return invalid_problem(p.metrics[t.metric].name, "it is measured, but there is no measure");
    for (const selection_limit& l : p.limits)
      if (p.metrics[l.metric].kind == aggregation::measured)
        return invalid_problem(p.metrics[l.metric].name, "it is measured, but there is no measure");
  }
  if (limits.max_steps != UINT64_MAX && least_steps(p) > limits.max_steps) {
    text message;
    message << "the problem (" << p.classes << " classes, " << p.candidates.size()
            << " candidates) is too large for the step limit; select at run time";
    return make_error(errc::search_limit, "", message);
  }
  return {};
}

template <class Executor>
constexpr result<selection_result> solve_selection(const selection_problem& problem,
                                                   const search_limits& limits,
                                                   const any_progress_callback& callback,
                                                   const any_measure* measure, Executor& executor,
                                                   proof_recorder* recorder) {
  return selection_solver(problem, limits, callback, measure, executor, recorder).run();
}
// A program that certifies its searches compiles them itself: `wf::compiled` may not certify.
#if defined(WF_COMPILED) && !defined(WF_CERTIFY)
extern template struct compiled<&solve_selection<const in_turn>>;
#endif

/// Checks the call and solves the problem. Errors: those of `select`.
template <class Callback, class Measure, class Executor>
constexpr result<selection_result> select_with(const selection_problem& problem,
                                               const search_limits& limits, Callback& callback,
                                               Measure& measure, Executor& executor,
                                               proof_recorder* recorder) {
  search_limits resolved = limits;
  resolved = limits.resolved();  // no initialiser: a compiler might evaluate that as a constant
  const measure_to<Measure> measured(measure);
  const error e = check_call(problem, resolved, measured.get());
  if (e.code != errc::none) return e;
  const progress_callback_to<Callback> asked(callback);
  return call_compiled<&solve_selection<Executor>>(problem, resolved, asked, measured.get(),
                                                   executor, recorder);
}

}  // namespace detail

/// Selects the best candidates, with a proof: reductions, a first solution, then branch and bound.
///
/// The status of the result is `proven` if it is optimal. If a limit or the callback (see
/// `progress_callback`; for a lexicographic objective it sees one level at a time) ended the
/// search, the best selection so far is returned with its proven bound. `measure` values the
/// measured metrics (see `selection_measure`); only the calling thread calls it and the callback.
/// `executor` (see `task_executor`) may work on parts of a long search concurrently; the result
/// does not depend on it: `wf::threads workers(4); wf::select(p, {}, callback, measure, workers)`.
///
/// Errors: those of `validate`; `errc::infeasible` names the limits that cannot hold (see
/// `find_limit_conflict`); `errc::search_limit` if the search had to end before it had a selection,
/// in constant evaluation before the limits of a compiler are reached. Memory: twice classes
/// squared / 8 bytes, and the open states.
template <class Callback = keep_going, class Measure = no_measure, class Executor = const in_turn>
  requires progress_callback<std::remove_reference_t<Callback>> &&
           task_executor<std::remove_reference_t<Executor>>
constexpr result<selection_result> select(const selection_problem& problem,
                                          const search_limits& limits = {},
                                          Callback&& callback = {}, Measure&& measure = {},
                                          Executor&& executor = {}) {
  return detail::select_with(problem, limits, callback, measure, executor, nullptr);
}

/// A selection with a proof that can be checked without the engine.
struct certified_selection {
  /// The selection, as `select` returns it.
  selection_result result;
  /// The proof of optimality, if the result is proven and the proof could be recorded.
  selection_proof proof;
  friend constexpr bool operator==(const certified_selection&,
                                   const certified_selection&) = default;
};

/// As `select`, and records a proof of optimality of at most about `most` numbers. The search uses
/// only bounds for which proofs have a rule, and may take longer. Errors: those of `select`.
template <class Callback = keep_going, class Measure = no_measure>
  requires progress_callback<std::remove_reference_t<Callback>>
constexpr result<certified_selection> select_certified(const selection_problem& problem,
                                                       std::size_t most = std::size_t{1} << 28,
                                                       const search_limits& limits = {},
                                                       Callback&& callback = {},
                                                       Measure&& measure = {}) {
  detail::proof_recorder recorder(most);
  const in_turn executor;  // a proof is one sequence of steps
  auto found = detail::select_with(problem, limits, callback, measure, executor, &recorder);
  if (!found) return found.error();
  return certified_selection{static_cast<selection_result&&>(*found), recorder.take()};
}

}  // namespace wf
