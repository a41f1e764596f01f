// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf::detail {

/// The columns of a sparse matrix, one after the other (compressed sparse columns).
struct sparse_columns {
  table<std::uint32_t> first = table<std::uint32_t>(1);  ///< by column: first entry; then the end
  table<std::uint32_t> row;
  table<double> value;

  constexpr std::size_t size() const { return first.size() - 1; }
  constexpr void clear() {
    first.resize(1);
    row.clear();
    value.clear();
  }
  /// Adds an entry to the last column, which `close` ends.
  constexpr void add(std::uint32_t r, double x) {
    row.push_back(r);
    value.push_back(x);
  }
  constexpr void close() { first.push_back(static_cast<std::uint32_t>(row.size())); }
};

/// A dense vector with a list of the entries that may differ from zero.
class sparse_vector {
 public:
  constexpr explicit sparse_vector(std::size_t size) : value_(size), index_(size), mark_(size) {}

  constexpr double operator[](std::size_t i) const { return value_[i]; }
  /// The entries that may differ from zero, in no particular order.
  constexpr view<std::uint32_t> index() const { return {index_.data(), count_}; }
  /// An entry for writing; it joins `index()`.
  constexpr double& at(std::uint32_t i) {
    if (!mark_[i]) {
      mark_[i] = 1;
      index_[count_++] = i;
    }
    return value_[i];
  }
  /// Sets the vector to zero. O(entries in `index()`).
  constexpr void clear() {
    for (const std::uint32_t i : index()) {
      value_[i] = 0;
      mark_[i] = 0;
    }
    count_ = 0;
  }

 private:
  table<double> value_;
  table<std::uint32_t> index_;
  table<std::uint8_t> mark_;
  std::size_t count_ = 0;
};

/// A factorised basis matrix. Each column has a *slot*; most columns are unit vectors, in the slot
/// of their row. The others are LU-factorised: first the columns and rows with a single entry left,
/// without fill, then the rest from left to right (Gilbert and Peierls 1988) with threshold
/// pivoting. Later exchanges of columns are appended as sparse matrices of rank one, made of the
/// change of the column and of the row of the inverse (alternate product form).
///
/// Vectors are indexed by rows on one side of a system and by slots on the other: a factorised
/// column has the slot of its pivot's row.
class packing_factor {
 public:
  constexpr explicit packing_factor(std::size_t order) : order_(order), work_(order) {
    pivot_of_ = table<std::uint32_t>(order, none);
  }

  /// Factorises the matrix of `columns` and of the unit vectors of the rows that are not `taken`;
  /// as many rows are taken as there are columns. False if it is singular to working accuracy.
  /// O(entries + fill + nucleus squared), where the nucleus is the part without singletons.
  constexpr bool factorise(const sparse_columns& columns, const table<std::uint8_t>& taken) {
    updates_.clear();
    update_at_.clear();
    update_value_.clear();
    for (const pivot& p : pivots_) pivot_of_[p.row] = none;
    pivots_.clear();
    lower_.clear();
    upper_.clear();
    beside_.clear();
    slot_ = table<std::uint32_t>(columns.size(), none);
    list_rows(columns, taken);
    if (!peel(columns, taken)) return false;
    if (!eliminate(columns, taken)) return false;
    upper_rows_ = transposed(upper_);
    lower_rows_ = transposed(lower_);
    return true;
  }

  /// The slot of a factorised column, by its index in `columns`.
  constexpr std::uint32_t slot(std::size_t column) const { return slot_[column]; }

  /// Solves B x = b in place (FTRAN): `x` holds b by row, then x by slot.
  constexpr void solve(sparse_vector& x) const {
    for (std::size_t i = updates_.size(); i-- > 0;) {
      const update& u = updates_[i];
      if (u.pivot == 0) continue;
      const double t = dot(u.middle, u.end, x);
      if (t != 0) subtract(u.begin, u.middle, t / u.pivot, x);
    }
    for (std::size_t k = 0; k < pivots_.size(); ++k)
      if (const double t = x[pivots_[k].row]; t != 0) subtract(lower_, k, t, x);
    for (std::size_t k = pivots_.size(); k-- > 0;) {
      if (x[pivots_[k].row] == 0) continue;
      const double t = x.at(pivots_[k].row) /= pivots_[k].value;
      subtract(upper_, k, t, x);
      subtract(beside_, k, t, x);
    }
    for (const update& u : updates_) {
      if (u.pivot != 0) continue;
      const double t = x[u.slot] + dot(u.begin, u.middle, x);
      if (t != 0 || x[u.slot] != 0) x.at(u.slot) = -t;
    }
  }

