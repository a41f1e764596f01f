// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/fault/checker_model.hpp>

namespace wf::fault {

/// A broken invariant.
struct violation {
  std::uint32_t invariant = 0;  ///< its number, 1 to 9 and 12 to 14; 0: none is broken
  text sentence;                ///< what is wrong
  record at;                    ///< the record that showed it
};

/// Checks the invariants of a network of peers after every record, by its history alone: it keeps
/// its own model of windows, waits and judgements, as the invariants state them, and shares no code
/// with the network. It stops at the first violation. O(1) a record, and memory in proportion to
/// the sequence numbers.
class checker {
 public:
  /// Of a number of peers, all running, with no policy.
  constexpr explicit checker(std::size_t peers) : peers_(peers), pairs_(peers * peers) {}

  /// The first violation.
  constexpr const violation& found() const { return found_; }
  /// True as long as no invariant is broken.
  constexpr bool holds() const { return found_.invariant == 0; }

  /// Checks one record.
  constexpr void operator()(const record& r) {
    if (!holds()) return;
    peer_model& p = peers_[r.peer];
    if (r.time < time_ || r.local < p.local) fail(9, "time runs backwards", r);
    time_ = r.time;
    p.local = r.local;
    if (wanted_ != happening::offered &&
        (r.what != wanted_ || r.peer != wanted_peer_ || r.other != wanted_other_))
      return fail(wanted_invariant_, "a consequence is missing", r);
    announced_ = wanted_ == r.what;
    wanted_ = happening::offered;
    if (!message(r)) judgement(r);
  }
  /// Checks the end of the history.
  constexpr void finish() {
    record none;
    none.time = time_;
    if (!holds()) return;
    if (chain_.open) return fail(8, "what passed its gates did not go on", none);
    if (wanted_ != happening::offered) return fail(6, "a consequence is missing at the end", none);
    for (const table<stream_model>& of_edge : streams_)
      for (const stream_model& s : of_edge)
        for (std::int64_t in_flight : s.in_flight)
          if (in_flight > s.held || in_flight < 0) return fail(1, "a message has no end", none);
    for (const ticket_model& t : tickets_)
      if (t.open) return fail(3, "a send has neither fired nor failed", none);
    for (std::uint32_t p = 0; p < peers_.size(); ++p)
      if (!peers_[p].closed) return fail(9, "a peer is not closed", none);
  }

 private:
  using stream_model = detail::stream_model;
  using ticket_model = detail::ticket_model;
  using pair_model = detail::pair_model;
  using peer_model = detail::peer_model;
  using chain_model = detail::chain_model;

  constexpr void fail(std::uint32_t invariant, text_view sentence, const record& r) {
    if (found_.invariant == 0) found_ = {invariant, text(sentence), r};
  }
  constexpr void want(happening what, std::uint32_t invariant, const record& r) {
    wanted_ = what;
    wanted_invariant_ = invariant;
    wanted_peer_ = r.peer;
    wanted_other_ = r.other;
  }
  constexpr std::int64_t knob_of(std::uint32_t p, knob k) const {
    return peers_[p].knobs[static_cast<unsigned>(k)];
  }
  constexpr pair_model& pair(const record& r) { return pairs_[r.peer * peers_.size() + r.other]; }
  constexpr stream_model& stream(std::uint32_t source, std::uint32_t destination,
                                 std::uint32_t edge) {
    std::size_t e = 0;
    while (e < edges_.size() && edges_[e] != edge) ++e;
    if (e == edges_.size()) {
      edges_.push_back(edge);
      streams_.push_back(table<stream_model>(peers_.size() * peers_.size()));
    }
    return streams_[e][source * peers_.size() + destination];
  }
  constexpr stream_model& stream(const record& r, bool at_source) {
    return at_source ? stream(r.peer, r.other, r.edge) : stream(r.other, r.peer, r.edge);
  }
  static constexpr bool same_message(const record& a, const record& b) {
    return a.kind == b.kind && a.peer == b.peer && a.other == b.other && a.edge == b.edge &&
           a.incarnation == b.incarnation && a.sequence == b.sequence && a.attempt == b.attempt;
  }

  // --- messages: conservation, order of gates, effects ---

