// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/problem.hpp>

namespace wf::detail {

/// The values of one class in one row of a packing model.
struct packing_part {
  std::uint32_t row = 0;
  std::uint32_t owner = 0;
  std::uint32_t begin = 0;  ///< the entries of the row that are values of this class
  std::uint32_t end = 0;
};

/// A metric that is no sum of the values: the largest of their costs, or the longest way along
/// needs.
struct packing_peak {
  std::int64_t weight = 0;    ///< in the objective
  std::int64_t capacity = 0;  ///< what it must not exceed
  std::int64_t floor = 0;     ///< what it is in any case
  bool path = false;          ///< along needs
};

/// A selection problem as a packing problem: every class takes exactly one of its values (one of
/// them may stand for "not needed", `off`), every row allows at most one of its values, every limit
/// bounds a weighted sum; least cost wins. What needs a class excludes its `off`.
///
/// Flat arrays; `first`, `row_first`, `row_part`, `class_part_first`, `value_part_first` and
/// `need_first` have one more entry than records. Values of a class are consecutive; entries of a
/// row ascend, so that a row is a sequence of parts.
struct packing_model {
  static constexpr std::uint32_t none = no_candidate;

  std::uint32_t classes = 0;
  std::uint32_t values = 0;
  std::uint32_t rows = 0;
  table<std::uint32_t> first;      ///< of a class, its values
  table<std::uint32_t> owner;      ///< of a value, its class
  table<std::int64_t> cost;        ///< of a value
  table<std::uint32_t> off;        ///< of a class, the value that leaves it out, or `none`
  table<std::uint32_t> row_first;  ///< of a row, its entries
  table<std::uint32_t> entry;
  table<packing_part> parts;  ///< by row, then by class
  table<std::uint32_t> row_part;
  table<std::uint32_t> class_part_first, class_part;
  table<std::uint32_t> value_part_first, value_part;
  table<std::int64_t> capacity;  ///< of a limit, what the values may use
  table<std::int64_t> weight;    ///< of limit l and value v at `l * values + v`
  table<packing_peak> peaks;
  table<std::int64_t> peak_cost;  ///< of peak i and value v at `i * values + v`
  table<std::uint8_t> root;       ///< of a class, whether it is one; only if a peak is a path
  table<std::uint32_t> block;     ///< of a class, its strongly connected part, or `none`
  /// Of a value, the classes of its own part that it needs; all that it needs if a peak is a path.
  table<std::uint32_t> need_first, need;
  std::int64_t base = 0;     ///< what is paid in any case
  std::int64_t divisor = 0;  ///< of all costs; 0 if all are 0
  bool only_peaks = false;   ///< nothing else costs anything
  /// Of a value of a class that stands for a choice in two other classes: their values; else
  /// `none`.
  table<std::uint32_t> joint_a, joint_b;
  table<std::uint32_t> candidate_of;  ///< of a value, the reduced problem's candidate, or `none`
  /// Of a class of the reduced problem: its candidate if the model leaves only one, else `none`.
  table<std::uint32_t> settled;

  /// True if a value stands for values of two other classes together.
  constexpr bool is_joint(std::uint32_t v) const { return joint_a[v] != none; }
  /// True if a class stands for two others: all its values do.
  constexpr bool follows(std::uint32_t k) const { return is_joint(first[k]); }

  /// Opens a class; its values follow.
  constexpr std::uint32_t add_class() {
    first.push_back(values);
    off.push_back(none);
    return classes++;
  }
  /// Adds a value to the last class; weights are set when all values are there.
  constexpr std::uint32_t add_value(std::int64_t price, std::uint32_t candidate) {
    owner.push_back(classes - 1);
    cost.push_back(price);
    candidate_of.push_back(candidate);
    joint_a.push_back(none);
    joint_b.push_back(none);
    return values++;
  }
  /// Adds a value that stands for values `a` and `b` of two other classes together.
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

  /// Fills what follows from classes, values and rows. O(entries).
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

  /// The greatest common divisor of numbers that are not negative.
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
