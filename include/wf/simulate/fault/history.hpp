// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/digest.hpp>
#include <wf/simulate/fault/script.hpp>

namespace wf::fault {

/// Why a message, a send or an operation ended without effect.
enum class reason : std::uint8_t {
  none,             ///< it did not
  rule,             ///< a rule of the script dropped it
  partition,        ///< its link is cut
  checksum,         ///< its bits do not fit its checksum
  duplicate,        ///< its sequence number was seen
  stale,            ///< its sequence number lies below the window, or its sender has restarted
  blocklisted,      ///< the peer is on the block list
  not_allowlisted,  ///< there is an allow list without the peer
  down,             ///< the peer is held down
  cooldown,         ///< the wait after a failure is not over
  silent,           ///< the sender ignored too many notices
  ingress_full,     ///< the receiver has no room
  outbound_full,    ///< the sender has no room
  deadline,         ///< its time is over
  exhausted,        ///< no attempt is left
  crash,            ///< its peer crashed
};

/// Number of reasons.
inline constexpr std::uint32_t reason_count = 16;

/// The enumerator's name.
constexpr text_view name_of(reason r) {
  constexpr text_view names[] = {"none",          "rule",     "partition",   "checksum",
                                 "duplicate",     "stale",    "blocklisted", "not_allowlisted",
                                 "down",          "cooldown", "silent",      "ingress_full",
                                 "outbound_full", "deadline", "exhausted",   "crash"};
  return names[static_cast<unsigned>(r)];
}

/// The gates, in the order in which they run.
enum class gate : std::uint8_t {
  dedup,     ///< refuses what was seen; at receivers only
  health,    ///< refuses peers by policy, and those that are down
  backoff,   ///< refuses during the wait after a failure
  deadline,  ///< refuses what is too late
};

/// What happened. In brackets: the fields of the record that have a meaning of their own; all have
/// `time`, `local`, `peer`, and messages have their identity.
enum class happening : std::uint8_t {
  offered,       ///< a program sends [value: budget; extra: attempts; request: ticket; bound:
                 ///< what was left of the budget of the execution that sends, -1 without one]
  attempted,     ///< a message is offered to the gates of its sender [request: ticket of data]
  gate_passed,   ///< [value: the gate; extra: 1 at the sender, 0 at the receiver]
  gate_refused,  ///< the same, with the reason
  sent,          ///< on the wire [request; value: time to live; extra: remaining time]
  dropped,       ///< below the gates, with the reason
  copied,        ///< one more copy is under way
  held,          ///< by a partition
  arrived,       ///< at its destination [peer: the destination]
  refused,       ///< at its destination, before the gates, with the reason
  queued,        ///< for the gates [value: depth of the queue, with this one]
  fired,         ///< the consumer has taken it [extra: remaining time]
  consumed,      ///< ack, notice or probe: taken at once
  lost,          ///< its destination is down
  timed_out,     ///< [request] has no answer in time
  failure,       ///< counted about `other` [value: next retry, local; extra: failures in a row]
  success,       ///< counted about `other`
  went_down,     ///< `other` counts as down from now on
  came_up,       ///< `other` counts as up again
  acknowledged,  ///< a send has an answer [request: ticket]
  failed,        ///< a send has failed, with the reason [request: ticket]
  noticed,       ///< `other` was asked to wait [value: depth; extra: the wait]
  silenced,      ///< payloads of `other` are dropped from now on
  heard,         ///< payloads of `other` are taken again
  began,         ///< a protected operation begins [value: its deadline, local]
  crashed,       ///< with all that it knew
  restarted,     ///< with a new incarnation
  paused,        ///< does nothing until it goes on
  resumed,       ///< goes on
  knob_set,      ///< [value: index of the knob; extra: its new value]
  admits,        ///< its policy about `other` [reason: none, blocklisted, not_allowlisted]
  remembers,     ///< at the end: numbers in its dedup gate [value], failures counted [extra]
  closed,        ///< at the end: unfinished sends [value], payloads in the queue [extra]
};

/// One line of the history of a run: all that checkers see of it.
struct record {
  std::int64_t time = 0;                   ///< of the simulation, in nanoseconds
  std::int64_t local = 0;                  ///< monotonic clock of the peer, in nanoseconds
  happening what = happening::offered;     ///< what happened
  message_kind kind = message_kind::data;  ///< what kind of message it is about
  reason why = reason::none;               ///< of a refusal or a failure
  std::uint32_t peer = 0;                  ///< where it happened
  std::uint32_t other = 0;                 ///< the other end of the message or judgement
  std::uint32_t edge = 0;                  ///< number of the message's edge
  std::uint32_t incarnation = 0;           ///< of the sender of the message, or of the peer
  std::uint32_t attempt = 0;               ///< how often the message was sent before
  std::uint64_t sequence = 0;              ///< of the message; 0: none was given yet
  std::uint64_t request = 0;               ///< id of an attempt, or a ticket
  std::int64_t value = 0;                  ///< the first number that `what` names
  std::int64_t extra = 0;                  ///< the second number that `what` names
  std::int64_t bound = -1;                 ///< the third number that `what` names
  std::uint64_t payload = 0;               ///< of data: what the sender gave

