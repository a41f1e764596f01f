// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

#include <wf/core/diagnosis/result.hpp>
#include <wf/simulate/fault/envelope.hpp>
#include <wf/simulate/sharing/slots.hpp>

namespace wf::fault {

/// What is below the gates of `peer_network`: time, timers, and the way to peers that are not in
/// this process. Gates, sends and the faults of scripts are the same in every world. A message
/// waits for its delays where it is sent, so that a world carries it at once.
///
/// - `cargo`: what a message carries besides its envelope; cheap to copy.
/// - `hosts(peer)`: true if a peer is in this process.
/// - `look()`: time may go on from here; `now()` does not change in between. Nanoseconds.
/// - `after(delay, activity, network)`: calls `network.finished(activity)` after a delay, never at
///   once.
/// - `step(network)`: goes on to what is due next, which may be a message (`network.came`) or an
///   event (`network.heard`) from elsewhere; false if nothing can happen any more, or `failure()`
///   has an error.
/// - `carry(envelope, whole, cargo)`: to a peer elsewhere; its checksum does not fit if not
/// `whole`.
/// - `announce(event)`: an event of the script that waits for a counter is due in all processes.
/// - `processed()`: number of timers so far.
template <class W, class Network>
concept world = requires(W& w, const W& c, Network& network, const envelope& m,
                         const typename W::cargo& x, std::uint32_t n, std::int64_t delay) {
  { c.hosts(n) } -> std::same_as<bool>;
  { c.now() } -> std::same_as<std::int64_t>;
  { c.processed() } -> std::same_as<std::uint64_t>;
  { c.failure() } -> std::same_as<error>;
  { w.step(network) } -> std::same_as<bool>;
  w.look();
  w.after(delay, n, network);
  w.carry(m, true, x);
  w.announce(n);
};

/// The world of the simulator: all peers are in one process, and time goes on with the event
/// engine.
class simulated_world {
 public:
  /// Payloads lie in tables that all peers share.
  struct cargo {};

  /// All peers.
  static constexpr bool hosts(std::uint32_t) { return true; }
  /// Time of the simulation, in nanoseconds.
  constexpr std::int64_t now() const { return engine_.now(); }
  /// Number of events of the engine.
  constexpr std::uint64_t processed() const { return engine_.processed(); }
  /// No error: nothing of this world can fail.
  static constexpr error failure() { return {}; }
  /// Time goes on between events only.
  constexpr void look() {}
  /// Sets a timer. O(log timers).
  template <class Network>
  constexpr void after(std::int64_t delay, std::uint32_t activity, Network& network) {
    engine_.add(0, {activity, 0, delay}, network);
  }
  /// The events of the next time that has one.
  template <class Network>
  constexpr bool step(Network& network) {
    return engine_.step(network);
  }
  /// There is no peer elsewhere.
  constexpr void carry(const envelope&, bool, const cargo&) {}
  /// There is no other process.
  constexpr void announce(std::uint32_t) {}

 private:
  static constexpr std::int64_t one_host[] = {sim::slots::unlimited};

  sim::engine<sim::slots> engine_{sim::slots(one_host)};
};

}  // namespace wf::fault
