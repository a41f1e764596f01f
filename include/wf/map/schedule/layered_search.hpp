// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/box.hpp>
#include <wf/core/container/hash.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/project.hpp>
#include <wf/map/schedule/time_windows.hpp>
#include <wf/search/control.hpp>

namespace wf::detail {

/// The outcome of a pass of a layered search.
enum class layer_end : std::uint8_t {
  found,      ///< a schedule meets the deadline
  refuted,    ///< no schedule meets it
  truncated,  ///< no schedule was found, but states were left out
  stopped,    ///< stopped by the caller or a limit
};

// Layout of a state in a table of words: hash, priority, origin (parent and task), time and number
// of running tasks, next state of the same row, the row of bits of started tasks, and the running
// tasks (finish · 2^12 + task) in ascending order.
struct layer_state {
  static constexpr std::size_t hash = 0, priority = 1, origin = 2, time = 3, next = 4, row = 5;
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr unsigned task_bits = 12;
  static constexpr word task_mask = (word{1} << task_bits) - 1;
  static constexpr word dropped = INT64_MAX;  // priority of a dominated state

  static constexpr std::int64_t finish_of(word run) {
    return static_cast<std::int64_t>(run >> task_bits);
  }
  static constexpr std::uint32_t task_of(word run) {
    return static_cast<std::uint32_t>(run & task_mask);
  }
  static constexpr word run_of(std::int64_t finish, std::uint32_t task) {
    return static_cast<word>(finish) << task_bits | task;
  }
  static constexpr std::int64_t time_of(const word* s) {
    return static_cast<std::int64_t>(s[time] >> task_bits);
  }
  static constexpr std::uint32_t running(const word* s) {
    return static_cast<std::uint32_t>(s[time] & task_mask);
  }
};

/// The sort key of the states of a layer: priority, then a hash of the state as a pseudorandom but
/// deterministic tie-breaker.
struct layer_key {
  std::int64_t priority = 0;
  word tie = 0;

  friend constexpr bool operator==(const layer_key&, const layer_key&) = default;
  friend constexpr bool operator<(const layer_key& a, const layer_key& b) {
    return a.priority != b.priority ? a.priority < b.priority : a.tie < b.tie;
  }
};

/// The key interval [low, high) of the states of a layer that a pass visits.
struct layer_window {
  layer_key low{INT64_MIN, 0}, high{INT64_MAX, 0};

  constexpr bool is_cut() const { return high.priority != INT64_MAX; }
};

/// The state-independent consequences of a deadline: latest start times of tasks, and the energies
/// they need before certain times.
struct layer_deadline {
  std::int64_t deadline = 0;
  bool refuted = false;        ///< true if some window is too short
  table<std::int64_t> latest;  ///< latest start time of each task
  table<std::int64_t> ends;    ///< window ends, ascending; at most `most_ends` of them
  /// For each task, the index of the first end after its latest start, and of the first one not
  /// before the end of its window.
  table<std::uint32_t> first, last;
  table<std::int64_t> energies;  ///< [(t · resources + r) · ends + b]: least energy before ends[b]

