// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch/plan.hpp>

namespace wf {

namespace detail {

/// The share of part k of n, such that all shares sum up to x: ⌊x(k+1)/n⌋ - ⌊xk/n⌋.
constexpr std::int64_t share_of(std::int64_t x, std::int64_t k, std::int64_t n) {
  return static_cast<std::int64_t>(static_cast<int128>(x) * (k + 1) / n -
                                   static_cast<int128>(x) * k / n);
}

}  // namespace detail

/// Splits operator i of a workload into `parts[i]` operators, each of which produces a part of its
/// result. The first axis is divided, and with it work, weights, scratch, result and all operands
/// that follow it; operands that follow the second axis only go to each part as a whole. Labels of
/// parts end in "[k/n]". Precondition: as many parts as operators, each from 1 to the operator's
/// first axis, 1 for a view. O(operators + edges · parts).
constexpr workload in_parts(const workload& w, view<std::int64_t> parts) {
  workload out;
  out.name = w.name;
  out.batch = w.batch;
  table<std::uint32_t> first(w.operators.size());
  for (std::size_t i = 0; i < w.operators.size(); ++i) {
    const workload_operator& o = w.operators[i];
    first[i] = static_cast<std::uint32_t>(out.operators.size());
    for (std::int64_t k = 0; k < parts[i]; ++k) {
      workload_operator part = o;
      if (parts[i] > 1) {
        const auto share = [&](std::int64_t x) { return detail::share_of(x, k, parts[i]); };
        part.label << '[' << k << '/' << parts[i] << ']';
        part.macs = share(o.macs);
        part.elementwise = share(o.elementwise);
        part.weight_bytes = share(o.weight_bytes);
        part.output_bytes = share(o.output_bytes);
        part.scratch_bytes = share(o.scratch_bytes);
        part.first_axis = share(o.first_axis);
        if (o.input_split != operand_split::by_second) part.input_bytes = share(o.input_bytes);
      }
      out.add(static_cast<workload_operator&&>(part));
    }
  }
  for (const workload_edge& e : w.edges)
    for (std::int64_t k = 0; k < parts[e.to]; ++k) {
      const std::int64_t bytes =
          e.split == operand_split::by_second ? e.bytes : detail::share_of(e.bytes, k, parts[e.to]);
      for (std::int64_t j = 0; j < parts[e.from]; ++j)
        out.connect(first[e.from] + static_cast<std::uint32_t>(j),
                    first[e.to] + static_cast<std::uint32_t>(k),
                    detail::share_of(bytes, j, parts[e.from]), e.split);
    }
  return out;
}

/// Splits every operator that fits into no segment, not even alone on all PEs with one sample at a
/// time, into the fewest equal parts that fit (see `in_parts`), so that `map` can map the
/// workload. An operator that does not fit with any cut stays whole. The same workload if all fit.
/// Errors: those of `validate`. O(operators · tilings · log(first axis)).
template <tile_predictor Predictor = cycle_model>
constexpr result<workload> parts_that_fit(const workload& w, const pe_array& array,
                                          const Predictor& predictor = {}) {
  if (const auto valid = validate(array); !valid) return valid.error();
  if (const auto valid = validate(w); !valid) return valid.error();
  table<std::int64_t> parts(w.operators.size(), 1);
  for (std::size_t i = 0; i < w.operators.size(); ++i) {
    const workload_operator& o = w.operators[i];
    if (o.is_view) continue;
    // The operator alone: its operands come from DRAM, and its result goes there.
    const auto fits = [&](std::int64_t n) {
      workload alone;
      alone.batch = w.batch;
      std::int64_t made[3] = {0, 0, 0};
      for (const workload_edge& e : w.edges)
        if (e.to == i) made[static_cast<int>(e.split)] += e.bytes;
      table<std::int64_t> counts;
      for (int k = 0; k < 3; ++k) {
        workload_operator source;
        source.output_bytes = made[k];
        counts.push_back(1);
        const std::uint32_t from = alone.add(source);
        alone.connect(from, 3, made[k], static_cast<operand_split>(k));
      }
      workload_operator stored = o;
      stored.is_output = true;
      alone.add(stored);
      counts.push_back(n);
      const auto work = batch_work_of(in_parts(alone, counts));
      if (!work) return false;
      segment_planner<Predictor> planner(*work, array, predictor);
      table<stage_outline> stages(1);
      stages[0].where = largest_usable(array);
      // The last part is the largest.
      stages[0].operators.push_back(work->size() - 1);
      planned_segment plan;
      return planner.plan(stages, 1, plan);
    };
    if (fits(1)) continue;
    // More parts need no more bytes, so gallop and bisect over their number.
    std::int64_t low = 1, high = 2;
    while (high < o.first_axis && !fits(high)) {
      low = high;
      high *= 2;
    }
    high = detail::lesser(high, o.first_axis);
    if (high == 1 || !fits(high)) continue;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (fits(middle) ? high : low) = middle;
    }
    parts[i] = high;
  }
  return in_parts(w, parts);
}

}  // namespace wf
