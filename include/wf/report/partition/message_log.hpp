// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/partition/machine/machines.hpp>
#include <wf/simulate/fault/history.hpp>

namespace wf {

/// How a copy of a message ended at its destination.
struct message_arrival {
  std::int64_t time = 0;                    ///< of the simulation, in nanoseconds
  bool is_copy = false;                     ///< another one of the same attempt came before
  bool is_done = false;                     ///< false: it waits for the gates
  bool is_taken = false;                    ///< the program has it
  fault::reason why = fault::reason::none;  ///< of a refusal; `crash` if the machine was down
};

/// An attempt to send a message, and what became of it.
struct message_flight {
  fault::message_kind kind = fault::message_kind::data;  ///< what it is
  std::uint32_t source = 0;                              ///< the machine that sends it
  std::uint32_t destination = 0;                         ///< the machine that is to have it
  std::uint32_t edge = 0;                                ///< of the program
  std::uint32_t attempt = 0;                             ///< earlier attempts
  std::uint64_t sequence = 0;                            ///< the same for all attempts
  std::int64_t sent = 0;                                 ///< time, in nanoseconds
  std::uint32_t copies = 0;                              ///< further ones that the wire made
  bool is_held = false;                                  ///< by a cut link, for a time
  std::uint32_t drops = 0;                               ///< copies that did not arrive
  fault::reason dropped = fault::reason::none;           ///< why
  table<message_arrival> arrivals;                       ///< in the order in which they came
};

/// What happened on machines in a run, in the order in which it happened.
struct machine_moment {
  /// What it is.
  enum class kind : std::uint8_t {
    sent,     ///< a message departs
    arrived,  ///< a copy of a message comes
    marked,   ///< something that concerns one machine: see the record
  };
  kind what = kind::marked;   ///< which of them
  std::uint32_t index = 0;    ///< of the message, or of the record
  std::uint32_t arrival = 0;  ///< of a message
  std::int64_t time = 0;      ///< in nanoseconds
};

/// The messages of a run, put together from its records.
struct message_log {
  table<message_flight> flights;  ///< in the order in which they were sent
  table<machine_moment> moments;  ///< what to draw, in order
};

namespace detail {

/// True for records that concern one machine and belong into a picture of its life.
constexpr bool is_mark(const fault::record& r) {
  using fault::happening;
  switch (r.what) {
    case happening::gate_refused:
      return r.extra == 1 && r.kind == fault::message_kind::data;
    case happening::timed_out:
    case happening::failed:
    case happening::went_down:
    case happening::came_up:
    case happening::crashed:
    case happening::restarted:
    case happening::paused:
    case happening::resumed:
      return true;
    default:
      return false;
  }
}
/// True for records about a message that stand at its destination.
constexpr bool is_at_destination(const fault::record& r) {
  using fault::happening;
  switch (r.what) {
    case happening::arrived:
    case happening::refused:
    case happening::queued:
    case happening::fired:
    case happening::consumed:
    case happening::lost:
      return true;
    case happening::gate_passed:
    case happening::gate_refused:
      return r.extra == 0;
    default:
      return false;
  }
}

/// Puts records together; see `messages_of`.
class message_reader {
 public:
  constexpr message_log read(view<fault::record> records) {
    for (std::uint32_t i = 0; i < records.size(); ++i) add(records[i], i);
    return static_cast<message_log&&>(log_);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  // Flights of one identity are a list, the latest in front: answers to copies have the same one.
  static constexpr std::uint64_t hash_of(const fault::record& r, bool arrives) {
    const std::uint64_t from = arrives ? r.other : r.peer, to = arrives ? r.peer : r.other;
    return hasher{}
        .word(from << 32 | to)
        .word(std::uint64_t{r.edge} << 32 | r.incarnation)
        .word(r.sequence)
        .word(std::uint64_t{r.attempt} << 8 | static_cast<std::uint64_t>(r.kind))
        .word(r.request)
        .value();
  }
  struct entry {
    fault::record key;
    std::uint32_t earlier = none;  // flight of the same identity
  };
  constexpr bool is_same(std::uint32_t flight, const fault::record& r, bool arrives) const {
    const fault::record& k = keys_[flight].key;
    return k.peer == (arrives ? r.other : r.peer) && k.other == (arrives ? r.peer : r.other) &&
           k.kind == r.kind && k.edge == r.edge && k.incarnation == r.incarnation &&
           k.attempt == r.attempt && k.sequence == r.sequence && k.request == r.request;
  }
  constexpr std::uint32_t latest(const fault::record& r, bool arrives) const {
    const std::uint32_t at = index_.find(
        hash_of(r, arrives), [&](std::uint32_t i) { return is_same(lists_[i], r, arrives); });
    return at == hash_index::none ? none : lists_[at];
  }
  // The earliest flight of an identity that a condition holds for.
  template <class Condition>
  constexpr std::uint32_t earliest(const fault::record& r, bool arrives, Condition&& holds) const {
    std::uint32_t found = none;
    for (std::uint32_t i = latest(r, arrives); i != none; i = keys_[i].earlier)
      if (holds(log_.flights[i])) found = i;
    return found;
  }
  static constexpr bool is_under_way(const message_flight& f) {
    return f.arrivals.size() + f.drops < std::size_t{1} + f.copies;
  }

  constexpr void add(const fault::record& r, std::uint32_t i) {
    using fault::happening;
    if (is_mark(r)) log_.moments.push_back({machine_moment::kind::marked, i, 0, r.time});
    if (r.what == happening::sent) return depart(r);
    if (r.what == happening::copied || r.what == happening::held || r.what == happening::dropped)
      return change(r);
    if (r.what == happening::arrived || r.what == happening::lost) return arrive(r);
    if (r.what == happening::fired || r.what == happening::consumed ||
        r.what == happening::refused || (r.what == happening::gate_refused && r.extra == 0))
      finish(r, r.why);
  }
  constexpr void depart(const fault::record& r) {
    const auto made = static_cast<std::uint32_t>(log_.flights.size());
    message_flight f;
    f.kind = r.kind;
    f.source = r.peer;
    f.destination = r.other;
    f.edge = r.edge;
    f.attempt = r.attempt;
    f.sequence = r.sequence;
    f.sent = r.time;
    log_.flights.push_back(static_cast<message_flight&&>(f));
    log_.moments.push_back({machine_moment::kind::sent, made, 0, r.time});
    const std::uint64_t hash = hash_of(r, false);
    const std::uint32_t at =
        index_.find(hash, [&](std::uint32_t k) { return is_same(lists_[k], r, false); });
    keys_.push_back({r, at == hash_index::none ? none : lists_[at]});
    if (at != hash_index::none) {
      lists_[at] = made;
      return;
    }
    index_.insert(hash, static_cast<std::uint32_t>(lists_.size()));
    lists_.push_back(made);
  }
  constexpr void change(const fault::record& r) {
    const std::uint32_t i = r.what == fault::happening::copied
                                ? latest(r, false)
                                : earliest(r, false, &message_reader::is_under_way);
    if (i == none) return;
    message_flight& f = log_.flights[i];
    if (r.what == fault::happening::copied) ++f.copies;
    if (r.what == fault::happening::held) f.is_held = true;
    if (r.what == fault::happening::dropped) ++f.drops, f.dropped = r.why;
  }
  // What is lost has arrived at a machine that is down, or waited there when it crashed.
  constexpr void arrive(const fault::record& r) {
    const bool is_lost = r.what == fault::happening::lost;
    if (is_lost && finish(r, fault::reason::crash)) return;
    const std::uint32_t i = earliest(r, true, &message_reader::is_under_way);
    if (i == none) return;
    message_flight& f = log_.flights[i];
    const auto number = static_cast<std::uint32_t>(f.arrivals.size());
    f.arrivals.push_back({r.time, number != 0, is_lost, false,
                          is_lost ? fault::reason::crash : fault::reason::none});
    log_.moments.push_back({machine_moment::kind::arrived, i, number, r.time});
  }
  constexpr bool finish(const fault::record& r, fault::reason why) {
    const auto waits = [](const message_flight& f) {
      for (const message_arrival& a : f.arrivals)
        if (!a.is_done) return true;
      return false;
    };
    const std::uint32_t i = earliest(r, true, waits);
    if (i == none) return false;
    for (message_arrival& a : log_.flights[i].arrivals) {
      if (a.is_done) continue;
      a.is_done = true;
      a.is_taken = why == fault::reason::none;
      a.why = why;
      return true;
    }
    return false;
  }

  message_log log_;
  table<entry> keys_;           // by flight
  table<std::uint32_t> lists_;  // the latest flight of each identity
  hash_index index_;            // of lists, by identity
};

/// The message, one of those of a call, that a record is about; see `records_of_call`.
struct message_key {
  std::uint32_t source = 0, destination = 0, edge = 0, incarnation = 0;
  std::uint64_t sequence = 0;
  std::uint64_t request = 0;  // 0: the message itself, else an answer to this attempt
  friend constexpr bool operator==(const message_key&, const message_key&) = default;
  constexpr std::uint64_t hash() const {
    return hasher{}
        .word(std::uint64_t{source} << 32 | destination)
        .word(std::uint64_t{edge} << 32 | incarnation)
        .word(sequence)
        .word(request)
        .value();
  }
};
/// An answer belongs to its question, whose sender's incarnation is in the number of the request.
constexpr message_key key_of(const fault::record& r) {
  const bool at_end = is_at_destination(r);
  const std::uint32_t from = at_end ? r.other : r.peer, to = at_end ? r.peer : r.other;
  if (r.kind == fault::message_kind::data) return {from, to, r.edge, r.incarnation, r.sequence, 0};
  return {to, from, r.edge, static_cast<std::uint32_t>(r.request >> 40), r.sequence, r.request};
}
constexpr bool is_about_life(fault::happening what) {
  using fault::happening;
  return what == happening::crashed || what == happening::restarted || what == happening::paused ||
         what == happening::resumed;
}

/// Chooses the records of a call; see `records_of_call`.
class call_filter {
 public:
  constexpr call_filter(view<machine_send> sends, std::uint64_t call) {
    std::uint64_t most = 0;
    for (const machine_send& s : sends) most = s.ticket > most ? s.ticket : most;
    wanted_.resize(most + 1);
    for (const machine_send& s : sends) wanted_[s.ticket] = s.ticket != 0 && s.call == call;
  }
  /// True for a record about a message of the call. Records come in their order.
  constexpr bool takes(const fault::record& r) {
    using fault::happening;
    const bool is_data = r.kind == fault::message_kind::data;
    if (r.what == happening::offered || r.what == happening::failed ||
        r.what == happening::acknowledged)
      return has_ticket(r);
    if (r.sequence == 0) return false;
    const message_key k = key_of(r);
    if (r.what != happening::attempted || !is_data) {
      const bool known = has(k);
      // Its answers have its number.
      if (known && is_data && r.what == happening::sent) {
        message_key answer(k);
        answer.request = r.request;
        add(answer);
      }
      return known;
    }
    if (has_ticket(r)) add(k);
    return has_ticket(r);
  }

