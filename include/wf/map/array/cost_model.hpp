// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/map/array/pe_array.hpp>
#include <wf/map/array/workload.hpp>

namespace wf {

/// One way to run an operator on a rectangle: the cut of its axes, its time and its memory.
struct tiling {
  /// Number of parts of the first axis.
  std::int64_t first_parts = 1;
  /// Number of parts of the second axis; the product of both is at most the number of PEs.
  std::int64_t second_parts = 1;
  /// Cycles from start to finish.
  std::int64_t cycles = 1;
  /// Bytes in every PE of the rectangle from start to finish, without the result.
  std::int64_t working_bytes = 0;

  friend constexpr bool operator==(const tiling&, const tiling&) = default;
};

/// A predictor of cycles for operators and for transfers of their operands.
///
/// - `tilings(load, array, rows, columns, emit)` calls `emit(tiling)` for each way to run the
///   operator on a rectangle of that shape; none if it cannot run there. At least 1 cycle each.
///   `load.kernel` is the operator's name, `load.result` the shape of its result.
/// - `result_bytes(load, array, rows, columns)`: bytes of the result in every PE of the rectangle.
/// - `transfer(array, from, to, bytes)`: cycles from the end of the producer on `from` to the
///   earliest start of a consumer on `to`; not negative, and 0 if both are the same rectangle.
///
/// Optional: `tile(load, array, rows, columns, first_parts, second_parts)`, the tiling of one given
/// cut, from which the mapper derives the memory saved in place (`overwriting`).
///
/// Costs must be invariant under mirror images of the array: the search visits only one of them.
template <class M>
concept cost_predictor = requires(const M& m, const operator_load& load, const pe_array& array,
                                  const rectangle& r, std::int64_t bytes) {
  m.tilings(load, array, std::int32_t{}, std::int32_t{}, [](const tiling&) {});
  { m.result_bytes(load, array, std::int32_t{}, std::int32_t{}) } -> std::same_as<std::int64_t>;
  { m.transfer(array, r, r, bytes) } -> std::same_as<std::int64_t>;
};

namespace detail {

/// ⌈numerator / denominator⌉, saturated to INT64_MAX. Precondition: a numerator of at least 0,
/// a positive denominator.
constexpr std::int64_t ceil_ratio(int128 numerator, int128 denominator) {
  if (numerator <= INT64_MAX && denominator <= INT64_MAX) {
    const auto n = static_cast<std::int64_t>(numerator), d = static_cast<std::int64_t>(denominator);
    return n / d + (n % d != 0 ? 1 : 0);
  }
  const int128 quotient = numerator / denominator + (numerator % denominator != 0 ? 1 : 0);
  return quotient > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(quotient);
}

constexpr std::int64_t larger(std::int64_t a, std::int64_t b) { return a < b ? b : a; }
constexpr std::int64_t lesser(std::int64_t a, std::int64_t b) { return b < a ? b : a; }
constexpr std::int32_t distance(std::int32_t a, std::int32_t b) { return a < b ? b - a : a - b; }

/// The displacement of data between two rectangles.
struct displacement {
  std::int32_t down = 0;    ///< largest number of rows that a corner moves
  std::int32_t across = 0;  ///< largest number of columns that a corner moves
  std::int32_t links = 1;   ///< number of links used in parallel
};

constexpr displacement displacement_of(const rectangle& from, const rectangle& to) {
  const auto farther = [](std::int32_t a, std::int32_t b) { return a < b ? b : a; };
  const auto narrower = [](std::int32_t a, std::int32_t b) { return a < b ? a : b; };
  displacement d;
  d.down = farther(distance(from.row, to.row), distance(from.row + from.rows, to.row + to.rows));
  d.across = farther(distance(from.column, to.column),
                     distance(from.column + from.columns, to.column + to.columns));
  const std::int32_t rows = narrower(from.rows, to.rows);
  const std::int32_t columns = narrower(from.columns, to.columns);
  d.links = d.down == 0 ? rows : d.across == 0 ? columns : narrower(rows, columns);
  return d;
}

}  // namespace detail

/// The default cost predictor: an exact integer model of cycles and bytes. For an operator with
/// `macs` M, `elementwise` V and axes A, B, cut into p · q parts (p along A, q along B, p·q at most
/// the PEs of the rectangle of r × c), on an array of R × C:
///
/// - the largest part has a = ⌈A/p⌉ by b = ⌈B/q⌉ of the A·B items, so a PE computes for ⌈M·a·b /
///   (A·B·macs_per_cycle)⌉ + ⌈V·a·b / (A·B·vector_ops_per_cycle)⌉ cycles;
/// - DRAM moves D = weights + operands that no operator produces + outputs of the workload, through
///   the rectangle's stripe of its bandwidth: ⌈D·R·C / (dram_bytes_per_cycle·r·c)⌉ cycles;
/// - every PE's port receives its weights ⌈W/p⌉, its share of fetched operands, and the part of
///   operands produced on chip that it does not hold: of x bytes that follow the second axis
///   ⌈x·(p-1)/(p·q)⌉, the first axis ⌈x·(q-1)/(p·q)⌉, both axes none; the sum over
///   link_bytes_per_cycle, rounded up;
/// - computation, DRAM and port overlap, double-buffered: cycles = max(1, computing, DRAM, port).
///
/// Weights are read again for every operator and live only while it runs. Working bytes of a PE:
/// ⌈W/p⌉ plus for each kind of operand ⌈x/q⌉ (second axis), ⌈x/p⌉ (first axis) or ⌈x/(p·q)⌉ (both):
/// whole operand shares, filled by the streams; plus the largest part's share of the scratch S,
/// ⌈S·a·b / (A·B)⌉. The result is distributed evenly over the rectangle, ⌈output/(r·c)⌉ in each PE.
///
/// A transfer between different rectangles takes hops · hop_latency + ⌈bytes / (links ·
/// link_bytes_per_cycle)⌉ cycles. Data keep their relative positions, so the farthest corner bounds
/// the hops: max(|Δtop|, |Δbottom|) + max(|Δleft|, |Δright|). Links: the narrower rectangle's rows
/// if it only moves across, its columns if it only moves up or down, the smaller of both otherwise.
/// Transfers contend neither with each other nor with computation (the simulator can drop that
/// assumption).
struct cycle_model {
  /// Calls `emit(tiling)` for the Pareto-optimal cuts in cycles and working bytes, the fastest
  /// first. Examines O(PEs) cuts, or O(PEs · log PEs) if an operand follows the first axis.
  template <class Emit>
  constexpr void tilings(const operator_load& load, const pe_array& array, std::int32_t rows,
                         std::int32_t columns, Emit&& emit) const {
    const std::int64_t elements = std::int64_t{rows} * columns;
    table<tiling> kept;
    const std::int64_t most = detail::lesser(elements, load.first_axis);
    for (std::int64_t p = 1; p <= most; ++p) {
      const std::int64_t widest = detail::lesser(elements / p, load.second_axis);
      // More parts of the second axis can only cost more for operands that follow the first axis.
      const std::int64_t narrowest = load.made_bytes[1] > 0 ? 1 : widest;
      for (std::int64_t q = narrowest; q <= widest; ++q)
        insert(kept, tile(load, array, rows, columns, p, q));
    }
    for (const tiling& t : kept) emit(t);
  }

