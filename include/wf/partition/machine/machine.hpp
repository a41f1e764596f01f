// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/joining.hpp>
#include <wf/partition/machine/plan.hpp>
#include <wf/partition/machine/site.hpp>
#include <wf/partition/machine/values.hpp>
#include <wf/simulate/fault/sends.hpp>

namespace wf {

/// A message that a machine's program sends to one machine.
template <class Datum>
struct machine_message {
  std::uint32_t to = 0;          ///< the machine that is to have it
  std::uint32_t edge = 0;        ///< of the deployment; number of edges: of none
  std::uint32_t tag = 0;         ///< the execution that it belongs to
  std::uint64_t call = 0;        ///< the call of the execution, from 1; 0: none was needed
  std::uint32_t program = 0;     ///< index of the program
  node_id node = node_id::none;  ///< of the program
  machine_value<Datum> content;  ///< what it carries
  fault::send_options how;       ///< how it is carried
};

/// One machine of a deployment: what it has computed, what it computes next, and what it sends. It
/// knows the plan, and nothing of what other machines have.
///
/// It has a slot for each value and execution (`execution_tags`). What arrives fills slots of the
/// execution that sent it, so that messages of one execution meet, and meet what the machine knows;
/// machines that the program takes as input are known from the start. A machine runs one node at a
/// time, in the order in which they can run, whatever their programs.
///
/// What it needs of the world around it is `Outside`, the first argument of its functions:
/// `local()`, its clock, and `slowness()` in percent; `wake_after(duration, id)`, after which
/// `woke` is called; `begins(deadline)`, the deadline gate; `look()`: it has computed, so that time
/// has passed; `send(machine_message)`; `gave(machine_output)` and `failed(machine_failure)`, for
/// the host; `started()`: it got a value without a call, or began. Durations are in nanoseconds.
///
/// `Evaluate` computes nodes: `error operator()(const graph_view&, node_id, view<const
/// machine_value<Datum>*> operands, table<machine_value<Datum>>& results, std::uint32_t machine)`,
/// where `results` has a place for each result; of a node that collects, `operands` are the values
/// of the machines of the list, in its order. It may have `std::int64_t duration(const graph_view&,
/// node_id, std::uint32_t machine)`, in nanoseconds, and `bool admits(...)`, with the arguments of
/// `operator()` but the results, for a user's gates.
template <class Datum, class Evaluate>
class machine {
 public:
  using value = machine_value<Datum>;  ///< what slots hold

  constexpr machine() = default;
  /// A machine of a plan, by its number. The plan, the executions that the process knows, all calls
  /// of the host and what computes must outlive it.
  constexpr machine(const machine_plan& plan, std::uint32_t number, execution_tags& tags,
                    view<machine_call<Datum>> calls, Evaluate& evaluate,
                    const machine_options& options)
      : plan_(&plan),
        number_(number),
        tags_(&tags),
        calls_(calls),
        evaluate_(&evaluate),
        options_(options) {
    site_.role = text(plan.role_of(number));
    site_.programs = plan.programs_of(number);
    is_of_several_ = plan.members_of(plan.role_of(number)).size() > 1;
  }

  /// True if it has a program.
  constexpr bool is_active() const { return !site_.programs.empty(); }
  /// What it has computed, and what can run.
  constexpr const detail::machine_site<value>& site() const { return site_; }
  /// Forgets all executions whose paths begin with `tag`. O(slots).
  constexpr void forget(std::uint32_t tag) { site_.forget(tag, *tags_); }

