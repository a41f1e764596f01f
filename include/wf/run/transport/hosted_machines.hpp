// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>
#include <utility>

#include <wf/partition/machine/machine.hpp>
#include <wf/partition/machine/message_form.hpp>

namespace wf {

/// The machines of a deployment that are in this process, for `fault::peer_network` in a
/// `process_world`: a `machine` for each. Messages carry the bytes of their values and the path of
/// their execution, also between machines of one process. Calls that are over are not forgotten:
/// which those are is known to no process alone.
template <class Datum, class Evaluate>
class hosted_machines {
 public:
  /// What a message carries.
  using bytes = std::shared_ptr<const table<std::uint8_t>>;
  using value = machine_value<Datum>;  ///< what slots hold

  /// Of a plan. All must outlive it.
  hosted_machines(const machine_plan& plan, view<machine_call<Datum>> calls, Evaluate& evaluate,
                  const machine_options& options = {})
      : plan_(plan), options_(options), received_(plan.parts().edges.size()), all_(plan.size()) {
    for (std::uint32_t p = 0; p < plan.size(); ++p)
      all_[p] = machine<Datum, Evaluate>(plan, p, tags_, calls, evaluate, options);
  }
  // Machines refer to members.
  hosted_machines(const hosted_machines&) = delete;
  hosted_machines& operator=(const hosted_machines&) = delete;

  /// All outputs of this process so far, in the order in which they came.
  const table<machine_output<Datum>>& outputs() const { return outputs_; }
  /// All failures of this process so far; of a message that is malformed `node` is none.
  const table<machine_failure>& failures() const { return failures_; }
  /// How often a machine of this process with a program has restarted, all together.
  std::uint32_t restarts() const { return restarts_; }
  /// The messages of this process so far, in the order in which they were sent, if they are kept.
  const table<machine_send>& sends() const { return sends_; }
  /// How often each edge's messages were received in this process, by edge.
  const table<std::uint64_t>& received() const { return received_; }
  /// Number of filled slots of this process. O(values · machines).
  std::size_t filled() const {
    std::size_t out = 0;
    for (const auto& m : all_) out += m.site().filled();
    return out;
  }

  /// Begins: the machines of this process start, and their calls are due at their times.
  template <class Net>
  void start(Net& net) {
    for (std::uint32_t p = 0; p < all_.size(); ++p) {
      if (!net.hosts(p)) continue;
      all_[p].begin(outside<Net>{*this, net, p});
      all_[p].plan_calls(outside<Net>{*this, net, p}, true);
    }
  }
  /// A machine has lost all but its incarnation; calls that it was still to make are due again.
  template <class Net>
  void restarted(Net& net, std::uint32_t p) {
    if (!all_[p].is_active()) return;
    ++restarts_;
    for (std::uint32_t at = 0; at < parcels_.records().size(); ++at)
      if (find(p, at) != nullptr) release(at);
    all_[p].begin(outside<Net>{*this, net, p});
    all_[p].plan_calls(outside<Net>{*this, net, p}, false);
  }
  /// A call is due, or a node has run.
  template <class Net>
  void woke(Net& net, std::uint32_t p, std::uint64_t id) {
    const outside<Net> out{*this, net, p};
    all_[p].woke(out, id);
    all_[p].go_on(out);
  }
  /// A message comes.
  template <class Net>
  void fired(Net& net, const fault::delivery& d, const bytes& carried) {
    // A script may send as well, and carries nothing.
    if (carried == nullptr) return;
    auto read = read_message<Datum>(*carried, plan_.size());
    if (!read) {
      failures_.push_back({d.peer, d.source, machine_failure::none, node_id::none, 0,
                           fault::reason::none, read.error()});
      return;
    }
    std::uint32_t tag = execution_tags::always;
    for (const std::uint64_t step : read->path) tag = tags_.extend(tag, step);
    const outside<Net> out{*this, net, d.peer};
    if (all_[d.peer].receive(out, d.edge, tag, read->value, d.source, d.remaining_ns))
      ++received_[d.edge];
    all_[d.peer].go_on(out);
  }
  /// A message was answered, or has failed.
  template <class Net>
  void ended(Net&, const fault::send_end& e) {
    const parcel* const x = find(e.peer, e.payload);
    if (x == nullptr || x->to != e.destination || x->edge != e.edge) return;
    if (e.why != fault::reason::none)
      failures_.push_back({e.peer, e.destination, x->program, x->node, x->call, e.why, {}});
    release(static_cast<std::uint32_t>(e.payload));
  }
  /// What a payload carries.
  bytes cargo(std::uint32_t p, std::uint64_t payload) const {
    const parcel* const x = find(p, payload);
    return x != nullptr ? x->carried : nullptr;
  }

 private:
  // A message whose send has no end. Payloads of the network are their numbers.
  struct parcel {
    bytes carried;  // null: it has an end
    std::uint32_t from = 0, to = 0, edge = 0;
    std::uint32_t program = 0;
    node_id node = node_id::none;
    std::uint64_t call = 0;
  };

  // What a machine sees of the network and of the host.
  template <class Net>
  struct outside {
    hosted_machines& all;
    Net& net;
    std::uint32_t p;

    std::int64_t local() const { return net.local(p); }
    std::int64_t slowness() const { return net.slowness(p); }
    void look() const { net.look(); }
    void wake_after(std::int64_t duration, std::uint64_t id) const {
      net.wake_after(p, duration, id);
    }
    bool begins(std::int64_t deadline) const { return net.begins(p, deadline); }
    void started() const {}
    void gave(machine_output<Datum> o) const { all.outputs_.push_back(std::move(o)); }
    void failed(machine_failure f) const { all.failures_.push_back(std::move(f)); }
    void send(const machine_message<Datum>& m) const {
      const table<std::uint64_t> path = all.tags_.steps(m.tag);
      const std::uint32_t at = all.parcels_.add(
          {std::make_shared<const table<std::uint8_t>>(to_bytes<Datum>(path, m.content)), p, m.to,
           m.edge, m.program, m.node, m.call});
      const fault::send_receipt sent = net.send(p, m.to, m.edge, at, m.how);
      if (all.options_.keeps_sends) all.sends_.push_back({sent.ticket, m.call});
      if (sent.why == fault::reason::none) return;  // it may have had its end
      all.failures_.push_back({p, m.to, m.program, m.node, m.call, sent.why, {}});
      all.release(at);
    }
  };

  const parcel* find(std::uint32_t from, std::uint64_t payload) const {
    if (payload >= parcels_.records().size()) return nullptr;
    const parcel& x = parcels_[static_cast<std::uint32_t>(payload)];
    return x.carried != nullptr && x.from == from ? &x : nullptr;
  }
  void release(std::uint32_t at) {
    parcels_[at] = {};
    parcels_.release(at);
  }

  const machine_plan& plan_;
  machine_options options_;
  execution_tags tags_;
  table<std::uint64_t> received_;        // by edge
  table<machine<Datum, Evaluate>> all_;  // by machine; those of other processes have nothing
  pool<parcel> parcels_;
  table<machine_send> sends_;
  table<machine_output<Datum>> outputs_;
  table<machine_failure> failures_;
  std::uint32_t restarts_ = 0;
};

}  // namespace wf
