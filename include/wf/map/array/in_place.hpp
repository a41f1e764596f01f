// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/map/place/prepared_workload.hpp>
#include <wf/search/watch.hpp>

namespace wf::detail {

/// Inserts a tiling into the run that starts at `first`, kept sorted by rising cycles; equals keep
/// their order of insertion.
constexpr void insert_by_cycles(table<tiling>& list, std::size_t first, const tiling& t) {
  insert_sorted(
      list, t, [](const tiling& a, const tiling& b) { return a.cycles < b.cycles; }, first);
}

/// Flags shapes with at least one usable rectangle, indexed by `pe_array::index` of the last row
/// and column of the shape.
constexpr table<char> usable_shapes(const pe_array& array, view<rectangle> rectangles) {
  table<char> usable(static_cast<std::size_t>(array.elements()));
  for (const rectangle& r : rectangles) usable[array.index(r.rows - 1, r.columns - 1)] = 1;
  return usable;
}

/// The working bytes per PE that an operator saves by running in place: its copies of the
/// overwritten operand, at most `times * result` bytes. `times` is the number of its operands that
/// are the overwritten result, `result` the bytes of its own result per PE. A predictor without
/// `tile` says nothing about the working set of one cut, so the answer is 0: the two results then
/// share a buffer, but the copies stay.
template <cost_predictor Predictor>
constexpr std::int64_t copies_saved(const Predictor& predictor, const operator_load& load,
                                    const pe_array& array, std::int32_t rows, std::int32_t columns,
                                    const tiling& t, std::uint32_t times, std::int64_t result) {
  if constexpr (requires {
                  predictor.tile(load, array, rows, columns, t.first_parts, t.second_parts);
                }) {
    operator_load without = load;
    without.made_bytes[static_cast<int>(operand_split::by_both)] -= times * load.output_bytes;
    const std::int64_t copies =
        t.working_bytes -
        predictor.tile(without, array, rows, columns, t.first_parts, t.second_parts).working_bytes;
    return larger(0, lesser(copies, times * result));
  }
  return 0;
}

/// Appends the in-place tilings of a class for every usable shape; each tiling keeps the cycles
/// that it has apart.
template <cost_predictor Predictor>
constexpr void tabulate_in_place(const overwriting& o, const pe_array& array,
                                 const Predictor& predictor, std::int64_t limit,
                                 const table<char>& usable, prepared_workload& out,
                                 search_watch* watch) {
  const operator_load& load = out.kinds[o.kind];
  for (std::int32_t r = 1; r <= array.rows; ++r)
    for (std::int32_t c = 1; c <= array.columns; ++c) {
      if (!go_on(watch, 16 * static_cast<std::uint64_t>(r) * static_cast<std::uint64_t>(c))) return;
      const auto first = static_cast<std::uint32_t>(out.tilings.size());
      const std::int64_t held = out.results[out.shape(o.kind, r, c, array)];
      if (usable[array.index(r - 1, c - 1)] != 0)
        predictor.tilings(load, array, r, c, [&](tiling t) {
          t.working_bytes -= copies_saved(predictor, load, array, r, c, t, o.times, held);
          if (t.cycles >= 1 && t.cycles <= limit && t.working_bytes <= array.memory_bytes - held)
            insert_by_cycles(out.tilings, first, t);
        });
      out.runs_in_place.push_back({first, static_cast<std::uint32_t>(out.tilings.size()) - first});
    }
}

/// Finds the classes of in-place operators and appends their tables behind all others.
template <cost_predictor Predictor>
constexpr void tabulate_all_in_place(const pe_array& array, const Predictor& predictor,
                                     std::int64_t limit, prepared_workload& out,
                                     search_watch* watch) {
  if (out.overwritable.empty()) return;
  out.first_in_place = static_cast<std::uint32_t>(out.tilings.size());
  const table<char> usable = usable_shapes(array, out.rectangles);
  hash_index index;
  for (std::uint32_t v = 0; v < out.operators.size(); ++v) {
    prepared_operator& p = out.operators[v];
    if (p.overwritable.count == 0) continue;
    overwriting own{0, p.kind};
    for (const prepared_operand& o : out.operands_of(v))
      own.times += o.producer == out.overwritable[p.overwritable.first] ? 1u : 0u;
    const std::uint64_t h = hasher().word(std::uint64_t{own.kind} << 32 | own.times).value();
    p.in_place = index.find(h, [&](std::uint32_t k) { return out.in_place[k] == own; });
    if (p.in_place != hash_index::none) continue;
    p.in_place = static_cast<std::uint32_t>(out.in_place.size());
    out.in_place.push_back(own);
    index.insert(h, p.in_place);
    tabulate_in_place(own, array, predictor, limit, usable, out, watch);
    if (watch != nullptr && watch->stopped()) return;
  }
}

}  // namespace wf::detail