  /// Begins a life: it has nothing of a former one. Its bootstraps run, and it knows the lists of
  /// machines.
  template <class Outside>
  constexpr void begin(Outside&& out) {
    if (!is_active()) return;
    out.started();
    site_.begin(plan_->flows(), *tags_);
    for (const bootstrap& b : plan_->of().bootstraps)
      if (b.role == site_.role) run_bootstrap(out, b);
    for (std::uint32_t k = 0; k < site_.programs.size(); ++k) {
      const graph_view& g = flow_of(k).program();
      for (std::uint32_t i = 0; i < g.values.size(); ++i) {
        if (g.values[i].producer != node_id::none || g.values[i].type.type != dtype::peer) continue;
        value list;
        list.machines = plan_->list_of(g.text_of(g.values[i].name));
        fill(out, k, i, execution_tags::always, list);
      }
    }
    for (auto& slots : site_.slots) slots.start(site_.ready);
    go_on(out);
  }
  /// Calls that this machine is to make are due at their times; those of the past, in a later life,
  /// are lost. O(calls).
  template <class Outside>
  constexpr void plan_calls(Outside&& out, bool is_first_life) {
    const std::int64_t now = out.local();
    for (std::uint32_t k = 0; k < calls_.size(); ++k)
      if (calls_[k].machine == number_ && (is_first_life || calls_[k].at > now))
        out.wake_after(calls_[k].at > now ? calls_[k].at - now : 0, k);
  }
  /// A call is due, or a node has run. Returns the number of the call, or 0.
  template <class Outside>
  constexpr std::uint64_t woke(Outside&& out, std::uint64_t id) {
    std::uint64_t made = 0;
    if (id < calls_.size()) {
      made = id + 1;
      const std::uint32_t tag = tags_->extend(execution_tags::always, made);
      site_.cause({tag, out.local(), -1});
      call(out, calls_[id], tag);
    } else if (site_.is_busy && id - calls_.size() == site_.turn) {
      site_.is_busy = false;
      carry_out(out, site_.running);
    }
    return made;
  }
  /// What a message of an edge carries fills slots, if the machine has its receiver; `remaining` is
  /// the rest of the sender's budget, in nanoseconds. False if it has none.
  template <class Outside>
  constexpr bool receive(Outside&& out, std::uint32_t edge, std::uint32_t tag, const value& content,
                         std::uint32_t source, std::int64_t remaining) {
    const partitioned_program& p = plan_->parts();
    if (edge >= p.edges.size() || !(p.partitions[p.edges[edge].to].role == site_.role))
      return false;
    const std::uint32_t k = plan_->place_of(p.edges[edge].to);
    const detail::program_flow& flow = flow_of(k);
    const std::uint32_t receiver = flow.receiver(edge);
    if (receiver == detail::program_flow::none) return false;
    site_.cause({tag, out.local(), remaining});
    value sender;
    sender.machines.push_back(source);
    const node& n = flow.program().nodes[receiver];
    fill(out, k, n.outputs.first, tag, content);
    fill(out, k, n.outputs.first + 1, tag, sender);
    return true;
  }
  /// Runs nodes until none can, or one takes time.
  template <class Outside>
  constexpr void go_on(Outside&& out) {
    while (!site_.is_busy && !site_.ready.empty()) {
      const task t = site_.ready.pop();
      const graph_view& g = flow_of(t.program).program();
      std::int64_t duration = 0;
      if constexpr (requires { evaluate_->duration(g, node_id{}, number_); })
        duration = evaluate_->duration(g, static_cast<node_id>(t.node), number_);
      if (duration <= 0) {
        carry_out(out, t);
        continue;
      }
      site_.is_busy = true;
      site_.running = t;
      ++site_.turn;
      out.wake_after(static_cast<std::int64_t>(int128{duration} * out.slowness() / 100),
                     calls_.size() + site_.turn);
    }
  }

 private:
  using task = detail::runnable;
  using context = detail::execution_context;

