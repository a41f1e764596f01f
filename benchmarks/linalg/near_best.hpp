// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <wf/choice/graph/extract.hpp>
#include <wf/cost/cost.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/select/optimise.hpp>

namespace linalg_benchmark {

/// An alternative plan for a problem.
struct near_plan {
  wf::graph chosen;
  std::vector<std::uint32_t> candidates;  ///< the chosen candidates
  double predicted = 0;                   ///< seconds predicted by the model
  double flops = 0;
  bool by_time = false;   ///< the plan of least predicted time
  bool by_flops = false;  ///< the plan of least flops
};

/// Finds distinct plans of low cost: the best, the best without one of its candidates, the best
/// without two, ..., while they cost at most `slack` times as much. Each step is a selection,
/// proven if time permits. Source: E. Lawler, A procedure for computing the k best solutions to
/// discrete optimization problems, 1972, but without his partition, so that the same plan may be
/// found again.
class near_plans {
 public:
  near_plans(const wf::graph_view& captured, wf::view<wf::transform> transforms)
      : captured_(captured), kernels_(wf::timed_registry()) {
    options_.transforms = transforms;
  }

  /// At most `most` plans, the one of least predicted time first. The search ends when `in_time()`
  /// is false.
  template <class InTime>
  wf::result<std::vector<near_plan>> find(std::size_t most, double slack, InTime in_time) {
    auto grown = wf::grow_choices(captured_, kernels_, options_);
    if (!grown) return grown.error();
    grown_ = std::move(*grown);
    if (auto added = add_best(wf::minimise(wf::execution_time), slack, in_time); !added)
      return added.error();
    found_[0].by_time = true;
    const wf::selection_problem timed = grown_.problem;
    if (auto added = add_best(wf::minimise(wf::flops), 1e300, in_time); !added)
      return added.error();
    grown_.problem = timed;
    for (std::size_t at = 0; at < found_.size() && found_.size() < most && in_time(); ++at)
      exclude_each(at, most, slack, in_time);
    return std::move(found_);
  }

 private:
  template <class InTime>
  wf::result<wf::nothing> add_best(const wf::objective& o, double slack, InTime in_time) {
    if (auto priced = wf::price_choices(grown_, o, {}, kernels_); !priced) return priced.error();
    auto selected =
        wf::select(grown_.problem, {}, [&](const wf::search_progress&) { return in_time(); });
    if (!selected) return selected.error();
    add(selected->best, slack, o.metric == wf::metric_spec(wf::flops));
    return wf::nothing{};
  }

  // Forbids each candidate of a plan in turn, in addition to those forbidden when it was found.
  template <class InTime>
  void exclude_each(std::size_t at, std::size_t most, double slack, InTime in_time) {
    const std::vector<std::uint32_t> candidates = found_[at].candidates;
    const std::set<std::uint32_t> before = forbidden_[at];
    const std::vector<std::int64_t> costs(grown_.problem.costs.begin(), grown_.problem.costs.end());
    for (const std::uint32_t c : candidates) {
      if (found_.size() >= most || !in_time()) break;
      if (costs[c] == 0) continue;  // free candidates such as views
      std::set<std::uint32_t> without = before;
      without.insert(c);
      for (const std::uint32_t k : without) grown_.problem.costs[k] = forbidden_cost;
      const auto selected =
          wf::select(grown_.problem, {}, [&](const wf::search_progress&) { return in_time(); });
      if (selected) {
        const std::size_t count = found_.size();
        add(selected->best, slack, false);
        if (found_.size() > count) forbidden_.back() = without;
      }
      for (std::size_t k = 0; k < costs.size(); ++k) grown_.problem.costs[k] = costs[k];
    }
  }

  void add(const wf::selection& s, double slack, bool by_flops) {
    auto chosen = wf::extract(grown_.choices, grown_.classes, s.chosen);
    if (!chosen) return;
    const auto time = wf::price(chosen->view(), wf::execution_time, kernels_);
    const auto flops = wf::price(chosen->view(), wf::flops, kernels_);
    if (!time || !flops) return;
    near_plan p;
    p.predicted = 1e-9 * static_cast<double>(*time);
    p.flops = static_cast<double>(*flops);
    if (!found_.empty() && p.predicted > slack * found_[0].predicted) return;
    const wf::text written = wf::to_text(chosen->view());
    if (!known_.insert(std::string(written.view().data(), written.view().size())).second) {
      if (by_flops)
        for (near_plan& known : found_) known.by_flops |= known.flops == p.flops;
      return;
    }
    std::set<std::uint32_t> used;
    for (const std::uint32_t c : s.chosen)
      if (c < grown_.choices.size()) used.insert(c);
    p.candidates.assign(used.begin(), used.end());
    p.chosen = std::move(*chosen);
    p.by_flops = by_flops;
    found_.push_back(std::move(p));
    forbidden_.emplace_back();
  }

  static constexpr std::int64_t forbidden_cost = std::int64_t{1} << 55;

  wf::graph_view captured_;
  wf::registry kernels_;
  wf::optimise_options options_;
  wf::priced_choices grown_;
  std::vector<near_plan> found_;
  std::vector<std::set<std::uint32_t>> forbidden_;  // the candidates forbidden when the plan was
                                                    // found
  std::set<std::string> known_;
};

}  // namespace linalg_benchmark
