// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/fault/checker.hpp>
#include <wf/simulate/fault/peer_network.hpp>

namespace wf::fault {

/// The work of peers in a storm: each sends numbered items to each other one, in bursts; every
/// eighth item is passed on by its receiver, within the rest of its budget.
struct storm_options {
  /// From each peer to each other one; more to one of whose counters an event waits for.
  std::uint32_t items = 16;
  std::uint32_t burst = 4;                  ///< items at a time
  std::int64_t gap_ns = 2'000'000;          ///< least time between bursts, in nanoseconds
  std::int64_t budget_ns = 60'000'000'000;  ///< time that an item has, in nanoseconds
  std::uint32_t retries = 63;               ///< attempts after the first
  std::int64_t service_ns = 10'000;         ///< time that a peer takes for an item, nanoseconds
  std::int64_t faults_ns = 30'000'000'000;  ///< faults among the core last at least so long
  /// Longest wait of the backoff gate, unless the script sets it: below the budget by so much that
  /// a peer that comes back is found in time. Nanoseconds.
  std::int64_t backoff_cap_ns = 1'000'000'000;
};

namespace detail {

/// The time of the last event of a script that happens at a time.
constexpr std::int64_t last_time(const script& s) {
  std::int64_t last = 0;
  for (const event& e : s.events) last = e.when.at_ns > last ? e.when.at_ns : last;
  return last;
}

/// The number of items for a peer: at least so many that events that wait for it to fire happen,
/// even if all but one of its senders have crashed. At most 1000.
constexpr std::uint32_t items_for(const script& s, std::uint32_t peer, std::uint32_t least) {
  std::uint64_t items = least;
  for (const event& e : s.events)
    if (e.when.at_ns < 0 && e.when.count == counter::fired && e.when.peer == peer &&
        e.when.number > items)
      items = e.when.number < 1000 ? e.when.number : 1000;
  return static_cast<std::uint32_t>(items);
}

/// The storm, scaled so that it lasts for all events at times.
constexpr storm_options scaled(const script& s, storm_options o) {
  const std::int64_t bursts = (o.items + o.burst - 1) / o.burst;
  const std::int64_t gap = (last_time(s) + last_time(s) / 8) / bursts;
  if (gap > o.gap_ns) o.gap_ns = gap;
  return o;
}

}  // namespace detail

/// The program of a storm. Its result is the set of items that fired; a peer that restarts begins
/// again.
class storm_program {
 public:
  /// Of a script's peers.
  constexpr storm_program(const script& s, const storm_options& options)
      : options_(options),
        peers_(static_cast<std::uint32_t>(s.peers.size())),
        items_(peers_),
        next_(peers_ * peers_),
        stalled_(peers_ * peers_),
        fired_(peers_ * peers_) {
    for (std::uint32_t q = 0; q < peers_; ++q) items_[q] = detail::items_for(s, q, options.items);
  }

  /// Begins the work of every peer of this process.
  template <class Net>
  constexpr void start(Net& net) {
    for (std::uint32_t p = 0; p < peers_; ++p)
      if (net.hosts(p)) restarted(net, p);
  }
  /// Begins the work of a peer again.
  template <class Net>
  constexpr void restarted(Net& net, std::uint32_t p) {
    for (std::uint32_t q = 0; q < peers_; ++q) {
      if (q == p) continue;
      next_[p * peers_ + q] = 0;
      stalled_[p * peers_ + q] = 0;
      net.wake_after(p, 1, q);
    }
  }
  /// Sends the next burst to a peer.
  template <class Net>
  constexpr void woke(Net& net, std::uint32_t p, std::uint64_t to) {
    const auto q = static_cast<std::uint32_t>(to);
    for (std::uint32_t k = 0; k < options_.burst; ++k) {
      // What follows may end a send, which ends the stream.
      const std::uint32_t item = next_[p * peers_ + q];
      if (item >= items_[q]) return;
      send_options o;
      o.budget_ns = options_.budget_ns;
      o.retries = options_.retries;
      const send_receipt sent = net.send(p, q, 0, item, o);
      if (sent.why == reason::crash) return;
      if (sent.why == reason::outbound_full) {
        stalled_[p * peers_ + q] = 1;  // until another send of the stream ends
        return;
      }
      if (next_[p * peers_ + q] == item) ++next_[p * peers_ + q];
    }
    net.wake_after(p, options_.gap_ns, q);
  }
  /// An item has its effect.
  template <class Net>
  constexpr void fired(Net& net, const delivery& d) {
    // A script may send as well, with payloads that are no items.
    if (d.edge != 0 || d.payload >= items_[d.peer]) return;
    fired_[d.source * peers_ + d.peer].add(d.payload);
    if (d.payload % 8 != 0) return;
    send_options o;
    o.budget_ns = options_.budget_ns;
    o.retries = options_.retries;
    o.within_ns = d.remaining_ns;
    std::uint32_t next = (d.peer + 1) % peers_;
    if (next == d.source) next = (next + 1) % peers_;
    if (next != d.peer) net.send(d.peer, next, 1, d.payload, o);
  }
  /// A stream ends with the first item that fails: its receiver is lost.
  template <class Net>
  constexpr void ended(Net& net, const send_end& e) {
    if (e.edge != 0) return;
    const std::uint32_t at = e.peer * peers_ + e.destination;
    if (e.why != reason::none) next_[at] = items_[e.destination];
    if (stalled_[at] != 0) net.wake_after(e.peer, options_.gap_ns, e.destination);
    stalled_[at] = 0;
  }
  /// True if all items from one peer to another have fired. O(items).
  constexpr bool is_complete(std::uint32_t source, std::uint32_t destination) const {
    if (source == destination) return true;
    for (std::uint64_t item = 0; item < items_[destination]; ++item)
      if (!fired_[source * peers_ + destination].has(item)) return false;
    return true;
  }
  /// A digest of the items that fired: equal for equal results. O(items).
  constexpr digest128 result_of() const {
    hasher128 h('s');
    for (std::uint32_t i = 0; i < fired_.size(); ++i)
      for (std::uint64_t item = 0; item < items_[i % peers_]; ++item) h.word(fired_[i].has(item));
    return h.value();
  }

