// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/text/text.hpp>

namespace wf::fault {

/// The kinds of messages between peers; their numbers enter the random function.
enum class message_kind : std::uint8_t {
  data,    ///< a payload on an edge
  ack,     ///< the answer to a payload or a probe
  notice,  ///< an overloaded receiver asks the sender to wait
  probe,   ///< asks a peer that is held down whether it answers
};

/// The word of a script for a kind of message; "*" for any other value.
constexpr text_view name_of(message_kind k) {
  constexpr text_view names[] = {"data", "ack", "notice", "probe", "*"};
  return names[static_cast<unsigned>(k) < 4 ? static_cast<unsigned>(k) : 4];
}

/// The parameters of a peer's gates that a script may set.
enum class knob : std::uint8_t {
  dedup_window,        ///< sequence numbers that may be outstanding on an edge
  backoff_base_ns,     ///< first wait after a failure
  backoff_cap_ns,      ///< longest wait after a failure
  governor_threshold,  ///< failures in a row that make a peer count as down
  per_hop_budget_ns,   ///< time that a send has if it does not say
  ttl_ns,              ///< time to wait for an answer; 0: by the measured round trip
  ingress_capacity,    ///< received payloads that may wait
  outbound_capacity,   ///< sends that may wait for a sequence number, of one edge
  notice_limit,        ///< notices to a sender before its payloads are dropped silently
  deny_down,           ///< 1: the health gate denies peers that are down
  record_on_accept,    ///< 1: the dedup gate remembers what all gates accept; 0: all that it sees
  retry_limit,         ///< further attempts of a send; -1: as many as the send says
};

/// Number of knobs.
inline constexpr std::uint32_t knob_count = 12;

/// The word of a script for a knob, also with its index.
constexpr text_view name_of(knob k) {
  constexpr text_view names[] = {"dedup_window",       "backoff_base_ns",   "backoff_cap_ns",
                                 "governor_threshold", "per_hop_budget_ns", "ttl_ns",
                                 "ingress_capacity",   "outbound_capacity", "notice_limit",
                                 "deny_down",          "record_on_accept",  "retry_limit"};
  return names[static_cast<unsigned>(k)];
}

/// One value for each knob.
struct knob_set {
  /// By the index of the knob.
  std::int64_t values[knob_count] = {
      64, 10'000'000, 60'000'000'000, 5, 100'000'000, 0, 4096, 10'000, 3, 1, 1, -1};

  /// The value of a knob.
  constexpr std::int64_t operator[](knob k) const { return values[static_cast<unsigned>(k)]; }
  /// The value of a knob, which may be changed.
  constexpr std::int64_t& operator[](knob k) { return values[static_cast<unsigned>(k)]; }
};

/// A setting of a gate's parameter.
struct knob_value {
  knob name = knob::dedup_window;  ///< which one
  std::int64_t value = 0;          ///< 0 or 1 for a truth value

  friend constexpr bool operator==(const knob_value&, const knob_value&) = default;
};

/// An interval of integers with both ends.
struct interval {
  std::int64_t lowest = 0;           ///< the first integer in it
  std::int64_t highest = INT64_MAX;  ///< the last integer in it

  /// True if a number lies in the interval.
  constexpr bool has(std::int64_t n) const { return n >= lowest && n <= highest; }
  friend constexpr bool operator==(const interval&, const interval&) = default;
};

/// A choice of peers or edges: all of them, or those listed.
struct selector {
  bool any = true;               ///< all; `members` is empty
  table<std::uint32_t> members;  ///< indices of peers, or numbers of edges

  /// True if a peer or an edge is chosen. O(members).
  constexpr bool has(std::uint32_t n) const {
    for (std::uint32_t m : members)
      if (m == n) return true;
    return any;
  }
  friend constexpr bool operator==(const selector&, const selector&) = default;
};

/// The largest time or duration of a script, in nanoseconds: 146 years, so that sums of two fit.
inline constexpr std::int64_t longest_time = std::int64_t{1} << 62;

/// What a rule does with a message.
enum class rule_effect : std::uint8_t {
  drop,       ///< the message is lost
  duplicate,  ///< further copies arrive
  delay,      ///< it arrives later, so that others may overtake it
  corrupt,    ///< some of its bits flip
};

/// A rule about single messages. All that match apply, in their order; a drop ends.
struct rule {
  std::int32_t kind = -1;                  ///< a message_kind; -1: any
  selector source;                         ///< senders
  selector destination;                    ///< receivers
  selector edge;                           ///< numbers of edges
  interval sequence;                       ///< sequence numbers
  interval attempt;                        ///< how often a message was sent before
  double probability = 1;                  ///< with which it applies to a message that matches
  interval between_ns;                     ///< when it acts
  rule_effect effect = rule_effect::drop;  ///< what it does
  std::uint32_t count = 1;                 ///< copies or bits, at least 1
  interval delay_ns = {0, 0};              ///< further delay of a message, or of each copy

