// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/core/random.hpp>

namespace wf::fault {

/// The identity of a message, on which every random decision about it depends. Time and order of
/// events are no part of it, so that a message meets the same faults in any order and any world.
struct message_identity {
  std::uint32_t source = 0;       ///< index of the sender among the peers
  std::uint32_t incarnation = 0;  ///< how many times the sender has restarted
  std::uint32_t destination = 0;  ///< index of the receiver
  std::uint32_t kind = 0;         ///< data 0, ack 1, notice 2, probe 3
  std::uint32_t edge = 0;         ///< number of the edge
  std::uint64_t sequence = 0;     ///< sequence number on the edge
  std::uint32_t attempt = 0;      ///< how many times it was sent before

  friend constexpr bool operator==(const message_identity&, const message_identity&) = default;
};

/// The rule index of the base delay of every message.
inline constexpr std::uint32_t base_delay_rule = UINT32_MAX;

/// The random decisions of one rule about one message: a pure function of the seed, the rule's
/// index, the identity, and the number of the draw. `h = mix(seed + G)`, then for each further
/// argument `h = mix((h ^ x) + G)`, modulo 2^64.
class random_draws {
 public:
  /// Folds in all arguments but the draw. O(1).
  constexpr random_draws(std::uint64_t seed, std::uint32_t rule, const message_identity& m)
      : state_(wf::detail::mix(seed + wf::detail::golden_gamma)) {
    fold(rule);
    fold(m.source);
    fold(m.incarnation);
    fold(m.destination);
    fold(m.kind);
    fold(m.edge);
    fold(m.sequence);
    fold(m.attempt);
  }
  /// 64 random bits.
  constexpr std::uint64_t bits(std::uint64_t draw) const {
    return wf::detail::mix((state_ ^ draw) + wf::detail::golden_gamma);
  }
  /// A multiple of 2^-53 in [0, 1): the first 53 bits.
  constexpr double uniform(std::uint64_t draw) const {
    return static_cast<double>(bits(draw) >> 11) * 0x1p-53;
  }
  /// lowest + ⌊u · (highest - lowest + 1)⌋, in integers: 53 bits times the width, shifted. Equal to
  /// the product in doubles for widths below 2^53. Precondition: lowest <= highest, width <= 2^63.
  constexpr std::int64_t between(std::uint64_t draw, std::int64_t lowest,
                                 std::int64_t highest) const {
    const uint128 width = static_cast<std::uint64_t>(highest - lowest) + uint128{1};
    return lowest + static_cast<std::int64_t>((uint128{bits(draw) >> 11} * width) >> 53);
  }

 private:
  constexpr void fold(std::uint64_t x) {
    state_ = wf::detail::mix((state_ ^ x) + wf::detail::golden_gamma);
  }

  std::uint64_t state_;
};

/// The random function of fault scripts: uniform in [0, 1). Draw 0 decides whether the rule
/// applies; 1, 2, … are its parameters. Source: the description of the fault scripts.
constexpr double prf(std::uint64_t seed, std::uint32_t rule, const message_identity& m,
                     std::uint64_t draw) {
  return random_draws(seed, rule, m).uniform(draw);
}

}  // namespace wf::fault
