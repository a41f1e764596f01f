// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/simulate/broker.hpp>
#include <wf/simulate/event_queue.hpp>
#include <wf/simulate/link.hpp>
#include <wf/simulate/trace.hpp>

namespace wf {

/// The run time of an operator's process, in units of time: `fixed` plus ⌈elements of its results /
/// elements_per_unit⌉, rounded up per result (0: no time per element).
struct process_spec {
  text op;                             ///< operator name
  std::int64_t fixed = 0;              ///< constant part of the time
  std::int64_t elements_per_unit = 0;  ///< elements per unit of time; 0: unlimited
};

/// Processes by operator name: they supply the run times that a graph lacks as a network.
struct process_table {
  table<process_spec> rows;  ///< each operator at most once

  /// Adds or replaces the process of an operator. O(rows).
  constexpr process_table& set(text_view op, std::int64_t fixed,
                               std::int64_t elements_per_unit = 0) {
    for (process_spec& row : rows)
      if (row.op.view() == op) {
        row.fixed = fixed;
        row.elements_per_unit = elements_per_unit;
        return *this;
      }
    rows.push_back({text(op), fixed, elements_per_unit});
    return *this;
  }
  /// The process of an operator; null if it has none. O(rows).
  constexpr const process_spec* find(text_view op) const {
    for (const process_spec& row : rows)
      if (row.op.view() == op) return &row;
    return nullptr;
  }
};

/// A node of a network: a process on a host, which it may share with others.
struct network_node {
  text name;  ///< for error messages
  /// Run time, in the network's unit of time.
  std::int64_t service = 0;
  /// The host it occupies while it runs: index into `network::hosts`.
  std::uint32_t host = 0;
  node_id node = node_id::none;  ///< the graph node it stands for; `none`: no graph
};

/// A directed edge: one message per run from one process to another, over a link.
struct network_edge {
  std::uint32_t from = 0;   ///< index of the sender
  std::uint32_t to = 0;     ///< index of the receiver
  std::int64_t bytes = 0;   ///< message size
  usage use = usage::data;  ///< operand or ordering signal
  /// Index into `network::links`.
  std::uint32_t link = 0;
};

/// A process network: processes, the messages between them, and the hosts and links they use. Edges
/// may share a link and nodes a host.
struct network {
  table<network_node> nodes;  ///< the processes
  table<network_edge> edges;  ///< the messages
  /// Slots of each host: the number of processes it runs at a time.
  table<std::int64_t> hosts;
  table<fifo_link> links;  ///< links, referenced by `network_edge::link`

