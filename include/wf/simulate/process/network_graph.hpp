// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/simulate/platform/platform.hpp>
#include <wf/simulate/process/process.hpp>

namespace wf {

/// Where a node of a network runs, or what an edge goes over: a resource of the platform, by its
/// kind and its index among those of the kind.
struct sim_place {
  sim_resource kind = sim_resource::slots;  ///< kind of resource
  std::uint32_t index = 0;                  ///< index among those of its kind

  friend constexpr bool operator==(const sim_place&, const sim_place&) = default;
};

/// A directed edge: data from an output of one process to an input of another one, in their order.
template <class Datum>
struct network_edge {
  std::uint32_t from = 0;    ///< index of the sender
  std::uint32_t output = 0;  ///< which of the sender's outputs
  std::uint32_t to = 0;      ///< index of the receiver
  std::uint32_t input = 0;   ///< which of the receiver's inputs
  bool local = true;         ///< data arrive at once, and use no resource
  sim_place over;            ///< otherwise: the link, route or pair of tiles that they use
  /// Largest number of data on the edge, under way or not yet taken by the receiver; 0: no limit.
  /// The sender does not start a run before there is room for one more.
  std::uint32_t capacity = 0;
  table<Datum> initial;  ///< data that are at the receiver at tick 0: the delay of a feedback loop
};

/// A datum from outside that arrives at an input.
template <class Datum>
struct network_input {
  std::uint32_t node = 0;   ///< index of the process that gets it
  std::uint32_t input = 0;  ///< at which of its inputs
  Datum value{};            ///< the datum
  std::int64_t time = 0;    ///< the tick at which it arrives
};

/// A datum that a process emitted at an output without an edge.
template <class Datum>
struct network_output {
  std::uint32_t node = 0;    ///< index of the process that emitted it
  std::uint32_t output = 0;  ///< at which of its outputs
  Datum value{};             ///< the datum
  std::int64_t time = 0;     ///< the tick at which it was emitted
};

/// The result of a run of a network.
template <class Datum>
struct network_outcome {
  table<network_output<Datum>> outputs;  ///< in the order in which they were emitted
  table<resource_account> accounts;      ///< of each node
  std::int64_t makespan = 0;             ///< the tick at which the last run or transfer ended
  std::uint64_t processed = 0;           ///< events that the engine handled
  /// Nodes that keep data at the end because others are missing: the rest of a stream.
  table<std::uint32_t> starved;
  bool stopped = false;  ///< the observer stopped the run, a `progress_observer`
};

/// Observes nothing, and costs nothing.
struct no_observer {
  /// A process ran: node, begin, end, bytes emitted.
  constexpr void execute(std::uint32_t, std::int64_t, std::int64_t, std::int64_t) {}
  /// A datum moved: edge, when it was handed over, begin, end, bytes.
  constexpr void transfer(std::uint32_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t) {}
};

/// What an activity of a network's run does.
enum class network_activity : std::uint8_t {
  run,      ///< a node runs on its host
  wake,     ///< the timer of a node
  input,    ///< a datum from outside becomes due
  message,  ///< a datum moves over the link of an edge
};

/// An observer that learns, besides, what is asked for, begins and ends, from which
/// `run_account`s are made (account/network.hpp). All that follows from an end is asked for between
/// that end and the next one. Others pay nothing for it.
template <class Observer>
concept activity_observer = requires(Observer& o, std::uint32_t n, std::int64_t x) {
  /// An activity: its number, unique until it ends; what it does; the index of its node, input or
  /// edge; its work in the unit of its resource.
  o.requested(n, network_activity::run, n, x);
  o.started(n, x);   ///< its resource begins to serve it at this tick
  o.finished(n, x);  ///< it ends now, at this tick
};

/// A network of processes that exchange data, on a platform. Processes are of one type `P`, of
/// several known ones (`one_of<A, B>`), or of any (`any_process<Datum>`).
template <process P>
class network {
 public:
  /// The type of the data.
  using datum = typename P::datum;
  /// An edge of this network.
  using edge = network_edge<datum>;

  /// A node: a process and its place.
  struct node {
    text name;                  ///< for error messages and pictures
    P process;                  ///< it with its state
    sim_place where;            ///< the host on which it runs
    std::int32_t priority = 0;  ///< larger ones get a free slot first
  };

