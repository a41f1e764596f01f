// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/core/container/heap.hpp>
#include <wf/logic/evaluate/condensation.hpp>
#include <wf/logic/evaluate/semiring.hpp>

namespace wf::logic::detail {

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

/// How a closure ends.
enum class closing : std::uint8_t {
  done,
  endless,   ///< the passes over a row exceed their bound, or a value has none
  too_many,  ///< there are more entries than numbers of them
};

/// The values of a block of rows, side by side by place: a move takes all of them on in one loop.
/// Passes go on from the places where some row changed. Where rows reach most places by few moves
/// that takes far less time than row by row. The semiring is idempotent.
template <class Semiring>
class valued_block {
  // Stands first: clang evaluates constants before it has seen the rest of the class.
  // Adds the products of some values with a weight to others; true if one changed.
  static constexpr bool add_products(double* to, const double* from, double weight,
                                     std::size_t width) {
    std::uint64_t changes = 0;
    for (std::size_t k = 0; k < width; ++k) {
      // Rules of constants take finite elements: no product of an absent one.
      if (__builtin_is_constant_evaluated() && from[k] == Semiring::zero) continue;
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
  static constexpr std::size_t least_rows = 8;

  constexpr valued_block(const adjacency& moves, std::size_t columns, std::uint64_t max_passes)
      : moves_(moves), columns_(columns), max_passes_(max_passes) {
    const std::size_t most = cells / (columns == 0 ? 1 : columns) / least_rows * least_rows;
    width_ = most < least_rows ? least_rows : most > 8 * least_rows ? 8 * least_rows : most;
  }
  /// The number of rows of a block.
  constexpr std::size_t width() const { return width_; }
  /// Begins a block without values.
  constexpr void clear() {
    if (values_.empty()) {
      values_ = table<double>(columns_ * width_, Semiring::zero);
      now_ = next_ = table<std::uint32_t>(columns_);
      listed_ = table<std::uint32_t>(columns_, 0);
      touched_ = table<std::uint64_t>(wf::detail::words_for(columns_));
    }
    for (const std::uint32_t c : places_)
      for (std::size_t k = 0; k < width_; ++k) values_[c * width_ + k] = Semiring::zero;
    for (std::uint64_t& w : touched_) w = 0;
    places_.clear();
    count_ = 0;
  }
  /// Adds a value of a row of the block.
  constexpr void add(std::size_t row, std::uint32_t place, double value) {
    if (!wf::detail::has_bit(touched_.data(), place)) now_[count_++] = place;
    wf::detail::set_bit(touched_.data(), place);
    double& present = values_[place * width_ + row];
    present = Semiring::add(present, value);
  }
  /// Closes the rows. False if they need more passes than there may be, or so many that each row
  /// takes less time alone, or have a value without a bound.
  constexpr bool close() {
    const std::size_t most = patience * moves_.targets.size();
    std::size_t work = 0;
    bool done = true;
    for (std::uint64_t passes = 1; count_ != 0 && done; ++passes) {
      done = passes <= max_passes_ && work <= most;
      if (done) pass(work);
    }
    wf::detail::each_bit(touched_.data(), touched_.size(),
                         [&](std::uint32_t c) { places_.push_back(c); });
    for (const std::uint32_t c : places_)
      for (std::size_t k = 0; k < width_; ++k)
        done = done && !has_no_bound(values_[c * width_ + k]);
    return done;
  }
  /// After `close`: appends the entries of a row in ascending order.
  constexpr void list(std::size_t row, adjacency& to) const {
    for (const std::uint32_t c : places_) {
      const double value = values_[c * width_ + row];
      if (value == Semiring::zero) continue;
      to.targets.push_back(c);
      to.weights.push_back(value);
    }
  }

 private:
  // Values of a block that a cache of the second level holds.
  static constexpr std::size_t cells = std::size_t{1} << 15;
  // Passes over all moves after which rows are closed one by one.
  static constexpr std::size_t patience = 32;

  static constexpr bool has_no_bound(double value) {
    return value != Semiring::zero && is_endless<Semiring>(value);
  }
  // Moves on from the places that changed in the last pass. Pointers are local: the compiler cannot
  // know that writing a value changes no table.
  constexpr void pass(std::size_t& work) {
    const std::uint32_t* const starts = moves_.starts.data();
    const std::uint32_t* const targets = moves_.targets.data();
    const double* const weights = moves_.weights.data();
    double* const values = values_.data();
    const std::uint32_t stamp = ++stamp_;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t from = now_[i], first = starts[from], last = starts[from + 1];
      work += last - first;
      for (std::uint32_t m = first; m < last; ++m) {
        const std::uint32_t to = targets[m];
        if (!add_products(values + to * width_, values + from * width_, weights[m], width_))
          continue;
        if (listed_[to] == stamp) continue;
        listed_[to] = stamp;
        wf::detail::set_bit(touched_.data(), to);
        next_[changed++] = to;
      }
    }
    now_.swap(next_);
    count_ = changed;
  }

  const adjacency& moves_;
  std::size_t columns_ = 0;
  std::uint64_t max_passes_;
  std::size_t width_ = least_rows;
  table<double> values_;             // by place, then row of the block
  table<std::uint64_t> touched_;     // places that have values, as bits, and
  table<std::uint32_t> places_;      // in ascending order
  table<std::uint32_t> now_, next_;  // places that changed
  std::size_t count_ = 0;            // number of those in `now_`
  table<std::uint32_t> listed_;      // by place: the number of the pass in which it was listed
  std::uint32_t stamp_ = 0;
};

/// What moves within rows reach from the entries at which each row starts, with its value: a move
/// multiplies by its weight, and the values of all ways are added, those of the entries, too.
///
/// Rows that reach most places are closed together (`valued_block`), the others one by one in
/// passes over what changed; the rows before tell which. Of one row, if sums select the better term
/// and no weight makes a value better what is near goes first: places better than a bound, which
/// moves on by the mean weight once none of them changes; if passes take long all the same, a
/// best-first search goes on. The semiring is idempotent. Source: Bellman 1958; Meyer and Sanders
/// 2003 (near and far places); Dijkstra 1959; Knuth 1977 (beyond sums); Mohri 2002 (semirings).
template <class Semiring>
class valued_closure {
 public:
  constexpr valued_closure(const adjacency& starts, const adjacency& moves, std::size_t columns,
                           std::uint64_t max_passes)
      : starts_(starts),
        moves_(moves),
        columns_(columns),
        max_passes_(max_passes),
        block_(moves, columns, max_passes) {}

