// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/hash.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/layer_deadline.hpp>
#include <wf/map/schedule/layer_state.hpp>
#include <wf/map/schedule/project.hpp>
#include <wf/map/schedule/time_windows.hpp>
#include <wf/search/control.hpp>

namespace wf::detail {

/// Expands states; one instance for each concurrent part.
class layer_expander {
 public:
  table<word> records;                   ///< records of the children, contiguous
  table<table<std::uint32_t>> by_shard;  ///< offsets of the records, by shard
  search_counters counters;
  std::uint64_t steps = 0;  ///< elementary steps, as in `search_limits::max_steps`

  constexpr layer_expander(const project& p, const time_windows& w, const layer_deadline& limits,
                           std::uint32_t shards)
      : by_shard(shards),
        p_(p),
        w_(w),
        limits_(limits),
        ends_(limits.ends.size()),
        needed_(p.resources * ends_),
        growths_(p.resources * (ends_ + 1)),
        used_((p.size + std::size_t{1}) * p.resources),
        child_(layer_state::row + p.words + p.size) {}

  constexpr void clear() {
    records.clear();
    for (table<std::uint32_t>& list : by_shard) list.clear();
  }

  /// Appends the children of a state, which is the `parent`-th of its layer.
  constexpr void expand(const word* s, std::uint32_t parent) {
    ++counters.nodes;
    row_ = s + layer_state::row;
    runs_ = row_ + p_.words;
    run_count_ = layer_state::running(s);
    now_ = layer_state::time_of(s);
    if (!find_ready()) {
      ++counters.pruned;
      return;
    }
    sum_energies();
    const std::uint64_t all = std::uint64_t{p_.size} * needed_.size();
    steps += 1 + p_.size + all / 6;
    for (std::uint32_t i = 0; i < ready_.size(); ++i) {
      steps += ready_.size() / 2 + 1;
      if (is_dominated(i)) continue;
      steps += ready_.size() * (p_.resources + 1) + needed_.size() / 3 + 4;
      if (start(i)) {
        finish_child(parent, ready_[i].task);
      } else {
        ++counters.pruned;
      }
    }
  }

 private:
  struct candidate {
    std::uint32_t task = 0;
    std::int64_t start = 0;
  };
  struct growth {
    std::int64_t weight = 0, energy = 0;
  };
  static constexpr std::int64_t most_left = std::int64_t{1} << 60;

  /// Sums up the usage of the running tasks from the k-th on, for `fit`: [k · resources + r].
  constexpr void sum_uses(const word* runs, std::uint32_t count) {
    for (std::uint32_t r = 0; r < p_.resources; ++r) used_[count * p_.resources + r] = 0;
    for (std::uint32_t k = count; k-- > 0;)
      for (std::uint32_t r = 0; r < p_.resources; ++r)
        used_[k * p_.resources + r] =
            used_[(k + 1) * p_.resources + r] + p_.demand(layer_state::task_of(runs[k]), r);
  }
  /// The earliest time from `at` on at which a task fits beside the running ones, whose usage is
  /// summed up.
  constexpr std::int64_t fit(std::uint32_t task, std::int64_t at, const word* runs,
                             std::uint32_t count) const {
    std::uint32_t k = 0;
    for (;;) {
      while (k < count && layer_state::finish_of(runs[k]) <= at) ++k;
      bool fits = true;
      for (std::uint32_t r = 0; r < p_.resources && fits; ++r)
        fits = used_[k * p_.resources + r] <= p_.capacities[r] - p_.demand(task, r);
      if (fits) return at;
      at = layer_state::finish_of(runs[k]);
    }
  }

  constexpr bool is_ready(std::uint32_t task, const word* row) const {
    for (const std::uint32_t e : p_.earlier_than(task))
      if (!has_bit(row, e)) return false;
    return true;
  }

  constexpr std::int64_t released(std::uint32_t task, std::int64_t now, const word* runs,
                                  std::uint32_t count) const {
    std::int64_t at = now > w_.heads[task] ? now : w_.heads[task];
    for (std::uint32_t k = count; k-- > 0;) {
      const std::int64_t finish = layer_state::finish_of(runs[k]);
      if (finish <= at) break;
      if (has_bit(p_.successors_of(layer_state::task_of(runs[k])), task)) return finish;
    }
    return at;
  }

