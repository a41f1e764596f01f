// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <wf/core/box.hpp>
#include <wf/core/integer.hpp>
#include <wf/core/table.hpp>
#include <wf/search/branch_and_bound.hpp>
#include <wf/search/control.hpp>
#include <wf/select/bound.hpp>
#include <wf/select/certificate.hpp>
#include <wf/select/compact.hpp>
#include <wf/select/incumbent.hpp>
#include <wf/select/packing.hpp>
#include <wf/select/packing_search.hpp>
#include <wf/select/packing_split.hpp>
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
    return priced.solves() ? priced.objective : unbounded;
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

/// Nothing to minimise, within the problem's limits.
constexpr selection_stage limited_stage(const selection_problem& problem) {
  selection_stage out = stage_of(problem);
  for (const selection_limit& l : problem.limits) tighten(out, l);
  return out;
}

/// The weighted sum of the objective's metrics, within the problem's limits.
constexpr selection_stage weighted_stage(const selection_problem& problem) {
  selection_stage out = limited_stage(problem);
  for (const objective_term& t : problem.objective.terms) out.weight[t.metric] += t.weight;
  return out;
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
    if (!priced.solves() || priced.objective > root_bound)
      priced = search.pricer().improve(choice, 4, budget);
    if (!priced.solves() || priced.objective >= out.value) continue;
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

/// Searches the packing model of a stage: the model shrinks while its root bounds drop values, and
/// falls into components, each searched by itself below what the bounds of the others leave.
template <class Measure, class Callback>
class packing_stage {
 public:
  constexpr packing_stage(const selection_problem& problem, const selection_stage& stage,
                          const reduced_selection& reduced, choice_pricer<Measure>& pricer,
                          Callback& callback, const search_limits& limits, stage_outcome& out)
      : r_(reduced),
        pricer_(pricer),
        callback_(callback),
        limits_(limits),
        out_(out),
        compactor_(problem, stage, reduced) {}

  /// `steps`: what was used before.
  constexpr void run(std::uint64_t steps) {
    before_ = steps;
    priced_before_ = pricer_.steps();
    if (prepare()) search();
    out_.bound = lower_bound();
    if (out_.bound >= out_.value) {
      out_.status = out_.found ? search_status::proven : search_status::infeasible;
      out_.bound = out_.value;
    }
    out_.steps = used();
  }

 private:
  static constexpr int most_rounds = 6;

  constexpr std::uint64_t used() const {
    std::uint64_t total = before_ + compactor_.steps() + past_ + pricer_.steps() - priced_before_;
    for (const box<packing_search>& s : searches_) total += s->steps();
    return total;
  }

  /// Makes the model smaller until that no longer pays; false if the proof is done.
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
        searches_[i]->fix_root();
      }
      open_ = lower_bound() < out_.value;
      if (!open_) return false;
      if (round == most_rounds || used() >= limits_.max_steps || !pays()) return true;
      table<std::uint8_t> alive(model_.values);
      for (std::size_t i = 0; i < searches_.size(); ++i)
        for (std::uint32_t v = 0; v < components_[i].model.values; ++v)
          alive[components_[i].values[v]] = is_left(i, v);
      compactor_.restrict_to(model_, alive);
    }
  }

  /// True if a value may still be part of something better: it is left, or part of the best that is
  /// known of its component, which others may yet go with.
  constexpr bool is_left(std::size_t at, std::uint32_t v) const {
    const packing_search& s = *searches_[at];
    if (searches_.size() > 1 && !s.best().empty() && s.best()[components_[at].model.owner[v]] == v)
      return true;
    return !s.closed() && s.state().alive[v] != 0;
  }

  /// Asks the caller and the limits at the root.
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
    for (const box<packing_search>& s : searches_) past_ += s->steps();
    searches_.clear();
    components_.clear();
    if (model_.capacity.empty()) {
      components_ = packing_splitter(model_).run();
    } else {
      packing_component whole;
      whole.model = model_;
      for (std::uint32_t v = 0; v < model_.values; ++v) whole.values.push_back(v);
      components_.push_back(static_cast<packing_component&&>(whole));
    }
    searches_ = table<box<packing_search>>(components_.size());
    for (std::size_t i = 0; i < components_.size(); ++i) {
      searches_[i] = make_box<packing_search>(components_[i].model);
      searches_[i]->set_budget(limits_.max_steps == UINT64_MAX ? 20'000'000
                                                               : limits_.max_steps / 16);
      searches_[i]->set_exploring();
      if (out_.found) searches_[i]->suggest(known_choice(components_[i].model));
      if (searches_.size() == 1 && out_.found) searches_[i]->lower_cutoff(share(i));
    }
  }

  /// What the classes of a model take in the best selection; `none` where the model knows it not.
  constexpr table<std::uint32_t> known_choice(const packing_model& m) const {
    table<std::uint32_t> out(m.classes, packing_model::none);
    for (std::uint32_t v = 0; v < m.values; ++v)
      if (const std::uint32_t n = m.candidate_of[v]; n != packing_model::none)
        if (out_.best.chosen[r_.class_of[r_.owner[n]]] == r_.candidate_of[n]) out[m.owner[v]] = v;
    return out;
  }

  /// True if the root dropped enough for the model to shrink.
  constexpr bool pays() const {
    std::uint32_t left = 0;
    for (std::size_t i = 0; i < searches_.size(); ++i)
      for (std::uint32_t v = 0; v < components_[i].model.values; ++v) left += is_left(i, v);
    return model_.values - left > model_.values / 20;
  }

  /// What a component may cost beside the least of the others.
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
    for (const box<packing_search>& s : searches_) total = saturating_add(total, s->bound());
    return total < out_.value ? total : out_.value;
  }

  /// Puts the best solutions of the components together, if all have one.
  constexpr void combine() {
    std::int64_t total = model_.base;
    for (const box<packing_search>& s : searches_) total = saturating_add(total, s->value());
    if (total >= out_.value) return;
    table<std::uint32_t> choice(r_.classes);
    for (std::uint32_t k = 0; k < r_.classes; ++k)
      choice[k] = model_.settled[k] != packing_model::none ? model_.settled[k] : r_.first[k];
    for (std::size_t i = 0; i < searches_.size(); ++i)
      for (const std::uint32_t v : searches_[i]->best())
        if (const std::uint32_t n = components_[i].model.candidate_of[v]; n != packing_model::none)
          choice[r_.owner[n]] = n;
    const priced_choice priced = pricer_.price(choice);
    if (!priced.solves() || priced.objective >= out_.value) return;
    out_.value = priced.objective;
    out_.best = pricer_.priced();
    out_.found = true;
  }

  constexpr void search() {
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      packing_search& s = *searches_[i];
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
      const packing_outcome found = s.run(left_of(limits_, out_.counters.nodes, used()), inform);
      out_.counters.add(found.counters);
      combine();
      if (found.status == search_status::infeasible && lower_bound() < out_.value) continue;
      out_.status = found.status;
      return;
    }
  }

  const reduced_selection& r_;
  choice_pricer<Measure>& pricer_;
  Callback& callback_;
  search_limits limits_;
  stage_outcome& out_;
  selection_compactor compactor_;
  packing_model model_;
  table<packing_component> components_;
  table<box<packing_search>> searches_;
  bool open_ = true;  ///< false: nothing is below the best value
  std::uint64_t before_ = 0, priced_before_ = 0, past_ = 0;
};

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
  std::uint64_t left =
      limits.max_steps - (limits.max_steps < search.steps() ? limits.max_steps : search.steps());
  const bool additive = is_additive(problem, stage);
  if (additive) {  // the packing search improves its own
    const std::uint64_t size = 512 * (reduced.candidates + reduced.child.size());
    if (size < left) left = size;
  }
  first_solution(stage, search, root_bound, left, out);
  if (out.found && out.value <= root_bound) {
    out.status = search_status::proven;
    out.bound = out.value;
    out.steps = search.steps();
    return out;
  }
  if (additive) {
    packing_stage<Measure, Callback>(problem, stage, reduced, search.pricer(), callback, limits,
                                     out)
        .run(search.steps());
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
