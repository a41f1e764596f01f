// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/condensation.hpp>

namespace wf::logic::detail {

/// What moves within rows reach from the columns at which each row starts; those are reached, too.
///
/// A search from each row takes the time of what it reaches. The search stops for good once that
/// becomes more than the rows of what each column reaches would take: those are computed once, by
/// components, and joined. Rows are lists, or bits once lists take more memory. So a closure takes
/// at most about twice the time and memory of the better way.
class row_closure {
 public:
  constexpr row_closure(const adjacency& starts, const adjacency& moves, std::size_t columns)
      : starts_(starts), moves_(moves), columns_(columns), width_((columns + 63) / 64) {}

  constexpr void run() {
    // Joining a word takes about a fourth of the time of a move.
    const std::size_t joined =
        (starts_.targets.size() + moves_.targets.size() + columns_) * width_ / 4;
    const std::size_t most_listed = starts_.places() * width_ + 64;
    scratch_ = table<std::uint64_t>(width_);
    std::size_t work = 0;
    for (std::size_t r = 0; r < starts_.places(); ++r) {
      if (starts_.of(r).empty()) {
        if (!has_bits_) lists_.starts.push_back(static_cast<std::uint32_t>(lists_.targets.size()));
        continue;
      }
      if (work > joined) {
        if (!has_bits_) use_bits(r);
        return join(r);
      }
      if (!has_bits_ && lists_.targets.size() > most_listed) use_bits(r);
      work += has_bits_ ? search(r, bits_.row(r)) : listed(r);
    }
    if (!has_bits_) lists_.starts.push_back(static_cast<std::uint32_t>(lists_.targets.size()));
  }

  /// True if the rows are bits.
  constexpr bool has_bits() const { return has_bits_; }
  constexpr bit_rows&& take_bits() { return static_cast<bit_rows&&>(bits_); }
  /// Otherwise: what each row reaches, in ascending order.
  constexpr const adjacency& lists() const { return lists_; }

 private:
  // Sets the bits of what a row reaches; `reached_` lists it. Returns the number of moves.
  constexpr std::size_t search(std::size_t row, std::uint64_t* words) {
    reached_.clear();
    const auto reach = [&](std::uint32_t to) {
      std::uint64_t& word = words[to / 64];
      const std::uint64_t bit = std::uint64_t{1} << to % 64;
      if ((word & bit) != 0) return;
      word |= bit;
      reached_.push_back(to);
    };
    for (const std::uint32_t to : starts_.of(row)) reach(to);
    std::size_t work = reached_.size();
    for (std::size_t next = 0; next < reached_.size(); ++next) {
      const view<std::uint32_t> targets = moves_.of(reached_[next]);
      work += targets.size();
      for (const std::uint32_t to : targets) reach(to);
    }
    return work;
  }
  // Lists what a row reaches. Returns the number of moves.
  constexpr std::size_t listed(std::size_t row) {
    const std::size_t work = search(row, scratch_.data());
    lists_.starts.push_back(static_cast<std::uint32_t>(lists_.targets.size()));
    if (reached_.size() * 4 > width_) {
      for_each_bit(scratch_.data(), width_, [&](std::size_t bit) {
        lists_.targets.push_back(static_cast<std::uint32_t>(bit));
      });
      for (std::uint64_t& w : scratch_) w = 0;
    } else {
      wf::detail::stable_sort(reached_, [](std::uint32_t a, std::uint32_t b) { return a < b; });
      lists_.targets.append(reached_);
      for (const std::uint32_t to : reached_) scratch_[to / 64] = 0;
    }
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
  bool has_bits_ = false;
  bit_rows bits_;
  adjacency lists_;
  table<std::uint64_t> scratch_;
  table<std::uint32_t> reached_;
};

}  // namespace wf::logic::detail
