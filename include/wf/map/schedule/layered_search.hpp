// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/box.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/layer_deadline.hpp>
#include <wf/map/schedule/layer_expander.hpp>
#include <wf/map/schedule/layer_shard.hpp>
#include <wf/map/schedule/layer_state.hpp>
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
        if (!may_go_on(team, begins_.size() - first, go_on)) {
          end = layer_end::stopped;
          break;
        }
        expand_from(first, team, windows_[layer], executor);
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

  /// Asks the caller, with the totals of all passes, whether a pass may go on.
  template <class Ask>
  constexpr bool may_go_on(const table<box<layer_expander>>& team, std::size_t waiting,
                           Ask&& go_on) const {
    std::uint64_t nodes = counters_.nodes, steps = steps_;
    for (const box<layer_expander>& e : team) {
      nodes += e->counters.nodes;
      steps += e->steps;
    }
    return go_on(nodes, steps, waiting);
  }

  /// Expands the next states of the current layer from the `first`-th on, `share` for each member
  /// of the team, and adds their children to the shards.
  template <class Executor>
  constexpr void expand_from(std::size_t first, table<box<layer_expander>>& team,
                             const layer_window& window, Executor& executor) {
    const std::size_t parts = team.size();
    const std::size_t used = (begins_.size() - first + share - 1) / share;
    executor(used < parts ? used : parts, [&](std::size_t i) {
      layer_expander& e = *team[i];
      e.clear();
      for (std::size_t at = first + i * share; at < first + (i + 1) * share && at < begins_.size();
           ++at)
        e.expand(current_.data() + begins_[at], static_cast<std::uint32_t>(at));
    });
    executor(parts, [&](std::size_t s) {
      for (std::size_t i = 0; i < parts && i < used; ++i)
        for (const std::uint32_t at : team[i]->by_shard[s])
          shards_[s].add(team[i]->records.data() + at, window);
    });
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