  constexpr bool message(const record& r) {
    switch (r.what) {
      case happening::attempted:
        attempted(r);
        return true;
      case happening::gate_passed:
      case happening::gate_refused:
        if (r.value == static_cast<std::int64_t>(gate::deadline))
          late(r);
        else
          gate_record(r);
        return true;
      case happening::sent:
        sent(r);
        return true;
      case happening::copied:
        move(r, true, 1);
        return true;
      case happening::dropped:
        move(r, true, -1);
        return true;
      case happening::held:
        ++stream(r, true).held;
        return true;
      case happening::arrived:
        if (stream(r, false).in_flight[static_cast<unsigned>(r.kind)] < 1)
          fail(1, "a message arrives that nobody sent", r);
        if (!peers_[r.peer].alive) fail(1, "a message arrives at a crashed peer", r);
        return true;
      case happening::refused:
        refused(r);
        return true;
      case happening::queued:
        if (r.value != ++peers_[r.peer].depth) fail(9, "the queue has another depth", r);
        if (r.value > knob_of(r.peer, knob::ingress_capacity))
          fail(9, "the queue has no room for it", r);
        return true;
      case happening::fired:
      case happening::consumed:
        taken(r);
        return true;
      case happening::lost:
        if (chain_.open && !chain_.at_source && same_message(chain_.of, r)) chain_.open = false;
        move(r, false, -1);
        return true;
      default:
        return false;
    }
  }
  constexpr void move(const record& r, bool at_source, std::int64_t by) {
    std::int64_t& count = stream(r, at_source).in_flight[static_cast<unsigned>(r.kind)];
    count += by;
    if (count < 0) fail(1, "a message ends twice", r);
  }
  constexpr void attempted(const record& r) {
    move(r, true, 1);
    if (!peers_[r.peer].alive) fail(1, "a crashed peer sends", r);
    begin_chain(r, true, static_cast<std::int64_t>(gate::health));
    if (r.kind != message_kind::data) return;
    stream_model& s = stream(r, true);
    if (r.request >= tickets_.size() || !tickets_[r.request].open)
      return fail(3, "it belongs to no open send", r);
    if (r.local >= tickets_[r.request].deadline)
      return fail(4, "an attempt is made after the deadline of its send", r);
    if (r.sequence > s.given) {
      if (r.sequence != s.given + 1 || r.attempt != 0)
        return fail(5, "sequence numbers are not given in turn", r);
      s.given = r.sequence;
      --s.waiting;
      while (s.tickets.size() <= r.sequence) s.tickets.push_back(0);
      s.tickets[r.sequence] = static_cast<std::uint32_t>(r.request);
      const auto window = static_cast<std::uint64_t>(knob_of(r.peer, knob::dedup_window));
      if (s.given - s.ended > window) fail(5, "more than a window is outstanding", r);
    } else if (r.sequence == 0 || s.tickets[r.sequence] != r.request || s.ends.has(r.sequence)) {
      fail(5, "a number is sent again for another send, or after its end", r);
    }
  }
  constexpr void gate_record(const record& r) {
    const bool at_source = r.extra == 1;
    const bool data = r.kind == message_kind::data;
    const auto which = static_cast<gate>(r.value);
    if (!at_source && (which == gate::dedup || (!data && which == gate::health))) {
      begin_chain(r, false, r.value);
      if (data && --peers_[r.peer].depth < 0) fail(9, "a payload was not queued", r);
    }
    if (!chain_.open || chain_.at_source != at_source || !same_message(chain_.of, r) ||
        chain_.next != r.value)
      return fail(8, "a gate runs out of its order", r);
    if (r.why != verdict(r, which, at_source))
      return fail(which == gate::dedup    ? 5
                  : which == gate::health ? 6
                                          : 7,
                  "a gate decides against its rule", r);
    ++chain_.next;
    if (r.what == happening::gate_refused) {
      chain_.open = false;
      move(r, at_source, -1);
    } else if (which == gate::dedup && knob_of(r.peer, knob::record_on_accept) == 0) {
      remember(r);
    }
  }
  constexpr reason verdict(const record& r, gate which, bool at_source) {
    const pair_model& about = pair(r);
    if (which == gate::dedup) {
      const stream_model& s = stream(r, at_source);
      if (r.incarnation != s.incarnation)
        return r.incarnation < s.incarnation ? reason::stale : reason::none;
      const std::uint64_t floor = floor_of(s, r.peer);
      if (r.sequence > s.high) return reason::none;
      if (r.sequence <= floor) return reason::stale;
      return s.accepted.has(r.sequence) ? reason::duplicate : reason::none;
    }
    if (which == gate::health) {
      if (about.policy != reason::none) return about.policy;
      const bool denied = about.down && knob_of(r.peer, knob::deny_down) != 0;
      return denied && r.kind == message_kind::data ? reason::down : reason::none;
    }
    return about.failures != 0 && r.local < about.next_retry ? reason::cooldown : reason::none;
  }
  constexpr std::uint64_t floor_of(const stream_model& s, std::uint32_t p) const {
    const auto window = static_cast<std::uint64_t>(knob_of(p, knob::dedup_window));
    const std::uint64_t floor = s.high > window ? s.high - window : 0;
    return floor > s.floor ? floor : s.floor;
  }
  constexpr void remember(const record& r) {
    stream_model& s = stream(r, false);
    if (r.incarnation != s.incarnation) {
      s.incarnation = r.incarnation;
      s.high = s.floor = 0;
      s.accepted.clear();
      s.fired.clear();
    }
    s.accepted.add(r.sequence);
    if (r.sequence > s.high) s.high = r.sequence;
  }
  constexpr void begin_chain(const record& r, bool at_source, std::int64_t first) {
    if (chain_.open) fail(8, "what passed its gates did not go on", r);
    chain_ = {true, at_source, r.peer, first, r};
  }
  constexpr bool ends_chain(const record& r, bool at_source, std::int64_t passed) {
    const bool right = chain_.open && chain_.at_source == at_source && same_message(chain_.of, r) &&
                       chain_.next == passed;
    chain_.open = false;
    if (!right) fail(8, "it did not pass all gates", r);
    return right;
  }
  constexpr void sent(const record& r) {
    const bool control = r.kind == message_kind::ack || r.kind == message_kind::notice;
    if (!ends_chain(r, true, control ? 2 : 3)) return;
    peer_model& p = peers_[r.peer];
    if (r.kind == message_kind::ack) return;
    const std::uint64_t number = r.request & ((std::uint64_t{1} << 40) - 1);
    if (number == 0 || r.request >> 40 != p.incarnation || r.request <= p.last_request)
      return fail(9, "a request has no number of its own", r);
    p.last_request = r.request;
    while (p.requests.size() <= number) p.requests.push_back({});
    p.requests[number] = {r.kind != message_kind::notice, r.sequence};
    if (r.kind != message_kind::data) return;
    const ticket_model& t = tickets_[stream(r, true).tickets[r.sequence]];
    if (r.extra != t.deadline - r.local || r.extra <= 0)
      return fail(4, "an attempt has another time left than its send", r);
    if (r.attempt >= t.attempts) return fail(4, "there are more attempts than allowed", r);
    const std::int64_t share = t.budget / t.attempts;
    if (r.value > (share < 1 ? 1 : share) || r.value > r.extra)
      fail(4, "the time to live leaves no time for the other attempts", r);
  }
  constexpr void refused(const record& r) {
    move(r, false, -1);
    const pair_model& about = pair(r);
    if (r.why == reason::silent && !about.silent) fail(13, "a sender is dropped without cause", r);
    if (r.why == reason::silent && r.local >= about.quoted_at + 2 * about.quote)
      fail(13, "silent drop does not end", r);
    if (r.why == reason::ingress_full &&
        peers_[r.peer].depth < knob_of(r.peer, knob::ingress_capacity))
      fail(9, "a payload is refused though there is room", r);
  }
  constexpr void taken(const record& r) {
    move(r, false, -1);
    if (!ends_chain(r, false, r.what == happening::fired ? 3 : 2)) return;
    if (r.what == happening::consumed) {
      answer_ = r;
      if (r.kind == message_kind::notice) want(happening::failure, 6, r);
      return;
    }
    if (knob_of(r.peer, knob::record_on_accept) != 0) remember(r);
    stream_model& s = stream(r, false);
    if (s.fired.has(r.sequence)) return fail(2, "an effect is doubled", r);
    s.fired.add(r.sequence);
    if (r.incarnation != peers_[r.other].incarnation || !peers_[r.other].alive) return;
    s.fired_ever.add(r.sequence);
    if (r.sequence >= s.tickets.size() || r.extra > tickets_[s.tickets[r.sequence]].budget)
      fail(4, "the remaining time has grown", r);
  }
  constexpr void late(const record& r) {
    if (r.local < r.extra) fail(4, "an operation is refused before its deadline", r);
  }

