// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/collection.hpp>
#include <wf/partition/machine/machine.hpp>

namespace wf {

/// The machines of a deployment on the peers of a script, all in one process, for
/// `fault::peer_network`: a `machine` for each. Gates stand in the program; the network carries out
/// their decisions where a message passes them, and gates of a user's own are asked by the machine.
///
/// A call is finished when nothing can come of it any more: no message of it is under way, no copy
/// of one, no node of it runs or can run, and none waits for what a machine has from its start.
/// Then all machines forget it: memory is that of calls that go on, of paths (24 bytes for each)
/// and of the results. This needs the records of the network, of whose history `machines` must be
/// an observer; otherwise nothing is forgotten.
template <class Datum, class Evaluate>
class machines {
 public:
  using value = machine_value<Datum>;  ///< what slots hold
  /// Of a plan. All must outlive it.
  constexpr machines(const machine_plan& plan, view<machine_call<Datum>> calls, Evaluate& evaluate,
                     const machine_options& options = {})
      : plan_(plan),
        calls_(calls),
        options_(options),
        parcels_(calls.size()),
        received_(plan.parts().edges.size()) {
    for (std::uint32_t p = 0; p < plan.size(); ++p)
      all_.push_back(machine<Datum, Evaluate>(plan, p, tags_, calls, evaluate, options));
  }
  // Machines refer to members.
  machines(const machines&) = delete;
  machines& operator=(const machines&) = delete;

  /// All outputs so far, in the order in which they came.
  constexpr const table<machine_output<Datum>>& outputs() const { return outputs_; }
  /// All failures so far.
  constexpr const table<machine_failure>& failures() const { return failures_; }
  /// How often a machine with a program has restarted, all together.
  constexpr std::uint32_t restarts() const { return restarts_; }
  /// The messages so far, in the order in which they were sent, if they are kept.
  constexpr const table<machine_send>& sends() const { return sends_; }
  /// Number of filled slots of all machines. O(values · machines).
  constexpr std::size_t filled() const {
    std::size_t out = 0;
    for (const auto& m : all_) out += m.site().filled();
    return out;
  }
  /// Sees a record of the network.
  constexpr void operator()(const fault::record& r) {
    parcels_.observe(r);
    if (r.what == fault::happening::crashed) finished_.note_start();
  }
  /// Forgets calls that have finished. O(calls that wait), and O(slots) for each that has come to
  /// rest.
  template <class Net>
  constexpr void collect(const Net& net) {
    if (options_.collects && parcels_.is_observed()) finished_.collect(net, all_, parcels_, tags_);
  }
  /// How often each edge's messages were received, by edge.
  constexpr const table<std::uint64_t>& received() const { return received_; }

  /// Begins: all machines start, and calls are due at their times.
  template <class Net>
  constexpr void start(Net& net) {
    finished_ = detail::call_collection(calls_.size(), plan_.starts());
    for (std::uint32_t p = 0; p < all_.size(); ++p) all_[p].begin(outside<Net>{*this, net, p});
    for (std::uint32_t k = 0; k < calls_.size(); ++k)
      if (all_[calls_[k].machine].is_active()) net.wake_after(calls_[k].machine, calls_[k].at, k);
  }
  /// A machine has lost all but its incarnation; calls that it was still to make are due again.
  template <class Net>
  constexpr void restarted(Net& net, std::uint32_t p) {
    if (!all_[p].is_active()) return;
    ++restarts_;
    all_[p].begin(outside<Net>{*this, net, p});
    all_[p].plan_calls(outside<Net>{*this, net, p}, false);
  }
  /// A call is due, or a node has run.
  template <class Net>
  constexpr void woke(Net& net, std::uint32_t p, std::uint64_t id) {
    parcels_.rest(all_[p].woke(outside<Net>{*this, net, p}, id));
    all_[p].go_on(outside<Net>{*this, net, p});
    collect(net);
  }
  /// A message comes.
  template <class Net>
  constexpr void fired(Net& net, const fault::delivery& d) {
    // A script may send as well, with payloads that are none of ours.
    if (const parcel* const x = parcels_.find(d.payload, d.source, d.peer, d.edge); x != nullptr) {
      const outside<Net> out{*this, net, d.peer};
      if (all_[d.peer].receive(out, x->edge, x->tag, x->content, d.source, d.remaining_ns))
        ++received_[d.edge];
      parcels_.take(static_cast<std::uint32_t>(d.payload));
      all_[d.peer].go_on(out);
    }
    collect(net);
  }
  /// A message was answered, or has failed.
  template <class Net>
  constexpr void ended(Net&, const fault::send_end& e) {
    const parcel* const x = parcels_.find(e.payload, e.peer, e.destination, e.edge);
    if (x == nullptr) return;
    if (e.why != fault::reason::none)
      failures_.push_back({e.peer, e.destination, x->program, x->node, x->call, e.why, {}});
    parcels_.end(static_cast<std::uint32_t>(e.payload));
  }

 private:
  using parcel = detail::parcel<value>;

  // What a machine sees of the network and of the host.
  template <class Net>
  struct outside {
    machines& all;
    Net& net;
    std::uint32_t p;

    constexpr std::int64_t local() const { return net.local(p); }
    constexpr std::int64_t slowness() const { return net.slowness(p); }
    constexpr void look() const { net.look(); }
    constexpr void wake_after(std::int64_t duration, std::uint64_t id) const {
      net.wake_after(p, duration, id);
    }
    constexpr bool begins(std::int64_t deadline) const { return net.begins(p, deadline); }
    constexpr void started() const { all.finished_.note_start(); }
    constexpr void gave(machine_output<Datum> o) const {
      all.outputs_.push_back(static_cast<machine_output<Datum>&&>(o));
    }
    constexpr void failed(machine_failure f) const {
      all.failures_.push_back(static_cast<machine_failure&&>(f));
    }
    constexpr void send(machine_message<Datum>& m) const {
      parcel x;
      x.from = p, x.to = m.to, x.edge = m.edge, x.tag = m.tag, x.call = m.call;
      x.program = m.program, x.node = m.node;
      x.content = static_cast<value&&>(m.content);
      const std::uint32_t at = all.parcels_.add(static_cast<parcel&&>(x));
      const fault::send_receipt sent = net.send(p, m.to, m.edge, at, m.how);
      if (all.options_.keeps_sends) all.sends_.push_back({sent.ticket, m.call});
      if (sent.why == fault::reason::none) return;  // it may have had its end
      all.failures_.push_back({p, m.to, m.program, m.node, m.call, sent.why, {}});
      all.parcels_.end(at);
    }
  };

  const machine_plan& plan_;
  view<machine_call<Datum>> calls_;
  machine_options options_;
  execution_tags tags_;
  table<machine<Datum, Evaluate>> all_;
  detail::parcel_table<value> parcels_;
  table<machine_send> sends_;
  detail::call_collection finished_;
  table<machine_output<Datum>> outputs_;
  table<machine_failure> failures_;
  table<std::uint64_t> received_;  // by edge
  std::uint32_t restarts_ = 0;
};

}  // namespace wf
