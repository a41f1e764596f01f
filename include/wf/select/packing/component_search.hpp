// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/box.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/search/run_control.hpp>
#include <wf/select/packing/compact.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/search.hpp>
#include <wf/select/packing/split.hpp>
#include <wf/select/packing/stage_judge.hpp>
#include <wf/select/packing/team.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/recorder.hpp>
#include <wf/select/reduce/incumbent.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/stage_outcome.hpp>

namespace wf::detail {

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
        control_(limits),
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
      if (round == most_rounds || used() >= control_.limits().max_steps || !pays()) return true;
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
    if (used() >= control_.limits().max_steps)
      control_.stop(search_status::stopped_by_limit);
    else if (control_.report(callback_, {out_.value, lower_bound(), 0, 0}))
      return true;
    out_.status = control_.reason();
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
    const std::uint64_t most_steps = control_.limits().left_after(0, used()).max_steps;
    searches_ = table<box<component_search>>(components_.size());
    for (std::size_t i = 0; i < components_.size(); ++i) {
      searches_[i] = make_box<component_search>(components_[i].model, judge);
      if (recorder_ != nullptr) searches_[i]->record(recorder_->open(components_[i].model));
      const std::uint64_t all_steps = control_.limits().max_steps;
      searches_[i]->set_budget(all_steps == UINT64_MAX ? 20'000'000 : all_steps / 16);
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
          packing_team(s, executor_)
              .run(control_.limits().left_after(out_.counters.nodes, used()), inform);
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
  run_control control_;
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

}  // namespace wf::detail
