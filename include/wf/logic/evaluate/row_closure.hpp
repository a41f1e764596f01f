// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/logic/evaluate/condensation.hpp>

namespace wf::logic::detail {

/// What moves within rows reach from the columns at which each row starts; those are reached, too.
///
/// A search from each row takes the time of what it reaches. The search stops for good once that
/// becomes more than the rows of what each column reaches would take: those are computed once, by
/// components, and joined. Rows are lists, or bits once lists take more memory. So a closure takes
/// at most about twice the time and memory of the better way. Bits beyond a bound are not used.
class row_closure {
 public:
  /// `most_bits`: the bound on the bits of all rows.
  constexpr row_closure(const adjacency& starts, const adjacency& moves, std::size_t columns,
                        std::uint64_t most_bits)
      : starts_(starts), moves_(moves), columns_(columns), width_(wf::detail::words_for(columns)) {
    if (columns_ != 0 && starts_.places() > most_bits / columns_) joins_ = false;
  }

  /// False if there are more entries than numbers of them, and bits are not allowed.
  constexpr bool run() {
    // Joining a word takes about a fourth of the time of a move.
    const std::size_t joined =
        joins_ ? (starts_.targets.size() + moves_.targets.size() + columns_) * width_ / 4
               : SIZE_MAX;
    const std::size_t most_listed = joins_ ? starts_.places() * width_ + 64 : SIZE_MAX;
    scratch_ = table<std::uint64_t>(width_);
    touched_ = table<std::uint64_t>(wf::detail::words_for(width_));
    reached_ = table<std::uint32_t>(columns_);
    std::size_t work = 0;
    for (std::size_t r = 0; r < starts_.places(); ++r) {
      if (starts_.of(r).empty()) {
        if (!has_bits_) lists_.starts.push_back(static_cast<std::uint32_t>(lists_.targets.size()));
        continue;
      }
      if (work > joined) {
        if (!has_bits_) use_bits(r);
        return join(r), true;
      }
      if (!has_bits_ && lists_.targets.size() > most_listed) use_bits(r);
      if (!has_bits_ && lists_.targets.size() > UINT32_MAX - columns_) return false;
      work += has_bits_ ? search(r, bits_.row(r)) : listed(r);
    }
    if (!has_bits_) lists_.starts.push_back(static_cast<std::uint32_t>(lists_.targets.size()));
    return true;
  }

  /// True if the rows are bits.
  constexpr bool has_bits() const { return has_bits_; }
  constexpr bit_rows&& take_bits() { return static_cast<bit_rows&&>(bits_); }
  /// Otherwise: what each row reaches, in ascending order.
  constexpr const adjacency& lists() const { return lists_; }
  constexpr adjacency&& take_lists() { return static_cast<adjacency&&>(lists_); }

 private:
  // Sets the bits of what a row reaches, and lists it in the first `count_` places of `reached_`.
  // Returns the number of moves. Pointers are local: the compiler cannot know that setting a bit
  // changes no table.
  constexpr std::size_t search(std::size_t row, std::uint64_t* words) {
    std::uint32_t* const reached = reached_.data();
    const std::uint32_t* const starts = moves_.starts.data();
    const std::uint32_t* const targets = moves_.targets.data();
    std::size_t count = 0;
    for (const std::uint32_t to : starts_.of(row)) {
      const std::uint64_t bit = std::uint64_t{1} << to % 64;
      if ((words[to / 64] & bit) == 0) reached[count++] = to;
      words[to / 64] |= bit;
    }
    std::size_t work = count;
    for (std::size_t next = 0; next < count; ++next) {
      const std::uint32_t from = reached[next];
      const std::uint32_t first = starts[from], last = starts[from + 1];
      work += last - first;
      for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t to = targets[i];
        const std::uint64_t word = words[to / 64], bit = std::uint64_t{1} << to % 64;
        if ((word & bit) != 0) continue;
        words[to / 64] = word | bit;
        reached[count++] = to;
      }
    }
    count_ = count;
    return work;
  }
  // Lists what a row reaches. Returns the number of moves.
  constexpr std::size_t listed(std::size_t row) {
    const std::size_t work = search(row, scratch_.data());
    lists_.starts.push_back(static_cast<std::uint32_t>(lists_.targets.size()));
    // The words that have bits, as bits: few words are read for few bits.
    for (std::size_t i = 0; i < count_; ++i) wf::detail::set_bit(touched_.data(), reached_[i] / 64);
    const std::size_t before = lists_.targets.size();
    lists_.targets.resize(before + count_);
    std::uint32_t* out = lists_.targets.data() + before;
    std::uint64_t* const words = scratch_.data();
    wf::detail::each_bit(touched_.data(), touched_.size(), [&](std::uint32_t w) {
      for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
        *out++ =
            static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
      words[w] = 0;
    });
    for (std::uint64_t& w : touched_) w = 0;
    return work;
  }
  // Turns the lists of the rows before `row` into bits.
  constexpr void use_bits(std::size_t row) {
    has_bits_ = true;
    lists_.starts.push_back(static_cast<std::uint32_t>(lists_.targets.size()));
    bits_ = bit_rows(starts_.places(), columns_);
    for (std::size_t r = 0; r < row; ++r)
      for (const std::uint32_t to : lists_.of(r)) bits_.set(r, to);
    lists_ = {};
  }
  // The rows from `first` on, joined from what each column reaches.
  constexpr void join(std::size_t first) {
    const reach_rows reach(moves_, columns_);
    table<std::uint32_t> seen(reach.count(), 0);
    for (std::size_t r = first; r < starts_.places(); ++r)
      for (const std::uint32_t start : starts_.of(r)) {
        bits_.set(r, start);
        const std::uint32_t group = reach.group_of(start);
        if (seen[group] == r + 1) continue;
        seen[group] = static_cast<std::uint32_t>(r + 1);
        const std::uint64_t* const more = reach.row(group);
        std::uint64_t* const words = bits_.row(r);
        for (std::size_t w = 0; w < width_; ++w) words[w] |= more[w];
      }
  }

  const adjacency& starts_;
  const adjacency& moves_;
  std::size_t columns_ = 0, width_ = 0;
  bool has_bits_ = false, joins_ = true;
  bit_rows bits_;
  adjacency lists_;
  table<std::uint64_t> scratch_, touched_;
  table<std::uint32_t> reached_;
  std::size_t count_ = 0;
};

}  // namespace wf::logic::detail
