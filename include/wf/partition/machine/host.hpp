// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/machine.hpp>

namespace wf {

/// What the machines of a process have told so far.
template <class Datum>
struct machine_log {
  table<machine_output<Datum>> outputs;  ///< in the order in which they were computed
  table<machine_failure> failures;       ///< messages and operators that failed
  table<std::uint64_t> received;         ///< messages that fired, by edge
  table<machine_send> sends;   ///< the call of each message, in the order of sending, if kept
  std::uint32_t restarts = 0;  ///< of machines with a program
};

namespace detail {

/// Machines on the peers of a network, and what they tell. `Host` derives from it, and has what its
/// messages are: `send(net, machine, message)`, and `started()`, where it wants to know of a value
/// without a call.
template <class Host, class Datum, class Evaluate>
class machine_host {
 public:
  using value = machine_value<Datum>;  ///< what slots hold

  machine_host(const machine_host&) = delete;
  machine_host& operator=(const machine_host&) = delete;

  /// What the machines have told so far.
  constexpr const machine_log<Datum>& log() const { return log_; }
  /// Number of filled slots of all machines. O(values · machines).
  constexpr std::size_t filled() const {
    std::size_t out = 0;
    for (const auto& m : all_) out += m.site().filled();
    return out;
  }

 protected:
  // Machines refer to members, and to the arguments, which must outlive this.
  constexpr machine_host(const machine_plan& plan, view<machine_call<Datum>> calls,
                         Evaluate& evaluate, const machine_options& options)
      : plan_(plan), options_(options) {
    log_.received.resize(plan.parts().edges.size());
    for (std::uint32_t p = 0; p < plan.size(); ++p)
      all_.push_back(machine<Datum, Evaluate>(plan, p, tags_, calls, evaluate, options));
  }

  // What a machine sees of the network and of the host.
  template <class Net>
  struct outside {
    Host& host;
    Net& net;
    std::uint32_t p;

    constexpr std::int64_t local() const { return net.local(p); }
    constexpr std::int64_t slowness() const { return net.slowness(p); }
    constexpr void look() const { net.look(); }
    constexpr void wake_after(std::int64_t duration, std::uint64_t id) const {
      net.wake_after(p, duration, id);
    }
    constexpr bool begins(std::int64_t deadline) const { return net.begins(p, deadline); }
    constexpr void started() const { host.started(); }
    constexpr void gave(machine_output<Datum> o) const {
      host.log_.outputs.push_back(static_cast<machine_output<Datum>&&>(o));
    }
    constexpr void failed(machine_failure f) const {
      host.log_.failures.push_back(static_cast<machine_failure&&>(f));
    }
    constexpr void send(machine_message<Datum>& m) const { host.send(net, p, m); }
  };
  template <class Net>
  constexpr outside<Net> outside_of(Net& net, std::uint32_t p) {
    return {static_cast<Host&>(*this), net, p};
  }

  // The machine of a peer that has restarted begins again, if it has a program.
  template <class Net>
  constexpr void begin_again(Net& net, std::uint32_t p) {
    ++log_.restarts;
    all_[p].begin(outside_of(net, p));
    all_[p].plan_calls(outside_of(net, p), false);
  }
  // Sends a message as a payload of the network; false if it has failed at once. Otherwise it may
  // have had its end.
  template <class Net>
  constexpr bool is_sent(Net& net, std::uint32_t p, const machine_message<Datum>& m,
                         std::uint64_t payload) {
    const fault::send_receipt sent = net.send(p, m.to, m.edge, payload, m.how);
    if (options_.keeps_sends) log_.sends.push_back({sent.ticket, m.call});
    if (sent.why == fault::reason::none) return true;
    log_.failures.push_back({p, m.to, m.program, m.node, m.call, sent.why, {}});
    return false;
  }
  // The send of a parcel has an end.
  template <class Parcel>
  constexpr void note_end(const fault::send_end& e, const Parcel& x) {
    if (e.why != fault::reason::none)
      log_.failures.push_back({e.peer, e.destination, x.program, x.node, x.call, e.why, {}});
  }

  const machine_plan& plan_;
  machine_options options_;
  execution_tags tags_;
  table<machine<Datum, Evaluate>> all_;  // by number
  machine_log<Datum> log_;
};

}  // namespace detail

}  // namespace wf
