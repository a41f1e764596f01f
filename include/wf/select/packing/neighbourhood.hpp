// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/random.hpp>
#include <wf/select/packing/choice.hpp>
#include <wf/select/packing/model.hpp>

namespace wf::detail {

/// Chooses which part of a choice in a packing model to keep and which to search anew
/// (large-neighbourhood search; Shaw 1998). Four kinds take turns:
/// - *around*: classes that rows connect with a class chosen at random;
/// - *dear*: the same around a class whose value has a high reduced cost;
/// - *below*: a class and what it needs, directly or not;
/// - *near*: everywhere, values whose reduced cost is hardly above the least (cf. Danna, Rothberg,
///   Le Pape 2005).
/// The size of a kind grows after an exhaustive search and shrinks otherwise. The same calls give
/// the same neighbourhoods.
class packing_neighbourhoods {
 public:
  constexpr explicit packing_neighbourhoods(const packing_model& model) : m_(model) {}

  /// The next neighbourhood: by value 1 if the search may take it, a subset of `alive`. `base` is
  /// the loaded choice, `above` by value its reduced cost minus the least of its class, `gap` the
  /// distance from bound to cutoff in the scale of the prices.
  constexpr const table<std::uint8_t>& next(const packing_choice& base,
                                            const table<std::uint8_t>& alive,
                                            const table<std::int64_t>& above, std::int64_t gap) {
    turn();
    inside_ = table<std::uint8_t>(m_.classes);
    region_.clear();
    switch (kind_) {
      case 0:
        grow(pick(alive), size_[kind_]);
        break;
      case 1:
        grow(pick_dear(base, alive, above), size_[kind_]);
        break;
      case 2:
        descend(base, pick_needed(base, alive), size_[kind_]);
        if (region_.size() < 2) grow(pick(alive), size_[kind_]);
        break;
      default:
        open_near(base, alive, above, gap / 1024 * static_cast<std::int64_t>(size_[kind_]));
        return mask_;
    }
    open(base, alive);
    return mask_;
  }

  /// Continues with another random sequence, given by `seed`.
  constexpr void diverge(std::uint64_t seed) { state_ ^= seed * 0xd1342543de82ef95U; }

  /// Adapts the size of the last kind: `through` says that its neighbourhood was searched
  /// exhaustively.
  constexpr void learn(bool through) {
    std::uint32_t& size = size_[kind_];
    if (!through && size == least_size) {  // hopeless: the kind rests
      rest_[kind_] = pause_[kind_];
      if (pause_[kind_] < 64) pause_[kind_] *= 2;
    }
    size = through ? size + size / 2 + 1 : size - size / 4;
    const std::uint32_t most = kind_ == 3 ? 1024 : m_.classes;
    if (size > most) size = most;
    if (size < least_size) size = least_size;
  }

  /// The next pseudo-random number below `end`, which is not 0 (SplitMix64; Steele, Lea, Flood
  /// 2014).
  constexpr std::uint32_t below(std::size_t end) {
    return static_cast<std::uint32_t>(detail::mix(state_ += detail::golden_gamma) % end);
  }

  /// The kind of the last neighbourhood: 0 to 3, in the order above.
  constexpr std::uint32_t kind() const { return kind_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint32_t none = packing_model::none;
  static constexpr std::uint32_t kinds = 4;

  static constexpr std::uint32_t least_size = 4;

  /// Advances to the next kind that does not rest; to one of them if all do.
  constexpr void turn() {
    for (std::uint32_t i = 0; i < kinds; ++i) {
      kind_ = (kind_ + 1) % kinds;
      if (rest_[kind_] == 0) return;
      --rest_[kind_];
    }
  }

  constexpr bool has_choice(std::uint32_t k, const table<std::uint8_t>& alive) const {
    std::uint32_t live = 0;
    for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1] && live < 2; ++v) live += alive[v] != 0;
    return live > 1 && !m_.follows(k);
  }