  /// Cycles and working bytes of the cut into p · q parts. O(1).
  constexpr tiling tile(const operator_load& load, const pe_array& array, std::int32_t rows,
                        std::int32_t columns, std::int64_t p, std::int64_t q) const {
    const std::int64_t elements = std::int64_t{rows} * columns, parts = p * q;
    const int128 items = static_cast<int128>(load.first_axis) * load.second_axis;
    const int128 part = static_cast<int128>(detail::ceil_div(load.first_axis, p)) *
                        detail::ceil_div(load.second_axis, q);
    const std::int64_t computing =
        saturating_add(busy(load.macs, part, items, array.macs_per_cycle),
                       busy(load.elementwise, part, items, array.vector_ops_per_cycle));
    const int128 moved = static_cast<int128>(load.weight_bytes) + load.fetched_bytes[0] +
                         load.fetched_bytes[1] + load.fetched_bytes[2] + load.stored_bytes;
    const std::int64_t dram = detail::ceil_ratio(
        moved * array.elements(), static_cast<int128>(array.dram_bytes_per_cycle) * elements);
    const std::int64_t weights = detail::ceil_div(load.weight_bytes, p);
    std::int64_t port = weights;
    port += share(load.fetched_bytes[0], q) + share(load.fetched_bytes[1], p) +
            share(load.fetched_bytes[2], parts);
    port += detail::ceil_ratio(static_cast<int128>(load.made_bytes[0]) * (p - 1), parts) +
            detail::ceil_ratio(static_cast<int128>(load.made_bytes[1]) * (q - 1), parts);
    tiling out{p, q, 1, weights};
    out.cycles = detail::larger(
        1, detail::larger(computing, detail::larger(dram, detail::ceil_div(
                                                              port, array.link_bytes_per_cycle))));
    out.working_bytes += share(load.made_bytes[0] + load.fetched_bytes[0], q) +
                         share(load.made_bytes[1] + load.fetched_bytes[1], p) +
                         share(load.made_bytes[2] + load.fetched_bytes[2], parts) +
                         busy(load.scratch_bytes, part, items, 1);
    return out;
  }

