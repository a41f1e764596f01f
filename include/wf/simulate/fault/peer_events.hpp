// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/pool.hpp>
#include <wf/simulate/fault/peer_state.hpp>
#include <wf/simulate/fault/wire.hpp>

namespace wf::fault {

/// Parameters of a run that scripts do not have.
struct network_options {
  knob_set knobs;                       ///< before those of the script
  std::int64_t service_ns = 0;          ///< time that a peer takes for one payload, nanoseconds
  std::int64_t cease_ns = sim::never;   ///< when faults among the script's core cease
  std::uint64_t most_events = 1 << 24;  ///< more are taken for a run without an end
};

namespace detail {

/// The half of a network of peers below the gates: the wire, and what a script does to peers and
/// links. Time, timers and the way to other processes are those of the world. `Network` derives
/// from it, and handles what happens to a peer that runs: `arrive(loaded message, whole)`,
/// `serve(peer)`, `send_timer(send)`, `probe_timer(peer, other)`, `wake(peer, id)`, `ready(peer,
/// id, deadline)`, `forget(peer)` for a crash, `restarted(peer)`, `scripted_send(action)`, and
/// `cargo_of(message)`.
template <class Network, class History, class Gates, class World>
class peer_events {
 public:
  /// What a message carries besides its envelope.
  using cargo = typename World::cargo;
  /// Number of peers.
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(peers_.size()); }
  /// True if a peer is in this process.
  constexpr bool hosts(std::uint32_t p) const { return world_.hosts(p); }
  /// Time of the world, in nanoseconds.
  constexpr std::int64_t now() const { return world_.now(); }
  /// Time may go on: for a program that has computed. The simulation's does not.
  constexpr void look() { world_.look(); }
  /// Monotonic clock of a peer, in nanoseconds.
  constexpr std::int64_t local(std::uint32_t p) const { return peers_[p].clock.at(now()); }
  /// The time that a peer shows, in nanoseconds: moved by jumps of its clock.
  constexpr std::int64_t shown(std::uint32_t p) const { return peers_[p].clock.shown(now()); }
  /// False while a peer is crashed.
  constexpr bool active(std::uint32_t p) const { return peers_[p].alive && !peers_[p].doomed; }
  /// How many times a peer has restarted.
  constexpr std::uint32_t incarnation(std::uint32_t p) const { return peers_[p].incarnation; }
  /// The time that a peer takes for its work, in percent of the usual time.
  constexpr std::int64_t slowness(std::uint32_t p) const { return peers_[p].percent; }
  /// Time of the last event of the script that has happened, in nanoseconds; 0 if none has.
  constexpr std::int64_t last_event() const { return last_event_; }
  /// Number of timers that have called so far.
  constexpr std::uint64_t processed() const { return world_.processed(); }
  /// What is below the gates.
  constexpr World& here() { return world_; }

  /// Calls `woke` of the program after a local duration, in nanoseconds, unless the peer crashes.
  constexpr void wake_after(std::uint32_t p, std::int64_t duration, std::uint64_t id) {
    pending e = event_of(task::wake, p, id);
    e.due = local(p) + duration;
    at_local(e);
  }
  /// The deadline gate of a protected operation that is ready now: true if it begins, which is
  /// recorded either way. Of a local deadline, in nanoseconds.
  constexpr bool begins(std::uint32_t p, std::int64_t deadline) {
    const bool in_time = !Gates::is_late(local(p), deadline);
    note(in_time ? happening::began : happening::gate_refused, p, p,
         in_time ? deadline : static_cast<std::int64_t>(gate::deadline), in_time ? 0 : deadline,
         in_time ? reason::none : reason::deadline);
    return in_time;
  }
  /// A protected operation of an execution that begins now: ready after a duration, it begins if
  /// that is before min(now + per_hop_budget_ns, now + within_ns); at equality it fails. Without a
  /// bound `within_ns` is -1. Nanoseconds.
  constexpr void protect(std::uint32_t p, std::int64_t ready_after, std::int64_t within_ns,
                         std::uint64_t id) {
    std::int64_t budget = peers_[p].knobs[knob::per_hop_budget_ns];
    if (within_ns >= 0 && within_ns < budget) budget = within_ns;
    pending e = event_of(task::ready, p, id);
    e.due = local(p) + ready_after;
    e.bound = local(p) + budget;
    at_local(e);
  }

