// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/simulate/fault/peer_gates.hpp>
#include <wf/simulate/fault/sends.hpp>
#include <wf/simulate/process/wait_graph.hpp>

namespace wf::fault {

/// Peers that exchange messages over a wire with the faults of a script, on the event engine.
///
/// A send gets a sequence number of its stream (sender, receiver, edge), passes the gates of its
/// sender (health, backoff), and waits for an answer; without one it is sent again, with the same
/// number, until its attempts or its budget are over. A payload that arrives waits for the gates of
/// its receiver (dedup, health, backoff); then its consumer fires, and an answer goes back.
///
/// `Program` is what runs on the peers: functions with the network as their first argument, each of
/// which it may lack: `start(net)`, `fired(net, delivery)`, `ended(net, send_end)`, `restarted(net,
/// peer)`, `woke(net, peer, id)`, `protected_begins(net, peer, id, in_time)`, and `waits(emit)`,
/// which calls `emit(peer, other)` for peers that cannot end because of others.
template <class Program, class History = no_history, class Gates = standard_gates>
class peer_network
    : public detail::peer_gates<peer_network<Program, History, Gates>, History, Gates> {
  using base = detail::peer_gates<peer_network, History, Gates>;
  friend detail::peer_events<peer_network, History, Gates>;

 public:
  /// A network of the script's peers. All arguments must outlive it.
  constexpr peer_network(const script& s, Program& program, History& history,
                         const network_options& options = {})
      : base(s, history, options), program_(program), sends_(s.peers.size()) {}

  /// Runs until nothing can happen any more. Errors: `simulation_failed` for a run without an end,
  /// or peers that wait for each other, whose cycle the message names. O(events · log events).
  constexpr result<nothing> run() {
    this->begin();
    if constexpr (requires { program_.start(*this); }) program_.start(*this);
    while (this->engine_.step(*this))
      if (this->processed() > this->options_.most_events)
        return make_error(errc::simulation_failed, this->script_.name.view(),
                          "the run does not end: more events than the options allow");
    for (std::uint32_t p = 0; p < this->size(); ++p) close(p);
    return find_cycle();
  }

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

 private:
  using task = typename base::task;

  using base::about;
  using base::blame;
  using base::count_failure;
  using base::gates;
  using base::launch;
  using base::new_request;
  using base::note;
  using base::passes;

  constexpr record about(happening what, std::uint32_t stream, const pending_send& x) const {
    const send_stream& s = sends_.stream(stream);
    record r = about(what, s.source, s.destination);
    r.edge = s.edge;
    r.sequence = x.sequence;
    r.request = x.ticket;
    return r;
  }

  // --- sends ---

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
    if (why == reason::down) ask_for_probe(p, q);
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
    if constexpr (requires(const send_end& e) { program_.ended(*this, e); })
      program_.ended(*this, send_end{p, sends_.stream(at).destination, sends_.stream(at).edge,
                                     x.ticket, x.payload, why});
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

  // --- probes ---

  constexpr void ask_for_probe(std::uint32_t p, std::uint32_t q) {
    probe_state& probe = this->peers_[p].memory.probes[q];
    probe.wanted = true;
    if (!probe.active) plan_probe(p, q, this->peers_[p].memory.backoff[q].next_retry);
  }
  constexpr void plan_probe(std::uint32_t p, std::uint32_t q, std::int64_t due) {
    probe_state& probe = this->peers_[p].memory.probes[q];
    probe.active = true;
    auto e = this->event_of(task::probe, p, q);
    e.generation = ++probe.generation;
    e.due = due;
    this->at_local(e);
  }
  // A probe is due, or has no answer.
  constexpr void probe_timer(std::uint32_t p, std::uint32_t q, std::uint32_t generation) {
    auto& memory = this->peers_[p].memory;
    probe_state& probe = memory.probes[q];
    if (probe.generation != generation) return;
    envelope m{message_kind::probe,
               p,
               this->peers_[p].incarnation,
               q,
               0,
               0,
               probe.request,
               probe.request,
               0,
               0};
    if (probe.request != 0) {
      note(about(happening::timed_out, m, true));
      probe.request = 0;
      blame(p, q);
    }
    const auto& health = memory.health[q];
    probe.active = health.down && health.refusal(false) == reason::none &&
                   (probe.wanted || !sends_.is_quiet(p, q));
    if (!probe.active) return;
    if (memory.backoff[q].refuses(this->local(p)))
      return plan_probe(p, q, memory.backoff[q].next_retry);
    probe.wanted = false;
    probe.request = m.request = new_request(p);
    m.sequence = m.request;
    note(about(happening::attempted, m, true));
    passes(m, true, gate::health, reason::none);
    passes(m, true, gate::backoff, reason::none);
    // A probe asks for a sign of life, not for a fast one.
    const std::int64_t budget = this->peers_[p].knobs[knob::per_hop_budget_ns];
    const std::int64_t wait = memory.trips[q].wait(budget);
    const std::int64_t ttl = wait > budget ? wait : budget;
    launch(m, m.remaining = ttl);
    plan_probe(p, q, this->local(p) + ttl);
  }

  // --- receiving ---

  constexpr void arrive(const envelope& m, bool whole) {
    const std::uint32_t q = m.destination;
    if (!this->active(q)) return note(about(happening::lost, m, false));
    note(about(happening::arrived, m, false));
    if (!whole) return refuse(m, reason::checksum);
    if (m.kind != message_kind::data) return control(m);
    this->count(q, counter::delivered, m.edge);
    if (!this->active(q)) return note(about(happening::lost, m, false));
    auto& peer = this->peers_[q];
    overload_entry& load = peer.memory.overload[m.source];
    if (load.recovers(this->local(q))) note(happening::heard, q, m.source);
    if (load.silent) return refuse(m, reason::silent);
    const std::int64_t capacity = peer.knobs[knob::ingress_capacity];
    auto depth = static_cast<std::int64_t>(peer.memory.ingress.size());
    const bool full = depth >= capacity;
    if (!full) {
      peer.memory.ingress.push(m);
      record r = about(happening::queued, m, false);
      r.value = ++depth;
      note(r);
    }
    if (4 * depth >= 3 * capacity) ask_to_wait(q, m.source, depth);
    if (full) return refuse(m, reason::ingress_full);
    if (peer.memory.serving) return;
    start_serving(q);
  }
  constexpr void refuse(const envelope& m, reason why) {
    note(about(happening::refused, m, false, why));
  }
  constexpr void start_serving(std::uint32_t q) {
    auto& peer = this->peers_[q];
    peer.memory.serving = true;
    auto e = this->event_of(task::serve, q, 0);
    e.due = this->local(q) + this->options_.service_ns * peer.percent / 100;
    if (this->options_.service_ns == 0) return serve(q);
    this->at_local(e);
  }
  // The first payload of the queue had its turn.
  constexpr void serve(std::uint32_t q) {
    take(this->peers_[q].memory.ingress.pop());
    if (!this->active(q)) return;
    auto& memory = this->peers_[q].memory;
    memory.serving = false;
    if (!memory.ingress.empty()) start_serving(q);
  }
  // Offers a payload to the gates of its receiver.
  constexpr void take(const envelope& m) {
    const std::uint32_t q = m.destination;
    auto& peer = this->peers_[q];
    const bool at_end = peer.knobs[knob::record_on_accept] != 0;
    reason why = peer.memory.dedup.test(m);
    if (!passes(m, false, gate::dedup, why)) {
      // Its first copy was answered, but the answer may be lost.
      if (why == reason::duplicate && !peer.memory.remembers_refused) answer(m);
      return;
    }
    if (!at_end) peer.memory.dedup.record(m);
    why = gates(m, false, q, m.source);
    if (why == reason::down) ask_for_probe(q, m.source);
    if (why != reason::none) return;
    if (at_end) peer.memory.dedup.record(m);
    this->count(q, counter::accepted, m.edge);
    if (!this->active(q)) return note(about(happening::lost, m, false));
    record r = about(happening::fired, m, false);
    r.extra = m.remaining;
    note(r);
    const delivery d{q, m.source, m.incarnation, m.edge, m.sequence, m.payload, m.remaining};
    if constexpr (requires { program_.fired(*this, d); }) program_.fired(*this, d);
    this->count(q, counter::fired, m.edge);
    if (this->active(q)) answer(m);
  }
  // Answers, notices and probes obey the policy alone: they reach a peer that is held down, or it
  // could never come up.
  constexpr void answer(const envelope& m) {
    const std::uint32_t q = m.destination;
    send_control({message_kind::ack, q, this->peers_[q].incarnation, m.source, m.edge, m.attempt,
                  m.sequence, m.request, 0, 0});
  }
  // Answers a probe, or the question in such an answer. Who has failures of the asker on record
  // asks back: otherwise two peers that hold each other down would have to come up in one instant.
  constexpr void answer_probe(const envelope& m, std::uint64_t request) {
    const std::uint32_t q = m.destination;
    const bool asks =
        m.kind == message_kind::probe && this->peers_[q].memory.backoff[m.source].failures != 0;
    const auto question = static_cast<std::int64_t>(asks ? new_request(q) : 0);
    send_control({message_kind::ack, q, this->peers_[q].incarnation, m.source, m.edge, m.attempt,
                  m.sequence, request, question, 1});
  }
  constexpr void send_control(const envelope& m) {
    note(about(happening::attempted, m, true));
    const reason why = this->peers_[m.source].memory.health[m.destination].refusal(false);
    if (passes(m, true, gate::health, why)) launch(m, 0);
  }
  constexpr void ask_to_wait(std::uint32_t q, std::uint32_t source, std::int64_t depth) {
    auto& peer = this->peers_[q];
    overload_entry& load = peer.memory.overload[source];
    const std::int64_t now = this->local(q);
    if (now < load.quoted_until) return;
    load.quoted_until = now + overload_entry::quote;
    ++load.notices;
    note(happening::noticed, q, source, depth, overload_entry::quote);
    if (!load.silent && load.notices >= peer.knobs[knob::notice_limit]) {
      load.silent = true;
      note(happening::silenced, q, source);
    }
    const std::uint64_t request = new_request(q);
    send_control({message_kind::notice, q, this->peers_[q].incarnation, source, 0, 0, request,
                  request, overload_entry::quote, 0});
  }
  // A late answer is a sign of life as well.
  constexpr void probe_answered(const envelope& m) {
    const std::uint32_t p = m.destination, q = m.source;
    if (m.remaining != 0) answer_probe(m, static_cast<std::uint64_t>(m.remaining));
    probe_state& probe = this->peers_[p].memory.probes[q];
    if (m.request >> 40 != this->peers_[p].incarnation) return;
    if (probe.request == m.request || this->peers_[p].memory.health[q].down) {
      probe.request = 0;
      probe.active = false;
      ++probe.generation;
    }
    praise(p, q);
  }
  constexpr void control(const envelope& m) {
    const std::uint32_t p = m.destination, q = m.source;
    auto& memory = this->peers_[p].memory;
    const reason why = memory.health[q].refusal(false);
    if (!passes(m, false, gate::health, why)) return;
    note(about(happening::consumed, m, false));
    if (m.kind == message_kind::probe) return answer_probe(m, m.request);
    if (m.kind == message_kind::notice) {
      memory.backoff[q].advise(this->local(p), m.remaining);
      return count_failure(p, q);
    }
    if (m.payload == 1) return probe_answered(m);
    // A late answer to an earlier attempt ends the send, too; an answer to an earlier incarnation
    // means another send of the same number.
    if (m.request >> 40 != this->peers_[p].incarnation) return;
    const std::uint32_t at = sends_.find(p, q, m.edge);
    if (at == hash_index::none) return;
    const std::uint32_t i = sends_.stream(at).find(m.sequence);
    if (i == send_stream::none) return;
    if (sends_[i].state == send_state::in_flight && sends_[i].request == m.request)
      memory.trips[q].add(this->local(p) - sends_[i].sent_at);
    sends_[i].state = send_state::in_flight;  // not to be sent again
    const std::uint64_t ticket = sends_[i].ticket;
    praise(p, q);
    if (sends_[i].ticket == ticket && sends_[i].state != send_state::free) end(i, reason::none);
  }

  // --- what the events below ask for ---

  constexpr void forget(std::uint32_t p) { sends_.forget(p); }
  constexpr void restarted(std::uint32_t p) {
    if constexpr (requires { program_.restarted(*this, p); }) program_.restarted(*this, p);
  }
  constexpr void wake(std::uint32_t p, std::uint64_t id) {
    if constexpr (requires { program_.woke(*this, p, id); }) program_.woke(*this, p, id);
  }
  constexpr void ready(std::uint32_t p, std::uint64_t id, std::int64_t deadline) {
    const bool in_time = this->begins(p, deadline);
    if constexpr (requires { program_.protected_begins(*this, p, id, in_time); })
      program_.protected_begins(*this, p, id, in_time);
  }
  constexpr void scripted_send(const action& a) {
    send(a.peer, a.destination, a.edge, hash_text(a.payload.view()));
  }

  // --- the end ---

  constexpr void close(std::uint32_t p) {
    const auto& memory = this->peers_[p].memory;
    std::int64_t failing = 0;
    for (const auto& e : memory.backoff) failing += e.failures != 0;
    note(happening::closed, p, p, sends_.unfinished(p),
         static_cast<std::int64_t>(memory.ingress.size()));
    note(happening::remembers, p, p, memory.dedup.entries(), failing);
  }
  constexpr result<nothing> find_cycle() const {
    table<wait_edge> waits;
    const auto emit = [&](std::uint32_t p, std::uint32_t q) { waits.push_back({p, q}); };
    if constexpr (requires { program_.waits(emit); }) program_.waits(emit);
    const table<std::uint32_t> cycle = wait_cycle(waits);
    if (cycle.empty()) return nothing{};
    const auto name = [&](std::uint32_t p) { return this->script_.peers[p].view(); };
    return make_error(errc::simulation_failed, name(cycle[0]),
                      text("the peers hang: ") << wait_cycle_text(cycle, name).view());
  }

  Program& program_;
  send_table sends_;
  std::uint64_t tickets_ = 0;
};

}  // namespace wf::fault
