// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/partial_selection.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// The closure of partial selections: the must sets make classes needed, and a candidate that would
/// close a cycle of decided classes is dropped.
class selection_closure {
 public:
  constexpr explicit selection_closure(const reduced_selection& reduced)
      : r_(reduced), row_(reduced.words), seen_(reduced.words) {}

  /// Extends the needed classes to a fixpoint and drops candidates that close cycles; false if a
  /// needed class has no candidate left.
  constexpr bool close(partial_selection& s) {
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t w = 0; w < r_.words; ++w)
        for (word rest = s.needed[w]; rest != 0; rest &= rest - 1) {
          const std::uint32_t k = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
          if (r_.block_last[k] - r_.block_first[k] > 1 && drop_cycles(s, k)) again = true;
          if (!gather_musts(s, k)) return false;
          for (std::uint32_t i = 0; i < r_.words; ++i) {
            again = again || (row_[i] & ~s.needed[i]) != 0;
            s.needed[i] |= row_[i];
          }
        }
    }
    return true;
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// Sets row_ to the classes that every live candidate of a class needs; false if none is live.
  constexpr bool gather_musts(const partial_selection& s, std::uint32_t k) {
    bool any = false;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!s.is_alive(n)) continue;
      const std::uint32_t begin = r_.child_first[n], end = r_.child_first[n + 1];
      steps_ += 1 + end - begin;
      bool empty = true;
      for (std::uint32_t w = 0; w < r_.words; ++w) {
        word united = 0;
        for (std::uint32_t i = begin; i < end; ++i) united |= r_.must_of(r_.child[i])[w];
        row_[w] = any ? row_[w] & united : united;
        empty = empty && row_[w] == 0;
      }
      any = true;
      if (empty) break;  // nothing can be common to all
    }
    return any;
  }

  /// Drops candidates of a needed class with a child from which decided classes lead back to it.
  constexpr bool drop_cycles(partial_selection& s, std::uint32_t k) {
    bool dropped = false;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!s.is_alive(n)) continue;
      for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i) {
        if (r_.block_first[r_.child[i]] != r_.block_first[k] || !leads_to(s, r_.child[i], k))
          continue;
        clear_bit(s.alive.data(), n);
        dropped = true;
        break;
      }
    }
    return dropped;
  }

  /// True if decided candidates lead from one class to another of its component.
  constexpr bool leads_to(const partial_selection& s, std::uint32_t from, std::uint32_t to) {
    if (from == to) return true;
    stack_.clear();
    for (std::uint32_t w = 0; w < r_.words; ++w) seen_[w] = 0;
    stack_.push_back(from);
    set_bit(seen_.data(), from);
    while (!stack_.empty()) {
      const std::uint32_t n = s.decided(r_, stack_.back());
      stack_.pop_back();
      if (n == no_candidate) continue;
      for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i) {
        const std::uint32_t c = r_.child[i];
        ++steps_;
        if (c == to) return true;
        if (r_.block_first[c] != r_.block_first[to] || has_bit(seen_.data(), c)) continue;
        set_bit(seen_.data(), c);
        stack_.push_back(c);
      }
    }
    return false;
  }

  const reduced_selection& r_;
  std::uint64_t steps_ = 0;
  table<std::uint32_t> stack_;
  table<word> row_, seen_;
};

}  // namespace wf::detail
