// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/core/container/heap.hpp>
#include <wf/logic/evaluate/row_run.hpp>
#include <wf/logic/evaluate/semiring.hpp>

namespace wf::logic::detail {

/// The entries of a row tensor with values: a dense matrix, with the zero of its semiring where
/// there is none.
struct valued_rows {
  std::size_t rows = 0, columns = 0;
  table<double> values;
  bit_rows fresh;  ///< values that no move has read yet

  constexpr valued_rows() = default;
  constexpr valued_rows(std::size_t of_rows, std::size_t of_columns, double zero)
      : rows(of_rows), columns(of_columns), values(of_rows * of_columns, zero) {}
  constexpr double* row(std::size_t r) { return values.data() + r * columns; }
};

/// Adds to a value; true if it changed.
template <class Semiring>
constexpr bool add_to(double& present, double more) {
  const double sum = Semiring::add(present, more);
  if (sum == present) return false;
  present = sum;
  return true;
}
/// True if a changes the sum with b: of a selective addition, if it is the better one.
template <class Semiring>
constexpr bool is_better(double a, double b) {
  return Semiring::add(b, a) != b;
}
/// True for a changed value to which repetition leads without end: an infinite one, unless products
/// select one of their factors.
template <class Semiring>
constexpr bool is_endless(double value) {
  return !Semiring::multiplication.laws.selective && value - value != 0;
}

/// A value of a place that waits to be moved on; the better one goes first.
template <class Semiring>
struct waiting_value {
  double value = 0;
  std::uint32_t place = 0;
  friend constexpr bool operator<(const waiting_value& a, const waiting_value& b) {
    return is_better<Semiring>(a.value, b.value) || (a.value == b.value && a.place < b.place);
  }
};

/// Adds to the values of many rows at once all that moves within rows reach: a place has the values
/// of a block of rows side by side, and a move takes all of them on in one loop over them. Passes
/// go on from the places where some row changed. Where rows reach most places by few moves this
/// takes far less time than row by row. The semiring is idempotent.
template <class Semiring>
class valued_blocks {
  // Stands first: clang evaluates constants before it has seen the rest of the class.
  // Adds the products of some values with a weight to others; true if one changed.
  static constexpr bool add_lanes(double* to, const double* from, double weight,
                                  std::size_t width) {
    std::uint64_t changes = 0;
    for (std::size_t k = 0; k < width; ++k) {
      const double present = to[k],
                   sum = Semiring::add(present, Semiring::multiply(from[k], weight));
      const double kept = sum == present ? present : sum;
      changes |= std::bit_cast<std::uint64_t>(kept) ^ std::bit_cast<std::uint64_t>(present);
      to[k] = kept;
    }
    return changes != 0;
  }

 public:
  /// The least number of rows that is worth it.
  static constexpr std::size_t lanes = 8;

  constexpr valued_blocks(valued_rows& entries, const adjacency& moves, std::uint64_t max_passes)
      : entries_(entries), moves_(moves), max_passes_(max_passes) {
    const std::size_t most = cells / (entries.columns == 0 ? 1 : entries.columns) / lanes * lanes;
    width_ = most < lanes ? lanes : most > 8 * lanes ? 8 * lanes : most;
    values_ = table<double>(entries.columns * width_);
    now_ = next_ = table<std::uint32_t>(entries.columns);
    listed_ = table<std::uint32_t>(entries.columns, 0);
  }

  /// Closes as many rows as a block has, or less. False if some are left as they were: they need
  /// more passes than there may be, or so many that each row takes less time alone, or have values
  /// without a bound.
  constexpr bool run(view<std::uint32_t> rows) {
    for (double& each : values_) each = Semiring::zero;
    for_each_value(rows, [](double& in_block, double& in_row) { in_block = in_row; });
    if (!close(rows.size())) return false;
    for_each_value(rows, [](double& in_block, double& in_row) { in_row = in_block; });
    return true;
  }
  /// The number of rows of a block.
  constexpr std::size_t width() const { return width_; }

