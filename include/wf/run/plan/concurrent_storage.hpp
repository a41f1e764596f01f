// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/run/parallel/step_graph.hpp>

namespace wf {

/// A block of storage of steps that may run at the same time.
struct concurrent_block {
  std::int64_t size = 0;   ///< in elements
  bool is_kept = false;    ///< whether it is needed after the last step
  std::int64_t first = 0;  ///< offset in the arena, in elements; the placement sets it
};

/// A step reads or writes a block.
struct block_use {
  std::uint32_t step = 0;   ///< the number of the step
  std::uint32_t block = 0;  ///< index of the block

  friend constexpr bool operator==(const block_use&, const block_use&) = default;
};

namespace detail {

/// Gives blocks the same place only if every step that uses the first one ends before any that uses
/// the second one begins, whatever runs at the same time: the storage adds no dependence.
class concurrent_placer {
 public:
  constexpr concurrent_placer(std::size_t steps, view<step_dependence> dependences,
                              table<concurrent_block>& blocks, table<block_use> uses)
      : blocks_(blocks),
        waits_for_(steps),
        used_(steps),
        place_of_(blocks.size(), none),
        is_seen_(steps),
        users_(blocks.size()) {
    for (const step_dependence& d : dependences) waits_for_[d.after].push_back(d.before);
    stable_sort(uses, [](const block_use& a, const block_use& b) {
      return a.step != b.step ? a.step < b.step : a.block < b.block;
    });
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (i > 0 && uses[i] == uses[i - 1]) continue;
      used_[uses[i].step].push_back(uses[i].block);
      ++users_[uses[i].block];
    }
  }

  /// Places all blocks at multiples of the alignment; returns the size of the arena, in elements,
  /// saturated.
  constexpr std::int64_t run(std::int64_t alignment) {
    for (std::uint32_t step = 0; step < used_.size(); ++step) {
      bool looked = false;
      for (const std::uint32_t b : used_[step]) {
        if (place_of_[b] != none || blocks_[b].size == 0) continue;
        if (!looked) find_free(step);
        looked = true;
        put(b);
      }
    }
    std::int64_t end = 0;
    for (place& p : places_) {
      p.first = end;
      const std::int64_t rest = p.size % alignment;
      end = saturating_add(end, saturating_add(p.size, rest == 0 ? 0 : alignment - rest));
    }
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      blocks_[b].first = place_of_[b] == none ? 0 : places_[place_of_[b]].first;
    return end;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  // Earlier steps that are looked at for each step: beyond, a place is taken to be in use.
  static constexpr std::size_t most_seen = 256;

  struct place {
    std::int64_t size = 0;
    std::int64_t first = 0;
    std::uint32_t block = 0;  // the last one in it
    std::uint32_t ended = 0;  // users of that block that were seen for the current step
    std::uint32_t of_step = none;
  };

  // Lists the places whose blocks are used only by steps that end before this one begins.
  constexpr void find_free(std::uint32_t step) {
    free_.resize(0);
    seen_.resize(0);
    see(step);
    for (std::size_t at = 0; at < seen_.size(); ++at) {
      if (at > 0) note_uses(seen_[at], step);
      for (const std::uint32_t before : waits_for_[seen_[at]])
        if (seen_.size() < most_seen) see(before);
    }
    for (const std::uint32_t s : seen_) is_seen_[s] = 0;
  }
  constexpr void see(std::uint32_t step) {
    if (is_seen_[step] != 0) return;
    is_seen_[step] = 1;
    seen_.push_back(step);
  }
  constexpr void note_uses(std::uint32_t ended, std::uint32_t step) {
    for (const std::uint32_t b : used_[ended]) {
      if (place_of_[b] == none) continue;
      place& p = places_[place_of_[b]];
      if (p.block != b || blocks_[b].is_kept) continue;
      if (p.of_step != step) p.of_step = step, p.ended = 0;
      if (++p.ended == users_[b]) free_.push_back(place_of_[b]);
    }
  }
  // The smallest free place that is large enough, else the largest, which grows.
  constexpr void put(std::uint32_t b) {
    const std::int64_t size = blocks_[b].size;
    std::size_t best = free_.size();
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (best == free_.size()) {
        best = i;
        continue;
      }
      const std::int64_t mine = places_[free_[i]].size, other = places_[free_[best]].size;
      if (other >= size ? mine >= size && mine < other : mine > other) best = i;
    }
    if (best == free_.size()) {
      place_of_[b] = static_cast<std::uint32_t>(places_.size());
      places_.push_back({size, 0, b, 0, none});
      return;
    }
    const std::uint32_t at = free_[best];
    for (std::size_t i = best; i + 1 < free_.size(); ++i) free_[i] = free_[i + 1];
    free_.resize(free_.size() - 1);
    place_of_[b] = at;
    places_[at].block = b;
    if (places_[at].size < size) places_[at].size = size;
  }

  table<concurrent_block>& blocks_;
  table<table<std::uint32_t>> waits_for_;  // by step
  table<table<std::uint32_t>> used_;       // by step: its blocks
  table<std::uint32_t> place_of_;          // by block
  table<char> is_seen_;                    // by step
  table<std::uint32_t> users_;             // by block: number of steps
  table<place> places_;
  table<std::uint32_t> free_, seen_;
};

}  // namespace detail

/// Places the blocks of steps of which all that are not ordered by `dependences` may run at the
/// same time: blocks share storage only if all users of one end before any user of the other
/// begins. The blocks of one step lie apart. All users of a block but the first one, which writes
/// it, must wait for that one, directly or not. Every dependence leads from a smaller number of a
/// step to a larger one. Returns the size of the arena in elements, `INT64_MAX` if it exceeds 63
/// bits. The placement is a heuristic: best fit in the order of the steps. Per step it looks at no
/// more than 256 of those before it. O(uses + 256 · dependences of those).
constexpr std::int64_t place_concurrently(std::size_t steps, view<step_dependence> dependences,
                                          table<concurrent_block>& blocks, view<block_use> uses,
                                          std::int64_t alignment) {
  return detail::concurrent_placer(steps, dependences, blocks, table<block_use>(uses))
      .run(alignment);
}

}  // namespace wf
