// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/problem.hpp>

namespace wf::detail {

/// A part: the values of one class in one row of a packing model.
struct packing_part {
  std::uint32_t row = 0;
  std::uint32_t owner = 0;
  std::uint32_t begin = 0;  ///< its values: [begin, end) of `packing_model::entry`
  std::uint32_t end = 0;
};

/// A metric that is not a sum over the values: their largest cost, or the longest path along needs.
struct packing_peak {
  std::int64_t weight = 0;    ///< weight in the objective
  std::int64_t capacity = 0;  ///< upper limit, in the unit of the metric's values
  std::int64_t floor = 0;     ///< lower bound: the value of the classes that are already paid
  bool path = false;          ///< true: the longest path along needs; false: the maximum
};

/// A selection problem as a packing problem: every class takes exactly one of its values, every row
/// admits at most one of its values, every limit bounds a weighted sum; the least cost wins. The
/// value `off` of a class stands for "not needed"; a value that needs a class excludes its `off`.
///
/// Flat arrays; `first`, `row_first`, `row_part`, `class_part_first`, `value_part_first` and
/// `need_first` have one entry more than records. Values of a class are consecutive; entries of a
/// row ascend, so that a row is a sequence of parts.
struct packing_model {
  static constexpr std::uint32_t none = no_candidate;

  std::uint32_t classes = 0;
  std::uint32_t values = 0;
  std::uint32_t rows = 0;
  table<std::uint32_t> first;      ///< by class: its first value
  table<std::uint32_t> owner;      ///< by value: its class
  table<std::int64_t> cost;        ///< by value: its cost in the objective
  table<std::uint32_t> off;        ///< by class: the value that omits the class, or `none`
  table<std::uint32_t> row_first;  ///< by row: its first entry in `entry`
  table<std::uint32_t> entry;
  table<packing_part> parts;  ///< sorted by row, then by class
  table<std::uint32_t> row_part;
  table<std::uint32_t> class_part_first, class_part;
  table<std::uint32_t> value_part_first, value_part;
  table<std::int64_t> capacity;  ///< by limit: the largest weighted sum of the taken values
  table<std::int64_t> weight;    ///< weight of value v in limit l, at `l * values + v`
  table<packing_peak> peaks;
  table<std::int64_t> peak_cost;  ///< cost of value v in peak i, at `i * values + v`
  table<std::uint8_t> root;       ///< by class: 1 if it is a root; filled only if a peak is a path
  table<std::uint32_t> block;     ///< by class: its strongly connected component; `none` if trivial
  /// By value: the classes of its own component that it needs; all that it needs if a peak is a
  /// path.
  table<std::uint32_t> need_first, need;
  std::int64_t base = 0;     ///< fixed cost that every solution pays
  std::int64_t divisor = 0;  ///< gcd of all costs; 0 if all are 0, 1 if a peak has a weight
  bool only_peaks = false;   ///< true if there are peaks and all value costs are 0
  /// By value of a joint class, which stands for a choice in two other classes: the values of these
  /// two; else `none`.
  table<std::uint32_t> joint_a, joint_b;
  table<std::uint32_t> candidate_of;  ///< by value: its candidate in the reduced problem, or `none`
  /// By class of the reduced problem: its candidate if the model leaves only one, else `none`.
  table<std::uint32_t> settled;

  /// True if a value is joint: it stands for a pair of values of two other classes.
  constexpr bool is_joint(std::uint32_t v) const { return joint_a[v] != none; }
  /// True if a class is joint, that is, all its values are.
  constexpr bool follows(std::uint32_t k) const { return is_joint(first[k]); }

  /// Opens a class, to which `add_value` then adds; returns its number.
  constexpr std::uint32_t add_class() {
    first.push_back(values);
    off.push_back(none);
    return classes++;
  }
  /// Adds a value to the last class and returns its number; weights are set when all values exist.
  constexpr std::uint32_t add_value(std::int64_t price, std::uint32_t candidate) {
    owner.push_back(classes - 1);
    cost.push_back(price);
    candidate_of.push_back(candidate);
    joint_a.push_back(none);
    joint_b.push_back(none);
    return values++;
  }
  /// Adds a joint value that stands for values `a` and `b` of two other classes.
  constexpr std::uint32_t add_joint(std::int64_t price, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t v = add_value(price, none);
    joint_a[v] = a;
    joint_b[v] = b;
    return v;
  }
  /// Adds a row of at least two values, ascending.
  constexpr void add_row(view<std::uint32_t> members) {
    row_first.push_back(static_cast<std::uint32_t>(entry.size()));
    entry.append(members);
    ++rows;
  }

  /// Computes the arrays that follow from classes, values and rows. O(entries).
  constexpr void finish() {
    first.push_back(values);
    row_first.push_back(static_cast<std::uint32_t>(entry.size()));
    divisor = 0;
    for (const std::int64_t c : cost) divisor = common_divisor(divisor, c);
    only_peaks = divisor == 0 && !peaks.empty();
    for (const packing_peak& p : peaks)
      if (p.weight != 0) divisor = 1;
    list_parts();
    index_parts();
  }

  /// The greatest common divisor of two non-negative numbers; 0 if both are 0.
  static constexpr std::int64_t common_divisor(std::int64_t a, std::int64_t b) {
    while (b != 0) {
      const std::int64_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

 private:
  constexpr void list_parts() {
    for (std::uint32_t r = 0; r < rows; ++r) {
      row_part.push_back(static_cast<std::uint32_t>(parts.size()));
      for (std::uint32_t i = row_first[r]; i < row_first[r + 1];) {
        packing_part p{r, owner[entry[i]], i, i};
        while (p.end < row_first[r + 1] && owner[entry[p.end]] == p.owner) ++p.end;
        parts.push_back(p);
        i = p.end;
      }
    }
    row_part.push_back(static_cast<std::uint32_t>(parts.size()));
  }

  constexpr void index_parts() {
    class_part_first = table<std::uint32_t>(classes + 1);
    value_part_first = table<std::uint32_t>(values + 1);
    for (const packing_part& p : parts) ++class_part_first[p.owner + 1];
    for (const std::uint32_t v : entry) ++value_part_first[v + 1];
    for (std::uint32_t k = 0; k < classes; ++k) class_part_first[k + 1] += class_part_first[k];
    for (std::uint32_t v = 0; v < values; ++v) value_part_first[v + 1] += value_part_first[v];
    class_part.resize(parts.size());
    value_part.resize(entry.size());
    table<std::uint32_t> class_at(class_part_first), value_at(value_part_first);
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      class_part[class_at[parts[i].owner]++] = i;
      for (std::uint32_t e = parts[i].begin; e < parts[i].end; ++e)
        value_part[value_at[entry[e]]++] = i;
    }
  }
};

}  // namespace wf::detail
