// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <limits>

#include <wf/core/container/heap.hpp>
#include <wf/logic/evaluate/row_run.hpp>

namespace wf::logic::detail {

/// The entries of a row tensor with values, of which the least counts: a dense matrix, infinite
/// where there is none.
struct valued_rows {
  std::size_t rows = 0, columns = 0;
  table<double> values;
  bit_rows fresh;  ///< values that no move has read yet

  constexpr valued_rows() = default;
  constexpr valued_rows(std::size_t of_rows, std::size_t of_columns)
      : rows(of_rows),
        columns(of_columns),
        values(of_rows * of_columns, std::numeric_limits<double>::infinity()) {}
  constexpr double* row(std::size_t r) { return values.data() + r * columns; }
};

/// A value of a place that waits to be moved on.
struct waiting_value {
  double value = 0;
  std::uint32_t place = 0;
  friend constexpr bool operator<(const waiting_value& a, const waiting_value& b) {
    return a.value < b.value || (a.value == b.value && a.place < b.place);
  }
};

/// Lowers the values of each row by all that moves within rows reach: by passes over what changed;
/// if these take long and no weight is negative, by a best-first search. Source: Bellman 1958;
/// Dijkstra 1959.
class valued_closure {
 public:
  constexpr valued_closure(valued_rows& entries, const adjacency& moves, std::uint64_t max_passes)
      : entries_(entries), moves_(moves), max_passes_(max_passes) {}

  /// False if the passes over a row exceed their bound, or a value has none.
  constexpr bool run() {
    for (const double w : moves_.weights) negative_ = negative_ || w < 0;
    listed_ = table<std::uint64_t>(entries_.columns, 0);
    for (std::size_t r = 0; r < entries_.rows; ++r)
      if (!pass(entries_.row(r))) return false;
    return true;
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  // Passes over the columns that changed in the last one.
  constexpr bool pass(double* row) {
    now_.clear();
    next_.clear();
    for (std::uint32_t c = 0; c < entries_.columns; ++c)
      if (row[c] != infinite) now_.push_back(c);
    // A best-first search takes about eight times as long per move as a pass.
    const std::size_t most = negative_ ? SIZE_MAX : 8 * moves_.targets.size();
    std::size_t work = 0;
    for (std::uint64_t passes = 1; !now_.empty(); ++passes) {
      if (passes > max_passes_) return false;
      if (work > most) return search(row), true;
      ++stamp_;
      for (const std::uint32_t from : now_) {
        const view<std::uint32_t> targets = moves_.of(from);
        work += targets.size();
        const double* const weights = moves_.weights.data() + moves_.starts[from];
        const double value = row[from];
        for (std::size_t i = 0; i < targets.size(); ++i) {
          const std::uint32_t to = targets[i];
          const double reached = value + weights[i];
          if (!(reached < row[to])) continue;
          row[to] = reached;
          if (listed_[to] == stamp_) continue;
          listed_[to] = stamp_;
          if (reached == -infinite) return false;
          next_.push_back(to);
        }
      }
      now_.swap(next_);
      next_.clear();
    }
    return true;
  }
  // Goes on from the columns that changed in the last pass.
  constexpr void search(double* row) {
    for (const std::uint32_t c : now_) heap_.push({row[c], c});
    while (!heap_.empty()) {
      const waiting_value v = heap_.pop();
      if (row[v.place] < v.value) continue;
      const view<std::uint32_t> targets = moves_.of(v.place);
      const double* const weights = moves_.weights.data() + moves_.starts[v.place];
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const double reached = v.value + weights[i];
        if (!(reached < row[targets[i]])) continue;
        row[targets[i]] = reached;
        heap_.push({reached, targets[i]});
      }
    }
  }

