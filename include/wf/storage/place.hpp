// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>

namespace wf {

/// A block of storage with a live range, to be placed in one arena.
struct storage_block {
  /// The first moment of its use.
  std::uint32_t begin = 0;
  /// The last moment of its use, inclusive.
  std::uint32_t end = 0;
  /// Its size in bytes.
  std::int64_t bytes = 0;
  /// The alignment of its offset in bytes, at least 1.
  std::int64_t alignment = 1;
  /// Its offset in the arena, in bytes; the placement sets it.
  std::int64_t offset = 0;

  /// True if the live ranges overlap, so that the blocks must not share a byte.
  constexpr bool meets(const storage_block& other) const {
    return begin <= other.end && other.begin <= end && bytes != 0 && other.bytes != 0;
  }
  /// The first aligned offset at or after `from`, in bytes; saturates.
  constexpr std::int64_t aligned(std::int64_t from) const {
    const std::int64_t beyond = from % alignment;
    return beyond == 0 ? from : saturating_add(from, alignment - beyond);
  }
};

namespace detail {

/// First-fit placement: gives each block, in some order, the first gap between the overlapping
/// ones.
class greedy_placer {
 public:
  constexpr explicit greedy_placer(table<storage_block>& blocks) : blocks_(blocks) {
    for (std::uint32_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i].bytes != 0) order_.push_back(i);
  }

  /// Places blocks in order of their begin, next to those in use then. Returns the size of the
  /// arena.
  constexpr std::int64_t by_begin() {
    sort(false);
    std::int64_t size = 0;
    beside_.resize(0);
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const std::uint32_t i = order_[at];
      std::size_t kept = 0;
      for (std::size_t k = 0; k < beside_.size(); ++k)
        if (blocks_[beside_[k]].end >= blocks_[i].begin) beside_[kept++] = beside_[k];
      beside_.resize(kept);
      meetings_ += kept;
      if (const std::int64_t top = put(i); size < top) size = top;
      insert(i);
    }
    return size;
  }
  /// Number of overlapping pairs of blocks, after `by_begin`.
  constexpr std::size_t meetings() const { return meetings_; }

  /// Places the largest blocks first, of equal ones the longest-lived. Each further call first
  /// moves the block that ended highest to the front. Call after `by_begin`. Returns the size of
  /// the arena.
  constexpr std::int64_t by_size() {
    if (met_.empty() && first_met_.empty()) {
      find_meetings();
      sort(true);
    } else {
      const std::uint32_t moved = order_[highest_];
      for (std::size_t k = highest_; k > 0; --k) order_[k] = order_[k - 1];
      order_[0] = moved;
    }
    return place_all();
  }