  /// For the world: nothing waits for the host of timers.
  constexpr void started(std::uint32_t, std::int64_t) {}
  /// For the world: an event is due.
  constexpr void finished(std::uint32_t activity) {
    const pending e = pool_[activity];
    pool_.release(activity);
    if (moves(e.what)) --moving_;
    dispatch(e);
    act_on_counters();
  }
  /// For the world: a message comes from a peer of another process.
  constexpr void came(const envelope& m, bool whole, const cargo& x) {
    pending e;
    e.what = task::arrive;
    e.whole = whole;
    e.peer = m.destination;
    e.message = {m, x};
    take_in(e);
    act_on_counters();
  }
  /// For the world: in another process an event of the script is due.
  constexpr void heard(std::uint32_t event) { act(script_.events[event].what); }

 protected:
  using memory_type = peer_memory<Gates, cargo>;
  using loaded = loaded_envelope<cargo>;
  using task = peer_task;
  using pending = peer_event<cargo>;
  using peer_entry = peer_state<Gates, cargo>;
  // An event of the script that waits for a counter.
  struct watch {
    std::uint32_t event = 0;
    std::uint64_t seen = 0;
  };

  constexpr peer_events(const script& s, History& history, const network_options& options,
                        World here)
      : script_(s),
        history_(history),
        options_(options),
        peers_(s.peers.size()),
        watches_(s.peers.size()),
        wire_(s),
        world_(static_cast<World&&>(here)) {
    for (const knob_value& k : s.knobs) options_.knobs[k.name] = k.value;
    for (std::uint32_t i = 0; i < size(); ++i) {
      if (!hosts(i)) continue;
      peer_entry& p = peers_[i];
      p.memory = memory_type(peers_.size());
      p.knobs = options_.knobs;
      set_up(p);
    }
  }

  static constexpr void set_up(peer_entry& p) {
    p.memory.dedup.set_window(p.knobs[knob::dedup_window]);
    p.memory.remembers_refused = p.knobs[knob::record_on_accept] == 0;
  }
  constexpr Network& self() { return static_cast<Network&>(*this); }

  // --- records ---

  constexpr record about(happening what, std::uint32_t p, std::uint32_t other) const {
    record r;
    r.time = now();
    r.local = local(p);
    r.what = what;
    r.peer = p;
    r.other = other;
    r.incarnation = peers_[p].incarnation;
    return r;
  }
  // A record about a message at one of its ends.
  constexpr record about(happening what, const envelope& m, bool at_source,
                         reason why = reason::none) const {
    record r =
        about(what, at_source ? m.source : m.destination, at_source ? m.destination : m.source);
    r.kind = m.kind;
    r.why = why;
    r.edge = m.edge;
    r.incarnation = m.incarnation;
    r.attempt = m.attempt;
    r.sequence = m.sequence;
    r.request = m.request;
    r.payload = m.payload;
    return r;
  }
  constexpr void note(const record& r) { history_(r); }
  constexpr void note(happening what, std::uint32_t p, std::uint32_t other, std::int64_t value = 0,
                      std::int64_t extra = 0, reason why = reason::none) {
    record r = about(what, p, other);
    r.value = value;
    r.extra = extra;
    r.why = why;
    history_(r);
  }

  // --- time ---

  constexpr void begin() {
    for (std::uint32_t p = 0; p < size(); ++p)
      for (std::uint32_t k = 0; k < knob_count && hosts(p); ++k)
        note(happening::knob_set, p, p, k, peers_[p].knobs.values[k]);
    for (std::uint32_t i = 0; i < script_.events.size(); ++i) {
      const trigger& when = script_.events[i].when;
      if (when.at_ns < 0) {
        watches_[when.peer].push_back({i, 0});
        continue;
      }
      pending e;
      e.index = i;
      after(when.at_ns, e);
    }
    if (options_.cease_ns == sim::never || script_.live.core.empty()) return;
    pending e;
    e.what = task::cease;
    after(options_.cease_ns, e);
  }
  constexpr void after(std::int64_t delay, const pending& e) {
    if (moves(e.what)) ++moving_;
    world_.after(delay, pool_.add(e), *this);
  }
  // True if the peers of this process do nothing until a message comes, but for sends and probes.
  constexpr bool rests() const {
    if (moving_ != 0) return false;
    for (std::uint32_t p = 0; p < size(); ++p)
      if (hosts(p) && !peers_[p].stopped.empty()) return false;
    return true;
  }
  constexpr pending event_of(task what, std::uint32_t p, std::uint64_t index) const {
    pending e;
    e.what = what;
    e.peer = p;
    e.incarnation = peers_[p].incarnation;
    e.index = index;
    return e;
  }
  // At a local time of its peer, which must be its member `due`.
  constexpr void at_local(const pending& e) {
    after(peers_[e.peer].clock.delay(e.due - local(e.peer)), e);
  }