  valued_rows& entries_;
  const adjacency& moves_;
  std::uint64_t max_passes_;
  bool negative_ = false;
  table<std::uint32_t> now_, next_;
  table<std::uint64_t> listed_;  // by column: the pass in which it was listed
  std::uint64_t stamp_ = 0;
  binary_heap<waiting_value> heap_;
};

/// Applies moves to row tensors with values until none is lowered. A queue holds the rows with fresh
/// values.
class valued_row_run {
 public:
  constexpr valued_row_run(table<valued_rows>& tensors, view<row_moves> links,
                           std::uint64_t max_visits)
      : tensors_(tensors), links_(links), max_visits_(max_visits) {
    std::size_t rows = 0;
    for (valued_rows& t : tensors) {
      firsts_.push_back(rows);
      rows += t.rows;
      t.fresh = bit_rows(t.rows, t.columns);
    }
    queued_ = table<bool>(rows);
    visits_ = table<std::uint64_t>(rows, 0);
  }

  /// False if a row is visited too often, or a value has no bound.
  constexpr bool run() {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    for (std::uint32_t t = 0; t < tensors_.size(); ++t)
      for (std::size_t r = 0; r < tensors_[t].rows; ++r)
        for (std::size_t c = 0; c < tensors_[t].columns; ++c)
          if (tensors_[t].row(r)[c] != infinite) improved(t, r, c);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const entry e = queue_[next];
      const std::size_t number = firsts_[e.tensor] + e.row;
      queued_[number] = false;
      if (++visits_[number] > max_visits_ || !step(e.tensor, e.row)) return false;
      if (next < 1024 || 2 * next <= queue_.size()) continue;
      table<entry> rest;
      for (std::size_t i = next + 1; i < queue_.size(); ++i) rest.push_back(queue_[i]);
      queue_.swap(rest);
      next = static_cast<std::size_t>(-1);
    }
    return true;
  }

 private:
  struct entry {
    std::uint32_t tensor = 0, row = 0;
  };
  constexpr void improved(std::uint32_t t, std::size_t row, std::size_t column) {
    tensors_[t].fresh.set(row, column);
    if (queued_[firsts_[t] + row]) return;
    queued_[firsts_[t] + row] = true;
    queue_.push_back({t, static_cast<std::uint32_t>(row)});
  }
  constexpr bool lower(std::uint32_t t, std::size_t row, std::size_t column, double value) {
    double& present = tensors_[t].row(row)[column];
    if (!(value < present)) return true;
    present = value;
    improved(t, row, column);
    return value != -std::numeric_limits<double>::infinity();
  }
  constexpr bool step(std::uint32_t t, std::size_t row) {
    taken_.clear();
    bit_rows& fresh = tensors_[t].fresh;
    for_each_bit(fresh.row(row), fresh.width(), [&](std::size_t bit) {
      taken_.push_back({tensors_[t].row(row)[bit], static_cast<std::uint32_t>(bit)});
    });
    for (std::size_t w = 0; w < fresh.width(); ++w) fresh.row(row)[w] = 0;
    for (const row_moves& l : links_)
      if (l.from == t && !apply(l, row)) return false;
    return true;
  }
  constexpr bool apply(const row_moves& l, std::size_t row) {
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      const waiting_value v = taken_[k];
      if (l.identity) {
        if (!lower(l.to, row, v.place, v.value)) return false;
        continue;
      }
      const std::size_t from = l.moves_rows ? row : v.place;
      const view<std::uint32_t> targets = l.pairs.of(from);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const double value = v.value + l.pairs.weights[l.pairs.starts[from] + i];
        const bool fine = l.moves_rows ? lower(l.to, targets[i], v.place, value)
                                       : lower(l.to, row, targets[i], value);
        if (!fine) return false;
      }
    }
    return true;
  }

  table<valued_rows>& tensors_;
  view<row_moves> links_;
  std::uint64_t max_visits_;
  table<std::size_t> firsts_;
  table<bool> queued_;
  table<std::uint64_t> visits_;
  table<entry> queue_;
  table<waiting_value> taken_;
};

}  // namespace wf::logic::detail
