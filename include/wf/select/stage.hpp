// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/box.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/search/executor.hpp>
#include <wf/select/certificate.hpp>
#include <wf/select/packing/compact.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/search.hpp>
#include <wf/select/packing/split.hpp>
#include <wf/select/packing/team.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/recorder.hpp>
#include <wf/select/reduce/bound.hpp>
#include <wf/select/reduce/incumbent.hpp>
#include <wf/select/reduce/reduce.hpp>

#ifdef WF_CERTIFY
#include <type_traits>

#include <wf/select/proof/certify.hpp>
#endif

namespace wf::detail {

/// The outcome of one stage: selection, bound and proof status.
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

/// A stage without an objective, under the limits of the problem.
constexpr selection_stage limited_stage(const selection_problem& problem) {
  selection_stage out = stage_of(problem);
  for (const selection_limit& l : problem.limits) tighten(out, l);
  return out;
}

/// A stage with the weighted objective, under the limits of the problem.
constexpr selection_stage weighted_stage(const selection_problem& problem) {
  selection_stage out = limited_stage(problem);
  for (const objective_term& t : problem.objective.terms) out.weight[t.metric] += t.weight;
  return out;
}

/// The remaining limits, at least 1 each (0 would mean the default).
constexpr search_limits left_of(search_limits limits, std::uint64_t nodes, std::uint64_t steps) {
  if (limits.max_nodes != UINT64_MAX)
    limits.max_nodes = limits.max_nodes > nodes ? limits.max_nodes - nodes : 1;
  if (limits.max_steps != UINT64_MAX)
    limits.max_steps = limits.max_steps > steps ? limits.max_steps - steps : 1;
  return limits;
}

/// The objective value of a priced selection in a stage.
constexpr std::int64_t value_in(const selection_stage& stage, const selection& s) {
  std::int64_t value = 0;
  for (std::size_t m = 0; m < s.totals.size(); ++m) value += stage.weight[m] * s.totals[m];
  return value;
}

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

/// True if objective and limits of the stage are additive over candidates: then a packing model
/// prices selections exactly, and its components add up.
constexpr bool is_additive(const selection_problem& problem, const selection_stage& stage) {
  for (std::size_t m = 0; m < problem.metrics.size(); ++m) {
    const aggregation kind = problem.metrics[m].kind;
    if (kind != aggregation::sum && stage.weight[m] != 0) return false;
    if ((kind == aggregation::measured || kind == aggregation::critical_path) &&
        stage.maximum[m] != unbounded)
      return false;
  }
  return true;
}

/// Prices values of a packing model as the selection that they represent.
class stage_judge {
 public:
  constexpr stage_judge(const reduced_selection& reduced, choice_pricer& pricer,
                        const packing_model& whole)
      : r_(reduced), pricer_(pricer), whole_(whole) {}

  /// Begins a choice: the settled candidates of the model, and an arbitrary candidate of each other
  /// class.
  constexpr void begin() {
    choice_ = table<std::uint32_t>(r_.classes);
    for (std::uint32_t k = 0; k < r_.classes; ++k)
      choice_[k] = whole_.settled[k] != packing_model::none ? whole_.settled[k] : r_.first[k];
  }
  /// Puts the values of a part of the model into the choice.
  constexpr void put(const packing_model& part, const table<std::uint32_t>& values) {
    for (const std::uint32_t v : values)
      if (const std::uint32_t n = part.candidate_of[v]; n != packing_model::none)
        choice_[r_.owner[n]] = n;
  }
  constexpr priced_choice price() { return pricer_.price(choice_); }

  /// Prices a choice given by one value for each class of the whole model.
  constexpr priced_choice judge(const table<std::uint32_t>& values) {
    begin();
    put(whole_, values);
    return price();
  }

 private:
  const reduced_selection& r_;
  choice_pricer& pricer_;
  const packing_model& whole_;
  table<std::uint32_t> choice_;
};

/// Searches the packing model of a stage. The model shrinks while its root bounds drop values, and
/// falls into components, each searched by itself with a cutoff from the bounds of the others.
template <class Executor>
class packing_stage {
 public:
  constexpr packing_stage(const selection_problem& problem, const selection_stage& stage,
                          const reduced_selection& reduced, choice_pricer& pricer,
                          const any_progress_callback& callback, const search_limits& limits,
                          Executor& executor, stage_outcome& out,
                          proof_recorder* recorder = nullptr)
      : r_(reduced),
        pricer_(pricer),
        callback_(callback),
        limits_(limits),
        executor_(executor),
        out_(out),
        judge_(reduced, pricer, model_),
        recorder_(recorder),
        compactor_(problem, stage, reduced),
        additive_(is_additive(problem, stage)) {
    compactor_.record(recorder);
  }

