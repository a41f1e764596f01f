// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash_index.hpp>
#include <wf/simulate/engine/fifo.hpp>
#include <wf/simulate/fault/envelope.hpp>
#include <wf/simulate/fault/history.hpp>

namespace wf::fault {

/// The dedup gate of one receiver: a high-water mark for each (source, edge), of the source's
/// latest incarnation, and one bit for each of the `window` numbers below it. Above the mark: new;
/// inside the window: tested; below: stale. A sender never has more than a window outstanding, so
/// that no number that is still needed is stale.
class duplicate_window {
 public:
  /// Changes the number of numbers that are remembered, at least 1. Those once forgotten stay
  /// stale. O(streams · window).
  constexpr void set_window(std::int64_t window) {
    for (stream& s : streams_) s.floor = floor_of(s);
    window_ = static_cast<std::uint64_t>(window);
    for (stream& s : streams_) {
      table<std::uint64_t> words(word_count());
      for (std::uint64_t n = floor_of(s) + 1; n <= s.high; ++n)
        if (bit(s.bits, n)) set(words, n);
      s.bits.swap(words);
    }
  }
  /// `none` for a new number, else `duplicate` or `stale`. Expected O(1).
  constexpr reason test(const envelope& m) const {
    const std::uint32_t at = find(m);
    if (at == hash_index::none) return reason::none;
    const stream& s = streams_[at];
    if (m.incarnation != s.incarnation)
      return m.incarnation > s.incarnation ? reason::none : reason::stale;
    if (m.sequence > s.high) return reason::none;
    if (m.sequence <= floor_of(s)) return reason::stale;
    return bit(s.bits, m.sequence) ? reason::duplicate : reason::none;
  }
  /// Remembers a number that `test` found new. Expected O(1 + numbers that leave the window / 64).
  constexpr void record(const envelope& m) {
    std::uint32_t at = find(m);
    if (at == hash_index::none) {
      at = static_cast<std::uint32_t>(streams_.size());
      index_.insert(hash_of(m), at);
      streams_.push_back({m.source, m.edge, m.incarnation, 0, 0, {}});
      streams_.back().bits.resize(word_count());
    }
    stream& s = streams_[at];
    if (m.incarnation != s.incarnation) {
      s = {m.source, m.edge, m.incarnation, 0, 0, static_cast<table<std::uint64_t>&&>(s.bits)};
      for (std::uint64_t& w : s.bits) w = 0;
    }
    raise(s, m.sequence);
    set(s.bits, m.sequence);
  }
  /// Number of numbers that are remembered. O(streams · window).
  constexpr std::int64_t entries() const {
    std::int64_t count = 0;
    for (const stream& s : streams_)
      for (std::uint64_t n = floor_of(s) + 1; n <= s.high; ++n) count += bit(s.bits, n);
    return count;
  }

 private:
  struct stream {
    std::uint32_t source = 0;
    std::uint32_t edge = 0;
    std::uint32_t incarnation = 0;
    std::uint64_t high = 0;     // the largest number that was recorded
    std::uint64_t floor = 0;    // numbers up to here were forgotten with a smaller window
    table<std::uint64_t> bits;  // ring of a power of two of bits, at least the window
  };

  static constexpr std::uint64_t hash_of(const envelope& m) {
    return (static_cast<std::uint64_t>(m.source) << 32 | m.edge) * wf::detail::golden_gamma;
  }
  constexpr std::uint32_t find(const envelope& m) const {
    return index_.find(hash_of(m), [&](std::uint32_t i) {
      return streams_[i].source == m.source && streams_[i].edge == m.edge;
    });
  }
  constexpr std::size_t word_count() const {
    std::size_t words = 1;
    while (64 * words < window_) words *= 2;
    return words;
  }
  constexpr std::uint64_t floor_of(const stream& s) const {
    const std::uint64_t floor = s.high > window_ ? s.high - window_ : 0;
    return floor > s.floor ? floor : s.floor;
  }
  static constexpr bool bit(const table<std::uint64_t>& words, std::uint64_t n) {
    return (words[n / 64 & (words.size() - 1)] >> (n % 64) & 1) != 0;
  }
  static constexpr void set(table<std::uint64_t>& words, std::uint64_t n) {
    words[n / 64 & (words.size() - 1)] |= std::uint64_t{1} << (n % 64);
  }
  // Clears the bits of the numbers that the mark passes.
  static constexpr void raise(stream& s, std::uint64_t n) {
    const std::uint64_t size = 64 * s.bits.size();
    for (std::uint64_t k = s.high + 1; k <= n && k <= s.high + size; ++k)
      s.bits[k / 64 & (s.bits.size() - 1)] &= ~(std::uint64_t{1} << (k % 64));
    if (n > s.high) s.high = n;
  }

  std::uint64_t window_ = 64;
  table<stream> streams_;
  hash_index index_;
};

/// The dedup gate of the original, for comparison: the last `window` payloads, whoever sent them,
/// by insertion. It drops equal payloads that are meant, and lets late copies pass.
class payload_window {
 public:
  /// Changes the number of payloads that are remembered, at least 1.
  constexpr void set_window(std::int64_t window) { window_ = static_cast<std::size_t>(window); }
  /// `duplicate` for a payload in the window, else `none`. O(window).
  constexpr reason test(const envelope& m) const {
    for (std::size_t i = 0; i < seen_.size(); ++i)
      if (seen_[i] == m.payload) return reason::duplicate;
    return reason::none;
  }
  /// Remembers a payload, and forgets the first one if the window is full. Amortised O(1).
  constexpr void record(const envelope& m) {
    seen_.push(m.payload);
    while (seen_.size() > window_) seen_.pop();
  }
  /// Number of payloads that are remembered.
  constexpr std::int64_t entries() const { return static_cast<std::int64_t>(seen_.size()); }

