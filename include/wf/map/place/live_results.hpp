// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/map/array/cost_model.hpp>
#include <wf/map/array/pe_array.hpp>
#include <wf/search/control.hpp>

namespace wf {

/// A shortage of memory that prevented the placement of an operator: it needs `needed` bytes in
/// each PE of `where`, but only `left` are free beside the results that are still to be read.
/// `op` is UINT32_MAX if there was none.
struct shortage {
  std::uint32_t op = UINT32_MAX;  ///< index into the prepared operators
  rectangle where;                ///< rectangle on which the shortage was least
  std::int64_t needed = 0;        ///< bytes in each PE of `where`
  std::int64_t left = 0;  ///< bytes free in each PE beside results that are still to be read
};

/// A result that occupies PEs until the cycle `until`.
struct live_result {
  std::uint32_t op = 0;    ///< its prepared operator
  rectangle where;         ///< its PEs
  std::int64_t bytes = 0;  ///< in each of its PEs
  std::int64_t until = 0;  ///< cycle at which the buffer is free
};

/// The live results of a state of the search, and when there is room beside them. Remembers the
/// least shortage it met.
class live_results {
 public:
  /// Removes every result; the shortage stays.
  constexpr void clear() {
    results_.clear();
    bytes_ = 0;
  }
  /// Adds a result to those of the state. O(1).
  constexpr void add(const live_result& l) {
    results_.push_back(l);
    bytes_ = saturating_add(bytes_, l.bytes);
  }
  /// Removes the results that are free at a cycle. O(results).
  constexpr void remove_until(std::int64_t now) {
    std::size_t kept = 0;
    for (const live_result& l : results_)
      if (l.until > now) results_[kept++] = l;
    results_.resize(kept);
    bytes_ = 0;
    for (const live_result& l : results_) bytes_ = saturating_add(bytes_, l.bytes);
  }
  /// The results, in the order of their placements.
  constexpr table<live_result>& results() { return results_; }
  /// The results, in the order of their placements.
  constexpr const table<live_result>& results() const { return results_; }

  /// The first cycle from `start` on at which an operator that needs some bytes in each PE of `r`
  /// fits beside the live results, except the one of operator `over`, into PEs of `memory` bytes;
  /// `unbounded`, with the shortage noted, if it never does. O(PEs of the rectangle · results)
  /// for each cycle at which a result is given up.
  constexpr std::int64_t when_it_fits(std::uint32_t op, const rectangle& r, std::int64_t needed,
                                      std::int64_t memory, std::uint32_t over, std::int64_t start) {
    const std::int64_t room = memory - needed;
    if (bytes_ <= room) return start;
    for (;;) {
      std::int64_t sum = 0, next = unbounded;
      for (const live_result& l : results_) {
        if (l.until <= start || l.bytes == 0 || l.op == over || !overlap(l.where, r)) continue;
        sum += l.bytes;
        next = detail::lesser(next, l.until);
      }
      steps_ += results_.size();
      if (sum <= room) return start;
      const std::int64_t most = fullest(r, over, start);
      if (most <= room) return start;
      if (next == unbounded) {
        note({op, r, needed, memory - most});
        return unbounded;
      }
      start = next;
    }
  }
  /// Keeps the lesser one of a shortage and the least one so far.
  constexpr void note(const shortage& s) {
    if (least_.op == UINT32_MAX || s.needed - s.left < least_.needed - least_.left) least_ = s;
  }
  /// The smallest shortage of memory met so far; its `op` is UINT32_MAX if there was none.
  constexpr const shortage& least_shortage() const { return least_; }
  /// Number of elementary steps so far, for limits in constant evaluation.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// The maximum bytes of live results, except one, in a PE of the rectangle at a cycle.
  constexpr std::int64_t fullest(const rectangle& r, std::uint32_t left_out, std::int64_t at) {
    std::int64_t most = 0;
    for (std::int32_t y = r.row; y < r.row + r.rows; ++y)
      for (std::int32_t x = r.column; x < r.column + r.columns; ++x) {
        std::int64_t sum = 0;
        for (const live_result& l : results_)
          if (l.until > at && l.op != left_out && l.where.contains(y, x)) sum += l.bytes;
        most = detail::larger(most, sum);
      }
    steps_ += static_cast<std::uint64_t>(r.area()) * results_.size();
    return most;
  }

  table<live_result> results_;
  std::int64_t bytes_ = 0;  // sum over all results: an upper bound for any PE
  std::uint64_t steps_ = 0;
  shortage least_;
};

}  // namespace wf