  /// A random class with a choice; after 64 tries, any class.
  constexpr std::uint32_t pick(const table<std::uint8_t>& alive) {
    std::uint32_t k = below(m_.classes);
    for (int i = 0; i < 64 && !has_choice(k, alive); ++i) k = below(m_.classes);
    return k;
  }
  constexpr std::uint32_t pick_needed(const packing_choice& base,
                                      const table<std::uint8_t>& alive) {
    std::uint32_t k = pick(alive);
    for (int i = 0; i < 64 && !base.is_needed(k); ++i) k = pick(alive);
    return k;
  }
  /// Among some needed classes, the one whose value has the highest reduced cost above the least.
  constexpr std::uint32_t pick_dear(const packing_choice& base, const table<std::uint8_t>& alive,
                                    const table<std::int64_t>& above) {
    std::uint32_t best = pick_needed(base, alive);
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t k = pick_needed(base, alive);
      if (above[base.at(k)] > above[base.at(best)]) best = k;
    }
    return best;
  }

  constexpr void add(std::uint32_t k) {
    if (inside_[k]) return;
    inside_[k] = 1;
    region_.push_back(k);
  }

  /// Extends the region from a class along rows, breadth first in random order.
  constexpr void grow(std::uint32_t seed, std::uint32_t size) {
    add(seed);
    for (std::size_t at = 0; at < region_.size() && region_.size() < size; ++at) {
      const std::size_t other = at + below(region_.size() - at);
      const std::uint32_t k = region_[other];
      region_[other] = region_[at];
      region_[at] = k;
      for (std::uint32_t i = m_.class_part_first[k]; i < m_.class_part_first[k + 1]; ++i) {
        const std::uint32_t row = m_.parts[m_.class_part[i]].row;
        for (std::uint32_t j = m_.row_part[row]; j < m_.row_part[row + 1]; ++j, ++steps_)
          if (region_.size() < size) add(m_.parts[j].owner);
      }
    }
  }

  /// Extends the region from a class along the needs of all values.
  constexpr void descend(const packing_choice& base, std::uint32_t seed, std::uint32_t size) {
    add(seed);
    for (std::size_t at = 0; at < region_.size() && region_.size() < size; ++at) {
      const std::uint32_t k = region_[at];
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
        for (const std::uint32_t e : base.needs(v)) {
          ++steps_;
          if (region_.size() < size) add(e);
        }
    }
  }

  /// Sets mask_ to the values that the base takes and those at most `within` above the least.
  constexpr void open_near(const packing_choice& base, const table<std::uint8_t>& alive,
                           const table<std::int64_t>& above, std::int64_t within) {
    mask_ = table<std::uint8_t>(m_.values);
    for (std::uint32_t v = 0; v < m_.values; ++v)
      mask_[v] = alive[v] && (above[v] <= within || base.taken(m_.owner[v]) == v);
    steps_ += m_.values;
  }

  /// Sets mask_ to all live values of the region; elsewhere to the value that the base takes or
  /// would take, and `off`.
  constexpr void open(const packing_choice& base, const table<std::uint8_t>& alive) {
    mask_ = table<std::uint8_t>(m_.values);
    steps_ += m_.values;
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      const std::uint32_t taken = base.taken(k);
      const bool free = inside_[k] || !alive[taken] || m_.follows(k);
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1] && free; ++v) mask_[v] = alive[v];
      mask_[taken] = alive[taken];
      if (m_.off[k] != none) mask_[m_.off[k]] = alive[m_.off[k]];
      if (free && !inside_[k]) region_.push_back(k);
    }
    for (std::size_t at = 0; at < region_.size(); ++at) {
      const std::uint32_t k = region_[at];
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
        for (const std::uint32_t e : base.needs(v)) {
          ++steps_;
          const std::uint32_t would = base.at(e);
          if (!mask_[v] || mask_[would] || !alive[would]) continue;
          mask_[would] = 1;
          region_.push_back(e);
        }
    }
  }

  const packing_model& m_;
  std::uint32_t kind_ = kinds - 1;
  std::uint32_t size_[kinds] = {12, 12, 12, 64};
  std::uint32_t rest_[kinds] = {0, 0, 0, 0};   ///< turns to skip
  std::uint32_t pause_[kinds] = {1, 1, 1, 1};  ///< turns to skip next time
  std::uint64_t state_ = 0;
  table<std::uint8_t> inside_, mask_;
  table<std::uint32_t> region_;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
