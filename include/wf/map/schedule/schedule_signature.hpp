// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/map/schedule/delay_facts.hpp>
#include <wf/map/schedule/partial_schedule.hpp>
#include <wf/map/schedule/start_bounds.hpp>

namespace wf::detail {

/// The state of a partial schedule as words: partial schedules with equal signatures have the same
/// completions below the deadline.
template <class Time>
class schedule_signature {
 public:
  /// Reserves the tables for a problem.
  constexpr explicit schedule_signature(const delay_facts<Time>& f)
      : row_order_(f.processors), row_hash_(f.processors) {}

  /// Appends the description to empty `words`; returns its hash. O(tasks · processors + edges).
  constexpr std::uint64_t describe(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                                   const start_bounds<Time>& b, table<std::uint32_t>& words) {
    for (const std::uint64_t word : s.done) append(words, word);
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < words.size(); ++i) hash = mix(hash ^ words[i]);
    if (!f.w.resources.empty()) {
      const std::size_t first = words.size();
      describe_running(f, s, b.now, words);
      for (std::size_t i = first; i < words.size(); ++i) hash = mix(hash ^ words[i]);
    }
    describe_rows(f, s, b);
    // Identical processors are interchangeable: their rows are sorted by their hashes.
    for (std::uint32_t p = 0; p < f.processors; ++p) {
      std::uint32_t at = p;
      for (; at > 0 && row_hash_[row_order_[at - 1]] > row_hash_[p]; --at)
        row_order_[at] = row_order_[at - 1];
      row_order_[at] = p;
    }
    for (std::uint32_t i = 0; i < f.processors; ++i) {
      const std::uint32_t p = row_order_[i];
      hash = mix(hash + row_hash_[p]);
      words.append(
          view<std::uint32_t>(row_words_).part(row_first_[p], row_first_[p + 1] - row_first_[p]));
    }
    return hash;
  }

  /// True if two processors are interchangeable in the state described last.
  constexpr bool are_alike(std::uint32_t p, std::uint32_t q) const {
    return row_hash_[q] == row_hash_[p] && is_same_row(p, q);
  }

 private:
  static constexpr Time never = delay_facts<Time>::never;
  static constexpr std::uint32_t no_task = delay_facts<Time>::no_task;
  using neighbour = typename delay_facts<Time>::neighbour;

  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    return x ^ x >> 32;
  }
  static constexpr void append(table<std::uint32_t>& words, std::uint64_t word) {
    words.push_back(static_cast<std::uint32_t>(word));
    words.push_back(static_cast<std::uint32_t>(word >> 32));
  }
  static constexpr void append_time(table<std::uint32_t>& words, Time time, std::uint32_t flags) {
    // Times are below 2^29, or below 2^61.
    const auto word = static_cast<std::uint64_t>(time) << 2 | flags;
    words.push_back(static_cast<std::uint32_t>(word));
    if constexpr (sizeof(Time) > 4) words.push_back(static_cast<std::uint32_t>(word >> 32));
  }
  constexpr void describe_running(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                                  Time now, table<std::uint32_t>& words) const {
    for (std::uint32_t t = 0; t < f.count; ++t)
      if (s.is_running(t, now)) {
        words.push_back(t);
        append_time(words, s.placed[t].finish, 0);
      }
    words.push_back(no_task);
  }

  // Describes each processor by its first possible start, and by the start and limit there of each
  // task that the past affects.
  constexpr void describe_rows(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                               const start_bounds<Time>& b) {
    touched_.clear();
    s.each_undone(f, [&](std::uint32_t t) {
      bool touched = s.waiting[t] == 0;
      for (const neighbour& e : f.earlier_than(t)) touched = touched || s.is_done(e.task);
      if (touched) touched_.push_back(t);
    });
    row_words_.clear();
    row_first_.clear();
    for (std::uint32_t p = 0; p < f.processors; ++p) {
      const std::size_t first = row_words_.size();
      row_first_.push_back(first);
      row_words_.push_back(f.kind[p]);
      append_time(row_words_, b.first_start[p], 0);
      if (b.first_start[p] != never) {
        for (const std::uint32_t t : touched_) {
          const std::size_t at = std::size_t{t} * f.processors + p;
          if (b.starts[at] == never) {
            append_time(row_words_, never, 0);
            continue;
          }
          const bool limited = b.limits[at] < b.deadline - f.tails[t] - f.duration(t, p);
          append_time(row_words_, b.starts[at], (b.held_back[at] ? 2u : 0u) | (limited ? 1u : 0u));
          if (limited) append_time(row_words_, b.limits[at], 0);
        }
      }
      std::uint64_t hash = 0;
      for (std::size_t i = first; i < row_words_.size(); ++i) hash = mix(hash * 31 + row_words_[i]);
      row_hash_[p] = hash;
    }
    row_first_.push_back(row_words_.size());
  }
  constexpr bool is_same_row(std::uint32_t p, std::uint32_t q) const {
    const std::size_t size = row_first_[p + 1] - row_first_[p];
    if (row_first_[q + 1] - row_first_[q] != size) return false;
    for (std::size_t i = 0; i < size; ++i)
      if (row_words_[row_first_[p] + i] != row_words_[row_first_[q] + i]) return false;
    return true;
  }

  table<std::uint32_t> touched_, row_words_, row_order_;
  table<std::size_t> row_first_;
  table<std::uint64_t> row_hash_;
};

}  // namespace wf::detail