  constexpr closing run() {
    begin();
    bool dense = false;
    std::size_t first = 0;
    table<std::uint32_t> filled;
    while (first < starts_.places()) {
      // The next rows that start somewhere, as many as a block has, or as tell enough.
      filled.clear();
      std::size_t last = first;
      const std::size_t most = dense ? block_.width() : block_.least_rows;
      for (; last < starts_.places() && filled.size() < most; ++last)
        if (!starts_.of(last).empty()) filled.push_back(static_cast<std::uint32_t>(last));
      const std::size_t before = lists_.targets.size();
      dense = dense && filled.size() >= block_.least_rows && close(filled);
      for (std::size_t k = 0; first < last; ++first) {
        const bool starts = k < filled.size() && filled[k] == first;
        if (starts && dense) block_.list(k, lists_);
        if (starts && !dense && !row(first)) return closing::endless;
        k += starts ? 1 : 0;
        lists_.starts.push_back(static_cast<std::uint32_t>(lists_.targets.size()));
      }
      if (lists_.targets.size() > UINT32_MAX - columns_ * block_.width()) return closing::too_many;
      dense = least_share * (lists_.targets.size() - before) >= filled.size() * columns_;
    }
    return closing::done;
  }
  /// What each row reaches, in ascending order, with values as weights.
  constexpr const adjacency& lists() const { return lists_; }
  constexpr adjacency&& take_lists() { return static_cast<adjacency&&>(lists_); }