  /// Solves y B = c in place (BTRAN): `y` holds c by slot, then y by row.
  constexpr void solve_transposed(sparse_vector& y) const {
    for (std::size_t i = updates_.size(); i-- > 0;) {
      const update& u = updates_[i];
      const double t = y[u.slot];
      if (u.pivot != 0 || t == 0) continue;
      subtract(u.begin, u.middle, t, y);
      y.at(u.slot) = -t;
    }
    for (std::size_t k = 0; k < pivots_.size(); ++k) {
      double t = y[pivots_[k].row];
      for (std::uint32_t e = beside_.first[k]; e < beside_.first[k + 1]; ++e)
        t -= beside_.value[e] * y[beside_.row[e]];
      if (t == 0 && y[pivots_[k].row] == 0) continue;
      t /= pivots_[k].value;
      y.at(pivots_[k].row) = t;
      subtract(upper_rows_, k, t, y);
    }
    for (std::size_t k = pivots_.size(); k-- > 0;)
      if (const double t = y[pivots_[k].row]; t != 0) subtract(lower_rows_, k, t, y);
    for (const update& u : updates_) {
      if (u.pivot == 0) continue;
      const double t = dot(u.begin, u.middle, y);
      if (t != 0) subtract(u.middle, u.end, t / u.pivot, y);
    }
  }

  /// Replaces the column of `slot` by its sum with `change`. `row` is the slot's row of the inverse
  /// or a multiple of it, and `pivot` is `row` times the new column.
  constexpr void replace(std::uint32_t slot, const sparse_vector& change, const sparse_vector& row,
                         double pivot) {
    update added{slot, static_cast<std::uint32_t>(update_at_.size()), 0, 0, pivot};
    append(change);
    added.middle = static_cast<std::uint32_t>(update_at_.size());
    append(row);
    added.end = static_cast<std::uint32_t>(update_at_.size());
    updates_.push_back(added);
  }

  /// Negates the column of `slot` and subtracts its former value from the columns of `others`.
  constexpr void reflect(std::uint32_t slot, view<std::uint32_t> others) {
    update added{slot, static_cast<std::uint32_t>(update_at_.size()), 0, 0, 0};
    for (const std::uint32_t i : others) {
      update_at_.push_back(i);
      update_value_.push_back(1);
    }
    added.middle = added.end = static_cast<std::uint32_t>(update_at_.size());
    updates_.push_back(added);
  }

  /// Number of updates since the matrix was factorised.
  constexpr std::size_t updates() const { return updates_.size(); }
  /// Drops all but the first `count` updates.
  constexpr void take_back(std::size_t count) {
    if (count >= updates_.size()) return;
    update_at_.resize(updates_[count].begin);
    update_value_.resize(updates_[count].begin);
    updates_.resize(count);
  }
  /// Number of entries of the factors, the diagonal included.
  constexpr std::size_t entries() const {
    return order_ + lower_.row.size() + upper_.row.size() + beside_.row.size();
  }
  /// Number of entries of the updates since then.
  constexpr std::size_t update_entries() const { return update_at_.size(); }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr double tiny = 1e-13;
  static constexpr double least_pivot = 1e-7;
  static constexpr double threshold = 0.1;  ///< least pivot, relative to its column's largest entry

  struct pivot {
    std::uint32_t row = 0;
    double value = 0;
  };
  struct update {
    std::uint32_t slot = 0, begin = 0, middle = 0, end = 0;
    double pivot = 0;  ///< 0: a reflection
  };

  constexpr static double size_of(double x) { return x < 0 ? -x : x; }

  /// Subtracts `t` times a column from `x`.
  constexpr static void subtract(const sparse_columns& from, std::size_t column, double t,
                                 sparse_vector& x) {
    for (std::uint32_t e = from.first[column], end = from.first[column + 1]; e < end; ++e)
      x.at(from.row[e]) -= t * from.value[e];
  }
  /// Subtracts `t` times the update entries [begin, end) from `x`.
  constexpr void subtract(std::uint32_t begin, std::uint32_t end, double t,
                          sparse_vector& x) const {
    for (std::uint32_t e = begin; e < end; ++e) x.at(update_at_[e]) -= t * update_value_[e];
  }
  constexpr double dot(std::uint32_t begin, std::uint32_t end, const sparse_vector& x) const {
    double sum = 0;
    for (std::uint32_t e = begin; e < end; ++e) sum += update_value_[e] * x[update_at_[e]];
    return sum;
  }
  constexpr void append(const sparse_vector& x) {
    for (const std::uint32_t i : x.index()) {
      if (size_of(x[i]) < tiny) continue;
      update_at_.push_back(i);
      update_value_.push_back(x[i]);
    }
  }

