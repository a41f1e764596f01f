// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <numeric>

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/core/integer.hpp>
#include <wf/simulate/process/network_graph.hpp>
#include <wf/simulate/process/wait_graph.hpp>

namespace wf {

/// An edge of a synchronous dataflow graph: fixed numbers of data in each run of its two ends.
struct dataflow_edge {
  std::uint32_t from = 0;      ///< index of the sender
  std::uint32_t to = 0;        ///< index of the receiver
  std::uint32_t produced = 1;  ///< data that a run of the sender emits, at least 1
  std::uint32_t consumed = 1;  ///< data that a run of the receiver takes, at least 1
  std::uint32_t initial = 0;   ///< data on the edge at the start
  /// Largest number of data on the edge, as of `network_edge`; 0: no limit. A run of the sender
  /// begins when there is room for all that it emits.
  std::uint32_t capacity = 0;

  friend constexpr bool operator==(const dataflow_edge&, const dataflow_edge&) = default;
};

/// A network of which only the rates are known: a synchronous dataflow graph (Lee, Messerschmitt:
/// "Synchronous data flow", Proceedings of the IEEE 75, 1987).
struct dataflow_graph {
  table<text> names;           ///< of the processes
  table<dataflow_edge> edges;  ///< of which several may connect the same two processes

  /// Adds a process and returns its index.
  constexpr std::uint32_t add_node(text_view name) {
    names.push_back(text(name));
    return static_cast<std::uint32_t>(names.size() - 1);
  }
  /// Connects two processes; returns the edge, for its initial data and its capacity.
  constexpr dataflow_edge& connect(std::uint32_t from, std::uint32_t to, std::uint32_t produced = 1,
                                   std::uint32_t consumed = 1) {
    edges.push_back({from, to, produced, consumed, 0, 0});
    return edges.back();
  }
};

namespace detail {

/// Solves the balance equations.
class balance {
 public:
  constexpr explicit balance(const dataflow_graph& g)
      : g_(g), runs_(g.names.size()), shares_(g.names.size()), edges_of_(g.names.size()) {}

  constexpr result<table<std::int64_t>> solve() {
    for (std::uint32_t k = 0; k < g_.edges.size(); ++k) {
      if (const auto valid = check(g_.edges[k]); !valid) return valid.error();
      edges_of_[g_.edges[k].from].push_back(k);
      edges_of_[g_.edges[k].to].push_back(k);
    }
    for (std::uint32_t i = 0; i < runs_.size(); ++i)
      if (runs_[i] == 0)
        if (const auto balanced = solve_part(i); !balanced) return balanced.error();
    for (const dataflow_edge& e : g_.edges)
      if (int128{runs_[e.from]} * e.produced != int128{runs_[e.to]} * e.consumed)
        return make_error(errc::simulation_failed, name(e.from),
                          text() << "rates do not balance: " << name(e.from) << " emits "
                                 << e.produced << " a run, " << name(e.to) << " takes "
                                 << e.consumed);
    return static_cast<table<std::int64_t>&&>(runs_);
  }

 private:
  constexpr text_view name(std::uint32_t i) const { return g_.names[i].view(); }
  constexpr result<nothing> check(const dataflow_edge& e) const {
    const auto refuse = [](text_view subject, text_view sentence) {
      return make_error(errc::simulation_failed, subject, sentence);
    };
    if (e.from >= runs_.size() || e.to >= runs_.size())
      return refuse("", "an edge leads from or to what is not there");
    if (e.produced == 0 || e.consumed == 0) return refuse(name(e.from), "an edge has a rate of 0");
    if (e.capacity != 0 && e.initial > e.capacity)
      return refuse(name(e.to), "more data are on an edge than it has room for");
    return nothing{};
  }
  // Runs of what is connected with a process, as fractions of its runs: runs_ / shares_.
  constexpr result<nothing> solve_part(std::uint32_t first) {
    const auto too_large = [&] {
      return make_error(errc::overflow, name(first),
                        "the runs that balance its rates do not fit 63 bits");
    };
    table<std::uint32_t> part{first};
    runs_[first] = shares_[first] = 1;
    std::int64_t all = 1;  // the least common multiple of the denominators
    for (std::size_t at = 0; at < part.size(); ++at) {
      const std::uint32_t i = part[at];
      for (const std::uint32_t k : edges_of_[i]) {
        const dataflow_edge& e = g_.edges[k];
        const bool forward = e.from == i;
        const std::uint32_t other = forward ? e.to : e.from;
        if (runs_[other] != 0) continue;
        std::int64_t up = forward ? e.produced : e.consumed;
        std::int64_t down = forward ? e.consumed : e.produced;
        const std::int64_t a = std::gcd(up, down), b = std::gcd(runs_[i], down / a),
                           c = std::gcd(up / a, shares_[i]);
        if (!checked_multiply(runs_[i] / b, up / a / c, runs_[other]) ||
            !checked_multiply(shares_[i] / c, down / a / b, shares_[other]))
          return too_large();
        const std::int64_t factor = shares_[other] / std::gcd(all, shares_[other]);
        if (!checked_multiply(all, factor, all)) return too_large();
        part.push_back(other);
      }
    }
    std::int64_t common = 0;
    for (const std::uint32_t i : part) {
      if (!checked_multiply(runs_[i], all / shares_[i], runs_[i])) return too_large();
      common = std::gcd(runs_[i], common);
    }
    for (const std::uint32_t i : part) runs_[i] /= common;
    return nothing{};
  }

