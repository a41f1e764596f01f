// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/fault/peer_gates.hpp>
#include <wf/simulate/fault/sends.hpp>

namespace wf::fault::detail {

/// The sends of all peers, from the program's call to their ends: sequence numbers, gates of the
/// sender, attempts and their timers. `Network` derives from it; besides what `peer_events` asks
/// for it has `ask_for_probe(peer, other)` and `ended(send_end)`.
template <class Network, class History, class Gates, class World>
class peer_sends : public peer_gates<Network, History, Gates, World> {
  using base = peer_gates<Network, History, Gates, World>;

 public:
  /// Sends a payload. A send with a ticket and no reason ends with `ended`, unless its peer
  /// crashes.
  constexpr send_receipt send(std::uint32_t from, std::uint32_t to, std::uint32_t edge,
                              std::uint64_t payload, const send_options& o = {}) {
    if (!this->active(from)) return {0, reason::crash};
    const std::uint32_t at = sends_.open(from, to, edge);
    const knob_set& knobs = this->peers_[from].knobs;
    pending_send x;
    x.state = send_state::queued;
    x.stream = at;
    x.ticket = ++tickets_;
    x.payload = payload;
    const std::int64_t limit = knobs[knob::retry_limit];
    x.retries = limit >= 0 ? static_cast<std::uint32_t>(limit) : o.retries;
    x.budget = o.budget_ns > 0 ? o.budget_ns : knobs[knob::per_hop_budget_ns];
    if (o.within_ns >= 0 && o.within_ns < x.budget) x.budget = o.within_ns;
    if (x.budget > longest_time) x.budget = longest_time;
    x.deadline = this->local(from) + x.budget;
    record offer = about(happening::offered, at, x);
    offer.value = x.budget;
    offer.extra = 1 + std::int64_t{x.retries};
    offer.bound = o.within_ns;
    this->note(offer);
    reason why = x.budget <= 0 ? reason::deadline : reason::none;
    if (sends_.stream(at).waiting >= knobs[knob::outbound_capacity]) why = reason::outbound_full;
    if (why != reason::none) {
      record r = about(happening::failed, at, x);
      r.why = why;
      this->note(r);
      return {x.ticket, why};
    }
    const std::uint32_t i = sends_.keep(x);
    ++sends_.stream(at).waiting;
    sends_.stream(at).queued.push({i, x.ticket});
    pump(at);
    if (sends_[i].ticket == x.ticket && sends_[i].state == send_state::queued) arm(i, x.deadline);
    return {x.ticket, reason::none};
  }

 protected:
  constexpr peer_sends(const script& s, History& history, const network_options& options,
                       World here)
      : base(s, history, options, static_cast<World&&>(here)), sends_(s.peers.size()) {}

  using task = typename base::task;

  using base::about;
  using base::blame;
  using base::gates;
  using base::launch;
  using base::new_request;
  using base::note;

  constexpr record about(happening what, std::uint32_t stream, const pending_send& x) const {
    const send_stream& s = sends_.stream(stream);
    record r = about(what, s.source, s.destination);
    r.edge = s.edge;
    r.sequence = x.sequence;
    r.request = x.ticket;
    return r;
  }

