// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/condensation.hpp>
#include <wf/logic/relation/bit_rows.hpp>

namespace wf::logic::detail {

/// The moves of a link (`row_link`), by the place they start from.
struct row_moves {
  std::uint32_t from = 0, to = 0;  ///< numbers of row tensors
  bool moves_rows = false;
  bool identity = false;  ///< every place moves to itself
  adjacency pairs;
};

/// The entries of a Boolean row tensor.
struct boolean_rows {
  bit_rows entries, fresh;  ///< all of them, and those that no move has read yet
};

/// The rows of some tensors that wait for a visit, first come first served; each waits once.
class row_queue {
 public:
  struct entry {
    std::uint32_t tensor = 0, row = 0;
  };
  /// Adds a tensor of that many rows.
  constexpr void add_tensor(std::size_t rows) {
    firsts_.push_back(queued_.size());
    queued_.resize(queued_.size() + rows);
  }
  /// Number of rows of all tensors.
  constexpr std::size_t rows() const { return queued_.size(); }
  /// The number of a row among those of all tensors.
  constexpr std::size_t number(std::uint32_t t, std::size_t row) const { return firsts_[t] + row; }
  constexpr bool empty() const { return next_ == waiting_.size(); }
  /// The rows that wait, the next one first.
  constexpr view<entry> waiting() const {
    return view<entry>(waiting_).part(next_, waiting_.size() - next_);
  }
  /// Adds a row unless it waits.
  constexpr void push(std::uint32_t t, std::size_t row) {
    if (queued_[number(t, row)]) return;
    queued_[number(t, row)] = true;
    waiting_.push_back({t, static_cast<std::uint32_t>(row)});
  }
  /// Takes the next row. Amortised O(1).
  constexpr entry pop() {
    if (next_ > 1024 && 2 * next_ > waiting_.size()) {
      table<entry> rest;
      for (; next_ < waiting_.size(); ++next_) rest.push_back(waiting_[next_]);
      waiting_.swap(rest);
      next_ = 0;
    }
    const entry e = waiting_[next_++];
    queued_[number(e.tensor, e.row)] = false;
    return e;
  }

 private:
  table<std::size_t> firsts_;  // by tensor: number of its first row
  table<bool> queued_;
  table<entry> waiting_;  // from `next_` on
  std::size_t next_ = 0;
};

/// Applies moves to Boolean row tensors until nothing is new. A queue holds the rows with fresh
/// bits. Where many bits move within rows, all rows that wait are taken together, transposed: then
/// the moves take columns as a whole. O(fresh bits · moves within rows + rows that move · width).
class boolean_row_run {
 public:
  constexpr boolean_row_run(table<boolean_rows>& tensors, view<row_moves> links)
      : tensors_(tensors), links_(links) {
    std::size_t width = 0;
    for (boolean_rows& t : tensors) {
      queue_.add_tensor(t.entries.rows());
      width = width < t.entries.width() ? t.entries.width() : width;
    }
    taken_ = table<std::uint64_t>(width);
  }

  /// All bits that are set in `entries` at first are fresh.
  constexpr void run() {
    for (std::uint32_t t = 0; t < tensors_.size(); ++t) {
      tensors_[t].fresh = tensors_[t].entries;
      for (std::size_t r = 0; r < tensors_[t].entries.rows(); ++r)
        if (any(tensors_[t].entries.row(r), tensors_[t].entries.width())) queue_.push(t, r);
    }
    while (!queue_.empty()) {
      const std::size_t batch = queue_.waiting().size();
      for (std::uint32_t t = 0; t < tensors_.size(); ++t)
        if (moves_many(t)) step_all(t);
      for (std::size_t i = 0; i < batch && !queue_.empty(); ++i) {
        const row_queue::entry e = queue_.pop();
        step(e.tensor, e.row);
      }
    }
  }

 private:
  // Time of a transposition for each word, and of a move of one bit, in that of a word.
  static constexpr std::size_t per_word = 4, per_bit = 2;