 private:
  // The largest first, or the earliest begin first; then the longest-lived.
  constexpr void sort(bool by_size) {
    stable_sort(order_, [this, by_size](std::uint32_t a, std::uint32_t b) {
      const storage_block &x = blocks_[a], &y = blocks_[b];
      if (by_size && x.bytes != y.bytes) return x.bytes > y.bytes;
      if (!by_size && x.begin != y.begin) return x.begin < y.begin;
      return x.end - x.begin > y.end - y.begin;
    });
  }
  // Builds the list of overlapping blocks of each block by a sweep over the order of begins.
  constexpr void find_meetings() {
    first_met_.resize(blocks_.size() + 1);
    note_meetings(false);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < first_met_.size(); ++i) first_met_[i] = sum += first_met_[i];
    met_.resize(sum);
    note_meetings(true);
  }
  // Counts the overlaps of each block; in the second pass writes them, from the end of its run on.
  constexpr void note_meetings(bool counted) {
    beside_.resize(0);
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const std::uint32_t i = order_[at];
      std::size_t kept = 0;
      for (std::size_t k = 0; k < beside_.size(); ++k)
        if (blocks_[beside_[k]].end >= blocks_[i].begin) beside_[kept++] = beside_[k];
      beside_.resize(kept);
      for (std::size_t k = 0; k < kept; ++k) {
        const std::uint32_t other = beside_[k];
        if (counted) {
          met_[--first_met_[i]] = other;
          met_[--first_met_[other]] = i;
        } else {
          ++first_met_[i];
          ++first_met_[other];
        }
      }
      beside_.push_back(i);
    }
  }
  constexpr std::int64_t place_all() {
    table<char> placed(blocks_.size());
    std::int64_t size = 0;
    highest_ = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      beside_.resize(0);
      for (std::uint32_t m = first_met_[order_[k]]; m < first_met_[order_[k] + 1]; ++m)
        if (placed[met_[m]] != 0) insert(met_[m]);
      placed[order_[k]] = 1;
      const std::int64_t top = put(order_[k]);
      if (size >= top) continue;
      size = top;
      highest_ = k;
    }
    return size;
  }
  // First fit between the blocks in `beside_`, which ascend by offset. Returns the end of the
  // block.
  constexpr std::int64_t put(std::uint32_t i) {
    storage_block& b = blocks_[i];
    b.offset = 0;
    for (std::size_t k = 0; k < beside_.size(); ++k) {
      const storage_block& o = blocks_[beside_[k]];
      if (saturating_add(b.offset, b.bytes) <= o.offset) break;
      const std::int64_t after = b.aligned(saturating_add(o.offset, o.bytes));
      if (b.offset < after) b.offset = after;
    }
    return saturating_add(b.offset, b.bytes);
  }
  constexpr void insert(std::uint32_t i) {
    beside_.push_back(i);
    for (std::size_t k = beside_.size() - 1;
         k > 0 && blocks_[beside_[k - 1]].offset > blocks_[beside_[k]].offset; --k) {
      const std::uint32_t other = beside_[k - 1];
      beside_[k - 1] = beside_[k];
      beside_[k] = other;
    }
  }

  table<storage_block>& blocks_;
  table<std::uint32_t> order_, beside_;
  table<std::uint32_t> met_, first_met_;  // the blocks that a block overlaps: from
                                          // first_met_[block] on
  std::size_t meetings_ = 0;
  std::size_t highest_ = 0;  // position in the order of the block that ended highest
};

/// Searches for a placement of a given size, depth first from the lowest offset to the highest.
/// Each block lies directly on those that it overlaps below, and at every moment the blocks not yet
/// placed must fit above the placed ones.
class exact_placer {
 public:
  constexpr exact_placer(table<storage_block>& blocks, std::int64_t size, std::uint64_t budget)
      : blocks_(blocks), size_(size), budget_(budget) {
    for (std::uint32_t i = 0; i < blocks.size(); ++i)
      if (blocks[i].bytes != 0) left_.push_back(i);
    low_.resize(blocks.size());
    // Sums are largest where some block begins.
    needed_.resize(left_.size());
    tops_.resize(left_.size());
    for (std::size_t m = 0; m < left_.size(); ++m) moments_.push_back(blocks[left_[m]].begin);
    for (std::size_t m = 0; m < moments_.size(); ++m)
      for (std::size_t k = 0; k < left_.size(); ++k)
        if (is_in_use(blocks[left_[k]], moments_[m])) needed_[m] += blocks[left_[k]].bytes;
  }

  /// True if it found a placement; the blocks then have their offsets.
  constexpr bool run() { return place(0); }

 private:
  static constexpr bool is_in_use(const storage_block& b, std::uint32_t moment) {
    return b.begin <= moment && moment <= b.end;
  }