  /// Lists the tasks that may start next, with their times; false if one would start too late.
  constexpr bool find_ready() {
    ready_.clear();
    sum_uses(runs_, run_count_);
    for (std::uint32_t i = 0; i < p_.words; ++i) {
      for (word rest = waiting(i); rest != 0; rest &= rest - 1) {
        const std::uint32_t t = i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
        if (!is_ready(t, row_)) continue;
        const std::int64_t at = fit(t, released(t, now_, runs_, run_count_), runs_, run_count_);
        if (at > limits_.latest[t]) return false;
        ready_.push_back({t, at});
      }
    }
    return true;
  }

  /// The energies that all unstarted tasks need before each end. One pass over the tasks records
  /// the ends at which each contribution begins and ceases to grow, one over the ends adds them up.
  constexpr void sum_energies() {
    for (growth& g : growths_) g = {};
    for (std::uint32_t i = 0; i < p_.words; ++i)
      for (word rest = waiting(i); rest != 0; rest &= rest - 1) {
        const std::uint32_t t = i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::int64_t duration = p_.durations[t];
        for (std::uint32_t r = 0; r < p_.resources; ++r) {
          const std::int64_t weight = p_.weight(t, r);
          growth* const of = growths_.data() + r * (ends_ + 1);
          growth& from = of[limits_.first[t]];
          from.weight += weight;
          from.energy -= weight * limits_.latest[t];
          growth& to = of[limits_.last[t]];
          to.weight -= weight;
          to.energy += weight * (limits_.latest[t] + duration);
        }
      }
    for (std::uint32_t r = 0; r < p_.resources; ++r) {
      growth sum;
      for (std::size_t b = 0; b < ends_; ++b) {
        const growth& g = growths_[r * (ends_ + 1) + b];
        sum.weight += g.weight;
        sum.energy += g.energy;
        needed_[r * ends_ + b] = sum.weight * limits_.ends[b] + sum.energy;
      }
    }
  }
  /// The unstarted tasks of one word of the row.
  constexpr word waiting(std::uint32_t i) const {
    const word all =
        i + 1 == p_.words && p_.size % 64 != 0 ? (word{1} << p_.size % 64) - 1 : ~word{};
    return ~row_[i] & all;
  }

  /// True if candidate `i` is dominated: it suffices to start another one first.
  constexpr bool is_dominated(std::uint32_t i) const {
    const candidate a = ready_[i];
    const std::int64_t duration = p_.durations[a.task];
    for (std::uint32_t k = 0; k < ready_.size(); ++k) {
      const candidate b = ready_[k];
      if (k == i || b.start > a.start) continue;
      const std::int64_t other = p_.durations[b.task];
      // The other one can finish before this one starts.
      if (b.start + other <= a.start && (other != 0 || duration != 0 || k < i)) return true;
      // They can be exchanged: they are alike, and all successors of this one follow the other,
      // too.
      if (other != duration || duration == 0) continue;
      bool alike = true;
      for (std::uint32_t r = 0; r < p_.resources; ++r)
        alike = alike && p_.demand(a.task, r) == p_.demand(b.task, r);
      if (alike && follows_all(a.task, b.task) &&
          (k < i || !follows_all(b.task, a.task) || b.start < a.start))
        return true;
    }
    return false;
  }
  /// True if all direct successors of `a` are descendants of `b`.
  constexpr bool follows_all(std::uint32_t a, std::uint32_t b) const {
    const word *const direct = p_.successors_of(a), *const all = p_.descendants_of(b);
    for (std::uint32_t i = 0; i < p_.words; ++i)
      if (direct[i] & ~all[i]) return false;
    return true;
  }