  friend constexpr bool operator==(const record&, const record&) = default;
};

/// Observes nothing.
struct no_history {
  /// Forgets a record.
  constexpr void operator()(const record&) {}
};

/// Keeps the records of a run, for pictures and tests.
struct recorder {
  bool keeps = true;      ///< false: it forgets them
  table<record> records;  ///< in the order in which they came
  /// Keeps a record. Amortised O(1).
  constexpr void operator()(const record& r) {
    if (keeps) records.push_back(r);
  }
};

/// The digest of a history: two runs that differ in any record differ in it. Payloads are no part
/// of it.
class trace_hash {
 public:
  /// Folds in one record. O(1).
  constexpr void operator()(const record& r) {
    // Few steps depend on each other: each word is a sum of fields times odd constants, in which a
    // change of one field always shows.
    const auto word = [](auto n) { return static_cast<std::uint64_t>(n); };
    const std::uint64_t kinds =
        word(r.what) | word(r.kind) << 8 | word(r.why) << 16 | word(r.attempt) << 32;
    hash_.word(word(r.time) * 0x9e3779b97f4a7c15U + word(r.local) * 0xbf58476d1ce4e5b9U +
               kinds * 0x94d049bb133111ebU);
    hash_.word((word(r.peer) | word(r.other) << 32) * 0xd6e8feb86659fd93U +
               (word(r.edge) | word(r.incarnation) << 32) * 0xa0761d6478bd642fU +
               r.sequence * 0xe7037ed1a0b428dbU);
    hash_.word(r.request * 0x8ebc6af09c88c6e3U + word(r.value) * 0x589965cc75374cc3U +
               word(r.extra) * 0x1d8e4e27c47d124fU + word(r.bound) * 0xeb44accab455d165U);
    ++records_;
  }
  /// The digest of all records so far.
  constexpr digest128 value() const { return hash_.value(); }
  /// Number of records so far.
  constexpr std::uint64_t records() const { return records_; }

 private:
  hasher128 hash_{'f'};
  std::uint64_t records_ = 0;
};

/// Hands each record to several observers, in their order.
template <class... Observers>
class observe_all {
 public:
  /// The observers must outlive this one.
  constexpr explicit observe_all(Observers&... all) : each_{all...} {}
  /// One record for each of them.
  constexpr void operator()(const record& r) { each_(r); }

 private:
  template <class... Rest>
  struct chain {
    constexpr void operator()(const record&) {}
  };
  template <class First, class... Rest>
  struct chain<First, Rest...> {
    First& first;
    chain<Rest...> rest;
    constexpr chain(First& f, Rest&... r) : first(f), rest{r...} {}
    constexpr void operator()(const record& r) {
      first(r);
      rest(r);
    }
  };
  chain<Observers...> each_;
};

/// A time of a history about another peer.
struct sighting {
  std::uint32_t peer = 0;   ///< who saw it
  std::uint32_t other = 0;  ///< whom it concerns
  std::int64_t time = 0;    ///< of the simulation, in nanoseconds

  friend constexpr bool operator==(const sighting&, const sighting&) = default;
};

/// The observations of a run that scripts state in `expect`, and some totals.
struct tally {
  /// Counts of one peer.
  struct counts {
    std::uint64_t fired = 0;                ///< payloads taken
    std::uint64_t attempts = 0;             ///< payloads offered to its gates
    std::uint64_t refused[reason_count]{};  ///< of payloads, at its gates and before, by reason
    std::uint64_t dropped = 0;              ///< messages from it that were lost on their way
    std::uint64_t retries = 0;              ///< attempts after the first
    std::uint64_t acknowledged = 0;         ///< sends with an answer
    std::uint64_t failed[reason_count]{};   ///< sends that failed, by reason
    std::int64_t next_retry = 0;            ///< local time of the last failure's end, ns
    std::int64_t remembered = 0;            ///< numbers in its dedup gate at the end
    std::int64_t backoff_entries = 0;       ///< peers with failures in a row at the end
    std::int64_t unfinished = 0;            ///< sends without an end
    std::int64_t last_end = 0;              ///< time of the last end of a send of it, ns
  };

  table<counts> peers;       ///< the counts of each, by its index
  table<sighting> timeouts;  ///< attempts without an answer
  table<sighting> downs;     ///< peers that went down
  table<sighting> ups;       ///< peers that came up

  /// Counts of a number of peers.
  constexpr explicit tally(std::size_t count = 0) : peers(count) {}
  /// Counts one record. O(1).
  constexpr void operator()(const record& r) {
    counts& p = peers[r.peer];
    const bool data = r.kind == message_kind::data;
    switch (r.what) {
      case happening::fired:
        ++p.fired;
        break;
      case happening::attempted:
        p.attempts += data;
        p.retries += data && r.attempt != 0;
        break;
      case happening::gate_refused:
      case happening::refused:
        p.refused[static_cast<unsigned>(r.why)] += data;
        break;
      case happening::dropped:
        ++p.dropped;
        break;
      case happening::timed_out:
        timeouts.push_back({r.peer, r.other, r.time});
        break;
      case happening::failure:
        p.next_retry = r.value;
        break;
      case happening::went_down:
        downs.push_back({r.peer, r.other, r.time});
        break;
      case happening::came_up:
        ups.push_back({r.peer, r.other, r.time});
        break;
      default:
        end(p, r);
    }
  }

 private:
  static constexpr void end(counts& p, const record& r) {
    if (r.what == happening::acknowledged) ++p.acknowledged;
    if (r.what == happening::failed) ++p.failed[static_cast<unsigned>(r.why)];
    if (r.what == happening::acknowledged || r.what == happening::failed) p.last_end = r.time;
    if (r.what == happening::closed) p.unfinished = r.value;
    if (r.what == happening::remembers) p.remembered = r.value, p.backoff_entries = r.extra;
  }
};

}  // namespace wf::fault
