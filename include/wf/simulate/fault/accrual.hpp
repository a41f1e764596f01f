// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/integer.hpp>
#include <wf/simulate/fault/history.hpp>

namespace wf::fault {

/// What a detector says of a peer.
enum class peer_level : std::uint8_t {
  live,     ///< it answers as it used to
  suspect,  ///< its answers are late
  down,     ///< they are so late that it counts as down
};

/// The word for a level.
constexpr text_view name_of(peer_level l) {
  constexpr text_view names[] = {"live", "suspect", "down"};
  return names[static_cast<unsigned>(l)];
}

/// How a detector judges.
struct accrual_options {
  std::uint32_t history = 1000;  ///< intervals of which the mean is taken; positive
  std::int64_t suspect = 8;      ///< a peer is suspected once φ exceeds this; positive
  std::int64_t down = 16;        ///< and counts as down once φ exceeds this; not less
};

/// How long a peer's heartbeats keep one waiting, as the accrual failure detector does (N.
/// Hayashibara et al.: "The φ accrual failure detector", SRDS 2004) with exponential intervals: φ =
/// elapsed / (mean interval · ln 10), so that at φ a wait so long has the probability 10^-φ.
class accrual_window {
 public:
  /// Of a number of intervals at most.
  constexpr explicit accrual_window(std::uint32_t history = 1000) : history_(history) {}

  /// A heartbeat, at a time that is not before the last one. Nanoseconds. Amortised O(1).
  constexpr void beat(std::int64_t now) {
    if (has_beat_) {
      const std::int64_t interval = now - last_;
      if (intervals_.size() < history_) {
        intervals_.push_back(interval);
      } else {
        sum_ -= intervals_[next_];
        intervals_[next_] = interval;
        next_ = next_ + 1 == history_ ? 0 : next_ + 1;
      }
      sum_ += interval;
    }
    last_ = now;
    has_beat_ = true;
  }
  /// False as long as there is no interval: then nothing is said.
  constexpr bool judges() const { return !intervals_.empty(); }
  /// The first time at which φ exceeds a number, if no heartbeat comes; `judges()` must hold.
  constexpr std::int64_t exceeds_from(std::int64_t phi) const {
    const int128 wait = int128{phi} * natural_log_of_10 * (sum_ > 0 ? sum_ : 1) /
                        (int128{1'000'000'000} * static_cast<std::int64_t>(intervals_.size()));
    const int128 most = int128{INT64_MAX} - last_ - 1;
    return last_ + static_cast<std::int64_t>(wait < most ? wait : most) + 1;
  }
  /// φ at a time not before the last heartbeat, in thousandths, rounded down; `judges()` must hold.
  constexpr std::int64_t thousandths(std::int64_t now) const {
    const int128 phi = int128{now - last_} * static_cast<std::int64_t>(intervals_.size()) *
                       1'000'000'000'000 / (int128{natural_log_of_10} * (sum_ > 0 ? sum_ : 1));
    return static_cast<std::int64_t>(phi < INT64_MAX ? phi : int128{INT64_MAX});
  }

 private:
  static constexpr std::int64_t natural_log_of_10 = 2'302'585'093;  // in billionths

  std::uint32_t history_ = 1000;
  table<std::int64_t> intervals_;
  std::uint32_t next_ = 0;  // the oldest one, once the window is full
  std::int64_t sum_ = 0, last_ = 0;
  bool has_beat_ = false;
};

/// A change of what a peer is told of another one.
struct peer_judgement {
  std::uint32_t peer = 0;               ///< who judges
  std::uint32_t other = 0;              ///< whom
  peer_level level = peer_level::live;  ///< from now on
  std::int64_t local = 0;               ///< on the clock of `peer`, in nanoseconds

  friend constexpr bool operator==(const peer_judgement&, const peer_judgement&) = default;
};

/// Observes the history of a run: every answer that a peer gets is a heartbeat of the one that
/// gives it. A peer that nobody asks is as silent as one that is late. It changes nothing: gates go
/// by the failures in a row (`health_entry`), and this tells who is late before that many messages
/// have failed. What a peer has seen ends with its crash.
class accrual_detector {
 public:
  /// Of a number of peers; it observes nothing unless it is on.
  constexpr explicit accrual_detector(std::size_t peers, bool is_on = true,
                                      const accrual_options& options = {})
      : options_(options), peers_(is_on ? peers : 0) {
    windows_ = table<watched>(peers_ * peers_, watched{accrual_window(options.history)});
  }
  /// Observes a record. O(peers).
  constexpr void operator()(const record& r) {
    if (r.peer >= peers_) return;
    if (r.what == happening::crashed) {
      for (std::size_t q = 0; q < peers_; ++q)
        windows_[r.peer * peers_ + q] = watched{accrual_window(options_.history)};
      return;
    }
    for (std::uint32_t q = 0; q < peers_; ++q) look(r.peer, q, r.local);
    if (r.what != happening::consumed || r.kind != message_kind::ack || r.other >= peers_) return;
    watched& w = windows_[r.peer * peers_ + r.other];
    w.window.beat(r.local);
    if (w.level != peer_level::live) judge(w, r.peer, r.other, peer_level::live, r.local);
  }
  /// All changes so far; those of one peer are in the order of its clock.
  constexpr const table<peer_judgement>& judgements() const { return judgements_; }
  /// What a peer is told of another one, as far as it has been observed; live if it is not.
  constexpr peer_level level(std::uint32_t peer, std::uint32_t other) const {
    if (peer >= peers_ || other >= peers_) return peer_level::live;
    return windows_[peer * peers_ + other].level;
  }

 private:
  struct watched {
    accrual_window window;
    peer_level level = peer_level::live;
  };

  // Levels change when φ exceeds their bounds, which may have been since the last record.
  constexpr void look(std::uint32_t p, std::uint32_t q, std::int64_t now) {
    watched& w = windows_[p * peers_ + q];
    if (!w.window.judges()) return;
    for (const peer_level l : {peer_level::suspect, peer_level::down}) {
      const std::int64_t from =
          w.window.exceeds_from(l == peer_level::suspect ? options_.suspect : options_.down);
      if (w.level < l && now >= from) judge(w, p, q, l, from);
    }
  }
  constexpr void judge(watched& w, std::uint32_t p, std::uint32_t q, peer_level l,
                       std::int64_t when) {
    w.level = l;
    judgements_.push_back({p, q, l, when});
  }

  accrual_options options_;
  std::size_t peers_ = 0;
  table<watched> windows_;  // by who judges, and by whom
  table<peer_judgement> judgements_;
};

}  // namespace wf::fault