  constexpr layer_deadline(const project& p, const time_windows& w, std::int64_t d,
                           std::size_t most_ends)
      : deadline(d) {
    for (std::uint32_t t = 0; t < p.size; ++t) {
      latest.push_back(d - w.tails[t] - p.durations[t]);
      if (w.heads[t] > latest[t]) refuted = true;
      ends.push_back(d - w.tails[t]);
    }
    if (refuted) return;
    stable_sort(ends, [](std::int64_t a, std::int64_t b) { return a < b; });
    std::size_t kept = 0;
    for (const std::int64_t time : ends)
      if (kept == 0 || ends[kept - 1] != time) ends[kept++] = time;
    if (const std::size_t count = kept; count > most_ends) {
      kept = 0;
      for (std::size_t i = 1; i <= most_ends; ++i) ends[kept++] = ends[i * count / most_ends - 1];
    }
    while (ends.size() > kept) ends.pop_back();
    for (std::uint32_t t = 0; t < p.size; ++t) {
      std::uint32_t at = 0;
      while (at < ends.size() && ends[at] <= latest[t]) ++at;
      first.push_back(at);
      while (at < ends.size() && ends[at] < latest[t] + p.durations[t]) ++at;
      last.push_back(at);
    }
    energies.reserve(std::size_t{p.size} * p.resources * ends.size());
    for (std::uint32_t t = 0; t < p.size; ++t)
      for (std::uint32_t r = 0; r < p.resources; ++r)
        for (const std::int64_t end : ends) {
          std::int64_t inside = end - latest[t];
          if (inside > p.durations[t]) inside = p.durations[t];
          energies.push_back(inside > 0 ? inside * p.weight(t, r) : 0);
        }
  }
};

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
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(s[layer_state::hash]) & mask;
    while (slots_[at] != layer_state::none && !same_row(records.data() + slots_[at], s))
      at = (at + 1) & mask;
    return at;
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

/// Searches a project for a schedule that meets a deadline. Layer k holds the states in which k
/// tasks have started, in the order of their starts, each as early as it fits after the others. A
/// state consists of the started tasks and the running tasks with their finish times; of the states
/// with the same started tasks only the non-dominated ones are kept. States are pruned if some task
/// would start too late, or the capacity left of some resource does not suffice for the work due
/// before some time. If a layer exceeds the given width, only the states with the least waste are
/// kept; such a pass refutes nothing.
///
/// A pass without such cuts visits every relevant state once: dynamic programming over the sets of
/// started tasks. With cuts it is a beam search; passes of growing width are a complete anytime
/// search. Sources: Held, Karp and Shareshian, 1963 (dynamic programming over sets); Demeulemeester
/// and Herroelen, "A branch-and-bound procedure for the multiple resource-constrained project
/// scheduling problem", Management Science 1992 (states described by running tasks, the cutset
/// rule); Zhang, "Complete anytime beam search", AAAI 1998.
class layered_search {
 public:
  /// Both must outlive the search; the project has rows of bits and at most 4095 tasks.
  constexpr layered_search(const project& p, const time_windows& w) : p_(p), w_(w) {}

  /// Largest number of tasks of a project.
  static constexpr std::uint32_t most_tasks = 4095;

  /// Approximate upper bound on the bytes of a pass per state of a layer.
  static constexpr std::size_t bytes_per_state(const project& p) {
    std::size_t running = p.size;
    for (std::uint32_t r = 0; r < p.resources; ++r) {
      table<std::int64_t> least;
      for (std::uint32_t t = 0; t < p.size; ++t) least.push_back(p.demand(t, r));
      stable_sort(least, [](std::int64_t a, std::int64_t b) { return a < b; });
      std::int64_t left = p.capacities[r];
      std::size_t count = 0;
      while (count < p.size && least[count] <= left) left -= least[count++];
      if (count < running) running = count;
    }
    return 12 * sizeof(word) * (layer_state::row + p.words + running) + 8 * p.size + 64;
  }
  /// Approximate bytes of a pass besides its states.
  static constexpr std::size_t fixed_bytes(const project& p, std::size_t ends) {
    return sizeof(std::int64_t) * p.size * p.resources * ends;
  }

  /// One pass that keeps at most `width` states of each layer and uses at most `most_ends` window
  /// ends. `go_on(nodes, steps, waiting)`, with totals of all passes, is called from time to time;
  /// false stops the pass.
  template <class Executor, class Ask>
  constexpr layer_end pass(std::int64_t deadline, std::size_t width, std::size_t most_ends,
                           Executor& executor, Ask&& go_on) {
    windows_.clear();
    windows_.resize(p_.size);
    return walk(deadline, width, most_ends, executor, go_on);
  }

