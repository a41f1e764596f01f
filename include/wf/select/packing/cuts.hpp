// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf::detail {

/// A valid inequality of a packing model: in every solution the coefficients of the taken values
/// add up to at most `most`.
struct packing_cut {
  /// A summand and its multiplier. `what` numbers the classes first, then the rows, then the cuts.
  struct term {
    std::uint32_t what = 0;
    std::int64_t times = 0;
  };

  table<std::uint32_t> value;  ///< ascending
  table<std::int32_t> coefficient;
  std::int64_t most = 0;
  std::int64_t divisor = 0;  ///< k of a mod-k cut; 0: a cycle cut
  table<term> terms;  ///< the sum of a mod-k cut; else the classes of a cycle, in the order of need
};

/// The cut pool of one model: valid inequalities that only strengthen its linear relaxation.
///
/// Flat arrays; `first` and `value_first` have one entry more than records.
struct packing_cuts {
  table<std::uint32_t> first = table<std::uint32_t>(1);  ///< by cut: its first entry
  table<std::uint32_t> value;
  table<std::int32_t> coefficient;
  table<std::int64_t> most;
  table<std::int64_t> largest;       ///< by cut: the largest of its coefficients and its right side
  table<std::uint32_t> value_first;  ///< by value: its first entry in the two below
  table<std::uint32_t> cut_of;
  table<std::int32_t> coefficient_of;
  std::uint32_t edition = 0;  ///< changes whenever cuts are renumbered

  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(most.size()); }

  /// Adds a cut; `index` must follow.
  constexpr void add(const packing_cut& cut) {
    value.append(cut.value);
    coefficient.append(cut.coefficient);
    most.push_back(cut.most);
    largest.push_back(cut.most);
    for (const std::int32_t c : cut.coefficient)
      if (largest.back() < c) largest.back() = c;
    first.push_back(static_cast<std::uint32_t>(value.size()));
  }
  /// Keeps the cuts with a non-zero `kept`, by their numbers, and renumbers them; `index` must
  /// follow.
  constexpr void keep(const table<std::uint8_t>& kept) {
    ++edition;
    std::uint32_t next = 0, to = 0, begin = 0;
    for (std::uint32_t c = 0; c < size(); ++c) {
      const std::uint32_t end = first[c + 1];
      if (kept[c]) {
        for (std::uint32_t e = begin; e < end; ++e, ++to) {
          value[to] = value[e];
          coefficient[to] = coefficient[e];
        }
        most[next] = most[c];
        largest[next] = largest[c];
        first[++next] = to;
      }
      begin = end;
    }
    value.resize(to);
    coefficient.resize(to);
    most.resize(next);
    largest.resize(next);
    first.resize(next + 1);
  }
  /// Builds the entries by value. O(entries + values).
  constexpr void index(std::uint32_t values) {
    value_first = table<std::uint32_t>(values + 1);
    for (const std::uint32_t v : value) ++value_first[v + 1];
    for (std::uint32_t v = 0; v < values; ++v) value_first[v + 1] += value_first[v];
    cut_of.resize(value.size());
    coefficient_of.resize(value.size());
    table<std::uint32_t> at(value_first);
    for (std::uint32_t c = 0; c < size(); ++c)
      for (std::uint32_t e = first[c]; e < first[c + 1]; ++e) {
        cut_of[at[value[e]]] = c;
        coefficient_of[at[value[e]]++] = coefficient[e];
      }
  }
};

}  // namespace wf::detail