 private:
  // Rows are closed in blocks where they reach at least one place of so many.
  static constexpr std::size_t least_share = 8;

  using waiting = waiting_value<Semiring>;
  static constexpr double zero = Semiring::zero;
  // The bound of which every value is better.
  static constexpr double no_bound = zero;

  static constexpr bool is_before(double a, double b) { return is_better<Semiring>(a, b); }

  constexpr void begin() {
    double total = 0;
    for (const double w : moves_.weights) {
      improves_ = improves_ || is_better<Semiring>(w, Semiring::one) || w != w;
      total += w;
    }
    const std::size_t count = moves_.weights.size();
    mean_ = count == 0 ? Semiring::one : total / static_cast<double>(count);
    if (mean_ - mean_ != 0) mean_ = Semiring::one;
    values_ = table<double>(columns_, zero);
    now_ = next_ = table<std::uint32_t>(columns_);
    listed_ = table<std::uint32_t>(columns_, 0);
    touched_ = table<std::uint64_t>(wf::detail::words_for(columns_));
    words_ = table<std::uint64_t>(wf::detail::words_for(touched_.size()));
    lists_.starts.push_back(0);
  }
  // Closes some rows as a block.
  constexpr bool close(view<std::uint32_t> rows) {
    block_.clear();
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::uint32_t i = starts_.starts[rows[k]]; i < starts_.starts[rows[k] + 1]; ++i)
        if (starts_.weights[i] != zero) block_.add(k, starts_.targets[i], starts_.weights[i]);
    return block_.close();
  }
  // Closes a row, and lists it.
  constexpr bool row(std::size_t number) {
    std::size_t count = 0;
    double best = zero;
    for (std::uint32_t i = starts_.starts[number]; i < starts_.starts[number + 1]; ++i) {
      const std::uint32_t c = starts_.targets[i];
      if (starts_.weights[i] == zero) continue;
      if (values_[c] == zero) now_[count++] = c;
      touch(c);
      values_[c] = Semiring::add(values_[c], starts_.weights[i]);
      best = Semiring::add(best, values_[c]);
    }
    const bool done = close_row(values_.data(), count, best);
    wf::detail::each_bit(words_.data(), words_.size(), [&](std::uint32_t word) {
      wf::detail::each_bit(touched_.data() + word, 1, [&](std::uint32_t bit) {
        const std::uint32_t c = 64 * word + bit;
        lists_.targets.push_back(c);
        lists_.weights.push_back(values_[c]);
        values_[c] = zero;
      });
      touched_[word] = 0;
    });
    for (std::uint64_t& w : words_) w = 0;
    return done;
  }
  constexpr void touch(std::uint32_t place) {
    wf::detail::set_bit(touched_.data(), place);
    wf::detail::set_bit(words_.data(), place / 64);
  }
  constexpr bool close_row(double* values, std::size_t count, double best) {
    far_.clear();
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
        touch(to);
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
        if (!add_to<Semiring>(present, Semiring::multiply(v.value, weights[i]))) continue;
        touch(targets[i]);
        heap_.push({present, targets[i]});
      }
    }
  }

  const adjacency& starts_;
  const adjacency& moves_;
  std::size_t columns_ = 0;
  std::uint64_t max_passes_;
  valued_block<Semiring> block_;
  adjacency lists_;
  table<double> values_;          // of one row, by place
  table<std::uint64_t> touched_;  // places that have values, as bits, and
  table<std::uint64_t> words_;    // the words of those that have bits
  double mean_ = Semiring::one;   // weight, by which the bound on near places moves on
  bool improves_ = false;         // some weight makes values better
  table<std::uint32_t> now_, next_, far_;
  table<std::uint32_t> listed_;  // by column: the number of the pass in which it was listed
  std::uint32_t stamp_ = 0;
  binary_heap<waiting> heap_;
};

}  // namespace wf::logic::detail