  /// Builds the child in which a candidate starts; false if it cannot meet the deadline.
  constexpr bool start(std::uint32_t chosen) {
    const candidate c = ready_[chosen];
    std::int64_t now = c.start;
    const std::int64_t finish = now + p_.durations[c.task];
    word* const row = child_.data() + layer_state::row;
    word* const runs = row + p_.words;
    for (std::uint32_t i = 0; i < p_.words; ++i) row[i] = row_[i];
    set_bit(row, c.task);
    std::uint32_t count = 0;
    const word added = layer_state::run_of(finish, c.task);
    bool is_added = finish <= now;
    for (std::uint32_t k = 0; k < run_count_; ++k) {
      if (layer_state::finish_of(runs_[k]) <= now) continue;
      if (!is_added && added < runs_[k]) {
        runs[count++] = added;
        is_added = true;
      }
      runs[count++] = runs_[k];
    }
    if (!is_added) runs[count++] = added;
    sum_uses(runs, count);

    // The earliest next start: nothing happens before.
    std::int64_t next = unbounded;
    const auto look = [&](std::uint32_t task, std::int64_t at) {
      at = fit(task, at, runs, count);
      if (at < next) next = at;
      return at <= limits_.latest[task];
    };
    for (std::uint32_t i = 0; i < ready_.size(); ++i)
      if (i != chosen && !look(ready_[i].task, ready_[i].start > now ? ready_[i].start : now))
        return false;
    for (const std::uint32_t s : p_.later_than(c.task))
      if (is_ready(s, row) && !look(s, released(s, now, runs, count))) return false;
    if (next != unbounded && next > now) {
      now = next;
      std::uint32_t kept = 0;
      for (std::uint32_t k = 0; k < count; ++k)
        if (layer_state::finish_of(runs[k]) > now) runs[kept++] = runs[k];
      count = kept;
    }
    child_[layer_state::time] = static_cast<word>(now) << layer_state::task_bits | count;
    return has_energy(c.task, now, runs, count);
  }

  /// Energy check: for every resource and window end, the remaining capacity must suffice for the
  /// work before that end. Sets the priority: states with the most capacity left, that is, the
  /// least waste, come first.
  constexpr bool has_energy(std::uint32_t task, std::int64_t now, const word* runs,
                            std::uint32_t count) {
    std::size_t first = 0;
    while (first < ends_ && limits_.ends[first] <= now) ++first;
    std::int64_t left = 0;
    for (std::uint32_t r = 0; r < p_.resources; ++r) {
      const std::int64_t* const needed = needed_.data() + r * ends_;
      const std::int64_t* const own =
          limits_.energies.data() + (std::size_t{task} * p_.resources + r) * ends_;
      if (first != 0 && needed[first - 1] > own[first - 1]) return false;
      std::int64_t running = 0, ended = 0, slack = 0;
      for (std::uint32_t k = 0; k < count; ++k)
        running += p_.weight(layer_state::task_of(runs[k]), r);
      std::uint32_t k = 0;
      for (std::size_t b = first; b < ends_; ++b) {
        const std::int64_t end = limits_.ends[b];
        for (; k < count && layer_state::finish_of(runs[k]) <= end; ++k) {
          const std::int64_t weight = p_.weight(layer_state::task_of(runs[k]), r);
          running -= weight;
          ended += weight * (layer_state::finish_of(runs[k]) - now);
        }
        slack = (p_.room[r] - running) * (end - now) - ended - (needed[b] - own[b]);
        if (slack < 0) return false;
      }
      left += slack / p_.room[r] * 32 + slack % p_.room[r] / (p_.room[r] / 32 + 1);
      if (left > most_left) left = most_left;
    }
    child_[layer_state::priority] = static_cast<word>(-left);
    return true;
  }

  constexpr void finish_child(std::uint32_t parent, std::uint32_t task) {
    ++counters.generated;
    hasher h;
    for (std::uint32_t i = 0; i < p_.words; ++i) h.word(child_[layer_state::row + i]);
    word hash = h.value();
    hash = (hash ^ (hash >> 31)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
    child_[layer_state::hash] = hash;
    child_[layer_state::origin] = word{parent} << 32 | task;
    child_[layer_state::next] = layer_state::none;
    const std::size_t size = layer_state::row + p_.words + layer_state::running(child_.data());
    by_shard[static_cast<std::size_t>(hash >> 56) % by_shard.size()].push_back(
        static_cast<std::uint32_t>(records.size()));
    records.append(view<word>(child_.data(), size));
  }

  const project& p_;
  const time_windows& w_;
  const layer_deadline& limits_;
  std::size_t ends_;
  table<std::int64_t> needed_;  // [r · ends + b]: energy needed by all unstarted tasks
  table<growth> growths_;       // [r · (ends + 1) + b]
  table<std::int64_t> used_;
  table<word> child_;
  table<candidate> ready_;
  const word *row_ = nullptr, *runs_ = nullptr;
  std::uint32_t run_count_ = 0;
  std::int64_t now_ = 0;
};

}  // namespace wf::detail
