// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <wf/core/table.hpp>
#include <wf/search/branch_and_bound.hpp>
#include <wf/search/control.hpp>
#include <wf/select/bound.hpp>
#include <wf/select/certificate.hpp>
#include <wf/select/compact.hpp>
#include <wf/select/incumbent.hpp>
#include <wf/select/packing.hpp>
#include <wf/select/packing_search.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce.hpp>

namespace wf::detail {

/// The partial selections of one stage as a problem for branch and bound.
template <class Measure>
class selection_search {
 public:
  using state = partial_selection;

  constexpr selection_search(const selection_problem& problem, const selection_stage& stage,
                             const reduced_selection& reduced, Measure& measure)
      : r_(reduced), bounds_(problem, stage, reduced), pricer_(problem, stage, reduced, measure) {
    for (std::size_t m = 0; m < problem.metrics.size(); ++m)
      measured_ = measured_ || (problem.metrics[m].kind == aggregation::measured &&
                                (stage.weight[m] != 0 || stage.maximum[m] != unbounded));
    measured_ = measured_ || !problem.pairs.empty();  // the bounds do not see them
  }

  constexpr state root() const { return bounds_.root(); }
  constexpr std::int64_t bound(state& s, std::int64_t cutoff) {
    const std::int64_t least = bounds_.evaluate(s, cutoff);
    if (least >= cutoff || s.branch != no_candidate || !measured_) return least;
    const priced_choice priced = pricer_.price(choice(s));
    return priced.possible && priced.excess == 0 ? priced.objective : unbounded;
  }
  constexpr bool feasible(const state& s) const { return s.branch == no_candidate; }
  template <class Emit>
  constexpr void expand(const state& s, Emit&& emit) const {
    for (std::uint32_t n = r_.first[s.branch]; n < r_.first[s.branch + 1]; ++n) {
      if (!has_bit(s.alive.data(), n)) continue;
      state child = s;
      bounds_.force(child, n);
      emit(std::move(child));
    }
  }
  constexpr std::uint64_t steps() const { return r_.steps + bounds_.steps() + pricer_.steps(); }

  /// The first candidate left of every class: for a complete selection, the decided ones.
  constexpr table<std::uint32_t> choice(const state& s) const {
    table<std::uint32_t> out(r_.classes, no_candidate);
    for (std::uint32_t n = r_.candidates; n-- > 0;)
      if (has_bit(s.alive.data(), n)) out[r_.owner[n]] = n;
    return out;
  }
  constexpr selection_bounds& bounds() { return bounds_; }
  constexpr choice_pricer<Measure>& pricer() { return pricer_; }

 private:
  const reduced_selection& r_;
  selection_bounds bounds_;
  choice_pricer<Measure> pricer_;
  bool measured_ = false;
};

/// What one stage found.
struct stage_outcome {
  search_status status = search_status::infeasible;
  bool found = false;
  selection best;
  std::int64_t value = unbounded;
  std::int64_t bound = unbounded;
  std::uint64_t steps = 0;
  search_counters counters;
};

constexpr selection_stage stage_of(const selection_problem& problem) {
  return {table<std::int64_t>(problem.metrics.size()),
          table<std::int64_t>(problem.metrics.size(), unbounded)};
}

constexpr void tighten(selection_stage& stage, const selection_limit& l) {
  if (l.maximum < stage.maximum[l.metric]) stage.maximum[l.metric] = l.maximum;
}

/// The limits less what is used up, at least 1 each (0 would mean the default).
constexpr search_limits left_of(search_limits limits, std::uint64_t nodes, std::uint64_t steps) {
  if (limits.max_nodes != UINT64_MAX)
    limits.max_nodes = limits.max_nodes > nodes ? limits.max_nodes - nodes : 1;
  if (limits.max_steps != UINT64_MAX)
    limits.max_steps = limits.max_steps > steps ? limits.max_steps - steps : 1;
  return limits;
}

/// The value of a priced selection in a stage.
constexpr std::int64_t value_in(const selection_stage& stage, const selection& s) {
  std::int64_t value = 0;
  for (std::size_t m = 0; m < s.totals.size(); ++m) value += stage.weight[m] * s.totals[m];
  return value;
}

/// A first solution: the cheapest trees by the objective and by each limited sum, improved by
/// single exchanges, unless the root's bound is met before.
template <class Measure>
constexpr void first_solution(const selection_stage& stage, selection_search<Measure>& search,
                              std::int64_t root_bound, std::uint64_t budget, stage_outcome& out) {
  const std::size_t metrics = stage.weight.size();
  budget = budget / 4 < 50'000'000 ? budget / 4 : 50'000'000;
  for (std::size_t column = metrics + 1; column-- > 0;) {
    if (out.value <= root_bound) return;
    if (column < metrics && stage.maximum[column] == unbounded) continue;
    table<std::uint32_t> choice = search.pricer().cheapest_trees(column);
    priced_choice priced = search.pricer().price(choice);
    if (!priced.possible || priced.excess != 0 || priced.objective > root_bound) {
      priced = search.pricer().improve(choice, 4, budget);
      search.pricer().price(choice);
    }
    if (!priced.possible || priced.excess != 0 || priced.objective >= out.value) continue;
    out.value = priced.objective;
    out.best = search.pricer().priced();
    out.found = true;
  }
}

/// True if costs and limits of the stage add up candidate by candidate: what a packing model says.
constexpr bool is_additive(const selection_problem& problem, const selection_stage& stage) {
  for (std::size_t m = 0; m < problem.metrics.size(); ++m) {
    const aggregation kind = problem.metrics[m].kind;
    if (kind != aggregation::sum && stage.weight[m] != 0) return false;
    if (kind == aggregation::measured && stage.maximum[m] != unbounded) return false;
  }
  return true;
}

/// Takes what a packing search proposes: completes, improves, prices and keeps the best.
template <class Measure>
class packing_round {
 public:
  constexpr packing_round(const packing_model& model, const reduced_selection& reduced,
                          choice_pricer<Measure>& pricer, std::uint64_t budget, stage_outcome& out)
      : m_(model), r_(reduced), pricer_(pricer), budget_(budget), out_(out) {}