  /// `steps`: the steps used before.
  constexpr void run(std::uint64_t steps) {
    before_ = steps;
    priced_before_ = pricer_.steps();
    if (prepare()) search();
    out_.bound = lower_bound();
    end_records(true);
    count_searches();
    if (out_.bound >= out_.value) {
      out_.status = out_.found ? search_status::proven : search_status::infeasible;
      out_.bound = out_.value;
    }
    out_.steps = used();
  }

 private:
  using component_search = packing_search<stage_judge>;
  static constexpr int most_rounds = 6;

  constexpr std::uint64_t used() const {
    std::uint64_t total = before_ + compactor_.steps() + past_ + pricer_.steps() - priced_before_;
    for (const box<component_search>& s : searches_) total += s->steps();
    return total;
  }

  /// Shrinks the model until that no longer pays; false if the search is over, proven or stopped.
  constexpr bool prepare() {
    for (int round = 0;; ++round) {
      model_ = compactor_.run();
      open_ = compactor_.feasible();
      if (!open_) return false;
      split();
      bool going_on = true;
      for (std::size_t i = 0; i < searches_.size() && going_on; ++i)
        going_on = searches_[i]->start([&] { return go_on(); });
      combine();
      if (!going_on) return false;
      for (std::size_t i = 0; i < searches_.size() && lower_bound() < out_.value; ++i) {
        searches_[i]->lower_cutoff(share(i));
        // Values of a component's own incumbent may be part of the optimum while another component
        // still improves.
        searches_[i]->fix_root(searches_.size() > 1);
      }
      open_ = lower_bound() < out_.value;
      if (!open_) return false;
      if (round == most_rounds || used() >= limits_.max_steps || !pays()) return true;
      end_records(false);
      table<std::uint8_t> alive(model_.values);
      for (std::size_t i = 0; i < searches_.size(); ++i)
        for (std::uint32_t v = 0; v < components_[i].model.values; ++v)
          alive[components_[i].values[v]] = is_left(i, v);
      compactor_.restrict_to(model_, alive);
    }
  }

  /// True if a value may still be part of a better solution; of a solved component only the values
  /// of its solution are.
  constexpr bool is_left(std::size_t at, std::uint32_t v) const {
    const component_search& s = *searches_[at];
    return s.closed() ? s.best()[components_[at].model.owner[v]] == v : s.state().alive[v] != 0;
  }

  constexpr void end_records(bool whole) {
    for (const box<component_search>& s : searches_) s->end_record(whole);
  }

  /// Adds the counters of searches that are not added yet: one that its root closes has no team.
  constexpr void count_searches() {
    for (const box<component_search>& s : searches_)
      if (s) out_.counters.add(s->take_counters());
  }

  /// True if the search may go on at the root; otherwise sets the status of the limit or the
  /// caller.
  constexpr bool go_on() {
    combine();
    const search_progress progress{out_.value, lower_bound(), 0, 0};
    if (used() >= limits_.max_steps)
      out_.status = search_status::stopped_by_limit;
    else if (callback_(progress))
      return true;
    else
      out_.status = search_status::stopped_by_caller;
    return false;
  }

  constexpr void split() {
    stage_judge* const judge = additive_ ? nullptr : &judge_;
    for (const box<component_search>& s : searches_) past_ += s->steps();
    count_searches();
    searches_.clear();
    components_.clear();
    if (model_.capacity.empty() && additive_) {
      components_ = packing_splitter(model_).run();
    } else {
      packing_component whole;
      whole.model = model_;
      for (std::uint32_t v = 0; v < model_.values; ++v) whole.values.push_back(v);
      components_.push_back(static_cast<packing_component&&>(whole));
    }
    const std::uint64_t most_steps = left_of(limits_, 0, used()).max_steps;
    searches_ = table<box<component_search>>(components_.size());
    for (std::size_t i = 0; i < components_.size(); ++i) {
      searches_[i] = make_box<component_search>(components_[i].model, judge);
      if (recorder_ != nullptr) searches_[i]->record(recorder_->open(components_[i].model));
      searches_[i]->set_budget(limits_.max_steps == UINT64_MAX ? 20'000'000
                                                               : limits_.max_steps / 16);
      searches_[i]->set_most_steps(most_steps);
      searches_[i]->set_exploring();
      searches_[i]->set_cutting(components_[i].cuts);
      searches_[i]->set_eliminating();
      if (out_.found) searches_[i]->suggest(known_choice(components_[i].model));
      if (searches_.size() == 1) searches_[i]->lower_cutoff(share(i));
    }
  }

