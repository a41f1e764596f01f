// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/search/executor.hpp>
#include <wf/select/certificate.hpp>
#include <wf/select/packing/component_search.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/recorder.hpp>
#include <wf/select/reduce/bound.hpp>
#include <wf/select/reduce/incumbent.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/stage_outcome.hpp>

#ifdef WF_CERTIFY
#include <type_traits>

#include <wf/select/proof/certify.hpp>
#endif

namespace wf::detail {

/// A first solution: the cheapest trees by the objective and by each limited metric, improved by
/// single exchanges, until one meets the root bound.
constexpr void first_solution(const selection_stage& stage, choice_pricer& pricer,
                              std::int64_t root_bound, std::uint64_t budget, stage_outcome& out) {
  const std::size_t metrics = stage.weight.size();
  budget = budget / 4 < 50'000'000 ? budget / 4 : 50'000'000;
  for (std::size_t column = metrics + 1; column-- > 0;) {
    if (out.value <= root_bound) return;
    if (column < metrics && stage.maximum[column] == unbounded) continue;
    table<std::uint32_t> choice = pricer.cheapest_trees(column);
    priced_choice priced = pricer.price(choice);
    if (!priced.solves() || priced.objective > root_bound)
      priced = pricer.improve(choice, 4, budget);
    if (!priced.solves() || priced.objective >= out.value) continue;
    out.value = priced.objective;
    out.best = pricer.priced();
    out.found = true;
  }
}

/// Searches one stage for a selection cheaper than `known` or, if that is null, than `below`.
template <class Executor>
constexpr stage_outcome search_directly(const selection_problem& problem,
                                        const selection_stage& stage,
                                        const reduced_selection& reduced, const selection* known,
                                        const any_measure* measure,
                                        const any_progress_callback& callback,
                                        const search_limits& limits, Executor& executor,
                                        proof_recorder* recorder, std::int64_t below = unbounded) {
  stage_outcome out;
  out.steps = reduced.steps;
  out.value = below;
  if (known != nullptr) {
    out.found = true;
    out.best = *known;
    out.value = value_in(stage, *known);
  }
  if (!reduced.feasible) return out;
  selection_bounds bounds(problem, stage, reduced);
  choice_pricer pricer(problem, stage, reduced, measure);
  partial_selection root(reduced);
  const std::int64_t root_bound = bounds.evaluate(root);
  if (root_bound == unbounded) return out;
  const auto used = [&] { return reduced.steps + bounds.steps() + pricer.steps(); };
  std::uint64_t left = limits.max_steps - (limits.max_steps < used() ? limits.max_steps : used());
  const bool additive = is_additive(problem, stage);
  if (recorder != nullptr && !additive) recorder->give_up(proof_status::not_additive);
  if (additive) {  // spend little here: the packing search improves its own
    const std::uint64_t size = 512 * (reduced.candidates + reduced.child.size());
    if (size < left) left = size;
  }
  if (!additive || !reduced.child.empty()) first_solution(stage, pricer, root_bound, left, out);
  if (out.value <= root_bound &&
      (recorder == nullptr || !additive || recorder->write_tree(bounds, root, out.value))) {
    out.status = out.found ? search_status::proven : search_status::infeasible;
    out.bound = out.value;
    out.steps = used();
    return out;
  }
  packing_stage<Executor>(problem, stage, reduced, pricer, callback, limits, executor, out,
                          recorder)
      .run(used());
  return out;
}

/// Solves one stage without relaxing its limits. All searches of selections are made here; with
/// WF_CERTIFY each one is certified before its answer is used, except in constant evaluation.
template <class Executor>
constexpr stage_outcome solve_directly(const selection_problem& problem,
                                       const selection_stage& stage,
                                       const reduced_selection& reduced, const selection* known,
                                       const any_measure* measure,
                                       const any_progress_callback& callback,
                                       const search_limits& limits, Executor& executor,
                                       proof_recorder* recorder) {
  stage_outcome out = search_directly(problem, stage, reduced, known, measure, callback, limits,
                                      executor, recorder);
#ifdef WF_CERTIFY
  if (!std::is_constant_evaluated())
    certify(problem, stage, is_additive(problem, stage), out,
            [](const selection_problem& p, const selection_stage& s, const reduced_selection& r,
               std::int64_t below, const search_limits& most, proof_recorder& record) {
              const keep_going going_on;
              const progress_callback_to<const keep_going> asked(going_on);
              const in_turn one;
              return search_directly(p, s, r, nullptr, nullptr, asked, most, one, &record, below);
            });
#endif
  return out;
}

/// True if the objective of the stage is additive, but some limit is not.
constexpr bool has_judged_limits(const selection_problem& problem, const selection_stage& stage) {
  bool judged = false;
  for (std::size_t m = 0; m < problem.metrics.size(); ++m) {
    const aggregation kind = problem.metrics[m].kind;
    if (kind != aggregation::sum && stage.weight[m] != 0) return false;
    judged = judged || (stage.maximum[m] != unbounded &&
                        (kind == aggregation::measured || kind == aggregation::critical_path));
  }
  return judged;
}

/// Prices a selection in a reduced problem; the result solves nothing if the reductions removed one
/// of its candidates.
constexpr priced_choice price_selection(const selection& s, const reduced_selection& r,
                                        choice_pricer& pricer) {
  table<std::uint32_t> choice(r.classes);
  for (std::uint32_t k = 0; k < r.classes; ++k) {
    const std::uint32_t chosen = s.chosen[r.class_of[k]];
    choice[k] = r.first[k];
    while (chosen != no_candidate && r.candidate_of[choice[k]] != chosen)
      if (++choice[k] == r.first[k + 1]) return {};
  }
  return pricer.price(choice);
}

/// Solves a stage with an additive objective and its non-additive limits relaxed: only each
/// candidate by itself must meet them. Often the optimum meets them all; otherwise its value is a
/// bound. At most half of the limits, 20,000 nodes and 10^9 steps.
template <class Executor>
constexpr stage_outcome solve_relaxed(const selection_problem& problem,
                                      const selection_stage& stage, const any_measure* measure,
                                      const any_progress_callback& callback, search_limits limits,
                                      Executor& executor) {
  selection_problem relaxed = problem;
  for (selection_metric& m : relaxed.metrics)
    if (m.kind == aggregation::measured || m.kind == aggregation::critical_path)
      m.kind = aggregation::maximum;
  limits.max_nodes = limits.max_nodes / 2 < 20'000 ? limits.max_nodes / 2 : 20'000;
  limits.max_steps = limits.max_steps / 2 < 1'000'000'000 ? limits.max_steps / 2 : 1'000'000'000;
  auto without_incumbent = [&](search_progress progress) {
    progress.incumbent = unbounded;  // it may break a limit
    return callback(progress);
  };
  const progress_callback_to<decltype(without_incumbent)> asked(without_incumbent);
  return solve_directly(relaxed, stage, reduce(relaxed, stage), nullptr, measure, asked, limits,
                        executor, nullptr);
}

/// The steps without which no search of a problem is started.
constexpr std::uint64_t least_steps(const selection_problem& p) {
  return (16 + 2 * words_for(p.classes)) * (p.children.size() + p.candidates.size());
}

/// Solves one stage on its reduced problem; `known`, if it is not null, is a known selection. A
/// recorder, if it is not null, records the proof, and the search then uses only bounds that have a
/// proof rule.
template <class Executor = const in_turn>
constexpr stage_outcome solve_stage(const selection_problem& problem, const selection_stage& stage,
                                    const reduced_selection& reduced, const selection* known,
                                    const any_measure* measure,
                                    const any_progress_callback& callback,
                                    const search_limits& limits, Executor&& executor = {},
                                    proof_recorder* recorder = nullptr) {
  if (!has_judged_limits(problem, stage) || !reduced.feasible)
    return solve_directly(problem, stage, reduced, known, measure, callback, limits, executor,
                          recorder);
  stage_outcome out = solve_relaxed(problem, stage, measure, callback, limits, executor);
  if (recorder != nullptr) recorder->give_up(proof_status::not_additive);
  if (!out.found && out.status == search_status::infeasible) return out;
  selection held;
  choice_pricer pricer(problem, stage, reduced, measure);
  if (out.found && price_selection(out.best, reduced, pricer).solves()) {
    out.best = pricer.priced();
    if (out.status == search_status::proven) return out;
    if (known == nullptr || out.value < value_in(stage, *known)) {
      held = out.best;
      known = &held;
    }
  }
  const stage_outcome relaxed = static_cast<stage_outcome&&>(out);
  search_limits left = limits.left_after(relaxed.counters.nodes, relaxed.steps);
  if (relaxed.status == search_status::stopped_by_caller) left.max_nodes = 1;
  if (known == &held && left.max_steps < least_steps(problem)) {  // too few steps to search again
    out = relaxed;
    out.best = held;
    out.value = value_in(stage, held);
    out.status = search_status::stopped_by_limit;
    return out;
  }
  out = solve_directly(problem, stage, reduced, known, measure, callback, left, executor, nullptr);
  out.counters.add(relaxed.counters);
  out.steps += relaxed.steps;
  if (relaxed.bound > out.bound) out.bound = relaxed.bound < out.value ? relaxed.bound : out.value;
  if (out.found && out.bound == out.value)
    out.status = search_status::proven;
  else if (relaxed.status == search_status::stopped_by_caller)
    out.status = relaxed.status;
  return out;
}

}  // namespace wf::detail
