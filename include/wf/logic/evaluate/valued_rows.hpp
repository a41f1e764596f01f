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

/// Lowers the values of each row by all that moves within rows reach, in passes over what changed.
/// Without negative weights what is near goes first: places below a bound, which rises by the mean
/// weight once none of them changes; if passes take long all the same, a best-first search goes on.
/// Source: Bellman 1958; Meyer and Sanders 2003 (near and far places); Dijkstra 1959.
class valued_closure {
 public:
  constexpr valued_closure(valued_rows& entries, const adjacency& moves, std::uint64_t max_passes)
      : entries_(entries), moves_(moves), max_passes_(max_passes) {}

  /// False if the passes over a row exceed their bound, or a value has none.
  constexpr bool run() {
    double total = 0;
    for (const double w : moves_.weights) {
      negative_ = negative_ || w < 0;
      total += w;
    }
    const std::size_t count = moves_.weights.size();
    width_ = negative_ || count == 0 ? infinite : total / static_cast<double>(count);
    now_ = next_ = table<std::uint32_t>(entries_.columns);
    listed_ = table<std::uint32_t>(entries_.columns, 0);
    for (std::size_t r = 0; r < entries_.rows; ++r)
      if (!row(entries_.row(r))) return false;
    return true;
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  constexpr bool row(double* values) {
    far_.clear();
    std::size_t count = 0;
    double least = infinite;
    for (std::uint32_t c = 0; c < entries_.columns; ++c) {
      if (values[c] == infinite) continue;
      now_[count++] = c;
      least = values[c] < least ? values[c] : least;
    }
    // A best-first search takes about eight times as long per move as a pass.
    const std::size_t most = negative_ ? SIZE_MAX : 8 * moves_.targets.size();
    std::size_t work = 0;
    double bound = infinite;
    if (!negative_) {
      for (std::size_t i = 0; i < count; ++i) far_.push_back(now_[i]);
      count = 0;
      bound = least;
    }
    for (std::uint64_t passes = 1;; ++passes) {
      if (count == 0 && !near(values, bound, count)) return true;
      if (passes > max_passes_) return false;
      if (work > most) return search(values, count), true;
      if (!pass(values, bound, count, work)) return false;
    }
  }
  // Takes the places below the next bound that has some from the far ones. False if none is left.
  constexpr bool near(const double* values, double& bound, std::size_t& count) {
    double least = infinite;
    std::size_t kept = 0;
    for (const std::uint32_t c : far_)
      if (!(values[c] < bound)) {  // others were near since
        far_[kept++] = c;
        least = values[c] < least ? values[c] : least;
      }
    far_.resize(kept);
    if (kept == 0) return false;
    const double before = bound;
    bound = least + width_;
    if (!(before < bound)) bound = infinite;  // the weights are too small to move the bound
    const std::uint32_t stamp = ++stamp_;
    kept = 0;
    for (const std::uint32_t c : far_) {
      if (!(values[c] < bound)) {
        far_[kept++] = c;
      } else if (listed_[c] != stamp) {
        listed_[c] = stamp;
        now_[count++] = c;
      }
    }
    far_.resize(kept);
    return true;
  }
  // Moves on from the places that changed in the last pass. Pointers are local: the compiler cannot
  // know that writing a value changes no table.
  constexpr bool pass(double* values, double bound, std::size_t& count, std::size_t& work) {
    const std::uint32_t* const starts = moves_.starts.data();
    const std::uint32_t* const targets = moves_.targets.data();
    const double* const weights = moves_.weights.data();
    std::uint32_t* const next = next_.data();
    std::uint32_t* const listed = listed_.data();
    const std::uint32_t stamp = ++stamp_;
    std::size_t changed = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t from = now_[k], first = starts[from], last = starts[from + 1];
      work += last - first;
      const double value = values[from];
      for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t to = targets[i];
        const double reached = value + weights[i];
        if (!(reached < values[to])) continue;
        values[to] = reached;
        if (listed[to] == stamp) continue;
        if (reached == -infinite) return false;
        if (reached < bound || bound == infinite) {
          listed[to] = stamp;
          next[changed++] = to;
        } else {
          far_.push_back(to);
        }
      }
    }
    now_.swap(next_);
    count = changed;
    return true;
  }
  // Goes on from the places that changed in the last pass, and the far ones.
  constexpr void search(double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) heap_.push({values[now_[i]], now_[i]});
    for (const std::uint32_t c : far_) heap_.push({values[c], c});
    while (!heap_.empty()) {
      const waiting_value v = heap_.pop();
      if (values[v.place] < v.value) continue;
      const view<std::uint32_t> targets = moves_.of(v.place);
      const double* const weights = moves_.weights.data() + moves_.starts[v.place];
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const double reached = v.value + weights[i];
        if (!(reached < values[targets[i]])) continue;
        values[targets[i]] = reached;
        heap_.push({reached, targets[i]});
      }
    }
  }

  valued_rows& entries_;
  const adjacency& moves_;
  std::uint64_t max_passes_;
  double width_ = infinite;  // by which the bound on near places rises
  bool negative_ = false;
  table<std::uint32_t> now_, next_, far_;
  table<std::uint32_t> listed_;  // by column: the number of the pass in which it was listed
  std::uint32_t stamp_ = 0;
  binary_heap<waiting_value> heap_;
};

/// Applies moves to row tensors with values until none is lowered. A queue holds the rows with
/// fresh values.
class valued_row_run {
 public:
  constexpr valued_row_run(table<valued_rows>& tensors, view<row_moves> links,
                           std::uint64_t max_visits)
      : tensors_(tensors), links_(links), max_visits_(max_visits) {
    for (valued_rows& t : tensors) {
      queue_.add_tensor(t.rows);
      t.fresh = bit_rows(t.rows, t.columns);
    }
    visits_ = table<std::uint64_t>(queue_.rows(), 0);
  }

  /// False if a row is visited too often, or a value has no bound.
  constexpr bool run() {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    for (std::uint32_t t = 0; t < tensors_.size(); ++t)
      for (std::size_t r = 0; r < tensors_[t].rows; ++r)
        for (std::size_t c = 0; c < tensors_[t].columns; ++c)
          if (tensors_[t].row(r)[c] != infinite) improved(t, r, c);
    while (!queue_.empty()) {
      const row_queue::entry e = queue_.pop();
      if (++visits_[queue_.number(e.tensor, e.row)] > max_visits_ || !step(e.tensor, e.row))
        return false;
    }
    return true;
  }

 private:
  constexpr void improved(std::uint32_t t, std::size_t row, std::size_t column) {
    tensors_[t].fresh.set(row, column);
    queue_.push(t, row);
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
    wf::detail::each_bit(fresh.row(row), fresh.width(), [&](std::uint32_t bit) {
      taken_.push_back({tensors_[t].row(row)[bit], bit});
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
  row_queue queue_;
  table<std::uint64_t> visits_;
  table<waiting_value> taken_;
};

}  // namespace wf::logic::detail