  /// The values of the classes of a model in the best selection; `none` if the model lacks the
  /// value.
  constexpr table<std::uint32_t> known_choice(const packing_model& m) const {
    table<std::uint32_t> out(m.classes, packing_model::none);
    for (std::uint32_t v = 0; v < m.values; ++v)
      if (const std::uint32_t n = m.candidate_of[v]; n != packing_model::none)
        if (out_.best.chosen[r_.class_of[r_.owner[n]]] == r_.candidate_of[n]) out[m.owner[v]] = v;
    return out;
  }

  /// True if the root dropped more than 5 % of the values, so that the model shrinks.
  constexpr bool pays() const {
    std::uint32_t left = 0;
    for (std::size_t i = 0; i < searches_.size(); ++i)
      for (std::uint32_t v = 0; v < components_[i].model.values; ++v) left += is_left(i, v);
    return model_.values - left > model_.values / 20;
  }

  /// The cutoff of a component: the incumbent's value less the bounds of all others.
  constexpr std::int64_t share(std::size_t at) const {
    if (out_.value == unbounded) return unbounded;
    std::int64_t rest = out_.value - model_.base;
    for (std::size_t i = 0; i < searches_.size(); ++i)
      if (i != at && searches_[i]) rest -= searches_[i]->bound();
    return rest;
  }

  constexpr std::int64_t lower_bound() const {
    if (!open_) return out_.value;
    std::int64_t total = model_.base;
    for (const box<component_search>& s : searches_) total = saturating_add(total, s->bound());
    return total < out_.value ? total : out_.value;
  }

  /// Combines the best solutions of the components into an incumbent, if all have one.
  constexpr void combine() {
    std::int64_t total = model_.base;
    for (const box<component_search>& s : searches_) total = saturating_add(total, s->value());
    if (total >= out_.value) return;
    judge_.begin();
    for (std::size_t i = 0; i < searches_.size(); ++i)
      judge_.put(components_[i].model, searches_[i]->best());
    const priced_choice priced = judge_.price();
    if (!priced.solves() || priced.objective >= out_.value) return;
    out_.value = priced.objective;
    out_.best = pricer_.priced();
    out_.found = true;
  }

  constexpr void search() {
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      component_search& s = *searches_[i];
      if (s.closed()) continue;
      s.lower_cutoff(share(i));
      std::int64_t known = s.value();
      const auto inform = [&](search_progress progress) {
        if (s.value() < known) combine();
        known = s.value();
        progress.incumbent = out_.value;
        progress.bound = lower_bound();
        return static_cast<bool>(callback_(progress));
      };
      const packing_outcome found =
          packing_team(s, executor_).run(left_of(limits_, out_.counters.nodes, used()), inform);
      out_.counters.add(found.counters);
      past_ += found.steps;
      combine();
      if (found.status == search_status::infeasible && lower_bound() < out_.value) continue;
      out_.status = found.status;
      return;
    }
  }

  const reduced_selection& r_;
  choice_pricer& pricer_;
  const any_progress_callback& callback_;
  search_limits limits_;
  Executor& executor_;
  stage_outcome& out_;
  stage_judge judge_;
  proof_recorder* recorder_;
  selection_compactor compactor_;
  bool additive_;
  packing_model model_;
  table<packing_component> components_;
  table<box<component_search>> searches_;
  bool open_ = true;  ///< false: nothing is below the incumbent
  std::uint64_t before_ = 0, priced_before_ = 0, past_ = 0;
};

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
  partial_selection root = bounds.root();
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
  search_limits left = left_of(limits, relaxed.counters.nodes, relaxed.steps);
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