  /// Beam-stack search: passes that keep `width` states of each layer at a time, until all states
  /// were visited: `found`, `refuted` or `stopped`. A pass records the least key of the states it
  /// leaves out of a layer; the next ones repeat the layers above, and take the states from that
  /// key on. A state dominated by one that a pass left out may be missing in that pass: the
  /// dominating state comes later. Source: Zhou and Hansen, "Beam-stack search: integrating
  /// backtracking with beam search", ICAPS 2005.
  template <class Executor, class Ask>
  constexpr layer_end exhaust(std::int64_t deadline, std::size_t width, std::size_t most_ends,
                              Executor& executor, Ask&& go_on) {
    windows_.clear();
    windows_.resize(p_.size);
    for (;;) {
      const layer_end end = walk(deadline, width, most_ends, executor, go_on);
      if (end == layer_end::found || end == layer_end::stopped) return end;
      std::size_t layer = windows_.size();
      while (layer > 0 && !windows_[layer - 1].is_cut()) --layer;
      if (layer == 0) return layer_end::refuted;
      windows_[layer - 1].low = windows_[layer - 1].high;
      windows_[layer - 1].high = layer_window().high;
      for (; layer < windows_.size(); ++layer) windows_[layer] = {};
    }
  }

  /// The tasks in the order of their starts in the schedule found; valid after `found`.
  constexpr const table<std::uint32_t>& order() const { return order_; }
  /// Counters of all passes.
  constexpr const search_counters& counters() const { return counters_; }
  /// Elementary steps of all passes, as in `search_limits::max_steps`.
  constexpr std::uint64_t steps() const { return steps_; }
  /// Largest number of states in a layer of the last pass.
  constexpr std::size_t widest() const { return widest_; }
  /// Number of states of all layers of the last pass, before cuts.
  constexpr std::uint64_t met() const { return met_; }

 private:
  static constexpr std::uint32_t most_parts = 16;
  static constexpr std::size_t share = 128;  // states that a part expands per round

  template <class Executor, class Ask>
  constexpr layer_end walk(std::int64_t deadline, std::size_t width, std::size_t most_ends,
                           Executor& executor, Ask&& go_on) {
    truncated_ = false;
    widest_ = 1;
    met_ = 0;
    const layer_deadline limits(p_, w_, deadline, most_ends);
    if (limits.refuted) return layer_end::refuted;
    const std::uint32_t parts = width < 128 ? 1 : most_parts;
    shards_.clear();
    for (std::uint32_t i = 0; i < parts; ++i) shards_.push_back(layer_shard(p_, w_));
    table<box<layer_expander>> team;
    for (std::uint32_t i = 0; i < parts; ++i)
      team.push_back(make_box<layer_expander>(p_, w_, limits, parts));
    history_.clear();
    current_.clear();
    begins_.clear();
    for (std::uint32_t i = 0; i < layer_state::row + p_.words; ++i) current_.push_back(0);
    begins_.push_back(0);

    layer_end end = layer_end::found;
    for (std::uint32_t layer = 0; layer < p_.size && end == layer_end::found; ++layer) {
      for (layer_shard& s : shards_) s.clear();
      for (std::size_t first = 0; first < begins_.size(); first += parts * share) {
        std::uint64_t nodes = counters_.nodes, steps = steps_;
        for (const box<layer_expander>& e : team) {
          nodes += e->counters.nodes;
          steps += e->steps;
        }
        if (!go_on(nodes, steps, begins_.size() - first)) {
          end = layer_end::stopped;
          break;
        }
        const std::size_t used = (begins_.size() - first + share - 1) / share;
        executor(used < parts ? used : parts, [&](std::size_t i) {
          layer_expander& e = *team[i];
          e.clear();
          for (std::size_t at = first + i * share;
               at < first + (i + 1) * share && at < begins_.size(); ++at)
            e.expand(current_.data() + begins_[at], static_cast<std::uint32_t>(at));
        });
        executor(parts, [&](std::size_t s) {
          for (std::size_t i = 0; i < parts && i < used; ++i)
            for (const std::uint32_t at : team[i]->by_shard[s])
              shards_[s].add(team[i]->records.data() + at, windows_[layer]);
        });
        std::size_t held = 0;
        for (const layer_shard& s : shards_) held += s.live + s.dead;
        if (held > 3 * width + 64) cut(width, windows_[layer]);
      }
      if (end != layer_end::found) break;
      cut(width, windows_[layer]);
      advance();
      if (begins_.empty()) end = truncated_ ? layer_end::truncated : layer_end::refuted;
    }
    for (const box<layer_expander>& e : team) {
      counters_.add(e->counters);
      steps_ += e->steps;
    }
    for (const layer_shard& s : shards_) counters_.duplicates += s.duplicates;
    if (counters_.most_open < widest_) counters_.most_open = widest_;
    if (end == layer_end::found) trace();
    release(shards_);
    release(current_);
    release(begins_);
    release(history_);
    return end;
  }