  // --- messages ---

  // Gives a message to the wire. Partitions cut what departs and what arrives.
  constexpr void transmit(const loaded& x) {
    const envelope& m = x.message;
    const auto link = wire_.state(m.source, m.destination);
    if (link == wire::link::drop)
      return note(about(happening::dropped, m, true, reason::partition));
    pending e;
    e.message = x;
    e.peer = m.destination;
    if (link == wire::link::hold) {
      note(about(happening::held, m, true));
      e.what = task::depart;
      return held_.push_back(e);
    }
    wire_.decide(m, now(), decision_);
    if (decision_.dropped) return note(about(happening::dropped, m, true, reason::rule));
    e.what = task::arrive;
    e.whole = decision_.whole;
    for (std::int64_t delay : decision_.copies) {
      note(about(happening::copied, m, true));
      after(delay, e);
    }
    after(decision_.delay_ns, e);
  }
  // Counts for the events of the script that wait for it.
  constexpr void count(std::uint32_t p, counter which, std::uint32_t edge) {
    for (std::size_t i = 0; i < watches_[p].size(); ++i) {
      watch& w = watches_[p][i];
      const event& e = script_.events[w.event];
      if (e.when.count != which || (e.when.edge >= 0 && e.when.edge != edge)) continue;
      if (++w.seen != e.when.number) continue;
      due_.push(w.event);
      // It dies at once: what it was about to do does not happen.
      if (e.what.kind == action_kind::crash) peers_[e.what.peer].doomed = true;
    }
  }

  // --- events ---

