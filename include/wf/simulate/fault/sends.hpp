// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash_index.hpp>
#include <wf/simulate/engine/fifo.hpp>
#include <wf/simulate/engine/pool.hpp>
#include <wf/simulate/fault/history.hpp>
#include <wf/simulate/fault/random.hpp>

namespace wf::fault {

/// A payload that a consumer takes.
struct delivery {
  std::uint32_t peer = 0;         ///< who takes it
  std::uint32_t source = 0;       ///< who sent it
  std::uint32_t incarnation = 0;  ///< of the sender
  std::uint32_t edge = 0;         ///< on which it came
  std::uint64_t sequence = 0;     ///< its number on the edge
  std::uint64_t payload = 0;      ///< what the sender gave
  /// The rest of the sender's budget when it was sent: sends that it causes are `within_ns` of it.
  std::int64_t remaining_ns = 0;
};

/// How a send ended: with an answer, or with a typed failure.
struct send_end {
  std::uint32_t peer = 0;         ///< who called `send`
  std::uint32_t destination = 0;  ///< the peer that it was for
  std::uint32_t edge = 0;         ///< on which it was sent
  std::uint64_t ticket = 0;       ///< the number that `send` returned
  std::uint64_t payload = 0;      ///< what was sent
  reason why = reason::none;      ///< none: an answer came; else why it failed
};

/// How a send is carried out.
struct send_options {
  std::int64_t budget_ns = 0;   ///< time that it has; 0: the knob per_hop_budget_ns
  std::uint32_t retries = 0;    ///< attempts after the first; the knob retry_limit overrides it
  std::int64_t within_ns = -1;  ///< the rest of the budget of what causes it; -1: nothing does
};

/// The result of `send`: its ticket, or why it failed at once.
struct send_receipt {
  std::uint64_t ticket = 0;   ///< positive, never twice
  reason why = reason::none;  ///< `outbound_full`, `deadline` or `crash`: the send has failed
};

/// What a send without an end waits for.
enum class send_state : std::uint8_t {
  free,       ///< no send
  queued,     ///< waits for a sequence number
  waiting,    ///< waits until its gates may let it pass
  in_flight,  ///< waits for an answer
};

/// A send that has no end yet.
struct pending_send {
  send_state state = send_state::free;  ///< what it waits for
  std::uint32_t stream = 0;             ///< index of its stream
  std::uint32_t generation = 0;         ///< of its timer: an older one has no effect
  std::uint32_t attempt = 0;            ///< attempts made before
  std::uint32_t retries = 0;            ///< attempts after the first that it may make
  std::uint64_t ticket = 0;             ///< the number by which the program knows it
  std::uint64_t sequence = 0;           ///< on its stream
  std::uint64_t request = 0;            ///< of the attempt that is in flight
  std::uint64_t payload = 0;            ///< what it carries
  std::int64_t budget = 0;              ///< the time that it has, in nanoseconds
  std::int64_t deadline = 0;            ///< local, in nanoseconds
  std::int64_t sent_at = 0;             ///< local, of the attempt that is in flight, in nanoseconds
};

/// All sends from one peer to another on one edge. At most a window of sequence numbers, from the
/// first one without an end to the last one given, is outstanding.
class send_stream {
 public:
  std::uint32_t source = 0;       ///< the peer whose sends these are
  std::uint32_t destination = 0;  ///< the peer that they are for
  std::uint32_t edge = 0;         ///< the edge on which they go
  bool pumping = false;           ///< sequence numbers are being given
  std::int64_t waiting = 0;       ///< sends without a number that have not ended
  /// A send that has no number yet, unless it has ended: then its ticket is another one.
  struct waiting_send {
    std::uint32_t send = 0;    ///< its index
    std::uint64_t ticket = 0;  ///< the number by which to see whether it has ended
  };
  fifo<waiting_send> queued;  ///< in the order of their numbers to come

  /// A null index of a send.
  static constexpr std::uint32_t none = UINT32_MAX;
  /// The first number without an end.
  constexpr std::uint64_t first() const { return first_; }
  /// The number to be given next.
  constexpr std::uint64_t next() const { return next_; }
  /// True if a further number stays within a window.
  constexpr bool has_room(std::int64_t window) const {
    return next_ - first_ < static_cast<std::uint64_t>(window);
  }
  /// The send of a number; `none` if it has an end.
  constexpr std::uint32_t find(std::uint64_t sequence) const {
    if (sequence < first_ || sequence >= next_) return none;
    return ring_[sequence & (ring_.size() - 1)];
  }
  /// Gives a number to a send. Amortised O(1).
  constexpr std::uint64_t admit(std::uint32_t send) {
    if (next_ - first_ >= ring_.size()) {
      table<std::uint32_t> larger(ring_.empty() ? 16 : 2 * ring_.size(), none);
      for (std::uint64_t n = first_; n < next_; ++n) larger[n & (larger.size() - 1)] = find(n);
      ring_.swap(larger);
    }
    ring_[next_ & (ring_.size() - 1)] = send;
    return next_++;
  }
  /// Ends the send of a number. Amortised O(1).
  constexpr void end(std::uint64_t sequence) {
    ring_[sequence & (ring_.size() - 1)] = none;
    while (first_ < next_ && ring_[first_ & (ring_.size() - 1)] == none) ++first_;
  }
  /// Forgets all: its sender has crashed.
  constexpr void reset() {
    first_ = next_ = 1;
    waiting = 0;
    queued = {};
  }