  // The flow of a program, by its number among those of the machine's class.
  constexpr const detail::program_flow& flow_of(std::uint32_t k) const {
    return plan_->flows()[site_.programs[k]];
  }
  constexpr std::uint64_t call_of(std::uint32_t tag) const {
    const table<std::uint64_t> steps = tags_->steps(tag);
    return steps.empty() || steps[0] >= execution_tags::start_step ? 0 : steps[0];
  }
  template <class Outside>
  constexpr error evaluate(Outside& out, const graph_view& g, node_id id,
                           const table<const value*>& operands, table<value>& results) {
    error e = (*evaluate_)(g, id, view<const value*>(operands), results, number_);
    out.look();
    return e;
  }
  template <class Outside>
  constexpr void run_bootstrap(Outside& out, const bootstrap& b) {
    const graph_view g = b.workflow.view();
    const auto order = topological_order(g);
    table<value> known(g.values.size());
    for (const node_id id : *order) {
      table<const value*> operands;
      for (const value_id v : g.inputs_of(g[id])) operands.push_back(&known[index_of(v)]);
      table<value> results(g[id].outputs.count);
      const error e = evaluate(out, g, id, operands, results);
      if (e.code != errc::none) {
        out.failed({number_, number_, machine_failure::none, id, 0, fault::reason::none, e});
        return;
      }
      for (std::uint32_t k = 0; k < results.size(); ++k)
        known[g[id].outputs.first + k] = static_cast<value&&>(results[k]);
    }
  }
  template <class Outside>
  constexpr void call(Outside& out, const machine_call<Datum>& c, std::uint32_t tag) {
    for (std::uint32_t k = 0; k < site_.programs.size(); ++k) {
      const detail::program_flow& flow = flow_of(k);
      const graph_view& g = flow.program();
      for (std::uint32_t i = 0; i < g.values.size(); ++i) {
        if (g.values[i].producer != node_id::none || g.values[i].type.type == dtype::peer) continue;
        value v;
        for (const machine_argument<Datum>& a : c.arguments)
          if (a.input.view() == g.text_of(g.values[i].name)) v.datum = a.datum;
        fill(out, k, i, tag, v);
      }
      site_.slots[k].fill(flow.call(), tag, {}, site_.ready);
    }
  }
  // Of the k-th program of the machine's class.
  template <class Outside>
  constexpr void fill(Outside& out, std::uint32_t k, std::uint32_t what, std::uint32_t tag,
                      const value& v) {
    if (!site_.slots[k].fill(what, tag, v, site_.ready)) return;
    if (tag == execution_tags::always) out.started();
    const graph_view& g = flow_of(k).program();
    for (std::uint32_t o = 0; o < g.outputs.size(); ++o)
      if (index_of(g.outputs[o].source) == what)
        out.gave({site_.programs[k], o, number_, call_of(tag), tags_->steps(tag), v, out.local()});
  }
  // The effect of a node, and its results.
  template <class Outside>
  constexpr void carry_out(Outside& out, const task& t) {
    detail::slot_table<value>& slots = site_.slots[t.program];
    const detail::program_flow& flow = flow_of(t.program);
    const graph_view& g = flow.program();
    const auto id = static_cast<node_id>(t.node);
    const node& n = g[id];
    table<const value*> operands;
    for (const value_id v : g.inputs_of(n)) operands.push_back(slots.find(index_of(v), t.tag));
    table<value> results(n.outputs.count);
    std::uint32_t tag = t.tag;  // of the results
    switch (flow.meaning_of(t.node)) {
      case meaning::sending:
        send(out, t, *operands[0], operands[1]->machines);
        break;
      case meaning::admission:
        if (!admits(g, id, operands)) return refuse(out, t, fault::reason::none);
        results[0] = *operands[0];
        results[1] = *operands[1];
        break;
      case meaning::permission:
        if (admits(g, id, operands)) results[0].machines = operands[1]->machines;
        break;
      case meaning::membership:
        results[0].machines = operands[0]->machines;
        break;
      case meaning::arrival:
        break;
      case meaning::expiry:
        if (!out.begins(deadline_of(n, g, t, out.local())))
          return refuse(out, t, fault::reason::deadline);
        break;
      case meaning::collection:
        if (!join(out, t, operands, tag)) return;
        [[fallthrough]];
      default:
        if (const error e = evaluate(out, g, id, operands, results); e.code != errc::none)
          return refuse(out, t, fault::reason::none, e);
    }
    // What a message is at its receiver is not read here.
    if (flow.meaning_of(t.node) != meaning::sending)
      for (std::uint32_t k = 0; k < results.size(); ++k)
        fill(out, t.program, n.outputs.first + k, tag, results[k]);
    else
      fill(out, t.program, n.outputs.first + 2, tag, results[2]);
    slots.fill(flow.ran(t.node), tag, {}, site_.ready);
  }
  // A deadline is that of a message, which goes to one machine as a rule.
  template <class Outside>
  constexpr void refuse(Outside& out, const task& t, fault::reason why, const error& e = {}) {
    const detail::program_flow& flow = flow_of(t.program);
    const graph_view& g = flow.program();
    const auto id = static_cast<node_id>(t.node);
    std::uint32_t other = number_;
    if (flow.meaning_of(t.node) == meaning::expiry) {
      const value* const to = site_.slots[t.program].find(index_of(g.inputs_of(g[id])[1]), t.tag);
      if (to->machines.size() == 1) other = to->machines[0];
    }
    out.failed({number_, other, site_.programs[t.program], id, call_of(t.tag), why, e});
  }
  // The values of all machines instead of the operands, and the execution of the result; false if
  // one is missing.
  template <class Outside>
  constexpr bool join(Outside& out, const task& t, table<const value*>& operands,
                      std::uint32_t& tag) {
    const graph_view& g = flow_of(t.program).program();
    const auto id = static_cast<node_id>(t.node);
    const value_id result = graph_view::output_of(g[id]);
    const auto& machines = operands[1]->machines;
    auto joined = detail::join(site_.slots[t.program], *tags_, index_of(g.inputs_of(g[id])[0]),
                               index_of(result), t.tag, machines);
    const shape& all = g[result].type.shape;
    const bool fits =
        !all[0].is_fixed() || static_cast<std::uint64_t>(all[0].size()) == machines.size();
    if (!joined.is_of_list || !fits)
      refuse(out, t, fault::reason::none,
             make_error(errc::argument_shape, g.label(id).view(),
                        !fits ? "the list has another number of machines than its type states"
                              : "what it collects did not come from machines of the list"));
    tag = joined.tag;
    operands.swap(joined.parts);
    return fits && !operands.empty();
  }
  // The standard gates are carried out by the network; a user's own by what computes nodes.
  constexpr bool admits(const graph_view& g, node_id id, const table<const value*>& operands) {
    for (const gate_spec& gate : standard_gates)
      if (g.op_name(g[id]) == gate.kernel->name) return true;
    if constexpr (requires { evaluate_->admits(g, id, view<const value*>(operands), number_); })
      return evaluate_->admits(g, id, view<const value*>(operands), number_);
    else
      return true;
  }
  // Local, in nanoseconds; without one, the longest time.
  constexpr std::int64_t deadline_of(const node& n, const graph_view& g, const task& t,
                                     std::int64_t now) const {
    const std::int64_t budget = g.integer_attribute(n, deadline_attribute, 0);
    const context c = site_.context_of(t.tag, now, *tags_);
    std::int64_t time = fault::longest_time - c.began;
    if (budget > 0 && budget < time) time = budget;
    if (c.remaining >= 0 && c.remaining < time) time = c.remaining;
    return c.began + time;
  }
  template <class Outside>
  constexpr void send(Outside& out, const task& t, const value& content,
                      const table<std::uint32_t>& to) {
    const graph_view& g = flow_of(t.program).program();
    const auto& edges = plan_->parts().edges;
    machine_message<Datum> x;
    x.node = static_cast<node_id>(t.node);
    x.program = site_.programs[t.program];
    const std::int64_t edge = g.integer_attribute(g[x.node], edge_attribute, -1);
    const std::int64_t now = out.local();
    const context c = site_.context_of(t.tag, now, *tags_);
    const std::int64_t budget = g.integer_attribute(g[x.node], deadline_attribute, 0);
    const std::int64_t passed = now - c.began;
    x.how.budget_ns = budget > 0 ? budget - passed : options_.budget_ns;
    x.how.retries = options_.retries;
    if (c.remaining >= 0) x.how.within_ns = c.remaining > passed ? c.remaining - passed : 0;
    // Other nodes may have run since its deadline gate did.
    if (budget > 0 && budget <= passed) x.how.within_ns = 0;
    // What each machine of a class has from its start stays apart elsewhere.
    const std::uint32_t tag = t.tag == execution_tags::always && is_of_several_
                                  ? tags_->extend(t.tag, execution_tags::start_step | number_)
                                  : t.tag;
    x.call = call_of(tag);
    // A message that nobody reads is sent all the same, on the edge behind the others.
    x.edge = static_cast<std::uint32_t>(edge >= 0 ? static_cast<std::size_t>(edge) : edges.size());
    // What is sent may move when slots are filled.
    const table<std::uint32_t> receivers(to);
    const bool carries = edge >= 0 && edges[x.edge].transport == wire_transport::data;
    const value kept = carries ? content : value{};
    for (const std::uint32_t q : receivers) {
      x.to = q;
      x.tag = receivers.size() > 1 ? tags_->extend(tag, execution_tags::step_to(q)) : tag;
      x.content = kept;
      out.send(x);
    }
  }

  const machine_plan* plan_ = nullptr;
  std::uint32_t number_ = 0;
  execution_tags* tags_ = nullptr;
  view<machine_call<Datum>> calls_;
  Evaluate* evaluate_ = nullptr;
  machine_options options_;
  detail::machine_site<value> site_;
  bool is_of_several_ = false;  // of its class
};

}  // namespace wf