  /// Bytes of the result in each PE: ⌈output_bytes / (rows · columns)⌉.
  constexpr std::int64_t result_bytes(const operator_load& load, const pe_array&, std::int32_t rows,
                                      std::int32_t columns) const {
    return detail::ceil_div(load.output_bytes, std::int64_t{rows} * columns);
  }

  /// Cycles of a transfer between two rectangles; 0 if they are the same. O(1).
  constexpr std::int64_t transfer(const pe_array& array, const rectangle& from, const rectangle& to,
                                  std::int64_t bytes) const {
    if (from == to) return 0;
    const detail::displacement d = detail::displacement_of(from, to);
    const std::int64_t stream =
        detail::ceil_ratio(bytes, static_cast<int128>(d.links) * array.link_bytes_per_cycle);
    return saturating_add(
        stream, detail::ceil_ratio(static_cast<int128>(d.down + d.across) * array.hop_latency, 1));
  }

 private:
  static constexpr std::int64_t share(std::int64_t bytes, std::int64_t parts) {
    return detail::ceil_div(bytes, parts);
  }
  /// The share ⌈work · part / (items · rate)⌉, for work below 2^53 and items at most 2^105; an
  /// upper bound of it, at most INT64_MAX, if a product does not fit 128 bits.
  static constexpr std::int64_t busy(std::int64_t work, int128 part, int128 items,
                                     std::int64_t rate) {
    if (work == 0) return 0;
    int128 product = 0;
    if (checked_multiply(static_cast<int128>(work), part, product) && rate <= INT64_MAX / 2) {
      int128 denominator = 0;
      if (checked_multiply(items, static_cast<int128>(rate), denominator))
        return detail::ceil_ratio(product, denominator);
    }
    // Axes far beyond the work they describe: work per item, rounded up, gives an upper bound.
    const int128 each = (work + items - 1) / items;
    if (!checked_multiply(each, part, product)) return INT64_MAX;
    return detail::ceil_ratio(product, rate);
  }
  /// Inserts a tiling into the Pareto front, sorted by rising cycles and falling working bytes, and
  /// removes the tilings it dominates.
  static constexpr void insert(table<tiling>& kept, const tiling& t) {
    std::size_t at = 0;
    while (at < kept.size() && kept[at].cycles <= t.cycles) {
      if (kept[at].working_bytes <= t.working_bytes) return;
      if (kept[at].cycles == t.cycles) break;
      ++at;
    }
    std::size_t end = at;
    while (end < kept.size() && kept[end].working_bytes >= t.working_bytes) ++end;
    if (end == at) {
      kept.push_back(t);
      for (std::size_t i = kept.size() - 1; i > at; --i) kept[i] = kept[i - 1];
      kept[at] = t;
      return;
    }
    kept[at] = t;
    const std::size_t gone = end - at - 1;
    for (std::size_t i = end; i < kept.size(); ++i) kept[i - gone] = kept[i];
    for (std::size_t i = 0; i < gone; ++i) kept.pop_back();
  }
};

static_assert(cost_predictor<cycle_model>);

}  // namespace wf