 private:
  std::uint64_t first_ = 1;
  std::uint64_t next_ = 1;
  table<std::uint32_t> ring_;
};

/// All sends without an end, and their streams.
class send_table {
 public:
  /// Of a number of peers.
  constexpr explicit send_table(std::size_t peers) : from_(peers) {}

  /// A send, by its index.
  constexpr pending_send& operator[](std::uint32_t i) { return sends_[i]; }
  /// A stream, by its index.
  constexpr send_stream& stream(std::uint32_t at) { return streams_[at]; }
  /// A stream that does not change, by its index.
  constexpr const send_stream& stream(std::uint32_t at) const { return streams_[at]; }
  /// The streams of a sender.
  constexpr const table<std::uint32_t>& from(std::uint32_t peer) const { return from_[peer]; }
  /// True if no send from one peer to another is outstanding. O(streams of the sender).
  constexpr bool is_quiet(std::uint32_t source, std::uint32_t destination) const {
    for (std::uint32_t at : from_[source])
      if (streams_[at].destination == destination && streams_[at].first() != streams_[at].next())
        return false;
    return true;
  }
  /// The index of a stream; `hash_index::none` if nothing was sent on it. Expected O(1).
  constexpr std::uint32_t find(std::uint32_t source, std::uint32_t destination,
                               std::uint32_t edge) const {
    return index_.find(hash_of(source, destination, edge), [&](std::uint32_t i) {
      const send_stream& s = streams_[i];
      return s.source == source && s.destination == destination && s.edge == edge;
    });
  }
  /// The index of a stream, which begins if it is new. Expected O(1).
  constexpr std::uint32_t open(std::uint32_t source, std::uint32_t destination,
                               std::uint32_t edge) {
    const std::uint32_t found = find(source, destination, edge);
    if (found != hash_index::none) return found;
    const auto at = static_cast<std::uint32_t>(streams_.size());
    index_.insert(hash_of(source, destination, edge), at);
    streams_.push_back({});
    streams_[at].source = source;
    streams_[at].destination = destination;
    streams_[at].edge = edge;
    from_[source].push_back(at);
    return at;
  }
  /// Keeps a send and returns its index. Amortised O(1).
  constexpr std::uint32_t keep(const pending_send& x) {
    const std::uint32_t i = sends_.acquire();
    const std::uint32_t generation = sends_[i].generation;
    sends_[i] = x;
    sends_[i].generation = generation;
    return i;
  }
  /// Forgets a send, whose stream has ended it. O(1).
  constexpr void release(std::uint32_t i) {
    sends_[i].state = send_state::free;
    ++sends_[i].generation;
    sends_.release(i);
  }
  /// Forgets all sends of a peer, and begins its streams again. O(sends).
  constexpr void forget(std::uint32_t peer) {
    for (std::uint32_t i = 0; i < sends_.records().size(); ++i)
      if (sends_[i].state != send_state::free && streams_[sends_[i].stream].source == peer)
        release(i);
    for (std::uint32_t at : from_[peer]) streams_[at].reset();
  }
  /// Number of sends without an end, of all peers.
  constexpr std::size_t open() const { return sends_.in_use(); }
  /// Number of sends of a peer without an end. O(sends).
  constexpr std::int64_t unfinished(std::uint32_t peer) const {
    std::int64_t count = 0;
    for (const pending_send& x : sends_.records())
      count += x.state != send_state::free && streams_[x.stream].source == peer;
    return count;
  }

 private:
  static constexpr std::uint64_t hash_of(std::uint32_t source, std::uint32_t destination,
                                         std::uint32_t edge) {
    return wf::detail::mix((static_cast<std::uint64_t>(source) << 32 | destination) ^
                           wf::detail::mix(edge));
  }

  pool<pending_send> sends_;
  table<send_stream> streams_;
  table<table<std::uint32_t>> from_;
  hash_index index_;
};

}  // namespace wf::fault
