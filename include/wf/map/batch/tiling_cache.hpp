// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/hash_index.hpp>
#include <wf/map/array/in_place.hpp>

namespace wf {

namespace detail {

/// A cache of the tilings of loads on shapes: the predictor is called once for each pair, so equal
/// operators of repeated blocks share them.
template <class Predictor>
class tiling_cache {
 public:
  constexpr tiling_cache(const pe_array& array, const Predictor& predictor)
      : array_(array), predictor_(predictor) {}

  /// The tilings of a load on a shape by rising cycles; valid until the next call.
  constexpr view<tiling> operator()(const operator_load& load, std::int32_t rows,
                                    std::int32_t columns) {
    return at(find(load, rows, columns));
  }
  /// The tilings of a run returned by `find`; valid until the next call of `find`.
  constexpr view<tiling> at(const range& run) const {
    return {tilings_.data() + run.first, run.count};
  }
  /// Finds or computes the tilings of a load on a shape; the run stays valid. `times`: for an
  /// operator in place, the number of its operands that are the overwritten result; 0: not in
  /// place.
  constexpr range find(const operator_load& load, std::int32_t rows, std::int32_t columns,
                       std::uint32_t times = 0) {
    const std::uint64_t h = hash_of(load, rows, columns) + times;
    const std::uint32_t known = index_.find(h, [&](std::uint32_t i) {
      const entry& e = entries_[i];
      return e.rows == rows && e.columns == columns && e.times == times && e.load == load;
    });
    if (known != hash_index::none) return entries_[known].run;
    entry e{load, rows, columns, times, {static_cast<std::uint32_t>(tilings_.size()), 0}};
    const std::int64_t held =
        times == 0 ? 0 : ceil_div(load.output_bytes, std::int64_t{rows} * columns);
    predictor_.tilings(load, array_, rows, columns, [&](tiling t) {
      if (times != 0)
        t.working_bytes -= copies_saved(predictor_, load, array_, rows, columns, t, times, held);
      if (t.cycles >= 1 && t.cycles < (std::int64_t{1} << 56))
        insert_by_cycles(tilings_, e.run.first, t);
    });
    e.run.count = static_cast<std::uint32_t>(tilings_.size()) - e.run.first;
    index_.insert(h, static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back(e);
    return e.run;
  }
  /// Number of entries.
  constexpr std::uint64_t size() const { return entries_.size(); }

 private:
  struct entry {
    operator_load load;
    std::int32_t rows = 0;
    std::int32_t columns = 0;
    std::uint32_t times = 0;
    range run;
  };
  static constexpr std::uint64_t hash_of(const operator_load& l, std::int32_t r, std::int32_t c) {
    std::uint64_t h = static_cast<std::uint64_t>(r) * 4099 + static_cast<std::uint64_t>(c);
    for (std::int64_t x :
         {l.macs, l.elementwise, l.weight_bytes, l.output_bytes, l.scratch_bytes, l.first_axis,
          l.second_axis, l.made_bytes[0], l.made_bytes[1], l.made_bytes[2], l.fetched_bytes[0],
          l.fetched_bytes[1], l.fetched_bytes[2]}) {
      h = (h ^ static_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    return h;
  }

  const pe_array& array_;
  const Predictor& predictor_;
  hash_index index_;
  table<entry> entries_;
  table<tiling> tilings_;
};

}  // namespace detail

}  // namespace wf