  const dataflow_graph& g_;
  table<std::int64_t> runs_;
  table<std::int64_t> shares_;
  table<table<std::uint32_t>> edges_of_;
};

/// Runs processes of which only the rates are known, by the rules of a network: a round takes data
/// as they come, which frees room, and a run begins when all are there and there is room.
class symbolic_run {
 public:
  constexpr symbolic_run(const dataflow_graph& g, table<std::int64_t> runs)
      : g_(g),
        left_(static_cast<table<std::int64_t>&&>(runs)),
        on_edge_(g.edges.size()),
        taken_(g.edges.size()),
        inputs_(g.names.size()),
        outputs_(g.names.size()),
        listed_(g.names.size(), 1) {
    for (std::uint32_t k = 0; k < g.edges.size(); ++k) {
      on_edge_[k] = g.edges[k].initial;
      inputs_[g.edges[k].to].push_back(k);
      outputs_[g.edges[k].from].push_back(k);
    }
    for (std::uint32_t i = 0; i < g.names.size(); ++i) open_.push_back(i);
  }
  // Runs each process as often as it may; the cycle in which those that are left wait.
  constexpr table<std::uint32_t> run() {
    while (!open_.empty()) {
      const std::uint32_t i = open_.back();
      open_.pop_back();
      listed_[i] = 0;
      do take(i);
      while (runs_once(i));
    }
    table<wait_edge> waits;
    for (std::uint32_t i = 0; i < left_.size(); ++i)
      if (left_[i] != 0) add_waits(i, waits);
    return wait_cycle(waits);
  }

 private:
  constexpr void list(std::uint32_t i) {
    if (listed_[i] != 0) return;
    listed_[i] = 1;
    open_.push_back(i);
  }
  constexpr void take(std::uint32_t i) {
    for (const std::uint32_t k : inputs_[i]) {
      const std::int64_t missing = g_.edges[k].consumed - taken_[k];
      const std::int64_t count = missing < on_edge_[k] ? missing : on_edge_[k];
      if (count == 0) continue;
      taken_[k] += count;
      on_edge_[k] -= count;
      if (g_.edges[k].capacity != 0) list(g_.edges[k].from);
    }
  }
  constexpr bool is_full(std::uint32_t k) const {
    const dataflow_edge& e = g_.edges[k];
    return e.capacity != 0 && on_edge_[k] + e.produced > e.capacity;
  }
  constexpr bool is_able(std::uint32_t i) const {
    for (const std::uint32_t k : inputs_[i])
      if (taken_[k] != g_.edges[k].consumed) return false;
    return true;
  }
  constexpr bool runs_once(std::uint32_t i) {
    if (left_[i] == 0 || !is_able(i)) return false;
    for (const std::uint32_t k : outputs_[i])
      if (is_full(k)) return false;
    --left_[i];
    for (const std::uint32_t k : inputs_[i]) taken_[k] = 0;
    for (const std::uint32_t k : outputs_[i]) {
      on_edge_[k] += g_.edges[k].produced;
      list(g_.edges[k].to);
    }
    return true;
  }
  // As in a run of a network: for room if all data are there, otherwise for data.
  constexpr void add_waits(std::uint32_t i, table<wait_edge>& waits) const {
    if (is_able(i)) {
      for (const std::uint32_t k : outputs_[i])
        if (is_full(k)) waits.push_back({i, g_.edges[k].to});
      return;
    }
    for (const std::uint32_t k : inputs_[i])
      if (taken_[k] != g_.edges[k].consumed) waits.push_back({i, g_.edges[k].from});
  }

