// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/layer_state.hpp>
#include <wf/map/schedule/project.hpp>
#include <wf/map/schedule/time_windows.hpp>

namespace wf::detail {

/// A shard of the next layer: the states with certain hashes.
class layer_shard {
 public:
  table<word> records;   ///< contiguous records; some are dropped
  std::size_t live = 0;  ///< number of states that are not dropped
  std::size_t dead = 0;  ///< number of dropped states
  std::uint64_t duplicates = 0;

  constexpr layer_shard(const project& p, const time_windows& w) : p_(&p), w_(&w) {}
  constexpr layer_shard() = default;

  constexpr void clear() {
    records.clear();
    live = dead = heads_ = 0;
    slots_.clear();
  }

  constexpr std::size_t size_of(const word* s) const {
    return layer_state::row + p_->words + layer_state::running(s);
  }
  constexpr layer_key key_of(const word* s) const {
    hasher h;
    h.word(s[layer_state::hash]).word(s[layer_state::time]);
    for (std::size_t i = layer_state::row + p_->words; i < size_of(s); ++i) h.word(s[i]);
    const word mixed = h.value() * 0x9e3779b97f4a7c15ULL;
    return {static_cast<std::int64_t>(s[layer_state::priority]), mixed ^ mixed >> 32};
  }
  /// True if the key of a state lies in the window.
  constexpr bool is_in(const layer_window& window, const word* s) const {
    const auto priority = static_cast<std::int64_t>(s[layer_state::priority]);
    if (priority < window.low.priority || priority > window.high.priority) return false;
    if (priority > window.low.priority && priority < window.high.priority) return true;
    const layer_key key = key_of(s);
    return !(key < window.low) && key < window.high;
  }

  /// Inserts a state of the window unless a present one dominates it; drops those that it
  /// dominates.
  constexpr void add(const word* s, const layer_window& window) {
    if (!is_in(window, s)) return;
    if (2 * (heads_ + 1) > slots_.size()) grow();
    const std::size_t at = slot_of(s);
    std::uint32_t before = layer_state::none;
    for (std::uint32_t i = slots_[at]; i != layer_state::none;) {
      word* const other = records.data() + i;
      const auto after = static_cast<std::uint32_t>(other[layer_state::next]);
      if (may_dominate(other, s) && dominates(other, s)) {
        ++duplicates;
        return;
      }
      if (may_dominate(s, other) && dominates(s, other)) {
        ++duplicates;
        --live;
        ++dead;
        other[layer_state::priority] = layer_state::dropped;
        if (before == layer_state::none)
          slots_[at] = after;
        else
          records[before + layer_state::next] = after;
        if (slots_[at] == layer_state::none) --heads_;
      } else {
        before = i;
      }
      i = after;
    }
    const auto added = static_cast<std::uint32_t>(records.size());
    records.append(view<word>(s, size_of(s)));
    if (slots_[at] == layer_state::none) ++heads_;
    records[added + layer_state::next] = slots_[at];
    slots_[at] = added;
    ++live;
  }

  /// Removes the states for which `keep(record)` is false, and the dropped ones.
  template <class Keep>
  constexpr void filter(Keep&& keep) {
    std::size_t to = 0;
    for (std::size_t at = 0; at < records.size();) {
      const std::size_t size = size_of(records.data() + at);
      if (records[at + layer_state::priority] != layer_state::dropped &&
          keep(records.data() + at)) {
        for (std::size_t i = 0; i < size; ++i) records[to + i] = records[at + i];
        to += size;
      }
      at += size;
    }
    while (records.size() > to) records.pop_back();
    index();
  }

  /// Calls `f(record)` for each state that is not dropped.
  template <class F>
  constexpr void each(F&& f) const {
    for (std::size_t at = 0; at < records.size();) {
      const word* const s = records.data() + at;
      if (s[layer_state::priority] != layer_state::dropped) f(s);
      at += size_of(s);
    }
  }

