// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/collection.hpp>
#include <wf/partition/machine/host.hpp>

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
class machines : public detail::machine_host<machines<Datum, Evaluate>, Datum, Evaluate> {
  using base = detail::machine_host<machines, Datum, Evaluate>;
  friend base;

 public:
  using typename base::value;
  /// Of a plan. All must outlive it.
  constexpr machines(const machine_plan& plan, view<machine_call<Datum>> calls, Evaluate& evaluate,
                     const machine_options& options = {})
      : base(plan, calls, evaluate, options), calls_(calls), parcels_(calls.size()) {}

  /// Sees a record of the network.
  constexpr void operator()(const fault::record& r) {
    parcels_.observe(r);
    if (r.what == fault::happening::crashed) started();
  }
  /// Forgets calls that have finished. O(calls that wait), and O(slots) for each that has come to
  /// rest.
  template <class Net>
  constexpr void collect(const Net& net) {
    if (this->options_.collects && parcels_.is_observed())
      finished_.collect(net, all_, parcels_, this->tags_);
  }

  /// Begins: all machines start, and calls are due at their times.
  template <class Net>
  constexpr void start(Net& net) {
    finished_ = detail::call_collection(calls_.size(), this->plan_.starts());
    for (std::uint32_t p = 0; p < all_.size(); ++p) all_[p].begin(outside_of(net, p));
    for (std::uint32_t k = 0; k < calls_.size(); ++k)
      if (all_[calls_[k].machine].is_active()) net.wake_after(calls_[k].machine, calls_[k].at, k);
  }
  /// A machine has lost all but its incarnation; calls that it was still to make are due again.
  template <class Net>
  constexpr void restarted(Net& net, std::uint32_t p) {
    if (all_[p].is_active()) this->begin_again(net, p);
  }
  /// A call is due, or a node has run.
  template <class Net>
  constexpr void woke(Net& net, std::uint32_t p, std::uint64_t id) {
    parcels_.rest(all_[p].woke(outside_of(net, p), id));
    all_[p].go_on(outside_of(net, p));
    collect(net);
  }
  /// A message comes.
  template <class Net>
  constexpr void fired(Net& net, const fault::delivery& d) {
    // A script may send as well, with payloads that are none of ours.
    if (const parcel* const x = parcels_.find(d.payload, d.source, d.peer, d.edge); x != nullptr) {
      const auto out = outside_of(net, d.peer);
      if (all_[d.peer].receive(out, x->edge, x->tag, x->content, d.source, d.remaining_ns))
        ++this->log_.received[d.edge];
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
    this->note_end(e, *x);
    parcels_.end(static_cast<std::uint32_t>(e.payload));
  }

 private:
  using parcel = detail::parcel<value>;
  using base::all_;
  using base::outside_of;

  constexpr void started() { finished_.note_start(); }
  template <class Net>
  constexpr void send(Net& net, std::uint32_t p, machine_message<Datum>& m) {
    parcel x;
    x.from = p, x.to = m.to, x.edge = m.edge, x.tag = m.tag, x.call = m.call;
    x.program = m.program, x.node = m.node;
    x.content = static_cast<value&&>(m.content);
    const std::uint32_t at = parcels_.add(static_cast<parcel&&>(x));
    if (!this->is_sent(net, p, m, at)) parcels_.end(at);
  }

  view<machine_call<Datum>> calls_;
  detail::parcel_table<value> parcels_;
  detail::call_collection finished_;
};

}  // namespace wf