  sim_platform platform;  ///< hosts, links and routes
  table<node> nodes;      ///< the processes
  table<edge> edges;      ///< which output feeds which input

  /// Adds a host that runs a number of processes at a time.
  constexpr sim_place add_host(std::int64_t slots = 1) {
    platform.slots.push_back(slots);
    return {sim_resource::slots, static_cast<std::uint32_t>(platform.slots.size() - 1)};
  }
  /// Adds a link with store-and-forward transfer (bytes per tick, 0: unlimited; ticks).
  constexpr sim_place add_link(std::int64_t bandwidth, std::int64_t latency) {
    return add_link(fifo_link{bandwidth, latency, 0});
  }
  /// Adds a copy of a link.
  constexpr sim_place add_link(const fifo_link& link) {
    platform.links.push_back(link);
    return {sim_resource::link, static_cast<std::uint32_t>(platform.links.size() - 1)};
  }
  /// Adds a process and returns its index.
  constexpr std::uint32_t add_node(text_view name, P process, sim_place where,
                                   std::int32_t priority = 0) {
    nodes.push_back({text(name), static_cast<P&&>(process), where, priority});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  /// Connects an output with an input of a process on the same machine; returns the edge, for its
  /// capacity and initial data.
  constexpr edge& connect(std::uint32_t from, std::uint32_t output, std::uint32_t to,
                          std::uint32_t input) {
    edges.push_back({from, output, to, input, true, {}, 0, {}});
    return edges.back();
  }
  /// Connects an output with an input over a link, a route, or a pair of tiles of a mesh.
  constexpr edge& connect(std::uint32_t from, std::uint32_t output, std::uint32_t to,
                          std::uint32_t input, sim_place over) {
    edges.push_back({from, output, to, input, false, over, 0, {}});
    return edges.back();
  }

  /// Checks the network: places and ends of edges are there, one edge at an input, and no more
  /// initial data than an edge has room for. Errors: `simulation_failed`, naming the process.
  constexpr result<nothing> validate() const;

  /// Runs until nothing can happen any more. Processes keep their state: a second run goes on with
  /// it. Errors: those of the processes; `dtype_mismatch` and `shape_mismatch` for a datum that its
  /// input does not expect; `simulation_failed` for an index out of range, a time or size that does
  /// not fit, or a deadlock, whose message names the cycle. O(events · log resources).
  template <class Observer = no_observer>
  constexpr result<network_outcome<datum>> run(view<network_input<datum>> inputs = {},
                                               Observer&& observer = {});
};

template <process P>
constexpr result<nothing> network<P>::validate() const {
  const auto invalid = [](text_view subject, text_view sentence) {
    return make_error(errc::simulation_failed, subject, sentence);
  };
  if (const auto valid = wf::validate(platform); !valid) return valid.error();
  // Small, so that they stay in a cache: edges come in any order of nodes.
  struct port_range {
    std::uint32_t first = 0;
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
  };
  table<port_range> ports(nodes.size());
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const node& n = nodes[i];
    const bool is_host = n.where.kind == sim_resource::slots || n.where.kind == sim_resource::cores;
    if (!is_host || n.where.index >= platform.count(n.where.kind))
      return invalid(n.name.view(), "its place is no host of the platform");
    ports[i] = {count, static_cast<std::uint32_t>(n.process.inputs().size()), n.process.outputs()};
    count += ports[i].inputs;
  }
  table<char> taken(count);
  for (const edge& e : edges) {
    if (e.from >= nodes.size() || e.to >= nodes.size() || e.output >= ports[e.from].outputs ||
        e.input >= ports[e.to].inputs)
      return invalid("", "an edge leads from or to what is not there");
    const bool is_way = e.over.kind == sim_resource::link || e.over.kind == sim_resource::route ||
                        e.over.kind == sim_resource::mesh;
    if (!e.local && (!is_way || e.over.index >= platform.count(e.over.kind)))
      return invalid(nodes[e.from].name.view(), "an edge uses a link that is not there");
    if (taken[ports[e.to].first + e.input]++ != 0)
      return invalid(nodes[e.to].name.view(), "two edges end at one of its inputs");
    if (e.capacity != 0 && e.initial.size() > e.capacity)
      return invalid(nodes[e.to].name.view(), "more data are on an edge than it has room for");
  }
  return nothing{};
}

}  // namespace wf