  // Places the remaining blocks, none of them below `floor`.
  constexpr bool place(std::int64_t floor) {
    if (left_.empty()) return true;
    for (std::size_t m = 0; m < moments_.size(); ++m)
      if (needed_[m] != 0 && (tops_[m] < floor ? floor : tops_[m]) > size_ - needed_[m])
        return false;
    // The lowest first, ties to the longest-lived: each is tried at its lowest offset.
    table<std::uint32_t> tried(left_);
    stable_sort(tried, [this](std::uint32_t a, std::uint32_t b) {
      const storage_block &x = blocks_[a], &y = blocks_[b];
      return low_[a] != low_[b]                   ? low_[a] < low_[b]
             : x.end - x.begin != y.end - y.begin ? x.end - x.begin > y.end - y.begin
                                                  : x.bytes > y.bytes;
    });
    for (std::size_t k = 0; k < tried.size(); ++k) {
      const storage_block& b = blocks_[tried[k]];
      if (low_[tried[k]] < floor || low_[tried[k]] > size_ - b.bytes) continue;
      if (k != 0 && is_same(tried[k], tried[k - 1])) continue;
      if (budget_ < left_.size()) return false;
      budget_ -= left_.size();
      if (try_block(tried[k])) return true;
    }
    return false;
  }
  constexpr bool is_same(std::uint32_t a, std::uint32_t b) const {
    const storage_block &x = blocks_[a], &y = blocks_[b];
    return x.begin == y.begin && x.end == y.end && x.bytes == y.bytes && low_[a] == low_[b];
  }
  constexpr bool try_block(std::uint32_t i) {
    storage_block& b = blocks_[i];
    table<std::uint32_t> left = left_;
    table<std::int64_t> low = low_, needed = needed_, tops = tops_;
    b.offset = low_[i];
    const std::int64_t top = b.offset + b.bytes;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < left.size(); ++k) {
      const std::uint32_t other = left[k];
      if (other == i) continue;
      left_[kept++] = other;
      if (!blocks_[other].meets(b)) continue;
      const std::int64_t above = blocks_[other].aligned(top);
      if (low_[other] < above) low_[other] = above;
    }
    left_.resize(kept);
    for (std::size_t m = 0; m < moments_.size(); ++m) {
      if (!is_in_use(b, moments_[m])) continue;
      needed_[m] -= b.bytes;
      if (tops_[m] < top) tops_[m] = top;
    }
    if (place(b.offset)) return true;
    left_.swap(left);
    low_.swap(low);
    needed_.swap(needed);
    tops_.swap(tops);
    return false;
  }

  table<storage_block>& blocks_;
  std::int64_t size_;
  std::uint64_t budget_;
  table<std::uint32_t> left_;  // the blocks not yet placed
  table<std::int64_t> low_;    // by block: its lowest possible offset, above the placed blocks that
                               // it overlaps
  table<std::uint32_t> moments_;
  table<std::int64_t> needed_;  // by moment: the total size of the blocks in use and not yet placed
  table<std::int64_t> tops_;    // by moment: the lowest offset for those blocks
};

}  // namespace detail

/// Places blocks of storage so that no two in use at one moment share a byte. Returns the size of
/// the arena in bytes, or `INT64_MAX` if it exceeds 63 bits. `least`: the largest sum of blocks in
/// use at one moment, a lower bound on every placement.
///
/// This is dynamic storage allocation, which is NP-hard. The heuristics, in this order: first fit
/// by begin; if that exceeds `least`, first fit by decreasing size; a search for a placement of
/// size `least`, for up to 100 blocks; first fit again with the block that ended highest moved to
/// the front. All of it has a small fixed budget, so it also runs in constant evaluation, with the
/// same outcome. O(n · blocks in use at one moment). Source: Y. Pisarchyk, J. Lee, Efficient memory
/// management for deep neural net inference, 2020; D. Joslin, D. Clements, Squeaky wheel
/// optimization, 1999.
constexpr std::int64_t place_blocks(table<storage_block>& blocks, std::int64_t least) {
  constexpr std::size_t most_searched = 100, budget = 20'000;
  detail::greedy_placer greedy(blocks);
  std::int64_t size = greedy.by_begin();
  if (size <= least || size == INT64_MAX || greedy.meetings() > budget) return size;
  table<std::int64_t> best(blocks.size());
  const auto keep = [&] {
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = blocks[i].offset;
  };
  keep();
  const std::size_t round = greedy.meetings() + blocks.size();
  for (std::size_t left = budget;; left -= round) {
    if (const std::int64_t other = greedy.by_size(); other < size) {
      keep();
      size = other;
    }
    if (size > least && left == budget && blocks.size() <= most_searched)
      if (detail::exact_placer(blocks, least, budget / 2).run()) {
        keep();
        size = least;
      }
    if (size <= least || left < round) break;
  }
  for (std::size_t i = 0; i < best.size(); ++i) blocks[i].offset = best[i];
  return size;
}

}  // namespace wf
