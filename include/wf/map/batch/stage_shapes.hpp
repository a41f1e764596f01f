// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/map/array/pe_array.hpp>
#include <wf/map/batch/plan.hpp>
#include <wf/map/batch/work.hpp>
#include <wf/map/place/groups.hpp>

namespace wf::detail {

/// Outlines the stages in which the groups first … last - 1 of an order run, on the usable regions
/// of an array.
class stage_shapes {
 public:
  /// `regions` are the usable regions of the array, the largest first. `work` must outlive this.
  constexpr stage_shapes(const batch_work& work, const pe_array& array, table<rectangle> regions)
      : work_(work), regions_(static_cast<table<rectangle>&&>(regions)) {
    weigh(array);
  }

  /// The usable regions, the largest first.
  constexpr const table<rectangle>& regions() const { return regions_; }
  /// Outlines one stage for the groups first … last - 1 of the order.
  constexpr void whole(const group_order& order, std::uint32_t first, std::uint32_t last,
                       table<stage_outline>& out) const {
    out.resize(1);
    out[0].where = regions_[0];
    out[0].operators.clear();
    for (std::uint32_t k = order.begin_of(first); k < order.ends[last - 1]; ++k)
      out[0].operators.push_back(order.operators[k]);
  }
  /// Outlines a stage on each of the first `count` regions for the groups first … last - 1: each
  /// takes groups until it has its share of the work. False if there are fewer groups than regions.
  constexpr bool chain(const group_order& order, std::uint32_t first, std::uint32_t last,
                       std::uint32_t count, table<stage_outline>& out) const {
    if (last - first < count) return false;
    std::int64_t area = 0, before = 0, done = 0;
    int128 all = 0;
    for (std::uint32_t k = 0; k < count; ++k) area += regions_[k].area();
    for (std::uint32_t k = order.begin_of(first); k < order.ends[last - 1]; ++k)
      all += weights_[order.operators[k]];
    out.resize(count);
    std::uint32_t g = first;
    for (std::uint32_t k = 0; k < count; ++k) {
      out[k].where = regions_[k];
      out[k].operators.clear();
      before += regions_[k].area();
      const std::uint32_t behind = count - 1 - k;  // later regions, which need a group each
      while (g + behind < last) {
        std::int64_t more = 0;
        for (std::uint32_t i = order.begin_of(g); i < order.ends[g]; ++i)
          more += weights_[order.operators[i]];
        // More than half of the group exceeds the share: the next region takes it.
        const bool over = static_cast<int128>(2 * done + more) * area > 2 * all * before;
        if (over && behind > 0 && !out[k].operators.empty()) break;
        for (std::uint32_t i = order.begin_of(g); i < order.ends[g]; ++i)
          out[k].operators.push_back(order.operators[i]);
        done += more;
        ++g;
      }
    }
    return true;
  }
  /// True if no operator of the groups first … last - 1 reads a result of another one of them.
  constexpr bool are_independent(const group_order& order, std::uint32_t first,
                                 std::uint32_t last) const {
    for (std::uint32_t k = order.begin_of(first); k < order.ends[last - 1]; ++k)
      for (const prepared_operand& o : work_.graph.operands_of(order.operators[k]))
        for (std::uint32_t j = order.begin_of(first); j < k; ++j)
          if (order.operators[j] == o.producer) return false;
    return true;
  }

 private:
  /// Estimates the PE cycles of each operator per sample, the weights by which a chain is divided
  /// over regions.
  constexpr void weigh(const pe_array& array) {
    weights_.resize(work_.size());
    for (std::uint32_t v = 0; v < work_.size(); ++v)
      weights_[v] = 1 + work_.samples[v].macs / array.macs_per_cycle +
                    work_.samples[v].elementwise / array.vector_ops_per_cycle;
  }

  const batch_work& work_;
  table<rectangle> regions_;
  table<std::int64_t> weights_;
};

}  // namespace wf::detail