 private:
  // Values of a block that a cache of the second level holds.
  static constexpr std::size_t cells = std::size_t{1} << 15;
  // Passes over all moves after which rows are closed one by one.
  static constexpr std::size_t patience = 32;

  // Calls `visit(in block, in row)` for the values of some rows, a few columns at a time: then few
  // lines of a cache are written to in turns.
  template <class Visit>
  constexpr void for_each_value(view<std::uint32_t> rows, const Visit& visit) {
    for (std::size_t first = 0; first < entries_.columns; first += lanes) {
      const std::size_t last = first + lanes < entries_.columns ? first + lanes : entries_.columns;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        double* const row = entries_.row(rows[k]);
        for (std::size_t c = first; c < last; ++c) visit(values_[c * width_ + k], row[c]);
      }
    }
  }
  constexpr bool close(std::size_t rows) {
    std::size_t count = 0, work = 0;
    for (std::uint32_t c = 0; c < entries_.columns; ++c) {
      bool any = false;
      for (std::size_t k = 0; k < rows; ++k) any = any || values_[c * width_ + k] != Semiring::zero;
      if (any) now_[count++] = c;
    }
    const std::size_t most = patience * moves_.targets.size();
    for (std::uint64_t passes = 1; count != 0; ++passes) {
      if (passes > max_passes_ || work > most) return false;
      count = pass(count, work);
    }
    bool endless = false;
    for (const double value : values_)
      endless = endless || (value != Semiring::zero && is_endless<Semiring>(value));
    return !endless;
  }
  // Moves on from the places that changed in the last pass; the number of those that change.
  constexpr std::size_t pass(std::size_t count, std::size_t& work) {
    const std::uint32_t stamp = ++stamp_;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t from = now_[i];
      const double* const values = values_.data() + from * width_;
      for (std::uint32_t m = moves_.starts[from]; m < moves_.starts[from + 1]; ++m, ++work) {
        const std::uint32_t to = moves_.targets[m];
        if (!add_lanes(values_.data() + to * width_, values, moves_.weights[m], width_)) continue;
        if (listed_[to] == stamp) continue;
        listed_[to] = stamp;
        next_[changed++] = to;
      }
    }
    now_.swap(next_);
    return changed;
  }

  valued_rows& entries_;
  const adjacency& moves_;
  std::uint64_t max_passes_;
  std::size_t width_ = lanes;
  table<double> values_;             // by place, then row of the block
  table<std::uint32_t> now_, next_;  // places that changed
  table<std::uint32_t> listed_;      // by place: the number of the pass in which it was listed
  std::uint32_t stamp_ = 0;
};

/// Adds to the values of each row all that moves within rows reach, in passes over what changed: a
/// move multiplies by its weight. If sums select the better term and no weight makes a value better
/// what is near goes first: places better than a bound, which moves on by the mean weight once none
/// of them changes; if passes take long all the same, a best-first search goes on. The semiring is
/// idempotent.
/// Source: Bellman 1958; Meyer and Sanders 2003 (near and far places); Dijkstra 1959; Knuth 1977
/// (beyond sums); Mohri 2002 (semirings).
template <class Semiring>
class valued_closure {
 public:
  constexpr valued_closure(valued_rows& entries, const adjacency& moves, std::uint64_t max_passes)
      : entries_(entries), moves_(moves), max_passes_(max_passes) {}

  /// False if the passes over a row exceed their bound, or a value has none.
  constexpr bool run() {
    double total = 0;
    for (const double w : moves_.weights) {
      improves_ = improves_ || is_better<Semiring>(w, Semiring::one) || w != w;
      total += w;
    }
    const std::size_t count = moves_.weights.size();
    mean_ = count == 0 ? Semiring::one : total / static_cast<double>(count);
    if (mean_ - mean_ != 0) mean_ = Semiring::one;
    now_ = next_ = table<std::uint32_t>(entries_.columns);
    listed_ = table<std::uint32_t>(entries_.columns, 0);
    table<std::uint32_t> filled;
    for (std::uint32_t r = 0; r < entries_.rows; ++r)
      if (has_values(r)) filled.push_back(r);
    if (filled.size() < valued_blocks<Semiring>::lanes) return rows(filled);
    valued_blocks<Semiring> blocks(entries_, moves_, max_passes_);
    for (std::size_t first = 0; first < filled.size(); first += blocks.width()) {
      const std::size_t left = filled.size() - first;
      const view<std::uint32_t> some =
          view<std::uint32_t>(filled).part(first, left < blocks.width() ? left : blocks.width());
      if (!blocks.run(some) && !rows(some)) return false;
    }
    return true;
  }