 private:
  constexpr bool same_row(const word* a, const word* b) const {
    if (a[layer_state::hash] != b[layer_state::hash]) return false;
    for (std::uint32_t i = 0; i < p_->words; ++i)
      if (a[layer_state::row + i] != b[layer_state::row + i]) return false;
    return true;
  }
  /// The slot of the states with the same row as `s`, or a free one.
  constexpr std::size_t slot_of(const word* s) const {
    const auto ends = [&](std::uint32_t slot) {
      return slot == layer_state::none || same_row(records.data() + slot, s);
    };
    return probe(view<std::uint32_t>(slots_), static_cast<std::size_t>(s[layer_state::hash]), ends);
  }
  constexpr void grow() {
    const std::size_t size = slots_.empty() ? 16 : 2 * slots_.size();
    slots_.clear();
    for (std::size_t i = 0; i < size; ++i) slots_.push_back(layer_state::none);
    reindex();
  }
  constexpr void index() {
    for (std::uint32_t& slot : slots_) slot = layer_state::none;
    if (!slots_.empty()) reindex();
  }
  constexpr void reindex() {
    heads_ = live = dead = 0;
    for (std::size_t at = 0; at < records.size();) {
      word* const s = records.data() + at;
      if (s[layer_state::priority] != layer_state::dropped) {
        std::uint32_t& slot = slots_[slot_of(s)];
        heads_ += slot == layer_state::none;
        s[layer_state::next] = slot;
        slot = static_cast<std::uint32_t>(at);
        ++live;
      } else {
        ++dead;
      }
      at += size_of(s);
    }
  }

  /// A necessary condition, quickly tested: the dominating state is no later and has no less
  /// capacity left.
  static constexpr bool may_dominate(const word* a, const word* b) {
    return layer_state::time_of(a) <= layer_state::time_of(b) &&
           static_cast<std::int64_t>(a[layer_state::priority]) <=
               static_cast<std::int64_t>(b[layer_state::priority]);
  }
  /// Dominance: every completion of state `b` is one of state `a` with the same started tasks, at
  /// the same times, since `a` is no later, never uses more, and delays no task longer.
  constexpr bool dominates(const word* a, const word* b) const {
    const std::int64_t now = layer_state::time_of(b);
    if (layer_state::time_of(a) > now) return false;
    const std::uint32_t a_count = layer_state::running(a), b_count = layer_state::running(b);
    const word *const a_runs = a + layer_state::row + p_->words, *const b_runs = b +
                                                                                 layer_state::row +
                                                                                 p_->words;
    for (std::uint32_t r = 0; r < p_->resources; ++r) {
      std::int64_t free = 0;  // usage of b minus usage of a at a time
      std::uint32_t m = b_count;
      for (std::uint32_t k = a_count; k-- > 0;) {
        const std::int64_t finish = layer_state::finish_of(a_runs[k]);
        if (finish <= now) break;
        free -= p_->demand(layer_state::task_of(a_runs[k]), r);
        for (; m > 0 && layer_state::finish_of(b_runs[m - 1]) >= finish; --m)
          free += p_->demand(layer_state::task_of(b_runs[m - 1]), r);
        if (free < 0) return false;
      }
    }
    for (std::uint32_t k = a_count; k-- > 0;) {
      const std::int64_t finish = layer_state::finish_of(a_runs[k]);
      if (finish <= now) break;
      const std::uint32_t task = layer_state::task_of(a_runs[k]);
      bool earlier = false;
      for (std::uint32_t m = 0; m < b_count && !earlier; ++m)
        earlier =
            layer_state::task_of(b_runs[m]) == task && layer_state::finish_of(b_runs[m]) >= finish;
      if (earlier) continue;
      for (const std::uint32_t s : p_->later_than(task))
        if (!starts_from(b, now, s, finish)) return false;
    }
    return true;
  }

  /// True if in state `b` a task cannot start before `from`.
  constexpr bool starts_from(const word* b, std::int64_t now, std::uint32_t task,
                             std::int64_t from) const {
    if (w_->heads[task] >= from) return true;
    const word* const row = b + layer_state::row;
    const word* const runs = row + p_->words;
    for (const std::uint32_t e : p_->earlier_than(task)) {
      if (!has_bit(row, e)) {
        const std::int64_t head = w_->heads[e] > now ? w_->heads[e] : now;
        if (head + p_->durations[e] >= from) return true;
        continue;
      }
      for (std::uint32_t m = layer_state::running(b); m-- > 0;) {
        if (layer_state::finish_of(runs[m]) < from) break;
        if (layer_state::task_of(runs[m]) == e) return true;
      }
    }
    return false;
  }

  const project* p_ = nullptr;
  const time_windows* w_ = nullptr;
  table<std::uint32_t> slots_;  // first state of each row
  std::size_t heads_ = 0;
};

}  // namespace wf::detail