 private:
  constexpr bool has_ticket(const fault::record& r) const {
    return r.request < wanted_.size() && wanted_[r.request] != 0;
  }
  constexpr bool has(const message_key& k) const {
    return index_.find(k.hash(), [&](std::uint32_t i) { return keys_[i] == k; }) !=
           hash_index::none;
  }
  constexpr void add(const message_key& k) {
    if (has(k)) return;
    index_.insert(k.hash(), static_cast<std::uint32_t>(keys_.size()));
    keys_.push_back(k);
  }

  table<char> wanted_;  // by ticket
  table<message_key> keys_;
  hash_index index_;
};

}  // namespace detail

/// What became of the messages of a run, and what else happened to machines. Answers to several
/// copies of a message have one identity; they are taken for arriving in the order in which they
/// were sent. Expected O(records) while few messages have one identity.
constexpr message_log messages_of(view<fault::record> records) {
  return detail::message_reader().read(records);
}

/// The records about the messages of one call and their answers, and those about the crashes and
/// pauses of machines meanwhile, in their order. `sends` are those of the same run
/// (`machine_report`); a call that sent nothing has no records. Expected O(records + sends).
constexpr table<fault::record> records_of_call(view<fault::record> records,
                                               view<machine_send> sends, std::uint64_t call) {
  detail::call_filter filter(sends, call);
  table<char> kept(records.size());
  std::size_t first = records.size(), end = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!filter.takes(records[i])) continue;
    kept[i] = 1;
    first = first < i ? first : i;
    end = i + 1;
  }
  table<fault::record> out;
  for (std::size_t i = first; i < end; ++i)
    if (kept[i] != 0 || detail::is_about_life(records[i].what)) out.push_back(records[i]);
  return out;
}

}  // namespace wf
