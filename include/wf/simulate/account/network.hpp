// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/simulate/account/run_account.hpp>
#include <wf/simulate/process/network.hpp>

namespace wf {

/// An observer of a network's run that makes its account. Network and account must outlive it, and
/// its places must not change.
template <process P>
class account_recorder : public no_observer {
 public:
  /// Adds to an account without resources and tasks.
  constexpr account_recorder(const network<P>& n, view<network_input<typename P::datum>> inputs,
                             run_account& out)
      : n_(n), inputs_(inputs), platform_(n.platform, out), out_(out) {}

  /// An activity is asked for, by the one that ended last.
  constexpr void requested(std::uint32_t activity, network_activity kind, std::uint32_t index,
                           std::int64_t work) {
    if (activity >= open_.size()) open_.resize(activity + 1);
    pending& p = open_[activity];
    p.kind = kind;
    p.index = index;
    p.task.work = work;
    p.task.ready = p.task.start = now_;
    p.task.cause = cause_;
  }
  /// Its resource begins to serve it.
  constexpr void started(std::uint32_t activity, std::int64_t tick) {
    open_[activity].task.start = tick;
  }
  /// It ends.
  constexpr void finished(std::uint32_t activity, std::int64_t tick) {
    pending& p = open_[activity];
    now_ = tick;
    cause_ = static_cast<std::uint32_t>(out_.tasks.size());
    p.task.finish = p.task.use_end = tick;
    p.task.use_begin = p.task.start;
    p.task.role = run_role::delay;
    p.task.resources = {};
    switch (p.kind) {
      case network_activity::run:
        p.task.label = n_.nodes[p.index].name;
        place(p.task, n_.nodes[p.index].where);
        break;
      case network_activity::wake:
        p.task.label = text("timer of ") << n_.nodes[p.index].name.view();
        break;
      case network_activity::input:
        p.task.label = text("input of ") << n_.nodes[inputs_[p.index].node].name.view();
        break;
      case network_activity::message: {
        const auto& e = n_.edges[p.index];
        p.task.label = text(n_.nodes[e.from].name) << " to " << n_.nodes[e.to].name.view();
        place(p.task, e.over);
        break;
      }
    }
    if (p.task.role != run_role::delay) out_.makespan = tick;
    out_.tasks.push_back(static_cast<run_task&&>(p.task));
  }

 private:
  struct pending {
    network_activity kind = network_activity::run;
    std::uint32_t index = 0;
    run_task task;
  };

  constexpr void place(run_task& t, const sim_place& where) {
    platform_.place(t, where.kind, where.index);
  }

  const network<P>& n_;
  view<network_input<typename P::datum>> inputs_;
  sim::account_platform platform_;
  run_account& out_;
  table<pending> open_;  // by the number of the activity
  std::int64_t now_ = 0;
  std::uint32_t cause_ = run_task::none;
};

/// Runs a network and makes the account of the run. Its tasks, in the order of their ends: a run of
/// a node has the node's name, a datum over a link "a to b"; timers and data that come from outside
/// are delays. The cause of a task is the one at whose end it was asked for: for a run, the end
/// that brought its last datum, made room for what it emits, or freed its process. Data between
/// nodes of one place take no time and are no tasks. After an error `out` is as far as the run
/// came. Errors: those of `network::run`. O(events · log resources).
template <process P>
constexpr result<network_outcome<typename P::datum>> run_accounted(
    network<P>& n, view<network_input<typename P::datum>> inputs, run_account& out) {
  out = {};
  if (const auto valid = n.validate(); !valid) return valid.error();
  return n.run(inputs, account_recorder<P>(n, inputs, out));
}

}  // namespace wf