  /// Sets row_first_ and row_column_ to the columns with an entry in each taken row, and counts the
  /// remaining entries of rows and columns.
  constexpr void list_rows(const sparse_columns& columns, const table<std::uint8_t>& taken) {
    row_count_ = table<std::uint32_t>(order_);
    column_count_ = table<std::uint32_t>(columns.size());
    row_first_ = table<std::uint32_t>(order_ + 1);
    for (const std::uint32_t r : columns.row)
      if (taken[r]) ++row_count_[r];
    for (std::size_t r = 0; r < order_; ++r) row_first_[r + 1] = row_first_[r] + row_count_[r];
    row_column_.resize(row_first_[order_]);
    for (std::uint32_t j = 0; j < columns.size(); ++j)
      for (std::uint32_t e = columns.first[j]; e < columns.first[j + 1]; ++e)
        if (const std::uint32_t r = columns.row[e]; taken[r]) {
          row_column_[row_first_[r + 1] - row_count_[r]--] = j;
          ++column_count_[j];
        }
    for (std::size_t r = 0; r < order_; ++r) row_count_[r] = row_first_[r + 1] - row_first_[r];
  }

  /// Pivots on the singletons of columns and rows. False if a column is empty.
  constexpr bool peel(const sparse_columns& columns, const table<std::uint8_t>& taken) {
    lone_columns_.clear();
    lone_rows_.clear();
    for (std::uint32_t j = 0; j < columns.size(); ++j) {
      if (column_count_[j] == 0) return false;
      if (column_count_[j] == 1) lone_columns_.push_back(j);
    }
    for (std::uint32_t r = 0; r < order_; ++r)
      if (row_count_[r] == 1) lone_rows_.push_back(r);
    while (!lone_columns_.empty() || !lone_rows_.empty()) {
      std::uint32_t row = none, column = none;
      if (!lone_columns_.empty()) {
        column = lone_columns_.back();
        lone_columns_.pop_back();
        if (slot_[column] != none || column_count_[column] != 1) continue;
        row = only_row(columns, taken, column);
      } else {
        row = lone_rows_.back();
        lone_rows_.pop_back();
        if (pivot_of_[row] != none || row_count_[row] != 1) continue;
        column = only_column(row);
      }
      if (is_good(columns, taken, column, row)) pivot_on(columns, taken, column, row);
    }
    return true;
  }

  constexpr std::uint32_t only_row(const sparse_columns& columns, const table<std::uint8_t>& taken,
                                   std::uint32_t column) const {
    std::uint32_t e = columns.first[column];
    while (!taken[columns.row[e]] || pivot_of_[columns.row[e]] != none) ++e;
    return columns.row[e];
  }
  constexpr std::uint32_t only_column(std::uint32_t row) const {
    std::uint32_t e = row_first_[row];
    while (slot_[row_column_[e]] != none) ++e;
    return row_column_[e];
  }

  constexpr bool is_good(const sparse_columns& columns, const table<std::uint8_t>& taken,
                         std::uint32_t column, std::uint32_t row) const {
    double own = 0, largest = 0;
    for (std::uint32_t e = columns.first[column]; e < columns.first[column + 1]; ++e) {
      const std::uint32_t r = columns.row[e];
      if (!taken[r] || pivot_of_[r] != none) continue;
      const double x = size_of(columns.value[e]);
      if (x > largest) largest = x;
      if (r == row) own = x;
    }
    return own > least_pivot && own >= threshold * largest;
  }

  /// Pivots on a singleton: nothing else changes but counts.
  constexpr void pivot_on(const sparse_columns& columns, const table<std::uint8_t>& taken,
                          std::uint32_t column, std::uint32_t row) {
    double value = 0;
    for (std::uint32_t e = columns.first[column]; e < columns.first[column + 1]; ++e)
      if (columns.row[e] == row) value = columns.value[e];
    for (std::uint32_t e = columns.first[column]; e < columns.first[column + 1]; ++e) {
      const std::uint32_t r = columns.row[e];
      if (!taken[r]) {
        beside_.add(r, columns.value[e]);
      } else if (pivot_of_[r] != none) {
        upper_.add(r, columns.value[e]);
      } else {
        if (r != row) lower_.add(r, columns.value[e] / value);
        if (--row_count_[r] == 1) lone_rows_.push_back(r);
      }
    }
    for (std::uint32_t e = row_first_[row]; e < row_first_[row + 1]; ++e)
      if (--column_count_[row_column_[e]] == 1) lone_columns_.push_back(row_column_[e]);
    finish(column, row, value);
  }

  constexpr void finish(std::uint32_t column, std::uint32_t row, double value) {
    lower_.close();
    upper_.close();
    beside_.close();
    slot_[column] = row;
    pivot_of_[row] = static_cast<std::uint32_t>(pivots_.size());
    pivots_.push_back({row, value});
  }

