// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/simulate/engine/fifo.hpp>
#include <wf/simulate/process/network_graph.hpp>
#include <wf/simulate/process/wait_graph.hpp>

namespace wf::sim::detail {

/// The error of a network whose nodes wait for each other in a cycle; none if there is no cycle.
template <class P>
constexpr result<nothing> find_deadlock(const network<P>& n, view<wait_edge> waits) {
  const table<std::uint32_t> cycle = wait_cycle(waits);
  if (cycle.empty()) return nothing{};
  return deadlock_error(cycle, [&](std::uint32_t i) { return n.nodes[i].name.view(); });
}

/// The rules by which processes of a network take data, run and emit, without time and places:
/// `Self`, which derives from this, has them. Its functions:
///
/// - `now()`: the tick.
/// - `run_later(node, priority, work)`: calls `begin_run` and `finish_run` when a host has run it.
/// - `wake_later(node, ticks)`: calls `wake_up` then.
/// - `carry(way, datum)`: takes a datum to another place, and calls `arrive` there.
/// - `give_out(node, output, datum)`: a datum without an edge.
/// - `freed(way)`: a datum on an edge with a capacity was taken; `make_room` lets the sender know.
/// - `ran(node, begin, bytes)`: a run ended now.
template <class Self, class P>
class process_rounds {
 public:
  using datum = typename P::datum;

  constexpr explicit process_rounds(network<P>& n) : n_(n) {}

  /// A datum arrives at an input.
  constexpr void arrive(std::uint32_t node, std::uint32_t input, datum d) {
    const state& s = nodes_[node];
    const std::uint32_t port = s.inputs.first + input;
    count_in(node, datum_traits<datum>::bytes(d));
    // Data that came before and may be taken now go first, by their inputs.
    if (s.queued == 0 && s.status == process_state::waiting && !ports_[port].taken) {
      give(node, input, static_cast<datum&&>(d));
      return;
    }
    enqueue(node, port, static_cast<datum&&>(d));
    take(node);
  }
  /// The timer of a process has called.
  constexpr void wake_up(std::uint32_t node) {
    if (nodes_[node].status == process_state::waiting)
      become_able(node);
    else
      nodes_[node].wakes = true;
  }
  /// A host begins to run a process.
  constexpr void begin_run(std::uint32_t node, std::int64_t begin) {
    state& s = nodes_[node];
    s.status = process_state::running;
    accounts_[node].queued += begin - s.since;
    s.since = begin;
  }
  /// A host has run a process.
  constexpr void finish_run(std::uint32_t node) {
    state& s = nodes_[node];
    const std::int64_t now = self().now();
    resource_account& account = accounts_[node];
    account.ran += now - s.since;
    ++account.runs;
    std::int64_t sent = 0;
    const auto emit = [&](std::uint32_t output, datum d) {
      sent = saturating_add(sent, datum_traits<datum>::bytes(d));
      emitted_.push_back({output, static_cast<datum&&>(d)});
    };
    if (const auto made = n_.nodes[node].process.generate_output(now, emit); !made)
      return fail(made.error());
    account.bytes_out = saturating_add(account.bytes_out, sent);
    keep_peak(node, saturating_add(s.held, sent));
    if (!emits_its_rates(node)) return;
    self().ran(node, s.since, sent);
    s.status = process_state::waiting;
    end_round(node);
    for (emission& e : emitted_) send(node, e);
    emitted_.clear();
    if (error_.code != errc::none) return;
    ask_wake(node);
    if (s.wakes && s.status == process_state::waiting) {
      s.wakes = false;
      become_able(node);
    }
    take(node);
  }
  /// An edge has room for one more datum.
  constexpr void make_room(std::uint32_t k) {
    --ways_[k].load;
    const std::uint32_t sender = n_.edges[ways_[k].edge].from;
    if (nodes_[sender].status == process_state::blocked) ask(sender);
  }

 protected:
  // An edge, compact and beside the others of its sender: what a run touches is to fit the caches.
  struct way {
    std::uint32_t to = 0;
    std::uint32_t input = 0;
    std::uint32_t output = 0;
    std::uint32_t over = here;   // resource that carries it
    std::uint32_t capacity = 0;  // 0: no limit
    std::uint32_t load = 0;      // data under way, or not yet taken
    std::uint32_t edge = 0;      // its index in the network
    std::uint32_t room = 1;      // what a run of its sender needs
  };
  static constexpr std::uint32_t here = UINT32_MAX;

