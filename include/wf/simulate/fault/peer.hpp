// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/fault/gates.hpp>
#include <wf/simulate/fault/world.hpp>

namespace wf::fault {

/// The monotonic clock of a peer, in integer nanoseconds. Durations are measured with it: a jump of
/// the time that the peer shows does not move it, a rate does.
class peer_clock {
 public:
  /// The local time at a time of the simulation.
  constexpr std::int64_t at(std::int64_t now) const {
    const std::int64_t passed = now - since_;
    if (rate_ == 0) return base_ + passed;
    return base_ + static_cast<std::int64_t>(int128{passed} * (million + rate_) / million);
  }
  /// The time that the peer shows: jumps included.
  constexpr std::int64_t shown(std::int64_t now) const { return at(now) + offset_; }
  /// The time of the simulation that passes until a local duration is over, rounded up.
  constexpr std::int64_t delay(std::int64_t duration) const {
    if (rate_ == 0 || duration <= 0) return duration < 0 ? 0 : duration;
    const int128 scaled = int128{duration} * million, rate = million + rate_;
    return static_cast<std::int64_t>((scaled + rate - 1) / rate);
  }
  /// From now on goes faster by a number of millionths, more than -million.
  constexpr void set_rate(std::int64_t now, std::int64_t ppm) {
    base_ = at(now);
    since_ = now;
    rate_ = ppm;
  }
  /// Moves the time that the peer shows.
  constexpr void jump(std::int64_t offset) { offset_ += offset; }

 private:
  static constexpr std::int64_t million = 1'000'000;
  std::int64_t base_ = 0;
  std::int64_t since_ = 0;
  std::int64_t rate_ = 0;
  std::int64_t offset_ = 0;
};

/// What a peer knows of how loaded it is by another one: the backpressure gate of its ingress.
struct overload_entry {
  std::int64_t quoted_until = INT64_MIN;  ///< local end of the wait that the last notice quoted, ns
  std::int64_t notices = 0;               ///< since the sender was last quiet
  bool silent = false;                    ///< its payloads are dropped without an answer

  /// The wait that a notice quotes: a second.
  static constexpr std::int64_t quote = 1'000'000'000;
  /// True if it is time to take the payloads of the sender again: one more quote has passed without
  /// a notice. Then the count begins again.
  constexpr bool recovers(std::int64_t now) {
    if (notices == 0 || now < quoted_until + quote) return false;
    notices = 0;
    const bool was_silent = silent;
    silent = false;
    return was_silent;
  }
};

/// The request for signs of life of a peer that is held down.
struct probe_state {
  bool active = false;           ///< one is planned or under way
  bool wanted = false;           ///< payloads of the peer were refused since the last one
  std::uint64_t request = 0;     ///< of the one that is under way
  std::uint32_t generation = 0;  ///< of its timer
};

/// A message and what it carries besides its envelope: `Cargo` of the world.
template <class Cargo>
struct loaded_envelope {
  envelope message;                     ///< what the gates see
  [[no_unique_address]] Cargo cargo{};  ///< what the program sees
};

/// Everything that a peer knows, and a crash erases.
template <class Gates = standard_gates, class Cargo = simulated_world::cargo>
struct peer_memory {
  typename Gates::dedup dedup;             ///< of received payloads
  table<typename Gates::backoff> backoff;  ///< waits before the next message to each peer
  table<typename Gates::health> health;    ///< judgement of each peer
  table<round_trip> trips;                 ///< measured round trips to each peer
  table<overload_entry> overload;          ///< notices to each peer
  table<probe_state> probes;               ///< probes of each peer
  fifo<loaded_envelope<Cargo>> ingress;    ///< payloads that wait for the gates
  std::uint64_t requests = 0;              ///< how many were made
  bool serving = false;                    ///< the first payload in `ingress` is being served
  /// The dedup gate may know numbers that later gates refused: a copy says nothing of an effect.
  bool remembers_refused = false;

  constexpr peer_memory() = default;
  /// A memory about a number of peers.
  constexpr explicit peer_memory(std::size_t peers)
      : backoff(peers), health(peers), trips(peers), overload(peers), probes(peers) {}
};

}  // namespace wf::fault