  /// Pivots on the remaining columns, the shortest first. False if one depends on the others.
  constexpr bool eliminate(const sparse_columns& columns, const table<std::uint8_t>& taken) {
    const std::size_t begin = pivots_.size();
    touched_mark_.resize(order_);
    for (const std::uint32_t j : by_count()) {
      touched_.clear();
      for (std::uint32_t e = columns.first[j]; e < columns.first[j + 1]; ++e) {
        if (!taken[columns.row[e]]) {
          beside_.add(columns.row[e], columns.value[e]);
          continue;
        }
        touch(columns.row[e]);
        work_[columns.row[e]] = columns.value[e];
      }
      for (std::size_t k = begin; k < pivots_.size(); ++k) {
        const double t = work_[pivots_[k].row];
        if (t == 0) continue;
        for (std::uint32_t e = lower_.first[k]; e < lower_.first[k + 1]; ++e) {
          touch(lower_.row[e]);
          work_[lower_.row[e]] -= t * lower_.value[e];
        }
      }
      const std::uint32_t row = best_row();
      if (row != none) store(j, row);
      for (const std::uint32_t r : touched_) {
        work_[r] = 0;
        touched_mark_[r] = 0;
      }
      if (row == none) return false;
    }
    return true;
  }

  constexpr void touch(std::uint32_t r) {
    if (touched_mark_[r]) return;
    touched_mark_[r] = 1;
    touched_.push_back(r);
  }

  /// The columns without a pivot, by ascending number of remaining entries.
  constexpr table<std::uint32_t> by_count() const {
    table<std::uint32_t> place(order_ + 2);
    std::uint32_t count = 0;
    for (std::uint32_t j = 0; j < slot_.size(); ++j)
      if (slot_[j] == none) {
        ++place[column_count_[j] + 1];
        ++count;
      }
    for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
    table<std::uint32_t> out(count);
    for (std::uint32_t j = 0; j < slot_.size(); ++j)
      if (slot_[j] == none) out[place[column_count_[j]]++] = j;
    return out;
  }

  /// The row to pivot on: among the rows whose entry is large enough, one with the fewest entries;
  /// `none` if all are too small.
  constexpr std::uint32_t best_row() const {
    double largest = least_pivot;
    for (const std::uint32_t r : touched_)
      if (pivot_of_[r] == none && size_of(work_[r]) > largest) largest = size_of(work_[r]);
    std::uint32_t best = none;
    for (const std::uint32_t r : touched_) {
      if (pivot_of_[r] != none || size_of(work_[r]) < threshold * largest ||
          size_of(work_[r]) <= least_pivot)
        continue;
      if (best == none || row_count_[r] < row_count_[best] ||
          (row_count_[r] == row_count_[best] && size_of(work_[r]) > size_of(work_[best])))
        best = r;
    }
    return best;
  }

  constexpr void store(std::uint32_t column, std::uint32_t row) {
    const double value = work_[row];
    for (const std::uint32_t r : touched_) {
      if (r == row || size_of(work_[r]) < tiny) continue;
      if (pivot_of_[r] != none)
        upper_.add(r, work_[r]);
      else
        lower_.add(r, work_[r] / value);
    }
    finish(column, row, value);
  }

  /// The same entries by row: for pivot k, the entries of its row in the columns of other pivots.
  constexpr sparse_columns transposed(const sparse_columns& of) const {
    sparse_columns out;
    out.first = table<std::uint32_t>(pivots_.size() + 1);
    for (const std::uint32_t r : of.row) ++out.first[pivot_of_[r] + 1];
    for (std::size_t k = 0; k < pivots_.size(); ++k) out.first[k + 1] += out.first[k];
    out.row.resize(of.row.size());
    out.value.resize(of.row.size());
    table<std::uint32_t> place(out.first);
    for (std::size_t k = 0; k < pivots_.size(); ++k)
      for (std::uint32_t e = of.first[k]; e < of.first[k + 1]; ++e) {
        const std::uint32_t at = place[pivot_of_[of.row[e]]]++;
        out.row[at] = pivots_[k].row;
        out.value[at] = of.value[e];
      }
    return out;
  }

  std::size_t order_;
  table<pivot> pivots_;
  table<std::uint32_t> pivot_of_;           ///< by row: the number of its pivot, or `none`
  table<std::uint32_t> slot_;               ///< by column: its slot, or `none`
  sparse_columns lower_, upper_, beside_;   ///< by pivot; `beside_`: rows that are not taken
  sparse_columns lower_rows_, upper_rows_;  ///< the same, transposed
  table<update> updates_;
  table<std::uint32_t> update_at_;
  table<double> update_value_;
  // Scratch.
  table<double> work_;
  table<std::uint32_t> touched_, row_first_, row_column_, row_count_, column_count_;
  table<std::uint32_t> lone_columns_, lone_rows_;
  table<std::uint8_t> touched_mark_;
};

}  // namespace wf::detail