  static constexpr std::uint32_t none = UINT32_MAX;
  struct port_state {
    std::uint32_t way = none;    // the edge that ends here
    std::uint32_t queue = none;  // of queues_: most inputs never need one
    bool bounded = false;        // that edge has a capacity
    bool typed = false;          // expects a type
    bool several = false;        // gives several data in a round: quotas_ says how many
    bool taken = false;          // gave all that it may in this round
  };
  struct state {
    range inputs;            // of ports_
    range ways;              // of ways_: the edges that begin here
    std::uint32_t host = 0;  // of the platform, as `Self` numbers it
    process_state status = process_state::waiting;
    bool rated = false;        // all its inputs have fixed rates
    bool emits_fixed = false;  // some output has a fixed rate
    bool wakes = false;        // its timer has called while it could not run
    std::uint32_t taken = 0;   // inputs that gave all that it may in this round
    std::uint32_t queued = 0;  // data in the queues of its inputs
    std::int64_t since = 0;    // when it became able to run, or started
    std::int64_t held = 0;     // bytes at its inputs and in use
    std::int64_t in_use = 0;   // bytes that this round has taken
  };
  struct emission {
    std::uint32_t output = 0;
    datum value{};
  };
  struct quota {
    std::uint32_t most = 1;   // data that the input gives in a round
    std::uint32_t given = 0;  // in this one
  };

  constexpr Self& self() { return static_cast<Self&>(*this); }
  constexpr error invalid(text_view subject, text_view sentence) const {
    return make_error(errc::simulation_failed, subject, sentence);
  }
  constexpr void fail(error e) {
    if (error_.code == errc::none) error_ = static_cast<error&&>(e);
  }

  // --- setting up ---