  friend constexpr bool operator==(const rule&, const rule&) = default;
};

/// Counters of a peer on which an event may depend. They count over all its incarnations.
enum class counter : std::uint8_t {
  sent,       ///< attempts to send a payload that the gates let pass
  delivered,  ///< payloads that arrived whole
  accepted,   ///< payloads that all gates let pass
  fired,      ///< payloads that a consumer took
  timeouts,   ///< attempts without an answer in time
};

/// The word of a script for a counter, by its index.
constexpr text_view name_of(counter c) {
  constexpr text_view names[] = {"sent", "delivered", "accepted", "fired", "timeouts"};
  return names[static_cast<unsigned>(c)];
}

/// When an event happens: at a time, or when a counter of a peer reaches a number.
struct trigger {
  std::int64_t at_ns = 0;         ///< the time; -1: by the counter
  counter count = counter::sent;  ///< which counter
  std::uint32_t peer = 0;         ///< whose counter
  std::uint64_t number = 1;       ///< the value that triggers the event
  std::int64_t edge = -1;         ///< counts this edge alone; -1: all

  friend constexpr bool operator==(const trigger&, const trigger&) = default;
};

/// What an event does.
enum class action_kind : std::uint8_t {
  partition,    ///< cuts links, in one direction
  heal,         ///< repairs links
  crash,        ///< ends a peer; what it knows is lost
  pause,        ///< stops a peer for a time
  slow,         ///< lengthens the service time of a peer
  clock,        ///< moves the clock of a peer, or changes its rate
  policy,       ///< changes whom a peer talks to
  set_knob,     ///< changes a knob of a peer
  send,         ///< sends a payload
  stop_faults,  ///< ends all faults
};

/// True for actions that concern links between peers, and no single peer.
constexpr bool is_of_links(action_kind k) {
  return k == action_kind::partition || k == action_kind::heal || k == action_kind::stop_faults;
}

/// The change of a peer's allow list.
enum class allow_change : std::uint8_t {
  none,  ///< as before
  open,  ///< everybody is allowed
  list,  ///< those listed are allowed
};

/// What an event does, with the parameters of its kind; those of other kinds have their defaults.
struct action {
  action_kind kind = action_kind::stop_faults;  ///< which of them
  selector from;                                ///< partition, heal: senders
  selector to;                                  ///< partition, heal: receivers
  bool hold = false;              ///< partition: messages wait until it heals, and are not lost
  std::uint32_t peer = 0;         ///< the peer concerned; send: the sender
  std::int64_t duration_ns = -1;  ///< pause: how long; crash: until the restart, -1: never
  std::int64_t percent = 100;     ///< slow: of the usual service time
  std::int64_t offset_ns = 0;     ///< clock: the jump of the time that it shows
  std::int64_t rate_ppm = 0;      ///< clock: how much faster it goes from now on
  bool has_block = false;         ///< policy: the block list changes
  table<std::uint32_t> block;     ///< policy: the new block list
  allow_change change = allow_change::none;  ///< policy: what happens to the allow list
  table<std::uint32_t> allow;                ///< policy: the new allow list
  knob_value setting;                        ///< set_knob: the knob and its new value
  std::uint32_t destination = 0;             ///< send: the receiver
  std::uint32_t edge = 0;                    ///< send: the edge
  text payload;                              ///< send: its characters

  friend constexpr bool operator==(const action&, const action&) = default;
};

/// An event of a script.
struct event {
  trigger when;  ///< its time
  action what;   ///< its effect

  friend constexpr bool operator==(const event&, const event&) = default;
};

/// The peers that must end their work in time once all faults among them have ceased.
struct liveness {
  table<std::uint32_t> core;   ///< the peers; empty: nothing is demanded
  std::int64_t within_ns = 0;  ///< time from the last event on

  friend constexpr bool operator==(const liveness&, const liveness&) = default;
};

/// A script of faults, for simulated and for real peers: its decisions depend on identities of
/// messages, its events on counters or times.
struct script {
  text name;                   ///< of the scenario
  text about;                  ///< a sentence about it
  std::uint64_t seed = 0;      ///< of the random function
  table<text> peers;           ///< names, which differ
  interval delay_ns = {0, 0};  ///< base delay of every message
  table<knob_value> knobs;     ///< of all peers, from the start on
  table<rule> rules;           ///< about messages
  table<event> events;         ///< about peers and links
  liveness live;               ///< what must end
  text expect;                 ///< observations of a hand-checked scenario, as JSON; may be empty

  friend constexpr bool operator==(const script&, const script&) = default;
};

/// The number of a peer of a script, by name; that of its peers if there is none. O(peers).
constexpr std::uint32_t find_peer(const script& s, text_view name) {
  std::uint32_t p = 0;
  while (p < s.peers.size() && s.peers[p].view() != name) ++p;
  return p;
}

}  // namespace wf::fault
