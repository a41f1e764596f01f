// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/deployment.hpp>
#include <wf/partition/machine/collection.hpp>
#include <wf/partition/machine/joining.hpp>
#include <wf/partition/machine/lists.hpp>
#include <wf/partition/machine/values.hpp>
#include <wf/simulate/fault/sends.hpp>

namespace wf {

/// The programs of a deployment on machines that a script names, for `fault::peer_network`.
///
/// A machine runs all programs of its class. It has a slot for each value and execution
/// (`execution_tags`). What arrives fills slots of the execution that sent it, so that messages of
/// one execution meet, and meet what the machine knows; machines that the program takes as input
/// are known from the start. A machine runs one node at a time, in the order in which they can run,
/// whatever their programs. Gates stand in the program; the network carries out their decisions
/// where a message passes them, and gates of a user's own are asked here.
///
/// A call is finished when nothing can come of it any more: no message of it is under way, no copy
/// of one, no node of it runs or can run, and none waits for what a machine has from its start.
/// Then all machines forget it: memory is that of calls that go on, of paths (24 bytes for each)
/// and of the results. This needs the records of the network, of whose history `machines` must be
/// an observer; otherwise nothing is forgotten.
///
/// `Evaluate` computes nodes: `error operator()(const graph_view&, node_id, view<const
/// machine_value<Datum>*> operands, table<machine_value<Datum>>& results, std::uint32_t machine)`,
/// where `results` has a place for each result; of a node that collects, `operands` are the values
/// of the machines of the list, in its order. It may have `std::int64_t duration(const graph_view&,
/// node_id, std::uint32_t machine)`, in nanoseconds, and `bool admits(...)`, with the arguments of
/// `operator()` but the results, for a user's gates.
template <class Datum, class Evaluate>
class machines {
 public:
  using value = machine_value<Datum>;  ///< what slots hold
  /// Of a deployment, whose class each machine of the script has by `roles`; all must outlive it.
  constexpr machines(const deployment& d, const registry& kernels, view<text> roles,
                     view<machine_call<Datum>> calls, Evaluate& evaluate,
                     const machine_options& options = {})
      : program_(d.parts()),
        deployment_(d),
        calls_(calls),
        evaluate_(evaluate),
        options_(options),
        sites_(roles.size()),
        parcels_(calls.size()) {
    for (std::uint32_t i = 0; i < program_.partitions.size(); ++i) {
      const partition& part = program_.partitions[i];
      flows_.push_back(
          detail::program_flow(part.workflow.view(), kernels, part.role.view() == host_class));
      numbers_.push_back(detail::place_in_class(program_, i));
    }
    for (std::uint32_t p = 0; p < roles.size(); ++p) {
      sites_[p].role = roles[p];
      for (std::uint32_t i = 0; i < program_.partitions.size(); ++i)
        if (program_.partitions[i].role == roles[p]) sites_[p].programs.push_back(i);
    }
    for (const text& input : machine_inputs(program_))
      lists_.push_back({input, members_of(input.view())});
  }
  // Flows and slots refer to members.
  machines(const machines&) = delete;
  machines& operator=(const machines&) = delete;

  /// States the machines of an input; without it they are those of the class with its name.
  constexpr void set_list(text_view input, table<std::uint32_t> list) {
    for (named_list& l : lists_)
      if (l.name.view() == input) l.members = list;
  }
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
    for (const site& s : sites_) out += s.filled();
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
    if (options_.collects && parcels_.is_observed())
      finished_.collect(net, sites_, parcels_, tags_);
  }
  /// How often each edge's messages were received, by edge.
  constexpr const table<std::uint64_t>& received() const { return received_; }