  // Fills the records of a valid network; `over(edge)` is the resource that an edge goes over.
  template <class Over>
  constexpr result<nothing> set_up(view<network_input<datum>> inputs, Over&& over) {
    nodes_.resize(n_.nodes.size());
    accounts_.resize(n_.nodes.size());
    set_up_ports();
    table<std::uint32_t> next(n_.nodes.size());  // small, so that it stays in a cache
    for (const network_edge<datum>& e : n_.edges) ++next[e.from];
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].ways = {first, next[i]};
      first += next[i];
      next[i] = nodes_[i].ways.first;
    }
    ways_.resize(first);
    for (std::uint32_t k = 0; k < n_.edges.size(); ++k) {
      const network_edge<datum>& e = n_.edges[k];
      const std::uint32_t at = next[e.from]++;
      const std::uint32_t rate = production_rate(n_.nodes[e.from].process, e.output);
      ways_[at] = {e.to,       e.input,
                   e.output,   over(e),
                   e.capacity, static_cast<std::uint32_t>(e.initial.size()),
                   k,          rate == 0 ? 1 : rate};
      port_state& port = ports_[nodes_[e.to].inputs.first + e.input];
      port.way = at;
      port.bounded = e.capacity != 0;
    }
    for (const network_input<datum>& in : inputs) {
      if (in.node >= nodes_.size() || in.input >= nodes_[in.node].inputs.count)
        return invalid("", "an input from outside has no place");
      if (ports_[nodes_[in.node].inputs.first + in.input].way != none)
        return invalid(port_name(in.node, in.input).view(),
                       "data from outside arrive where an edge ends");
      if (in.time < 0)
        return invalid(n_.nodes[in.node].name.view(), "an input arrives before tick 0");
    }
    return nothing{};
  }
  constexpr void set_up_ports() {
    std::uint32_t ports = 0;
    for (std::uint32_t i = 0; i < n_.nodes.size(); ++i) {
      const view<expected_input> expected = n_.nodes[i].process.inputs();
      nodes_[i].inputs = {ports, static_cast<std::uint32_t>(expected.size())};
      ports += nodes_[i].inputs.count;
    }
    ports_.resize(ports);
    for (std::uint32_t i = 0; i < n_.nodes.size(); ++i) {
      const auto& process = n_.nodes[i].process;
      const view<expected_input> expected = process.inputs();
      state& s = nodes_[i];
      s.rated = !expected.empty();
      for (std::uint32_t k = 0; k < expected.size(); ++k) {
        port_state& port = ports_[s.inputs.first + k];
        if constexpr (!is_untyped<datum>)
          port.typed = expected[k].use == usage::data && expected[k].type.type != dtype::unknown;
        const std::uint32_t rate = consumption_rate(process, k);
        s.rated = s.rated && rate != 0;
        port.several = rate > 1;
        if (!port.several) continue;
        quotas_.resize(ports);
        quotas_[s.inputs.first + k].most = rate;
      }
      for (std::uint32_t o = 0; o < process.outputs(); ++o)
        s.emits_fixed = s.emits_fixed || production_rate(process, o) != 0;
    }
  }
  // Puts the initial data of an edge at its receiver.
  constexpr void start_edge(const network_edge<datum>& e) {
    for (const datum& d : e.initial) {
      count_in(e.to, datum_traits<datum>::bytes(d));
      enqueue(e.to, nodes_[e.to].inputs.first + e.input, datum(d));
    }
  }
  constexpr void start_node(std::uint32_t i) {
    const bool wakes = ask_wake(i);
    if (nodes_[i].inputs.count == 0 && !wakes)
      become_able(i);
    else
      take(i);
  }
  // Asks when a process becomes able to run by itself; false if it does not.
  constexpr bool ask_wake(std::uint32_t i) {
    if constexpr (waking_process<P>) {
      const std::int64_t at = n_.nodes[i].process.wake(self().now());
      if (at == never) return false;
      const std::int64_t wait = at > self().now() ? at - self().now() : 0;
      self().wake_later(i, wait);
      return true;
    }
    return false;
  }

  // --- data arrive ---

  constexpr text port_name(std::uint32_t node, std::uint32_t input) const {
    const view<expected_input> all = n_.nodes[node].process.inputs();
    return text() << n_.nodes[node].name << '.' << all[input].name;
  }
  constexpr void enqueue(std::uint32_t node, std::uint32_t port, datum d) {
    if (ports_[port].queue == none) {
      ports_[port].queue = static_cast<std::uint32_t>(queues_.size());
      queues_.push_back({});
    }
    queues_[ports_[port].queue].push(static_cast<datum&&>(d));
    ++nodes_[node].queued;
  }
  constexpr bool has_queued(const port_state& port) const {
    return port.queue != none && !queues_[port.queue].empty();
  }
  constexpr void count_in(std::uint32_t node, std::int64_t bytes) {
    resource_account& account = accounts_[node];
    account.bytes_in = saturating_add(account.bytes_in, bytes);
    nodes_[node].held = saturating_add(nodes_[node].held, bytes);
    keep_peak(node, nodes_[node].held);
  }
  constexpr void keep_peak(std::uint32_t node, std::int64_t bytes) {
    std::int64_t& peak = accounts_[node].peak_bytes;
    peak = peak < bytes ? bytes : peak;
  }
  // Gives a process a datum. True if that ended a round without a run: more data may follow.
  constexpr bool give(std::uint32_t node, std::uint32_t input, datum d) {
    state& s = nodes_[node];
    port_state& port = ports_[s.inputs.first + input];
    if (!port.several ||
        ++quotas_[s.inputs.first + input].given == quotas_[s.inputs.first + input].most) {
      port.taken = true;
      ++s.taken;
    }
    s.in_use = saturating_add(s.in_use, datum_traits<datum>::bytes(d));
    if (port.typed && !expects(node, input, d)) return false;
    const std::uint32_t freed = port.bounded ? port.way : UINT32_MAX;
    const auto able = n_.nodes[node].process.update(input, static_cast<datum&&>(d), self().now());
    if (!able) return fail(able.error()), false;
    const bool full = s.taken == s.inputs.count, ends = !*able && full;
    if (s.rated && *able != full)
      return fail(invalid(n_.nodes[node].name.view(), "it does not keep the rates of its inputs")),
             false;
    if (*able) become_able(node);
    if (ends) end_round(node);
    if (freed != UINT32_MAX) self().freed(freed);
    return ends;
  }
  // Gives a waiting process what has come before and it may take in this round.
  constexpr void take(std::uint32_t node) {
    const state& s = nodes_[node];
    for (std::uint32_t k = 0; k < s.inputs.count; ++k) {
      if (s.status != process_state::waiting || error_.code != errc::none) return;
      port_state& port = ports_[s.inputs.first + k];
      if (port.taken || !has_queued(port)) continue;
      --nodes_[node].queued;
      if (give(node, k, queues_[port.queue].pop()))
        k = UINT32_MAX;  // begin again with the next data
      else if (port.several)
        --k;  // the input may give more
    }
  }
  constexpr bool expects(std::uint32_t node, std::uint32_t input, const datum& d) {
    const view<expected_input> all = n_.nodes[node].process.inputs();
    const value_type &wanted = all[input].type, found = datum_traits<datum>::type(d);
    if (found.type == dtype::unknown) return true;
    const bool type_fits = wanted.type == found.type;
    bool shape_fits = wanted.shape.rank == found.shape.rank;
    for (std::uint32_t i = 0; shape_fits && i < wanted.shape.rank; ++i)
      shape_fits = !wanted.shape[i].is_fixed() || wanted.shape[i] == found.shape[i];
    if (type_fits && shape_fits) return true;
    fail(make_error(
        type_fits ? errc::shape_mismatch : errc::dtype_mismatch, port_name(node, input).view(),
        text() << "expects " << to_text(wanted) << ", but " << to_text(found) << " arrived"));
    return false;
  }

  // --- a process runs ---

  constexpr void become_able(std::uint32_t node) {
    nodes_[node].status = process_state::blocked;
    nodes_[node].since = self().now();
    ask(node);
  }
  constexpr void ask(std::uint32_t node) {
    state& s = nodes_[node];
    for (std::uint32_t k = s.ways.first; k < s.ways.first + s.ways.count; ++k)
      if (!has_room(ways_[k])) return;
    const auto& place = n_.nodes[node];
    const auto work = static_cast<std::int64_t>(place.process.work(self().now()));
    if (work < 0 || work >= std::int64_t{1} << 62 || self().now() >= std::int64_t{1} << 62)
      return fail(invalid(place.name.view(), "its time is negative or does not fit 62 bits"));
    s.status = process_state::ready;
    self().run_later(node, place.priority, work);
  }
  static constexpr bool has_room(const way& e) {
    return e.capacity == 0 || e.load + std::uint64_t{e.room} <= e.capacity;
  }
  constexpr bool emits_its_rates(std::uint32_t node) {
    if (!nodes_[node].emits_fixed) return true;
    const auto& process = n_.nodes[node].process;
    counts_.clear();
    counts_.resize(process.outputs());
    for (const emission& e : emitted_)
      if (e.output < counts_.size()) ++counts_[e.output];
    for (std::uint32_t o = 0; o < counts_.size(); ++o) {
      const std::uint32_t rate = production_rate(process, o);
      if (rate == 0 || rate == counts_[o]) continue;
      fail(invalid(n_.nodes[node].name.view(), "it does not keep the rates of its outputs"));
      return false;
    }
    return true;
  }
  constexpr void end_round(std::uint32_t node) {
    state& s = nodes_[node];
    for (std::uint32_t k = 0; k < s.inputs.count; ++k) clear_port(s.inputs.first + k);
    s.taken = 0;
    s.held -= s.in_use;
    s.in_use = 0;
  }
  constexpr bool has_given(std::uint32_t port) const {
    return ports_[port].taken || (ports_[port].several && quotas_[port].given != 0);
  }
  constexpr void clear_port(std::uint32_t port) {
    ports_[port].taken = false;
    if (ports_[port].several) quotas_[port].given = 0;
  }
  constexpr void send(std::uint32_t node, emission& e) {
    const state& s = nodes_[node];
    if (e.output >= n_.nodes[node].process.outputs())
      return fail(invalid(n_.nodes[node].name.view(), "it emits at an output that it has not"));
    std::uint32_t last = UINT32_MAX;  // the edge that gets the datum itself; others get copies
    for (std::uint32_t k = s.ways.first; k < s.ways.first + s.ways.count; ++k) {
      if (ways_[k].output != e.output) continue;
      if (last != UINT32_MAX) send_over(last, datum(e.value));
      last = k;
    }
    if (last != UINT32_MAX)
      send_over(last, static_cast<datum&&>(e.value));
    else
      self().give_out(node, e.output, static_cast<datum&&>(e.value));
  }
  constexpr void send_over(std::uint32_t k, datum d) {
    way& e = ways_[k];
    if (e.capacity != 0) ++e.load;
    if (e.over == here) return arrive(e.to, e.input, static_cast<datum&&>(d));
    self().carry(k, static_cast<datum&&>(d));
  }

  // --- the end ---

  constexpr bool holds_data(std::uint32_t node) const {
    const state& s = nodes_[node];
    bool some = s.taken != 0;
    for (std::uint32_t k = 0; k < s.inputs.count; ++k)
      some = some || has_queued(ports_[s.inputs.first + k]) || has_given(s.inputs.first + k);
    return some;
  }
  // A node that could not run for want of room waits for the receiver; a node that has data, or has
  // never run, waits for the senders of those that it lacks.
  constexpr void add_waits(std::uint32_t i, table<wait_edge>& waits) const {
    const state& s = nodes_[i];
    if (s.status == process_state::blocked)
      for (std::uint32_t k = s.ways.first; k < s.ways.first + s.ways.count; ++k)
        if (!has_room(ways_[k])) waits.push_back({i, ways_[k].to});
    if (s.status != process_state::waiting || (accounts_[i].runs != 0 && !holds_data(i))) return;
    for (std::uint32_t k = 0; k < s.inputs.count; ++k) {
      const port_state& port = ports_[s.inputs.first + k];
      if (!port.taken && !has_queued(port) && port.way != none)
        waits.push_back({i, n_.edges[ways_[port.way].edge].from});
    }
  }

  network<P>& n_;
  table<state> nodes_;
  table<port_state> ports_;
  table<quota> quotas_;  // by port; empty if every input gives one datum in a round
  table<way> ways_;
  table<fifo<datum>> queues_;
  table<emission> emitted_;
  table<std::uint32_t> counts_;  // of emissions by output
  table<resource_account> accounts_;
  error error_;
};

}  // namespace wf::sim::detail
