// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch/plan.hpp>

namespace wf {

/// The outline of a segment, without tilings: its stages with their operators, and the samples per
/// round.
struct segment_outline {
  table<stage_outline> stages;  ///< concurrent stages
  std::int64_t sub_batch = 1;   ///< samples per round, a divisor of the batch

  friend constexpr bool operator==(const segment_outline& a, const segment_outline& b) {
    return a.stages == b.stages && a.sub_batch == b.sub_batch;
  }
};

/// The problem data available to strategies.
struct batch_space {
  view<std::int64_t> sub_batches;  ///< divisors of the batch, ascending
  rectangle region;                ///< PEs that segments may use
};

/// A strategy for batches proposes changes of a mapping: `apply(space, segment, next, emit)` calls
/// `emit(outlines)` with segments that replace `segment`, if they have its operators, or `segment`
/// and its successor `next` (null after the last one), if they have the operators of both. The
/// mapper checks and times every proposal, so a strategy cannot produce a wrong mapping.
template <class S>
concept batch_strategy = requires(const S& s, const batch_space& space, const segment_outline& g) {
  s.apply(space, g, &g, [](const table<segment_outline>&) {});
};

namespace detail {

/// All operators of a segment, stage by stage.
constexpr table<std::uint32_t> operators_of(const segment_outline& g) {
  table<std::uint32_t> out;
  for (const stage_outline& s : g.stages)
    for (std::uint32_t v : s.operators) out.push_back(v);
  return out;
}

/// A segment of one stage on a region for a list of operators.
constexpr segment_outline one_stage(const rectangle& region, view<std::uint32_t> operators,
                                    std::int64_t sub_batch) {
  segment_outline g;
  g.sub_batch = sub_batch;
  g.stages.resize(1);
  g.stages[0].where = region;
  for (std::uint32_t v : operators) g.stages[0].operators.push_back(v);
  return g;
}

}  // namespace detail

/// The temporal cut: a segment is split into two consecutive ones, each a single stage on all PEs;
/// or two are merged into one; or operators move between neighbouring segments.
struct batch_temporal_cut {
  /// Proposes O(operators · sub-batches) changes.
  template <class Emit>
  constexpr void apply(const batch_space& space, const segment_outline& g,
                       const segment_outline* next, Emit&& emit) const {
    const table<std::uint32_t> mine = detail::operators_of(g);
    table<segment_outline> out;
    for (std::size_t k = 1; k < mine.size(); ++k)
      for (std::int64_t b : space.sub_batches) {
        out.resize(2);
        out[0] = detail::one_stage(space.region, view<std::uint32_t>(mine).part(0, k), b);
        out[1] = detail::one_stage(space.region, view<std::uint32_t>(mine).part(k, mine.size() - k),
                                   g.sub_batch);
        emit(out);
        out[1].sub_batch = b;
        out[0].sub_batch = g.sub_batch;
        if (b != g.sub_batch) emit(out);
      }
    if (next == nullptr) return;
    table<std::uint32_t> all = mine;
    for (std::uint32_t v : detail::operators_of(*next)) all.push_back(v);
    for (std::int64_t b : space.sub_batches) {
      out.resize(1);
      out[0] = detail::one_stage(space.region, all, b);
      emit(out);
    }
    for (std::size_t k = 1; k < all.size(); ++k) {
      if (k == mine.size()) continue;
      out.resize(2);
      out[0] = detail::one_stage(space.region, view<std::uint32_t>(all).part(0, k), g.sub_batch);
      out[1] = detail::one_stage(space.region, view<std::uint32_t>(all).part(k, all.size() - k),
                                 next->sub_batch);
      emit(out);
    }
  }
};

/// The spatial cut: a stage is split into two concurrent ones, by every line through its rectangle
/// and at every position in the order of its operators.
struct batch_spatial_cut {
  /// Proposes at most operators · (rows + columns) changes.
  template <class Emit>
  constexpr void apply(const batch_space&, const segment_outline& g, const segment_outline*,
                       Emit&& emit) const {
    table<segment_outline> out(1);
    for (std::size_t s = 0; s < g.stages.size(); ++s) {
      const stage_outline& whole = g.stages[s];
      for (std::size_t k = 1; k < whole.operators.size(); ++k) {
        const auto cut = [&](const rectangle& first, const rectangle& second) {
          out[0] = g;
          out[0].stages[s].where = first;
          out[0].stages[s].operators =
              table<std::uint32_t>(view<std::uint32_t>(whole.operators).part(0, k));
          stage_outline rest;
          rest.where = second;
          rest.operators = table<std::uint32_t>(
              view<std::uint32_t>(whole.operators).part(k, whole.operators.size() - k));
          out[0].stages.push_back(rest);
          emit(out);
        };
        const rectangle& r = whole.where;
        for (std::int32_t y = 1; y < r.rows; ++y)
          cut({r.row, r.column, y, r.columns}, {r.row + y, r.column, r.rows - y, r.columns});
        for (std::int32_t x = 1; x < r.columns; ++x)
          cut({r.row, r.column, r.rows, x}, {r.row, r.column + x, r.rows, r.columns - x});
      }
    }
  }
};

/// The edge tune: the line between two stages with a common whole edge moves by one row or column,
/// or an operator moves from the end of one stage to the start of another, or from the start to the
/// end.
struct batch_edge_tune {
  /// Proposes stages² · 4 changes at most.
  template <class Emit>
  constexpr void apply(const batch_space&, const segment_outline& g, const segment_outline*,
                       Emit&& emit) const {
    table<segment_outline> out(1);
    for (std::size_t s = 0; s < g.stages.size(); ++s)
      for (std::size_t t = 0; t < g.stages.size(); ++t) {
        if (s == t) continue;
        const rectangle &a = g.stages[s].where, &b = g.stages[t].where;
        for (std::int32_t by : {-1, 1}) {
          out[0] = g;
          rectangle &x = out[0].stages[s].where, &y = out[0].stages[t].where;
          if (a.column == b.column && a.columns == b.columns && a.row + a.rows == b.row) {
            x.rows += by;
            y.row += by;
            y.rows -= by;
          } else if (a.row == b.row && a.rows == b.rows && a.column + a.columns == b.column) {
            x.columns += by;
            y.column += by;
            y.columns -= by;
          } else {
            break;
          }
          if (!x.empty() && !y.empty()) emit(out);
        }
        if (g.stages[s].operators.size() < 2) continue;
        out[0] = g;
        const table<std::uint32_t>& from = g.stages[s].operators;
        out[0].stages[s].operators =
            table<std::uint32_t>(view<std::uint32_t>(from).part(0, from.size() - 1));
        table<std::uint32_t> longer;
        longer.push_back(from.back());
        longer.append(g.stages[t].operators);
        out[0].stages[t].operators = longer;
        emit(out);
        out[0] = g;
        out[0].stages[s].operators =
            table<std::uint32_t>(view<std::uint32_t>(from).part(1, from.size() - 1));
        out[0].stages[t].operators.push_back(from[0]);
        emit(out);
      }
  }
};

/// The gemm tune: other numbers of samples per round, and thus other cuts of all products.
struct batch_gemm_tune {
  /// Proposes one change for each other sub-batch.
  template <class Emit>
  constexpr void apply(const batch_space& space, const segment_outline& g, const segment_outline*,
                       Emit&& emit) const {
    table<segment_outline> out(1);
    for (std::int64_t b : space.sub_batches) {
      if (b == g.sub_batch) continue;
      out[0] = g;
      out[0].sub_batch = b;
      emit(out);
    }
  }
};

/// The union of strategies: their proposals in sequence. Users add their own:
/// `batch_strategy_set<batch_temporal_cut, mine>`.
template <class... Strategies>
struct batch_strategy_set : Strategies... {
  /// Applies each strategy in the order of the arguments.
  template <class Emit>
  constexpr void apply(const batch_space& space, const segment_outline& g,
                       const segment_outline* next, Emit&& emit) const {
    (static_cast<const Strategies&>(*this).apply(space, g, next, emit), ...);
  }
};

/// All built-in strategies: the two cuts and the two tunes.
using all_batch_strategies =
    batch_strategy_set<batch_gemm_tune, batch_edge_tune, batch_temporal_cut, batch_spatial_cut>;

}  // namespace wf