  template <class T>
  static constexpr void release(table<T>& list) {
    table<T> none;
    list.swap(none);
  }

  /// Keeps the `width` states with the least keys, and lowers the window's end to the first key cut
  /// off.
  constexpr void cut(std::size_t width, layer_window& window) {
    std::size_t live = 0;
    for (const layer_shard& s : shards_) live += s.live;
    if (live > width) {
      table<layer_key> keys;
      keys.reserve(live);
      for (const layer_shard& s : shards_)
        s.each([&](const word* state) { keys.push_back(s.key_of(state)); });
      truncated_ = true;
      counters_.pruned += live - width;
      met_ += live - width;
      window.high = select(keys, width);
    }
    for (layer_shard& s : shards_)
      if (live > width || s.dead > s.live)
        s.filter([&](const word* state) { return s.is_in(window, state); });
  }

  /// Quickselect: the key at `rank` of the sorted list; reorders the list. Expected O(size).
  static constexpr layer_key select(table<layer_key>& list, std::size_t rank) {
    std::size_t first = 0, end = list.size();
    const auto exchange = [&](std::size_t a, std::size_t b) {
      const layer_key kept = list[a];
      list[a] = list[b];
      list[b] = kept;
    };
    for (;;) {
      const layer_key a = list[first], b = list[first + (end - first) / 2], c = list[end - 1];
      layer_key pivot = a < b ? b : a;  // median of three
      if (c < pivot) pivot = a < b ? (a < c ? c : a) : (b < c ? c : b);
      std::size_t less = first, at = first, more = end;
      while (at < more) {
        if (list[at] < pivot)
          exchange(at++, less++);
        else if (pivot < list[at])
          exchange(at, --more);
        else
          ++at;
      }
      if (rank < less)
        end = less;
      else if (rank >= more)
        first = more;
      else
        return pivot;
    }
  }

  /// Makes the states of the shards the current layer.
  constexpr void advance() {
    current_.clear();
    begins_.clear();
    history_.push_back({});
    table<word>& origins = history_.back();
    std::size_t live = 0;
    for (const layer_shard& s : shards_) live += s.live;
    origins.reserve(live);
    for (const layer_shard& s : shards_)
      s.each([&](const word* state) {
        begins_.push_back(static_cast<std::uint32_t>(current_.size()));
        origins.push_back(state[layer_state::origin]);
        current_.append(view<word>(state, s.size_of(state)));
      });
    if (begins_.size() > widest_) widest_ = begins_.size();
    met_ += begins_.size();
  }

  /// Traces the best state of the last layer back to the root.
  constexpr void trace() {
    std::size_t best = 0;
    std::int64_t least = unbounded;
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const word* const s = current_.data() + begins_[i];
      std::int64_t end = layer_state::time_of(s);
      if (const std::uint32_t running = layer_state::running(s); running != 0)
        end = layer_state::finish_of(s[layer_state::row + p_.words + running - 1]);
      if (end < least) {
        least = end;
        best = i;
      }
    }
    order_.clear();
    order_.resize(p_.size);
    for (std::uint32_t layer = p_.size; layer-- > 0;) {
      const word origin = history_[layer][best];
      order_[layer] = static_cast<std::uint32_t>(origin);
      best = static_cast<std::size_t>(origin >> 32);
    }
  }

  const project& p_;
  const time_windows& w_;
  table<layer_shard> shards_;
  table<word> current_;          // states of the current layer
  table<std::uint32_t> begins_;  // offset of each state
  table<table<word>> history_;   // origins of the states, by layer
  table<layer_window> windows_;  // by layer
  table<std::uint32_t> order_;
  search_counters counters_;
  std::uint64_t steps_ = 0;
  bool truncated_ = false;
  std::size_t widest_ = 1;
  std::uint64_t met_ = 0;
};

}  // namespace wf::detail