  constexpr std::int64_t operator()(const table<std::uint32_t>& chosen) {
    table<std::uint32_t> choice(r_.classes);
    for (std::uint32_t k = 0; k < r_.classes; ++k)
      choice[k] = m_.settled[k] != packing_model::none ? m_.settled[k] : r_.first[k];
    for (const std::uint32_t v : chosen)
      if (const std::uint32_t n = m_.candidate_of[v]; n != packing_model::none)
        choice[r_.owner[n]] = n;
    priced_choice priced = pricer_.price(choice);
    if (priced.possible && budget_ != 0) {
      const std::uint64_t before = pricer_.steps();
      priced = pricer_.improve(choice, 4, budget_);
      pricer_.price(choice);
      const std::uint64_t used = pricer_.steps() - before;
      budget_ -= used < budget_ ? used : budget_;
    }
    if (priced.possible && priced.excess == 0 && priced.objective < out_.value) {
      out_.value = priced.objective;
      out_.best = pricer_.priced();
      out_.found = true;
    }
    return out_.value;
  }

 private:
  const packing_model& m_;
  const reduced_selection& r_;
  choice_pricer<Measure>& pricer_;
  std::uint64_t budget_;
  stage_outcome& out_;
};

/// Searches the packing model of a stage from the solution in hand on.
template <class Measure, class Callback>
constexpr void search_packing(const selection_problem& problem, const selection_stage& stage,
                              const reduced_selection& reduced, choice_pricer<Measure>& pricer,
                              std::uint64_t steps, Callback& callback, const search_limits& limits,
                              stage_outcome& out) {
  selection_compactor compactor(problem, stage, reduced);
  const packing_model model = compactor.run();
  if (!compactor.feasible()) {
    out.status = out.found ? search_status::proven : search_status::infeasible;
    out.bound = out.value;
    out.steps = steps + compactor.steps();
    return;
  }
  const std::uint64_t priced_before = pricer.steps();
  const std::uint64_t budget = limits.max_steps == UINT64_MAX ? 200'000'000 : limits.max_steps / 8;
  packing_round<Measure> round(model, reduced, pricer, budget, out);
  packing_search<packing_round<Measure>> search(model, out.value, round);
  const packing_outcome found = search.run(left_of(limits, 0, steps + compactor.steps()), callback);
  out.status = found.status;
  if (found.status == search_status::infeasible && out.found) out.status = search_status::proven;
  out.bound = found.bound;
  out.counters = found.counters;
  out.steps = steps + compactor.steps() + search.steps() + pricer.steps() - priced_before;
}

/// Solves one stage on its reduced problem; `known`, if it is not null, is a selection in hand.
template <class Measure, class Callback>
constexpr stage_outcome solve_stage(const selection_problem& problem, const selection_stage& stage,
                                    const reduced_selection& reduced, const selection* known,
                                    Measure& measure, Callback& callback,
                                    const search_limits& limits) {
  stage_outcome out;
  out.steps = reduced.steps;
  if (known != nullptr) {
    out.found = true;
    out.best = *known;
    out.value = value_in(stage, *known);
  }
  if (!reduced.feasible) return out;
  selection_search<Measure> search(problem, stage, reduced, measure);
  partial_selection root = search.root();
  const std::int64_t root_bound = search.bounds().evaluate(root, unbounded);
  if (root_bound == unbounded) return out;
  const std::uint64_t left =
      limits.max_steps - (limits.max_steps < search.steps() ? limits.max_steps : search.steps());
  first_solution(stage, search, root_bound, left, out);
  if (out.found && out.value <= root_bound) {
    out.status = search_status::proven;
    out.bound = out.value;
    out.steps = search.steps();
    return out;
  }
  if (is_additive(problem, stage)) {
    search_packing(problem, stage, reduced, search.pricer(), search.steps(), callback, limits, out);
    return out;
  }
  branch_and_bound_options options;
  options.cutoff = out.value;
  options.dive = 64;
  auto found = branch_and_bound(
      search, limits,
      [&](search_progress progress) {
        progress.incumbent = progress.incumbent < out.value ? progress.incumbent : out.value;
        return static_cast<bool>(callback(progress));
      },
      options);
  if (found.found) {
    search.pricer().price(search.choice(found.best));
    out.best = search.pricer().priced();
    out.value = found.value;
    out.found = true;
  }
  out.status = found.status;
  if (found.status == search_status::infeasible && out.found) out.status = search_status::proven;
  out.bound = found.bound;
  out.counters = found.counters;
  out.steps = search.steps();
  return out;
}

}  // namespace wf::detail
