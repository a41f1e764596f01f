// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>
#include <utility>

#include <wf/partition/machine/host.hpp>
#include <wf/partition/machine/message_form.hpp>

namespace wf {

/// The machines of a deployment that are in this process, for `fault::peer_network` in a
/// `process_world`: a `machine` for each. Messages carry the bytes of their values and the path of
/// their execution, also between machines of one process. Calls that are over are not forgotten:
/// which those are is known to no process alone.
template <class Datum, class Evaluate>
class hosted_machines
    : public detail::machine_host<hosted_machines<Datum, Evaluate>, Datum, Evaluate> {
  using base = detail::machine_host<hosted_machines, Datum, Evaluate>;
  friend base;

 public:
  /// What a message carries.
  using bytes = std::shared_ptr<const table<std::uint8_t>>;

  /// Of a plan. All must outlive it. In the log, `node` is none for a message that is malformed.
  hosted_machines(const machine_plan& plan, view<machine_call<Datum>> calls, Evaluate& evaluate,
                  const machine_options& options = {})
      : base(plan, calls, evaluate, options) {}

  /// Begins: the machines of this process start, and their calls are due at their times.
  template <class Net>
  void start(Net& net) {
    for (std::uint32_t p = 0; p < all_.size(); ++p) {
      if (!net.hosts(p)) continue;
      all_[p].begin(outside_of(net, p));
      all_[p].plan_calls(outside_of(net, p), true);
    }
  }
  /// A machine has lost all but its incarnation; calls that it was still to make are due again.
  template <class Net>
  void restarted(Net& net, std::uint32_t p) {
    if (!all_[p].is_active()) return;
    for (std::uint32_t at = 0; at < parcels_.records().size(); ++at)
      if (find(p, at) != nullptr) release(at);
    this->begin_again(net, p);
  }
  /// A call is due, or a node has run.
  template <class Net>
  void woke(Net& net, std::uint32_t p, std::uint64_t id) {
    all_[p].woke(outside_of(net, p), id);
    all_[p].go_on(outside_of(net, p));
  }
  /// A message comes.
  template <class Net>
  void fired(Net& net, const fault::delivery& d, const bytes& carried) {
    // A script may send as well, and carries nothing.
    if (carried == nullptr) return;
    auto read = read_message<Datum>(*carried, this->plan_.size());
    if (!read) {
      this->log_.failures.push_back({d.peer, d.source, machine_failure::none, node_id::none, 0,
                                     fault::reason::none, read.error()});
      return;
    }
    std::uint32_t tag = execution_tags::always;
    for (const std::uint64_t step : read->path) tag = this->tags_.extend(tag, step);
    const auto out = outside_of(net, d.peer);
    if (all_[d.peer].receive(out, d.edge, tag, read->value, d.source, d.remaining_ns))
      ++this->log_.received[d.edge];
    all_[d.peer].go_on(out);
  }
  /// A message was answered, or has failed.
  template <class Net>
  void ended(Net&, const fault::send_end& e) {
    const parcel* const x = find(e.peer, e.payload);
    if (x == nullptr || x->to != e.destination || x->edge != e.edge) return;
    this->note_end(e, *x);
    release(static_cast<std::uint32_t>(e.payload));
  }
  /// What a payload carries.
  bytes cargo(std::uint32_t p, std::uint64_t payload) const {
    const parcel* const x = find(p, payload);
    return x != nullptr ? x->carried : nullptr;
  }

 private:
  using base::all_;
  using base::outside_of;

  // A message whose send has no end. Payloads of the network are their numbers.
  struct parcel {
    bytes carried;  // null: it has an end
    std::uint32_t from = 0, to = 0, edge = 0;
    std::uint32_t program = 0;
    node_id node = node_id::none;
    std::uint64_t call = 0;
  };

  static void started() {}
  template <class Net>
  void send(Net& net, std::uint32_t p, const machine_message<Datum>& m) {
    const table<std::uint64_t> path = this->tags_.steps(m.tag);
    const std::uint32_t at =
        parcels_.add({std::make_shared<const table<std::uint8_t>>(to_bytes<Datum>(path, m.content)),
                      p, m.to, m.edge, m.program, m.node, m.call});
    if (!this->is_sent(net, p, m, at)) release(at);
  }
  const parcel* find(std::uint32_t from, std::uint64_t payload) const {
    if (payload >= parcels_.records().size()) return nullptr;
    const parcel& x = parcels_[static_cast<std::uint32_t>(payload)];
    return x.carried != nullptr && x.from == from ? &x : nullptr;
  }
  void release(std::uint32_t at) {
    parcels_[at] = {};
    parcels_.release(at);
  }

  pool<parcel> parcels_;
};

}  // namespace wf