  constexpr void dispatch(const pending& e) {
    if (e.what == task::script) return act(script_.events[e.index].what);
    if (e.what == task::cease) return cease_among_core();
    if (e.what == task::depart) return transmit(e.message);
    peer_entry& p = peers_[e.peer];
    if (e.what == task::restart) return restart(e.peer);
    if (e.what == task::resume) {
      if (p.paused && p.pauses == e.generation) resume(e.peer);
      return;
    }
    if (e.what == task::arrive) {
      const envelope& m = e.message.message;
      const auto link = wire_.state(m.source, m.destination);
      if (link == wire::link::drop)
        return note(about(happening::dropped, m, true, reason::partition));
      if (link == wire::link::hold) {
        note(about(happening::held, m, true));
        return held_.push_back(e);
      }
      if (!hosts(e.peer)) return world_.carry(m, e.whole, e.message.cargo);
    } else if (!p.alive || p.incarnation != e.incarnation) {
      return;
    }
    take_in(e);
  }
  // What happens to a peer now, unless it is crashed or paused.
  constexpr void take_in(const pending& e) {
    peer_entry& p = peers_[e.peer];
    if (!p.alive) return note(about(happening::lost, e.message.message, false));
    if (p.paused) return p.stopped.push_back(e);
    // A clock that was slowed down meanwhile has not reached the time yet.
    if (e.due > local(e.peer)) return at_local(e);
    handle(e);
  }
  constexpr void handle(const pending& e) {
    switch (e.what) {
      case task::arrive:
        return self().arrive(e.message, e.whole);
      case task::serve:
        return self().serve(e.peer);
      case task::send:
        return self().send_timer(static_cast<std::uint32_t>(e.index), e.generation);
      case task::probe:
        return self().probe_timer(e.peer, static_cast<std::uint32_t>(e.index), e.generation);
      case task::wake:
        return self().wake(e.peer, e.index);
      case task::ready:
        return self().ready(e.peer, e.index, e.bound);
      default:
        return;
    }
  }
  // Carries out the events of the script for which counters have been waiting.
  constexpr void act_on_counters() {
    while (!due_.empty()) {
      const std::uint32_t event = due_.pop();
      world_.announce(event);
      act(script_.events[event].what);
    }
  }
  constexpr void act(const action& a) {
    last_event_ = now();
    if (!is_of_links(a.kind) && !hosts(a.peer)) return;
    switch (a.kind) {
      case action_kind::partition:
        return wire_.cut(a.from, a.to, a.hold);
      case action_kind::heal:
        wire_.heal(a.from, a.to);
        return release();
      case action_kind::crash:
        return crash(a.peer, a.duration_ns);
      case action_kind::pause:
        return pause(a.peer, a.duration_ns);
      case action_kind::slow:
        peers_[a.peer].percent = a.percent;
        return;
      case action_kind::clock:
        peers_[a.peer].clock.jump(a.offset_ns);
        return peers_[a.peer].clock.set_rate(now(), a.rate_ppm);
      case action_kind::policy:
        return policy(a);
      case action_kind::set_knob:
        return set_knob(a.peer, a.setting);
      case action_kind::send:
        return self().scripted_send(a);
      case action_kind::stop_faults:
        wire_.cease();
        for (std::uint32_t p = 0; p < size(); ++p) recover(p);
        return release();
    }
  }
  // Messages whose link is open go on, in the order in which they were held.
  constexpr void release() {
    table<pending> all;
    all.swap(held_);
    for (const pending& e : all) {
      if (wire_.state(e.message.message.source, e.peer) == wire::link::hold)
        held_.push_back(e);
      else
        after(0, e);
    }
  }
  constexpr void cease_among_core() {
    wire_.cease_among(script_.live.core);
    for (std::uint32_t p : script_.live.core) recover(p);
    release();
  }
  // Ends what a script does to a running peer.
  constexpr void recover(std::uint32_t p) {
    if (!hosts(p)) return;
    peers_[p].percent = 100;
    peers_[p].clock.set_rate(now(), 0);
    if (peers_[p].paused) resume(p);
  }
  constexpr void pause(std::uint32_t p, std::int64_t duration) {
    peer_entry& x = peers_[p];
    if (!x.alive) return;
    if (!x.paused) note(happening::paused, p, p);
    x.paused = true;
    pending e = event_of(task::resume, p, 0);
    e.generation = ++x.pauses;
    after(duration, e);
  }
  constexpr void resume(std::uint32_t p) {
    peers_[p].paused = false;
    note(happening::resumed, p, p);
    table<pending> all;
    all.swap(peers_[p].stopped);
    for (const pending& e : all) after(0, e);
  }
  constexpr void crash(std::uint32_t p, std::int64_t restart_after) {
    peer_entry& x = peers_[p];
    x.doomed = false;
    if (!x.alive) return;
    x.alive = x.paused = false;
    note(happening::crashed, p, p);
    for (const pending& e : x.stopped)
      if (e.what == task::arrive) note(about(happening::lost, e.message.message, false));
    x.stopped.clear();
    while (!x.memory.ingress.empty())
      note(about(happening::lost, x.memory.ingress.pop().message, false));
    self().forget(p);
    table<typename Gates::health> policies(x.memory.health);
    x.memory = memory_type(size());
    set_up(x);
    // Policies and knobs are configuration: they outlive a crash.
    for (std::uint32_t q = 0; q < size(); ++q) {
      x.memory.health[q].blocked = policies[q].blocked;
      x.memory.health[q].not_allowed = policies[q].not_allowed;
    }
    if (restart_after >= 0) after(restart_after, event_of(task::restart, p, 0));
  }
  constexpr void restart(std::uint32_t p) {
    peer_entry& x = peers_[p];
    if (x.alive) return;
    x.alive = true;
    ++x.incarnation;
    note(happening::restarted, p, p);
    self().restarted(p);
  }
  constexpr void policy(const action& a) {
    table<typename Gates::health>& entries = peers_[a.peer].memory.health;
    const auto has = [](const table<std::uint32_t>& list, std::uint32_t q) {
      return selector{false, list}.has(q);
    };
    for (std::uint32_t q = 0; q < size(); ++q) {
      if (a.has_block) entries[q].blocked = has(a.block, q);
      if (a.change == allow_change::open) entries[q].not_allowed = false;
      if (a.change == allow_change::list) entries[q].not_allowed = !has(a.allow, q);
      note(happening::admits, a.peer, q, 0, 0, entries[q].policy());
    }
  }
  constexpr void set_knob(std::uint32_t p, const knob_value& k) {
    peers_[p].knobs[k.name] = k.value;
    if (k.name == knob::dedup_window) peers_[p].memory.dedup.set_window(k.value);
    if (k.name == knob::record_on_accept && k.value == 0) peers_[p].memory.remembers_refused = true;
    note(happening::knob_set, p, p, static_cast<std::int64_t>(k.name), k.value);
  }

  const script& script_;
  History& history_;
  network_options options_;
  table<peer_entry> peers_;
  table<table<watch>> watches_;  // by peer
  wire wire_;
  World world_;

 private:
  pool<pending> pool_;
  table<pending> held_;  // by partitions
  fifo<std::uint32_t> due_;
  wire_decision decision_;
  std::int64_t last_event_ = 0;
  std::uint64_t moving_ = 0;  // events that are under way and move the run
};

}  // namespace detail

}  // namespace wf::fault