  const dataflow_graph& g_;
  table<std::int64_t> left_;     // runs, by process
  table<std::int64_t> on_edge_;  // data that were not taken
  table<std::int64_t> taken_;    // data of this round, by edge
  table<table<std::uint32_t>> inputs_;
  table<table<std::uint32_t>> outputs_;
  table<char> listed_;
  table<std::uint32_t> open_;  // processes that may be able to run
};

}  // namespace detail

/// The runs of each process after which every edge of a connected dataflow graph has as many data
/// as before, the smallest positive numbers (the balance equations runs(from) · produced = runs(to)
/// · consumed). Graphs in several parts have them for each part. Errors: `simulation_failed` for an
/// end that is not there, a rate of 0, more initial data than the capacity, or rates that no
/// numbers balance; the subject is the sender. `overflow` if a number does not fit 63 bits.
/// O((nodes + edges) · log of the largest number).
constexpr result<table<std::int64_t>> repetitions(const dataflow_graph& g) {
  return detail::balance(g).solve();
}

/// Decides before a run whether the processes deadlock: all can run for ever if, and only if, each
/// can run as often as `repetitions` says, in any order in which data and room allow it (Lee,
/// Messerschmitt 1987, class S). Errors: those of `repetitions`; `simulation_failed` for a
/// deadlock, whose message names the cycle; `search_limit` if more than `most_runs` runs would have
/// to be tried. O(runs · edges of a process).
constexpr result<nothing> check_dataflow(const dataflow_graph& g,
                                         std::int64_t most_runs = 1 << 20) {
  auto runs = repetitions(g);
  if (!runs) return runs.error();
  std::int64_t all = 0;
  for (const std::int64_t r : *runs) all = saturating_add(all, r);
  if (all > most_runs)
    return make_error(errc::search_limit, "",
                      text() << "the schedule has " << all << " runs, more than " << most_runs);
  const auto cycle = detail::symbolic_run(g, static_cast<table<std::int64_t>&&>(*runs)).run();
  if (cycle.empty()) return nothing{};
  return deadlock_error(cycle, [&](std::uint32_t i) { return g.names[i].view(); });
}

/// The rates, initial data and capacities of a network. Inputs and outputs without an edge do not
/// count: they have data and room. Errors: those of `network::validate`; `simulation_failed`,
/// naming the process, if an edge begins or ends where it has no fixed rate.
template <process P>
constexpr result<dataflow_graph> dataflow_of(const network<P>& n) {
  if (const auto valid = n.validate(); !valid) return valid.error();
  dataflow_graph out;
  for (const auto& node : n.nodes) out.add_node(node.name.view());
  for (const auto& e : n.edges) {
    const std::uint32_t produced = production_rate(n.nodes[e.from].process, e.output);
    const std::uint32_t consumed = consumption_rate(n.nodes[e.to].process, e.input);
    if (produced == 0 || consumed == 0)
      return make_error(errc::simulation_failed, n.nodes[produced == 0 ? e.from : e.to].name.view(),
                        "it has no fixed rate at an end of an edge");
    dataflow_edge& edge = out.connect(e.from, e.to, produced, consumed);
    edge.initial = static_cast<std::uint32_t>(e.initial.size());
    edge.capacity = e.capacity;
  }
  return out;
}

/// Decides before a run whether a network of processes with fixed rates deadlocks. Errors: those of
/// `dataflow_of` and of `check_dataflow` for graphs.
template <process P>
constexpr result<nothing> check_dataflow(const network<P>& n, std::int64_t most_runs = 1 << 20) {
  const auto graph = dataflow_of(n);
  if (!graph) return graph.error();
  return check_dataflow(*graph, most_runs);
}

/// True; does not compile if the network or dataflow graph that `Make`, a callable without
/// captures, returns cannot go on, and the compiler's message has the sentence of `check_dataflow`.
/// For `static_assert`.
template <auto Make>
constexpr bool require_dataflow() {
  constexpr auto failure = [] { return check_dataflow(Make()).error(); };
  constexpr bool fails = !check_dataflow(Make());
  if constexpr (fails) report<diagnose<failure>>{};
  return true;
}

}  // namespace wf