 private:
  std::size_t window_ = 64;
  fifo<std::uint64_t> seen_;
};

/// The backoff gate's entry for one peer.
struct backoff_entry {
  std::int64_t failures = 0;    ///< failures in a row
  std::int64_t next_retry = 0;  ///< local time before which nothing passes, in nanoseconds

  /// Counts a failure: the wait is min(base · 2^(failures - 1), cap).
  constexpr void fail(std::int64_t now, std::int64_t base, std::int64_t cap) {
    std::int64_t wait = base < cap ? base : cap;
    for (std::int64_t k = 0; k < failures && wait < cap; ++k)
      wait = wait > cap / 2 ? cap : 2 * wait;
    ++failures;
    next_retry = now + wait;
  }
  /// Counts a notice that asks for a wait.
  constexpr void advise(std::int64_t now, std::int64_t wait) {
    ++failures;
    next_retry = now + (wait < longest_advice ? wait : longest_advice);
  }
  /// True if the gate refuses. At equality it does not.
  constexpr bool refuses(std::int64_t now) const { return failures != 0 && now < next_retry; }

  /// The longest wait that a notice of another peer can ask for: a minute.
  static constexpr std::int64_t longest_advice = 60'000'000'000;
};

/// The health gate's entry for one peer: the governor.
struct health_entry {
  std::int64_t failures = 0;  ///< failures in a row
  bool down = false;          ///< from the failure that reaches the threshold to the next success
  bool blocked = false;       ///< on the block list
  bool not_allowed = false;   ///< there is an allow list without it

  /// Counts a failure; true if the peer goes down with it.
  constexpr bool fail(std::int64_t threshold) {
    ++failures;
    if (down || failures < threshold) return false;
    return down = true;
  }
  /// Counts a success; true if the peer comes up with it.
  constexpr bool succeed() {
    failures = 0;
    const bool came_up = down;
    down = false;
    return came_up;
  }
  /// What the policy says of the peer.
  constexpr reason policy() const {
    if (blocked) return reason::blocklisted;
    return not_allowed ? reason::not_allowlisted : reason::none;
  }
  /// Why the gate refuses the peer: by policy, or because it is down if such peers are denied.
  constexpr reason refusal(bool denies_down) const {
    const reason why = policy();
    return why == reason::none && down && denies_down ? reason::down : why;
  }
};

/// The measured round trip to a peer (Jacobson: "Congestion avoidance and control", 1988), in
/// integers: smoothed by 1/8, its deviation by 1/4.
struct round_trip {
  std::int64_t smoothed = 0;   ///< its mean, in nanoseconds
  std::int64_t deviation = 0;  ///< mean distance of a sample from it, in nanoseconds
  std::int64_t samples = 0;    ///< how many there were

  /// Adds a sample.
  constexpr void add(std::int64_t sample) {
    if (samples++ == 0) {
      smoothed = sample;
      deviation = sample / 2;
      return;
    }
    const std::int64_t error = sample - smoothed;
    deviation += ((error < 0 ? -error : error) - deviation) / 4;
    smoothed += error / 8;
  }
  /// The time to wait for an answer, of which an early one is a lost message: smoothed + max(4
  /// deviations, smoothed). With fewer than 3 samples: `fallback`.
  constexpr std::int64_t wait(std::int64_t fallback) const {
    if (samples < 3) return fallback;
    const std::int64_t margin = 4 * deviation > smoothed ? 4 * deviation : smoothed;
    return smoothed + margin + 1;
  }
};

/// The facts on which the time to live of an attempt depends. Nanoseconds.
struct attempt_facts {
  std::int64_t budget = 0;     ///< time that the whole send has
  std::int64_t remaining = 0;  ///< the rest of it
  std::int64_t wait = 0;       ///< wanted, from the knob or the round trip
  std::int64_t retries = 0;    ///< attempts after the first that the send may make
  std::uint32_t attempt = 0;   ///< attempts that were made before
};

/// The gates of wf, as a parameter of the network of peers: a test may replace any of them.
struct standard_gates {
  /// The dedup gate of a receiver.
  using dedup = duplicate_window;
  /// What the health gate of a peer knows of another one.
  using health = health_entry;
  /// What the backoff gate of a peer knows of another one.
  using backoff = backoff_entry;
  /// The deadline gate, by local times in nanoseconds. At equality a deadline has passed.
  static constexpr bool is_late(std::int64_t now, std::int64_t deadline) { return now >= deadline; }
  /// The time to live of an attempt: what is wanted, doubled for each attempt before, but at most
  /// budget / (retries + 1), so that time is left for every attempt, and at most what remains.
  static constexpr std::int64_t time_to_live(const attempt_facts& f) {
    const std::int64_t share = f.budget / (f.retries + 1);
    std::int64_t ttl = f.wait;
    for (std::uint32_t k = 0; k < f.attempt && ttl < share; ++k) ttl *= 2;
    ttl = ttl < share ? ttl : share;
    ttl = ttl < f.remaining ? ttl : f.remaining;
    return ttl < 1 ? 1 : ttl;
  }
};

}  // namespace wf::fault
