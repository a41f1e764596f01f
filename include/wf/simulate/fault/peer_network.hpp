// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <wf/core/container/hash.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/simulate/fault/peer_sends.hpp>
#include <wf/simulate/process/wait_graph.hpp>

namespace wf::fault {

/// Peers that exchange messages over a wire with the faults of a script, in a world: the simulated
/// one, or one of several processes, each of which runs such a network for the peers that it hosts.
///
/// A send gets a sequence number of its stream (sender, receiver, edge), passes the gates of its
/// sender (health, backoff), and waits for an answer; without one it is sent again, with the same
/// number, until its attempts or its budget are over. A payload that arrives waits for the gates of
/// its receiver (dedup, health, backoff); then its consumer fires, and an answer goes back.
///
/// `Program` is what runs on the peers: functions with the network as their first argument, each of
/// which it may lack: `start(net)`, `fired(net, delivery)`, `ended(net, send_end)`, `restarted(net,
/// peer)`, `woke(net, peer, id)`, `protected_begins(net, peer, id, in_time)`, and `waits(emit)`,
/// which calls `emit(peer, other)` for peers that cannot end because of others. Where peers are in
/// several processes, `cargo(peer, payload)` is what a payload carries, and `fired` has it as its
/// third argument.
template <class Program, class History = no_history, class Gates = standard_gates,
          class World = simulated_world>
class peer_network : public detail::peer_sends<peer_network<Program, History, Gates, World>,
                                               History, Gates, World> {
  using base = detail::peer_sends<peer_network, History, Gates, World>;
  friend detail::peer_events<peer_network, History, Gates, World>;
  friend detail::peer_gates<peer_network, History, Gates, World>;
  friend base;

 public:
  /// A network of the script's peers. The first three arguments must outlive it.
  constexpr peer_network(const script& s, Program& program, History& history,
                         const network_options& options = {}, World here = {})
      : base(s, history, options, static_cast<World&&>(here)), program_(program) {}

  /// Runs until nothing can happen any more: starts, goes on as long as there are steps, and
  /// finishes. Errors: `simulation_failed` for a run without an end, or peers that wait for each
  /// other, whose cycle the message names; those of the world. O(events · log events).
  constexpr result<nothing> run() {
    start();
    if (const auto ended = go_on(); !ended) return ended;
    return finish();
  }
  /// Goes on as long as there are steps. Errors: `simulation_failed` for a run without an end.
  /// O(events · log events).
  constexpr result<nothing> go_on() {
    while (step())
      if (this->processed() > this->options_.most_events)
        return make_error(errc::simulation_failed, this->script_.name.view(),
                          "the run does not end: more events than the options allow");
    return nothing{};
  }
  /// Starts the peers of this process.
  constexpr void start() {
    static_assert(world<World, peer_network>, "the world lacks a function");
    this->begin();
    if constexpr (requires { program_.start(*this); }) program_.start(*this);
  }
  /// What is due next; false if nothing can happen any more.
  constexpr bool step() { return this->world_.step(*this); }
  /// Closes the history, after the last step. Errors: those of the world, and `simulation_failed`
  /// for peers that wait for each other.
  constexpr result<nothing> finish() {
    if (error e = this->world_.failure(); e.code != errc::none) return e;
    for (std::uint32_t p = 0; p < this->size(); ++p)
      if (this->hosts(p)) close(p);
    return find_cycle();
  }
  /// True if the peers of this process do nothing until a message comes from elsewhere: no send
  /// waits for an answer, nothing is to be served, and no timer of the program is set. Events of
  /// the script at times keep nobody. O(peers · peers of this process).
  constexpr bool is_passive() const {
    if (sends_.open() != 0 || !this->rests()) return false;
    for (std::uint32_t p = 0; p < this->size(); ++p)
      if (this->hosts(p))
        for (const probe_state& probe : this->peers_[p].memory.probes)
          if (probe.active) return false;
    return true;
  }

 private:
  using cargo = typename base::cargo;
  using loaded = typename base::loaded;
  using task = typename base::task;

  using base::about;
  using base::blame;
  using base::count_failure;
  using base::end;
  using base::gates;
  using base::launch;
  using base::new_request;
  using base::note;
  using base::passes;
  using base::praise;
  using base::sends_;

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

  constexpr void arrive(const loaded& x, bool whole) {
    const envelope& m = x.message;
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
      peer.memory.ingress.push(x);
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
  constexpr void take(const loaded& x) {
    const envelope& m = x.message;
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
    if constexpr (requires { program_.fired(*this, d, x.cargo); })
      program_.fired(*this, d, x.cargo);
    else if constexpr (requires { program_.fired(*this, d); })
      program_.fired(*this, d);
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

  constexpr void ended(const send_end& e) {
    if constexpr (requires { program_.ended(*this, e); }) program_.ended(*this, e);
  }
  constexpr void forget(std::uint32_t p) { sends_.forget(p); }
  constexpr cargo cargo_of(const envelope& m) {
    if constexpr (!std::is_empty_v<cargo> && requires { program_.cargo(m.source, m.payload); })
      if (m.kind == message_kind::data) return program_.cargo(m.source, m.payload);
    return {};
  }
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
    this->send(a.peer, a.destination, a.edge, hash_text(a.payload.view()));
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
};

}  // namespace wf::fault