  // Sets the only timer of a send to a local time.
  constexpr void arm(std::uint32_t i, std::int64_t due) {
    auto e = this->event_of(task::send, sends_.stream(sends_[i].stream).source, i);
    e.generation = ++sends_[i].generation;
    e.due = due;
    this->at_local(e);
  }
  // Gives sequence numbers while the window has room. What it calls may send on the same stream.
  constexpr void pump(std::uint32_t at) {
    if (sends_.stream(at).pumping) return;
    sends_.stream(at).pumping = true;
    const std::uint32_t source = sends_.stream(at).source;
    while (this->active(source) && !sends_.stream(at).queued.empty() &&
           sends_.stream(at).has_room(this->peers_[source].knobs[knob::dedup_window])) {
      const auto [i, ticket] = sends_.stream(at).queued.pop();
      if (sends_[i].ticket != ticket || sends_[i].state != send_state::queued) continue;
      if (Gates::is_late(this->local(source), sends_[i].deadline)) {
        end(i, reason::deadline);  // too late for a number
        continue;
      }
      --sends_.stream(at).waiting;
      sends_[i].sequence = sends_.stream(at).admit(i);
      sends_[i].state = send_state::waiting;
      try_send(i);
    }
    sends_.stream(at).pumping = false;
  }
  // Offers a send to the gates of its sender.
  constexpr void try_send(std::uint32_t i) {
    const send_stream& s = sends_.stream(sends_[i].stream);
    const std::uint32_t p = s.source, q = s.destination;
    if (!this->active(p)) return;
    const std::int64_t now = this->local(p);
    if (Gates::is_late(now, sends_[i].deadline)) return end(i, reason::deadline);
    envelope m{message_kind::data,
               p,
               this->peers_[p].incarnation,
               q,
               s.edge,
               sends_[i].attempt,
               sends_[i].sequence,
               0,
               sends_[i].deadline - now,
               sends_[i].payload};
    record attempt = about(happening::attempted, m, true);
    attempt.request = sends_[i].ticket;
    note(attempt);
    const reason why = gates(m, true, p, q);
    if (why == reason::none) return put_on_wire(i, m);
    const bool waits = why == reason::down || why == reason::cooldown;
    if (!waits || sends_[i].retries == 0) return end(i, why);
    sends_[i].state = send_state::waiting;
    std::int64_t due = sends_[i].deadline;
    const std::int64_t retry = this->peers_[p].memory.backoff[q].next_retry;
    if (why == reason::cooldown && retry < due) due = retry;
    arm(i, due);
    if (why == reason::down) this->self().ask_for_probe(p, q);
  }
  constexpr void put_on_wire(std::uint32_t i, envelope& m) {
    const auto& memory = this->peers_[m.source].memory;
    const knob_set& knobs = this->peers_[m.source].knobs;
    pending_send& x = sends_[i];
    const std::int64_t fixed = knobs[knob::ttl_ns];
    const std::int64_t wait =
        fixed > 0 ? fixed : memory.trips[m.destination].wait(knobs[knob::per_hop_budget_ns]);
    const std::int64_t ttl =
        Gates::time_to_live({x.budget, m.remaining, wait, x.retries, fixed > 0 ? 0 : x.attempt});
    x.state = send_state::in_flight;
    x.sent_at = this->local(m.source);
    x.request = m.request = new_request(m.source);
    arm(i, x.sent_at + ttl);
    launch(m, ttl);
    this->count(m.source, counter::sent, m.edge);
  }
  // A send has an answer, or fails.
  constexpr void end(std::uint32_t i, reason why) {
    const pending_send x = sends_[i];
    const std::uint32_t at = x.stream;
    record r = about(why == reason::none ? happening::acknowledged : happening::failed, at, x);
    r.why = why;
    note(r);
    sends_.release(i);
    if (x.sequence != 0)
      sends_.stream(at).end(x.sequence);
    else
      --sends_.stream(at).waiting;
    const std::uint32_t p = sends_.stream(at).source;
    if (!this->active(p)) return;
    this->self().ended(send_end{p, sends_.stream(at).destination, sends_.stream(at).edge, x.ticket,
                                x.payload, why});
    pump(at);
  }
  constexpr void send_timer(std::uint32_t i, std::uint32_t generation) {
    if (sends_[i].generation != generation) return;
    if (sends_[i].state == send_state::queued) return end(i, reason::deadline);
    if (sends_[i].state == send_state::waiting) return try_send(i);
    const send_stream s = sends_.stream(sends_[i].stream);
    envelope m{message_kind::data,
               s.source,
               this->peers_[s.source].incarnation,
               s.destination,
               s.edge,
               sends_[i].attempt,
               sends_[i].sequence,
               sends_[i].request,
               0,
               0};
    note(about(happening::timed_out, m, true));
    sends_[i].state = send_state::waiting;
    blame(s.source, s.destination);
    this->count(s.source, counter::timeouts, s.edge);
    if (!this->active(s.source)) return;
    if (sends_[i].attempt >= sends_[i].retries) return end(i, reason::exhausted);
    ++sends_[i].attempt;
    const std::int64_t retry = this->peers_[s.source].memory.backoff[s.destination].next_retry;
    arm(i, retry < sends_[i].deadline ? retry : sends_[i].deadline);
  }

  // An answer came: what was held back may go.
  constexpr void praise(std::uint32_t p, std::uint32_t q) {
    auto& memory = this->peers_[p].memory;
    if (memory.backoff[q].failures == 0 && memory.health[q].failures == 0) return;
    memory.backoff[q] = {};
    note(happening::success, p, q);
    if (memory.health[q].succeed()) note(happening::came_up, p, q);
    for (std::size_t k = 0; k < sends_.from(p).size(); ++k) {
      const std::uint32_t at = sends_.from(p)[k];
      if (sends_.stream(at).destination != q) continue;
      for (std::uint64_t n = sends_.stream(at).first(); n < sends_.stream(at).next(); ++n) {
        const std::uint32_t i = sends_.stream(at).find(n);
        if (i != send_stream::none && sends_[i].state == send_state::waiting) try_send(i);
      }
    }
  }

  send_table sends_;

 private:
  std::uint64_t tickets_ = 0;
};

}  // namespace wf::fault::detail