 private:
  using waiting = waiting_value<Semiring>;
  static constexpr double zero = Semiring::zero;
  // The bound of which every value is better.
  static constexpr double no_bound = zero;

  static constexpr bool is_before(double a, double b) { return is_better<Semiring>(a, b); }

  constexpr bool has_values(std::size_t row) {
    const double* const values = entries_.row(row);
    std::size_t c = 0;
    while (c < entries_.columns && values[c] == zero) ++c;
    return c < entries_.columns;
  }
  constexpr bool rows(view<std::uint32_t> numbers) {
    for (const std::uint32_t r : numbers)
      if (!row(entries_.row(r))) return false;
    return true;
  }
  constexpr bool row(double* values) {
    far_.clear();
    std::size_t count = 0;
    double best = zero;
    for (std::uint32_t c = 0; c < entries_.columns; ++c) {
      if (values[c] == zero) continue;
      now_[count++] = c;
      best = Semiring::add(best, values[c]);
    }
    const bool ordered = Semiring::is_selective && !improves_;
    // A best-first search takes about eight times as long per move as a pass.
    const std::size_t most = ordered ? 8 * moves_.targets.size() : SIZE_MAX;
    std::size_t work = 0;
    double bound = no_bound;
    if (ordered) {
      for (std::size_t i = 0; i < count; ++i) far_.push_back(now_[i]);
      count = 0;
      bound = best;
    }
    for (std::uint64_t passes = 1;; ++passes) {
      if (count == 0 && !near(values, bound, count)) return true;
      if (passes > max_passes_) return false;
      if (work > most) return search(values, count), true;
      if (!pass(values, bound, count, work)) return false;
    }
  }
  // Takes the places before the next bound that has some from the far ones. False if none is left.
  constexpr bool near(const double* values, double& bound, std::size_t& count) {
    double best = zero;
    std::size_t kept = 0;
    for (const std::uint32_t c : far_)
      if (!is_before(values[c], bound)) {  // others were near since
        far_[kept++] = c;
        best = Semiring::add(best, values[c]);
      }
    far_.resize(kept);
    if (kept == 0) return false;
    const double last = bound;
    bound = Semiring::multiply(best, mean_);
    if (!is_before(last, bound)) bound = no_bound;  // the weights are too small to move the bound
    const std::uint32_t stamp = ++stamp_;
    kept = 0;
    for (const std::uint32_t c : far_) {
      if (!is_within(values[c], bound)) {
        far_[kept++] = c;
      } else if (listed_[c] != stamp) {
        listed_[c] = stamp;
        now_[count++] = c;
      }
    }
    far_.resize(kept);
    return true;
  }
  static constexpr bool is_within(double value, double bound) {
    return is_before(value, bound) || bound == no_bound;
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
        if (!add_to<Semiring>(values[to], Semiring::multiply(value, weights[i]))) continue;
        if (listed[to] == stamp) continue;
        const double reached = values[to];
        if (is_endless<Semiring>(reached)) return false;
        if (is_within(reached, bound)) {
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
      const waiting v = heap_.pop();
      if (is_before(values[v.place], v.value)) continue;
      const view<std::uint32_t> targets = moves_.of(v.place);
      const double* const weights = moves_.weights.data() + moves_.starts[v.place];
      for (std::size_t i = 0; i < targets.size(); ++i) {
        double& present = values[targets[i]];
        if (add_to<Semiring>(present, Semiring::multiply(v.value, weights[i])))
          heap_.push({present, targets[i]});
      }
    }
  }