  /// Adds a host that runs `slots` processes at a time, and returns its index.
  constexpr std::uint32_t add_host(std::int64_t slots = 1) {
    hosts.push_back(slots);
    return static_cast<std::uint32_t>(hosts.size() - 1);
  }
  /// Adds a link (bandwidth in bytes per unit of time, 0: unlimited) and returns its index.
  constexpr std::uint32_t add_link(std::int64_t bandwidth, std::int64_t latency) {
    links.push_back({bandwidth, latency, 0});
    return static_cast<std::uint32_t>(links.size() - 1);
  }
  /// Adds a process with run time `service` on a host, and returns its index.
  constexpr std::uint32_t add_node(text_view name, std::int64_t service, std::uint32_t host) {
    nodes.push_back({text(name), service, host, node_id::none});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
};

/// Builds the network of a graph: each node becomes a process on its own host; each operand that a
/// node produces and each control or mutate edge gets its own link, a copy of `link`. Errors: those
/// of `validate`; `simulation_failed`, naming the operator, if the table has no process for it, a
/// needed size is not fixed, or a time or size overflows.
constexpr result<network> materialise(const graph_view& workflow, const process_table& processes,
                                      const fifo_link& link = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  network out;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const node& n = g.nodes[i];
    const text label = g.label(static_cast<node_id>(i));
    const process_spec* spec = processes.find(g.op_name(n));
    if (spec == nullptr)
      return make_error(errc::simulation_failed, label.view(),
                        text() << "operator '" << g.op_name(n) << "' has no process");
    std::int64_t service = spec->fixed;
    for (std::uint32_t k = 0; k < n.outputs.count && spec->elements_per_unit > 0; ++k) {
      const std::int64_t elements = g[graph_view::output_of(n, k)].type.shape.elements();
      if (elements < 0)
        return make_error(errc::simulation_failed, label.view(),
                          "its time depends on a result whose size is not fixed");
      if (!checked_add(service, detail::ceil_div(elements, spec->elements_per_unit), service))
        return make_error(errc::simulation_failed, label.view(), "its time does not fit 63 bits");
    }
    out.nodes.push_back({label, service, out.add_host(), static_cast<node_id>(i)});
  }
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    for (value_id operand : g.inputs_of(g.nodes[i])) {
      const value& v = g[operand];
      if (v.producer == node_id::none) continue;
      const std::int64_t elements = v.type.shape.elements();
      std::int64_t bytes = 0;
      if (elements < 0 ? link.bandwidth > 0
                       : !checked_multiply(elements, size_of(v.type.type), bytes))
        return make_error(errc::simulation_failed, out.nodes[i].name.view(),
                          "the size of an operand is not fixed or too large");
      out.edges.push_back({index_of(v.producer), i, bytes, usage::data,
                           out.add_link(link.bandwidth, link.latency)});
    }
  }
  for (const edge& e : g.edges)
    out.edges.push_back({index_of(e.from), index_of(e.to), 0, usage::order,
                         out.add_link(link.bandwidth, link.latency)});
  return out;
}

namespace detail {

/// One run of a network.
class network_run {
 public:
  constexpr explicit network_run(const network& n) : n_(n), links_(n.links) {}

  constexpr result<execution_trace> run() {
    if (!is_valid())
      return make_error(errc::simulation_failed, "",
                        "an edge or node of the network is out of range");
    if (!fits())
      return make_error(errc::simulation_failed, "",
                        "the times or the bytes of the network do not fit 62 bits");
    for (std::int64_t slots : n_.hosts) broker_.add(slots);
    table<std::uint32_t> expected[2];
    for (auto& counts : expected) counts.resize(n_.nodes.size());
    for (const network_edge& e : n_.edges) ++expected[static_cast<int>(e.use)][e.to];
    for (std::uint32_t i = 0; i < n_.nodes.size(); ++i)
      processes_.push_back(task_process(expected[0][i], expected[1][i], n_.nodes[i].service, 0));
    begins_.resize(n_.nodes.size());
    for (std::uint32_t i = 0; i < n_.nodes.size() && error_.code == errc::none; ++i)
      if (processes_[i].state() == process_state::ready) ask(i);
    while (!queue_.empty() && error_.code == errc::none) handle(queue_.pop().event);
    if (error_.code != errc::none) return error_;
    for (const task_process& p : processes_) {
      if (p.state() != process_state::done) return deadlock();
      out_.accounts.push_back(p.account());
    }
    out_.processed = queue_.processed();
    return static_cast<execution_trace&&>(out_);
  }

 private:
  /// A process finishes or, if `edge` is in range, a message arrives.
  struct happening {
    std::uint32_t node = 0;
    std::uint32_t edge = UINT32_MAX;
    std::int64_t begin = 0;
  };