  // True if the moves within the rows that wait take less time transposed.
  constexpr bool moves_many(std::uint32_t t) const {
    const bit_rows& fresh = tensors_[t].fresh;
    const std::size_t words = fresh.rows() * fresh.width(), height = (fresh.rows() + 63) / 64;
    std::size_t together = 0, moves = 0;
    for (const row_moves& l : links_)
      if (l.from == t && !l.identity && !l.moves_rows) {
        together += 2 * per_word * words + l.pairs.targets.size() * height;
        moves += l.pairs.targets.size();
      }
    if (moves == 0) return false;
    // Bits that wait, if each has a mean number of moves.
    const std::size_t most = fresh.columns() * together / (per_bit * moves);
    std::size_t bits = 0;
    for (const row_queue::entry e : queue_.waiting()) {
      if (e.tensor != t) continue;
      const std::uint64_t* const row = fresh.row(e.row);
      for (std::size_t w = 0; w < fresh.width(); ++w)
        bits += static_cast<std::size_t>(std::popcount(row[w]));
      if (bits > most) return true;
    }
    return false;
  }
  // Takes all fresh bits of a tensor at once. The rows still wait, perhaps for nothing.
  constexpr void step_all(std::uint32_t t) {
    bit_rows& fresh = tensors_[t].fresh;
    const bit_rows taken = static_cast<bit_rows&&>(fresh);
    fresh = bit_rows(taken.rows(), taken.columns());
    const std::size_t width = taken.width();
    bit_rows columns;
    for (const row_moves& l : links_) {
      if (l.from != t) continue;
      if (l.identity || l.moves_rows) {
        for (std::uint32_t row = 0; row < taken.rows(); ++row) {
          if (!any(taken.row(row), width)) continue;
          if (l.identity) merge(taken.row(row), l.to, row, width);
          for (const std::uint32_t to : l.pairs.of(row)) merge(taken.row(row), l.to, to, width);
        }
        continue;
      }
      if (columns.empty()) columns = transposed(taken);
      bit_rows moved(columns.rows(), columns.columns());
      for (std::size_t from = 0; from < columns.rows(); ++from)
        for (const std::uint32_t to : l.pairs.of(from))
          wf::detail::unite(moved.row(to), columns.row(from), columns.width());
      moved = transposed(moved);
      for (std::size_t row = 0; row < moved.rows(); ++row) merge(moved.row(row), l.to, row, width);
    }
  }
  static constexpr bool any(const std::uint64_t* words, std::size_t width) {
    for (std::size_t w = 0; w < width; ++w)
      if (words[w] != 0) return true;
    return false;
  }
  constexpr void step(std::uint32_t t, std::size_t row) {
    const std::size_t width = tensors_[t].entries.width();
    std::uint64_t* const fresh = tensors_[t].fresh.row(row);
    if (!any(fresh, width)) return;  // taken with others since
    for (std::size_t w = 0; w < width; ++w) {
      taken_[w] = fresh[w];
      fresh[w] = 0;
    }
    for (const row_moves& l : links_) {
      if (l.from != t) continue;
      if (l.identity)
        merge(taken_.data(), l.to, row, width);
      else if (l.moves_rows)
        for (const std::uint32_t to : l.pairs.of(row)) merge(taken_.data(), l.to, to, width);
      else
        within(l, row, width);
    }
  }
  // Adds the bits `taken` to a row.
  constexpr void merge(const std::uint64_t* taken, std::uint32_t t, std::size_t row,
                       std::size_t width) {
    std::uint64_t* const entries = tensors_[t].entries.row(row);
    std::uint64_t* const fresh = tensors_[t].fresh.row(row);
    std::uint64_t gained = 0;
    for (std::size_t w = 0; w < width; ++w) {
      const std::uint64_t more = taken[w] & ~entries[w];
      entries[w] |= more;
      fresh[w] |= more;
      gained |= more;
    }
    if (gained != 0) queue_.push(t, row);
  }
  // Pointers are local: the compiler cannot know that setting a bit changes no table.
  constexpr void within(const row_moves& l, std::size_t row, std::size_t width) {
    bool gained = false;
    std::uint64_t* const entries = tensors_[l.to].entries.row(row);
    std::uint64_t* const fresh = tensors_[l.to].fresh.row(row);
    const std::uint32_t* const starts = l.pairs.starts.data();
    const std::uint32_t* const targets = l.pairs.targets.data();
    wf::detail::each_bit(taken_.data(), width, [&](std::uint32_t from) {
      const std::uint32_t last = starts[from + 1];
      for (std::uint32_t i = starts[from]; i < last; ++i) {
        const std::uint32_t to = targets[i];
        const std::uint64_t word = entries[to / 64], bit = std::uint64_t{1} << to % 64;
        if ((word & bit) != 0) continue;
        entries[to / 64] = word | bit;
        fresh[to / 64] |= bit;
        gained = true;
      }
    });
    if (gained) queue_.push(l.to, row);
  }

  table<boolean_rows>& tensors_;
  view<row_moves> links_;
  row_queue queue_;
  table<std::uint64_t> taken_;
};

}  // namespace wf::logic::detail