  valued_rows& entries_;
  const adjacency& moves_;
  std::uint64_t max_passes_;
  double mean_ = Semiring::one;  // weight, by which the bound on near places moves on
  bool improves_ = false;        // some weight makes values better
  table<std::uint32_t> now_, next_, far_;
  table<std::uint32_t> listed_;  // by column: the number of the pass in which it was listed
  std::uint32_t stamp_ = 0;
  binary_heap<waiting> heap_;
};

/// Applies moves to row tensors with values until none changes. A queue holds the rows with fresh
/// values. The semiring is idempotent.
template <class Semiring>
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
    for (std::uint32_t t = 0; t < tensors_.size(); ++t)
      for (std::size_t r = 0; r < tensors_[t].rows; ++r)
        for (std::size_t c = 0; c < tensors_[t].columns; ++c)
          if (tensors_[t].row(r)[c] != Semiring::zero) changed(t, r, c);
    while (!queue_.empty()) {
      const row_queue::entry e = queue_.pop();
      if (++visits_[queue_.number(e.tensor, e.row)] > max_visits_ || !step(e.tensor, e.row))
        return false;
    }
    return true;
  }

 private:
  constexpr void changed(std::uint32_t t, std::size_t row, std::size_t column) {
    tensors_[t].fresh.set(row, column);
    queue_.push(t, row);
  }
  constexpr bool add(std::uint32_t t, std::size_t row, std::size_t column, double value) {
    double& present = tensors_[t].row(row)[column];
    if (!add_to<Semiring>(present, value)) return true;
    changed(t, row, column);
    return !is_endless<Semiring>(present);
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
      const waiting_value<Semiring> v = taken_[k];
      if (l.identity) {
        if (!add(l.to, row, v.place, v.value)) return false;
        continue;
      }
      const std::size_t from = l.moves_rows ? row : v.place;
      const view<std::uint32_t> targets = l.pairs.of(from);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const double value = Semiring::multiply(v.value, l.pairs.weights[l.pairs.starts[from] + i]);
        const bool fine = l.moves_rows ? add(l.to, targets[i], v.place, value)
                                       : add(l.to, row, targets[i], value);
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
  table<waiting_value<Semiring>> taken_;
};

}  // namespace wf::logic::detail

namespace wf::logic {

/// What evaluates recursions by rows over an idempotent semiring, for
/// `evaluation_options::semirings`.
struct row_semiring {
  text_view addition, multiplication;       ///< names of the operators
  double zero = 0, one = 0;                 ///< as of the semiring
  double (*add)(double, double) = nullptr;  ///< a + b
  /// `detail::valued_closure` and `detail::valued_row_run`.
  bool (*close)(detail::valued_rows&, const detail::adjacency&, std::uint64_t max_passes) = nullptr;
  bool (*run)(table<detail::valued_rows>&, view<detail::row_moves>,
              std::uint64_t max_visits) = nullptr;  ///< likewise
};

/// The evaluation by rows over a semiring.
template <class Semiring>
  requires(Semiring::is_idempotent)
inline constexpr row_semiring rows_over{
    .addition = Semiring::addition.name,
    .multiplication = Semiring::multiplication.name,
    .zero = Semiring::zero,
    .one = Semiring::one,
    .add = [](double a, double b) { return Semiring::add(a, b); },
    .close =
        [](detail::valued_rows& entries, const detail::adjacency& moves, std::uint64_t max_passes) {
          return detail::valued_closure<Semiring>(entries, moves, max_passes).run();
        },
    .run =
        [](table<detail::valued_rows>& tensors, view<detail::row_moves> links,
           std::uint64_t max_visits) {
          return detail::valued_row_run<Semiring>(tensors, links, max_visits).run();
        }};

namespace detail {
inline constexpr row_semiring built_in_semirings[] = {rows_over<min_plus>, rows_over<max_plus>,
                                                      rows_over<max_min>, rows_over<min_max>};
}  // namespace detail

}  // namespace wf::logic