  // --- judgements, sends and peers ---

  constexpr void judgement(const record& r) {
    pair_model& about = pair(r);
    switch (r.what) {
      case happening::offered:
        return offered(r);
      case happening::acknowledged:
      case happening::failed:
        return ended(r);
      case happening::timed_out: {
        table<detail::request_model>& requests = peers_[r.peer].requests;
        const std::uint64_t number = r.request & ((std::uint64_t{1} << 40) - 1);
        if (number >= requests.size() || !requests[number].open ||
            requests[number].sequence != r.sequence)
          return fail(7, "a request fails twice", r);
        requests[number].open = false;
        timeout_ = r;
        return want(happening::failure, 7, r);
      }
      case happening::failure:
        return failure(r);
      case happening::success:
        if (answer_.what != happening::consumed || answer_.kind != message_kind::ack ||
            answer_.peer != r.peer || answer_.other != r.other || answer_.time != r.time)
          return fail(6, "a success without an answer", r);
        if (about.down) want(happening::came_up, 6, r);
        about.failures = 0;
        return;
      case happening::went_down:
      case happening::came_up:
        if (about.down == (r.what == happening::went_down) || !announced_)
          return fail(6, "down and up do not alternate", r);
        about.down = !about.down;
        return;
      case happening::noticed:
        if (about.notices != 0 && r.local < about.quoted_at + about.quote)
          return fail(9, "a notice within the wait that the last one quoted", r);
        if (about.notices != 0 && r.local >= about.quoted_at + 2 * about.quote) about.notices = 0;
        about.quoted_at = r.local;
        about.quote = r.extra;
        ++about.notices;
        return;
      case happening::silenced:
        if (about.notices < knob_of(r.peer, knob::notice_limit))
          return fail(13, "a sender is silenced before the limit", r);
        about.silent = true;
        return;
      case happening::heard:
        about.silent = false;
        about.notices = 0;
        return;
      case happening::began:
        if (r.local >= r.value) fail(4, "a protected operation begins after its deadline", r);
        return;
      default:
        return peer_record(r);
    }
  }
  constexpr void offered(const record& r) {
    if (r.bound >= 0 && r.value > r.bound) fail(4, "the time grows along a chain", r);
    if (r.request != tickets_.size() + (tickets_.empty() ? 1 : 0))
      return fail(9, "tickets are not given in turn", r);
    if (tickets_.empty()) tickets_.push_back({});
    tickets_.push_back({true, r.peer, r.value, r.local + r.value, r.extra});
    stream_model& s = stream(r, true);
    if (++s.waiting > knob_of(r.peer, knob::outbound_capacity)) want(happening::failed, 9, r);
  }
  constexpr void ended(const record& r) {
    if (r.request >= tickets_.size() || !tickets_[r.request].open)
      return fail(3, "a send ends twice", r);
    tickets_[r.request].open = false;
    stream_model& s = stream(r, true);
    if (r.sequence == 0) {
      --s.waiting;
    } else {
      s.ends.add(r.sequence);
      while (s.ends.has(s.ended + 1)) ++s.ended;
    }
    if (r.what == happening::failed) return;
    if (!s.fired_ever.has(r.sequence)) fail(3, "an answer, but no effect", r);
    if (pair(r).failures != 0) fail(7, "an answer does not erase the failures", r);
  }
  constexpr void failure(const record& r) {
    pair_model& about = pair(r);
    const bool by_notice = answer_.what == happening::consumed &&
                           answer_.kind == message_kind::notice && answer_.time == r.time &&
                           answer_.peer == r.peer && answer_.other == r.other &&
                           timeout_.what != happening::timed_out;
    if (!by_notice && timeout_.what != happening::timed_out)
      return fail(7, "a failure without a timeout or a notice", r);
    ++about.failures;
    std::int64_t wait = knob_of(r.peer, knob::backoff_base_ns);
    const std::int64_t cap = knob_of(r.peer, knob::backoff_cap_ns);
    for (std::int64_t k = 1; k < about.failures && wait < cap; ++k) wait *= 2;
    if (wait > cap) wait = cap;
    if (by_notice) {
      constexpr std::int64_t minute = 60'000'000'000;
      const std::int64_t quote = pairs_[r.other * peers_.size() + r.peer].quote;
      wait = quote < minute ? quote : minute;
    }
    timeout_ = answer_ = {};
    about.next_retry = r.local + wait;
    if (r.extra != about.failures || r.value != about.next_retry)
      return fail(7, "a failure leads to another wait than the rule", r);
    if (!about.down && about.failures >= knob_of(r.peer, knob::governor_threshold))
      want(happening::went_down, 6, r);
  }
  constexpr void peer_record(const record& r) {
    peer_model& p = peers_[r.peer];
    switch (r.what) {
      case happening::knob_set:
        return knob_set_to(r);
      case happening::admits:
        pair(r).policy = r.why;
        return;
      case happening::crashed:
        return crashed(r);
      case happening::restarted:
        p.alive = true;
        if (r.incarnation != ++p.incarnation) fail(9, "an incarnation is not the next one", r);
        p.last_request = static_cast<std::uint64_t>(p.incarnation) << 40;
        p.requests.clear();
        return;
      case happening::closed:
        p.closed = true;
        if (r.value != 0 && p.alive) fail(3, "a send has no end", r);
        if (r.extra != 0) fail(9, "the queue is not empty at the end", r);
        return;
      case happening::remembers:
        if (r.value > most_numbers(r.peer)) fail(5, "more numbers than the windows have", r);
        return;
      default:
        return;
    }
  }
  constexpr std::int64_t most_numbers(std::uint32_t p) const {
    std::int64_t most = 0;
    for (const table<stream_model>& of_edge : streams_)
      for (std::uint32_t q = 0; q < peers_.size(); ++q)
        if (of_edge[q * peers_.size() + p].high != 0) most += knob_of(p, knob::dedup_window);
    return most;
  }
  // What was forgotten with a small window stays forgotten with a large one.
  constexpr void knob_set_to(const record& r) {
    if (static_cast<knob>(r.value) == knob::dedup_window && knob_of(r.peer, knob::dedup_window) > 0)
      for (table<stream_model>& of_edge : streams_)
        for (std::uint32_t q = 0; q < peers_.size(); ++q) {
          stream_model& s = of_edge[q * peers_.size() + r.peer];
          s.floor = floor_of(s, r.peer);
        }
    peers_[r.peer].knobs[r.value] = r.extra;
  }
  constexpr void crashed(const record& r) {
    peer_model& p = peers_[r.peer];
    p.alive = false;
    p.depth = 0;
    for (ticket_model& t : tickets_)
      if (t.peer == r.peer) t.open = false;
    for (table<stream_model>& of_edge : streams_)
      for (std::uint32_t q = 0; q < peers_.size(); ++q) {
        stream_model& out = of_edge[r.peer * peers_.size() + q];
        out.given = out.ended = 0;
        out.waiting = 0;
        out.ends.clear();
        out.tickets.clear();
        out.fired_ever.clear();
        stream_model& in = of_edge[q * peers_.size() + r.peer];
        in.incarnation = 0;
        in.high = in.floor = 0;
        in.accepted.clear();
        in.fired.clear();
      }
    for (std::uint32_t q = 0; q < peers_.size(); ++q) {
      pair_model& about = pairs_[r.peer * peers_.size() + q];
      const reason policy = about.policy;
      const std::int64_t quote = about.quote;  // its last notice may still be under way
      about = {};
      about.policy = policy;
      about.quote = quote;
    }
  }

  table<peer_model> peers_;
  table<pair_model> pairs_;
  table<std::uint32_t> edges_;
  table<table<stream_model>> streams_;  // by edge, then by source and destination
  table<ticket_model> tickets_;
  chain_model chain_;
  record answer_, timeout_;
  // A record that must come next; `offered`: any.
  happening wanted_ = happening::offered;
  std::uint32_t wanted_invariant_ = 0, wanted_peer_ = 0, wanted_other_ = 0;
  bool announced_ = false;  // this record is one that had to come
  std::int64_t time_ = INT64_MIN;
  violation found_;
};

}  // namespace wf::fault