 private:
  storm_options options_;
  std::uint32_t peers_;
  table<std::uint32_t> items_;  // by receiver
  table<std::uint32_t> next_;
  table<char> stalled_;
  table<detail::number_set> fired_;
};

/// What a run of a script showed.
struct run_report {
  violation broken;           ///< invariant 0: none
  tally counts = tally(0);    ///< observations
  digest128 trace;            ///< of the history
  digest128 result;           ///< of the items that fired
  std::uint64_t records = 0;  ///< lines of the history
  std::uint64_t events = 0;   ///< of the engine
};

/// Writes into a report what was observed: `check` finds no more than it has found, of a run of so
/// many events.
constexpr void conclude(run_report& out, checker& check, const trace_hash& trace,
                        std::uint64_t events) {
  check.finish();
  out.broken = check.found();
  out.trace = trace.value();
  out.records = trace.records();
  out.events = events;
}

/// Runs a storm under a script and checks all invariants, those of liveness for the script's core
/// included. `Gates` may be others, to see that the checks find their faults.
template <class Gates = standard_gates>
constexpr run_report run_storm(const script& s, const storm_options& wanted = {}) {
  const storm_options o = detail::scaled(s, wanted);
  const auto peers = static_cast<std::uint32_t>(s.peers.size());
  run_report out;
  out.counts = tally(peers);
  checker check(peers);
  trace_hash trace;
  storm_program program(s, o);
  observe_all history(check, out.counts, trace);
  network_options options;
  options.service_ns = o.service_ns;
  options.knobs[knob::backoff_cap_ns] = o.backoff_cap_ns;
  const std::int64_t last = detail::last_time(s) + 1;
  options.cease_ns = last > o.faults_ns ? last : o.faults_ns;
  peer_network<storm_program, observe_all<checker, tally, trace_hash>, Gates> net(s, program,
                                                                                  history, options);
  const auto ran = net.run();
  conclude(out, check, trace, net.processed());
  const auto broken = [&](std::uint32_t invariant, text_view sentence) {
    if (out.broken.invariant == 0) out.broken = {invariant, text(sentence), {}};
  };
  if (!ran) broken(14, ran.error().message.view());
  const std::int64_t ceased =
      options.cease_ns > net.last_event() ? options.cease_ns : net.last_event();
  for (std::uint32_t p : s.live.core) {
    const tally::counts& c = out.counts.peers[p];
    if (c.unfinished != 0 || c.last_end > ceased + s.live.within_ns)
      broken(12, "a peer of the core does not end its work in time");
    for (std::uint32_t q : s.live.core)
      if (!program.is_complete(p, q))
        broken(3, "an item from one peer of the core to another is lost");
  }
  out.result = program.result_of();
  return out;
}

/// A program of which nothing runs: a script sends by itself.
struct no_program {};

/// Runs a script whose events send, without a workload of its own, and checks the invariants of
/// safety. Payloads take no time.
template <class Gates = standard_gates>
constexpr run_report run_script(const script& s, const network_options& options = {}) {
  run_report out;
  out.counts = tally(s.peers.size());
  checker check(s.peers.size());
  trace_hash trace;
  no_program program;
  observe_all history(check, out.counts, trace);
  peer_network<no_program, observe_all<checker, tally, trace_hash>, Gates> net(s, program, history,
                                                                               options);
  const auto ran = net.run();
  conclude(out, check, trace, net.processed());
  if (!ran && out.broken.invariant == 0) out.broken = {14, ran.error().message, {}};
  return out;
}

}  // namespace wf::fault