  /// Begins: all machines start, and calls are due at their times.
  template <class Net>
  constexpr void start(Net& net) {
    received_.resize(program_.edges.size());
    finished_ = detail::call_collection(
        calls_.size(), detail::start_values(
                           program_, flows_, [&](text_view r) { return members_of(r).size(); },
                           [&](text_view input) { return list_of(input).size(); }));
    for (std::uint32_t p = 0; p < sites_.size(); ++p) begin(net, p);
    for (std::uint32_t k = 0; k < calls_.size(); ++k)
      if (is_active(calls_[k].machine)) net.wake_after(calls_[k].machine, calls_[k].at, k);
  }
  /// A machine has lost all but its incarnation; calls that it was still to make are due again.
  template <class Net>
  constexpr void restarted(Net& net, std::uint32_t p) {
    if (!is_active(p)) return;
    ++restarts_;
    begin(net, p);
    for (std::uint32_t k = 0; k < calls_.size(); ++k)
      if (calls_[k].machine == p && calls_[k].at > net.local(p))
        net.wake_after(p, calls_[k].at - net.local(p), k);
  }
  /// A call is due, or a node has run.
  template <class Net>
  constexpr void woke(Net& net, std::uint32_t p, std::uint64_t id) {
    site& s = sites_[p];
    if (id < calls_.size()) {
      const std::uint32_t tag = tags_.extend(execution_tags::always, id + 1);
      s.cause({tag, net.local(p), -1});
      call(net, p, calls_[id], tag);
      parcels_.rest(id + 1);
    } else if (s.is_busy && id - calls_.size() == s.turn) {
      s.is_busy = false;
      carry_out(net, p, s.running);
    }
    go_on(net, p);
    collect(net);
  }
  /// A message comes.
  template <class Net>
  constexpr void fired(Net& net, const fault::delivery& d) {
    // A script may send as well, with payloads that are none of ours.
    if (const parcel* const x = parcels_.find(d.payload, d.source, d.peer, d.edge); x != nullptr) {
      receive(net, d, *x);
      parcels_.take(static_cast<std::uint32_t>(d.payload));
      go_on(net, d.peer);
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
  struct named_list {
    text name;
    table<std::uint32_t> members;
  };
  using site = detail::machine_site<value>;
  using task = detail::runnable;
  using context = detail::execution_context;
  using parcel = detail::parcel<value>;

  constexpr bool is_active(std::uint32_t p) const { return !sites_[p].programs.empty(); }
  // True if a machine has a program, by its index.
  constexpr bool runs(const site& s, std::uint32_t program) const {
    return s.role == program_.partitions[program].role;
  }
  // The flow of a program, by its number among those of the machine's class.
  constexpr const detail::program_flow& flow_of(const site& s, std::uint32_t k) const {
    return flows_[s.programs[k]];
  }
  constexpr table<std::uint32_t> members_of(text_view role) const {
    table<std::uint32_t> out;
    for (std::uint32_t p = 0; p < sites_.size(); ++p)
      if (sites_[p].role.view() == role) out.push_back(p);
    return out;
  }
  // The machines of an input that a program has.
  constexpr const table<std::uint32_t>& list_of(text_view input) const {
    std::size_t i = 0;
    while (lists_[i].name.view() != input) ++i;
    return lists_[i].members;
  }
  constexpr std::uint64_t call_of(std::uint32_t tag) const {
    const table<std::uint64_t> steps = tags_.steps(tag);
    return steps.empty() || steps[0] >= execution_tags::start_step ? 0 : steps[0];
  }
  // --- a machine ---

  // Begins the life of a machine: its bootstraps run, and it knows the lists of machines.
  template <class Net>
  constexpr void begin(Net& net, std::uint32_t p) {
    site& s = sites_[p];
    if (!is_active(p)) return;
    finished_.note_start();
    s.begin(flows_, tags_);
    for (const bootstrap& b : deployment_.bootstraps)
      if (b.role == s.role) run_bootstrap(p, b);
    for (std::uint32_t k = 0; k < s.programs.size(); ++k) {
      const graph_view& g = flow_of(s, k).program();
      for (std::uint32_t i = 0; i < g.values.size(); ++i) {
        if (g.values[i].producer != node_id::none || g.values[i].type.type != dtype::peer) continue;
        value list;
        list.machines = list_of(g.text_of(g.values[i].name));
        fill(net, p, k, i, execution_tags::always, list);
      }
    }
    for (auto& slots : s.slots) slots.start(s.ready);
    go_on(net, p);
  }
  constexpr void run_bootstrap(std::uint32_t p, const bootstrap& b) {
    const graph_view g = b.workflow.view();
    const auto order = topological_order(g);
    table<value> known(g.values.size());
    for (const node_id id : *order) {
      table<const value*> operands;
      for (const value_id v : g.inputs_of(g[id])) operands.push_back(&known[index_of(v)]);
      table<value> results(g[id].outputs.count);
      if (const error e = evaluate_(g, id, view<const value*>(operands), results, p);
          e.code != errc::none) {
        failures_.push_back({p, p, machine_failure::none, id, 0, fault::reason::none, e});
        return;
      }
      for (std::uint32_t k = 0; k < results.size(); ++k)
        known[g[id].outputs.first + k] = static_cast<value&&>(results[k]);
    }
  }
  template <class Net>
  constexpr void call(Net& net, std::uint32_t p, const machine_call<Datum>& c, std::uint32_t tag) {
    site& s = sites_[p];
    for (std::uint32_t k = 0; k < s.programs.size(); ++k) {
      const detail::program_flow& flow = flow_of(s, k);
      const graph_view& g = flow.program();
      for (std::uint32_t i = 0; i < g.values.size(); ++i) {
        if (g.values[i].producer != node_id::none || g.values[i].type.type == dtype::peer) continue;
        value v;
        for (const machine_argument<Datum>& a : c.arguments)
          if (a.input.view() == g.text_of(g.values[i].name)) v.datum = a.datum;
        fill(net, p, k, i, tag, v);
      }
      s.slots[k].fill(flow.call(), tag, {}, s.ready);
    }
  }
  // What has come fills slots.
  template <class Net>
  constexpr void receive(Net& net, const fault::delivery& d, const parcel& x) {
    site& s = sites_[d.peer];
    if (x.edge >= program_.edges.size() || !runs(s, program_.edges[x.edge].to)) return;
    const std::uint32_t k = numbers_[program_.edges[x.edge].to];
    const detail::program_flow& flow = flow_of(s, k);
    const std::uint32_t receiver = flow.receiver(x.edge);
    if (receiver == detail::program_flow::none) return;
    ++received_[x.edge];
    s.cause({x.tag, net.local(d.peer), d.remaining_ns});
    value sender;
    sender.machines.push_back(d.source);
    const node& n = flow.program().nodes[receiver];
    fill(net, d.peer, k, n.outputs.first, x.tag, x.content);
    fill(net, d.peer, k, n.outputs.first + 1, x.tag, sender);
  }
  // Of the k-th program of the machine's class.
  template <class Net>
  constexpr void fill(Net& net, std::uint32_t p, std::uint32_t k, std::uint32_t what,
                      std::uint32_t tag, const value& v) {
    site& s = sites_[p];
    if (!s.slots[k].fill(what, tag, v, s.ready)) return;
    if (tag == execution_tags::always) finished_.note_start();
    const graph_view& g = flow_of(s, k).program();
    for (std::uint32_t o = 0; o < g.outputs.size(); ++o)
      if (index_of(g.outputs[o].source) == what)
        outputs_.push_back({s.programs[k], o, p, call_of(tag), tags_.steps(tag), v, net.local(p)});
  }
  // Runs nodes until none can, or one takes time.
  template <class Net>
  constexpr void go_on(Net& net, std::uint32_t p) {
    site& s = sites_[p];
    while (!s.is_busy && !s.ready.empty()) {
      const task t = s.ready.pop();
      const graph_view& g = flow_of(s, t.program).program();
      std::int64_t duration = 0;
      if constexpr (requires { evaluate_.duration(g, node_id{}, p); })
        duration = evaluate_.duration(g, static_cast<node_id>(t.node), p);
      if (duration <= 0) {
        carry_out(net, p, t);
        continue;
      }
      s.is_busy = true;
      s.running = t;
      s.turn = ++turns_;
      net.wake_after(p, static_cast<std::int64_t>(int128{duration} * net.slowness(p) / 100),
                     calls_.size() + s.turn);
    }
  }
  // The effect of a node, and its results.
  template <class Net>
  constexpr void carry_out(Net& net, std::uint32_t p, const task& t) {
    site& s = sites_[p];
    detail::slot_table<value>& slots = s.slots[t.program];
    const detail::program_flow& flow = flow_of(s, t.program);
    const graph_view& g = flow.program();
    const auto id = static_cast<node_id>(t.node);
    const node& n = g[id];
    table<const value*> operands;
    for (const value_id v : g.inputs_of(n)) operands.push_back(slots.find(index_of(v), t.tag));
    table<value> results(n.outputs.count);
    std::uint32_t tag = t.tag;  // of the results
    switch (flow.meaning_of(t.node)) {
      case meaning::sending:
        send(net, p, t, *operands[0], operands[1]->machines);
        break;
      case meaning::admission:
        if (!admits(g, id, operands, p)) return refuse(p, t, fault::reason::none);
        results[0] = *operands[0];
        results[1] = *operands[1];
        break;
      case meaning::permission:
        if (admits(g, id, operands, p)) results[0].machines = operands[1]->machines;
        break;
      case meaning::membership:
        results[0].machines = operands[0]->machines;
        break;
      case meaning::arrival:
        break;
      case meaning::expiry:
        if (!net.begins(p, deadline_of(s, n, g, t, net.local(p))))
          return refuse(p, t, fault::reason::deadline);
        break;
      case meaning::collection:
        if (!join(p, t, operands, tag)) return;
        [[fallthrough]];
      default:
        if (const error e = evaluate_(g, id, view<const value*>(operands), results, p);
            e.code != errc::none)
          return refuse(p, t, fault::reason::none, e);
    }
    // What a message is at its receiver is not read here.
    if (flow.meaning_of(t.node) != meaning::sending)
      for (std::uint32_t k = 0; k < results.size(); ++k)
        fill(net, p, t.program, n.outputs.first + k, tag, results[k]);
    else
      fill(net, p, t.program, n.outputs.first + 2, tag, results[2]);
    slots.fill(flow.ran(t.node), tag, {}, s.ready);
  }
  // A deadline is that of a message, which goes to one machine as a rule.
  constexpr void refuse(std::uint32_t p, const task& t, fault::reason why, const error& e = {}) {
    const site& s = sites_[p];
    const detail::program_flow& flow = flow_of(s, t.program);
    const graph_view& g = flow.program();
    const auto id = static_cast<node_id>(t.node);
    std::uint32_t other = p;
    if (flow.meaning_of(t.node) == meaning::expiry) {
      const value* const to = s.slots[t.program].find(index_of(g.inputs_of(g[id])[1]), t.tag);
      if (to->machines.size() == 1) other = to->machines[0];
    }
    failures_.push_back({p, other, s.programs[t.program], id, call_of(t.tag), why, e});
  }
  // The values of all machines instead of the operands, and the execution of the result; false if
  // one is missing.
  constexpr bool join(std::uint32_t p, const task& t, table<const value*>& operands,
                      std::uint32_t& tag) {
    const site& s = sites_[p];
    const graph_view& g = flow_of(s, t.program).program();
    const auto id = static_cast<node_id>(t.node);
    const value_id result = graph_view::output_of(g[id]);
    const auto& machines = operands[1]->machines;
    auto joined = detail::join(s.slots[t.program], tags_, index_of(g.inputs_of(g[id])[0]),
                               index_of(result), t.tag, machines);
    const shape& all = g[result].type.shape;
    const bool fits =
        !all[0].is_fixed() || static_cast<std::uint64_t>(all[0].size()) == machines.size();
    if (!joined.is_of_list || !fits)
      refuse(p, t, fault::reason::none,
             make_error(errc::argument_shape, g.label(id).view(),
                        !fits ? "the list has another number of machines than its type states"
                              : "what it collects did not come from machines of the list"));
    tag = joined.tag;
    operands.swap(joined.parts);
    return fits && !operands.empty();
  }
  // The standard gates are carried out by the network; a user's own by what computes nodes.
  constexpr bool admits(const graph_view& g, node_id id, const table<const value*>& operands,
                        std::uint32_t p) {
    for (const gate_spec& gate : standard_gates)
      if (g.op_name(g[id]) == gate.kernel->name) return true;
    if constexpr (requires { evaluate_.admits(g, id, view<const value*>(operands), p); })
      return evaluate_.admits(g, id, view<const value*>(operands), p);
    else
      return true;
  }
  // Local, in nanoseconds; without one, the longest time.
  constexpr std::int64_t deadline_of(const site& s, const node& n, const graph_view& g,
                                     const task& t, std::int64_t now) const {
    const std::int64_t budget = g.integer_attribute(n, deadline_attribute, 0);
    const context c = s.context_of(t.tag, now, tags_);
    std::int64_t time = fault::longest_time - c.began;
    if (budget > 0 && budget < time) time = budget;
    if (c.remaining >= 0 && c.remaining < time) time = c.remaining;
    return c.began + time;
  }
  template <class Net>
  constexpr void send(Net& net, std::uint32_t p, const task& t, const value& content,
                      const table<std::uint32_t>& to) {
    const site& s = sites_[p];
    const graph_view& g = flow_of(s, t.program).program();
    const auto id = static_cast<node_id>(t.node);
    const std::int64_t edge = g.integer_attribute(g[id], edge_attribute, -1);
    const std::int64_t now = net.local(p);
    const context c = s.context_of(t.tag, now, tags_);
    fault::send_options how;
    const std::int64_t budget = g.integer_attribute(g[id], deadline_attribute, 0);
    const std::int64_t passed = now - c.began;
    how.budget_ns = budget > 0 ? budget - passed : options_.budget_ns;
    how.retries = options_.retries;
    if (c.remaining >= 0) how.within_ns = c.remaining > passed ? c.remaining - passed : 0;
    // Other nodes may have run since its deadline gate did.
    if (budget > 0 && budget <= passed) how.within_ns = 0;
    // What each machine of a class has from its start stays apart elsewhere.
    const std::uint32_t tag =
        t.tag == execution_tags::always && members_of(s.role.view()).size() > 1
            ? tags_.extend(t.tag, execution_tags::start_step | p)
            : t.tag;
    const bool carries = edge >= 0 && program_.edges[static_cast<std::size_t>(edge)].transport ==
                                          wire_transport::data;
    // A message that nobody reads is sent all the same, on the edge behind the others.
    const auto stream = edge >= 0 ? static_cast<std::uint32_t>(edge)
                                  : static_cast<std::uint32_t>(program_.edges.size());
    // What is sent may move when slots are filled.
    const table<std::uint32_t> receivers(to);
    const value kept = carries ? content : value{};
    for (const std::uint32_t q : receivers) {
      parcel x;
      x.from = p, x.to = q, x.edge = stream;
      x.tag = receivers.size() > 1 ? tags_.extend(tag, execution_tags::step_to(q)) : tag;
      x.call = call_of(tag);
      x.program = s.programs[t.program], x.node = id;
      x.content = kept;
      const std::uint32_t at = parcels_.add(static_cast<parcel&&>(x));
      const fault::send_receipt sent = net.send(p, q, stream, at, how);
      if (options_.keeps_sends) sends_.push_back({sent.ticket, call_of(tag)});
      if (sent.why == fault::reason::none) continue;  // it may have had its end
      failures_.push_back({p, q, s.programs[t.program], id, call_of(tag), sent.why, {}});
      parcels_.end(at);
    }
  }

  const partitioned_program& program_;
  const deployment& deployment_;
  view<machine_call<Datum>> calls_;
  Evaluate& evaluate_;
  machine_options options_;
  execution_tags tags_;
  table<detail::program_flow> flows_;  // by program
  table<std::uint32_t> numbers_;       // by program: its place among those of its class
  table<site> sites_;                  // by machine
  table<named_list> lists_;
  detail::parcel_table<value> parcels_;
  table<machine_send> sends_;
  detail::call_collection finished_;
  table<machine_output<Datum>> outputs_;
  table<machine_failure> failures_;
  table<std::uint64_t> received_;  // by edge
  std::uint64_t turns_ = 0;
  std::uint32_t restarts_ = 0;
};

}  // namespace wf