  constexpr bool is_valid() const {
    for (const network_node& node : n_.nodes)
      if (node.host >= n_.hosts.size() || node.service < 0) return false;
    for (const network_edge& e : n_.edges)
      if (e.from >= n_.nodes.size() || e.to >= n_.nodes.size() || e.link >= n_.links.size() ||
          e.bytes < 0)
        return false;
    for (const fifo_link& l : n_.links)
      if (l.bandwidth < 0 || l.latency < 0 || l.free_from < 0) return false;
    return true;
  }
  // Running everything in sequence is the longest possible schedule.
  constexpr bool fits() const {
    constexpr int128 most = int128{1} << 62;
    int128 time = 0, bytes = 0;
    for (const network_node& node : n_.nodes) time += node.service;
    for (const fifo_link& l : n_.links) time += l.free_from;
    for (const network_edge& e : n_.edges) {
      const fifo_link& l = n_.links[e.link];
      bytes += e.bytes;
      time += l.latency + (l.bandwidth == 0 ? 0 : ceil_div(e.bytes, l.bandwidth));
    }
    return time < most && bytes < most;
  }
  constexpr void ask(std::uint32_t node) {
    const demand slot{n_.nodes[node].host, 1};
    const auto granted = broker_.request(node, view<demand>(&slot, 1));
    if (!granted)
      error_ = make_error(errc::simulation_failed, n_.nodes[node].name, "its host runs no process");
    else if (*granted)
      start(node);
  }
  constexpr void start(std::uint32_t node) {
    begins_[node] = queue_.now();
    queue_.push(processes_[node].start(queue_.now()), {node, UINT32_MAX, 0});
  }
  constexpr void handle(const happening& h) {
    if (h.edge != UINT32_MAX) return arrive(h);
    const std::int64_t now = queue_.now();
    out_.makespan = now;
    std::int64_t sent = 0;
    processes_[h.node].generate_output(now, [&](std::int64_t) {
      for (std::uint32_t i = 0; i < n_.edges.size(); ++i) {
        const network_edge& e = n_.edges[i];
        if (e.from != h.node) continue;
        const transit t = links_[e.link].send(now, e.bytes);
        out_.link_waiting = saturating_add(out_.link_waiting, t.begin - now);
        sent += e.bytes;
        queue_.push(t.end, {e.to, i, t.begin});
      }
    });
    out_.events.push_back(
        {trace_kind::execute, h.node, h.node, begins_[h.node], now, {}, {}, sent});
    const demand slot{n_.nodes[h.node].host, 1};
    const auto released =
        broker_.release(h.node, view<demand>(&slot, 1), [&](std::uint32_t next) { start(next); });
    if (!released) error_ = released.error();
  }
  constexpr void arrive(const happening& h) {
    const network_edge& e = n_.edges[h.edge];
    if (e.use == usage::data)
      out_.events.push_back(
          {trace_kind::transfer, e.from, e.to, h.begin, queue_.now(), {}, {}, e.bytes});
    if (processes_[e.to].update({e.from, e.use, e.bytes}, queue_.now())) ask(e.to);
  }
  constexpr error deadlock() const {
    table<wait_edge> more;
    for (const network_edge& e : n_.edges)
      if (processes_[e.to].state() == process_state::waiting &&
          processes_[e.from].state() != process_state::done)
        more.push_back({e.to, e.from});
    const table<std::uint32_t> cycle = broker_.wait_cycle(more);
    const auto name = [&](std::uint32_t i) { return n_.nodes[i].name.view(); };
    return make_error(errc::simulation_failed,
                      cycle.empty() ? text_view() : n_.nodes[cycle[0]].name.view(),
                      text() << "deadlock: " << wait_cycle_text(cycle, name).view());
  }

  const network& n_;
  table<fifo_link> links_;
  broker broker_;
  event_queue<happening> queue_;
  table<task_process> processes_;
  table<std::int64_t> begins_;
  error error_;
  execution_trace out_;
};

}  // namespace detail

/// Simulates a network until no event is pending. Errors: `simulation_failed` if an index is out of
/// range, a time or size negative, their sums too large (62 bits), a host has no slot, or processes
/// deadlock: the message names the cycle. O(events · log events + nodes · edges).
constexpr result<execution_trace> simulate(const network& n) {
  return detail::network_run(n).run();
}

}  // namespace wf
