// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/map/array/cost_model.hpp>
#include <wf/map/array/pe_array.hpp>
#include <wf/map/batch/plan.hpp>
#include <wf/map/batch/strategy.hpp>
#include <wf/map/batch/work.hpp>
#include <wf/map/place/groups.hpp>

namespace wf::detail {

/// Whether a proposal of a strategy may replace segments of a plan.
class proposal_check {
 public:
  /// Both must outlive this. Unless `stages_keep_results`, no operator may read a result of its own
  /// stage.
  constexpr proposal_check(const batch_work& work, const pe_array& array, bool stages_keep_results)
      : work_(work), array_(array), stages_keep_results_(stages_keep_results) {}

  /// The number of segments from s on that a proposal replaces: 1 or 2 if it has exactly their
  /// operators, each after those it reads, on usable PEs, with a divisor of the batch and each
  /// group in one stage; 0: not allowed.
  constexpr std::size_t replaced_by(const table<segment_outline>& proposed,
                                    const table<segment_outline>& plan, std::size_t s,
                                    const group_order& order) {
    const std::size_t count = note_places(proposed);
    if (count == 0) return 0;
    std::size_t replaced = 0, ours = 0;
    for (; replaced < 2 && s + replaced < plan.size() && ours < count; ++replaced)
      for (const stage_outline& stage : plan[s + replaced].stages)
        for (std::uint32_t v : stage.operators) {
          if (place_[v].segment == UINT32_MAX) return 0;
          ++ours;
        }
    if (ours != count) return 0;
    if (!keeps_dependencies(proposed) || !keeps_groups(order)) return 0;
    return replaced;
  }

 private:
  /// Segment and stage of an operator in a proposal.
  struct place {
    std::uint32_t segment = UINT32_MAX;
    std::uint32_t stage = 0;
    friend constexpr bool operator==(const place&, const place&) = default;
  };
  /// Notes the place of each proposed operator; returns their number, or 0 if a sub-batch does not
  /// divide the batch, stages overlap or are not usable, or an operator comes twice.
  constexpr std::size_t note_places(const table<segment_outline>& proposed) {
    place_.resize(work_.size());
    for (place& p : place_) p = {};
    std::size_t count = 0;
    for (std::uint32_t g = 0; g < proposed.size(); ++g) {
      if (work_.batch % larger(1, proposed[g].sub_batch) != 0 || proposed[g].sub_batch < 1)
        return 0;
      for (std::uint32_t t = 0; t < proposed[g].stages.size(); ++t) {
        const stage_outline& stage = proposed[g].stages[t];
        if (stage.operators.empty() || !array_.usable(stage.where)) return 0;
        for (std::uint32_t u = 0; u < t; ++u)
          if (overlap(stage.where, proposed[g].stages[u].where)) return 0;
        for (std::uint32_t v : stage.operators) {
          if (v >= work_.size() || place_[v].segment != UINT32_MAX) return 0;
          place_[v] = {g, t};
          ++count;
        }
      }
    }
    return count;
  }
  /// True if each operator comes after those it reads, and, unless stages keep results, in another
  /// stage.
  constexpr bool keeps_dependencies(const table<segment_outline>& proposed) const {
    for (const segment_outline& g : proposed)
      for (const stage_outline& stage : g.stages)
        for (std::uint32_t v : stage.operators)
          for (const prepared_operand& o : work_.graph.operands_of(v)) {
            const place from = place_[o.producer], at = place_[v];
            if (from.segment == UINT32_MAX) continue;
            if (from.segment > at.segment) return false;
            if (!stages_keep_results_ && from.segment == at.segment && from.stage == at.stage)
              return false;
          }
    return true;
  }
  /// True if each group is in one stage.
  constexpr bool keeps_groups(const group_order& order) const {
    for (std::uint32_t g = 0; g < order.size(); ++g)
      for (std::uint32_t k = order.begin_of(g) + 1; k < order.ends[g]; ++k)
        if (!(place_[order.operators[k]] == place_[order.operators[k - 1]])) return false;
    return true;
  }

  const batch_work& work_;
  const pe_array& array_;
  bool stages_keep_results_;
  table<place> place_;  // by operator
};

}  // namespace wf::detail
