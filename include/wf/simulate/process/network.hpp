// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <wf/simulate/engine/fifo.hpp>
#include <wf/simulate/engine/pool.hpp>
#include <wf/simulate/platform/engine.hpp>
#include <wf/simulate/process/network_graph.hpp>
#include <wf/simulate/process/wait_graph.hpp>

namespace wf {

namespace sim::detail {

/// One run of a network: the driver of its engine.
///
/// Activities of the engine: node `i` runs as activity `i` and wakes as activity `nodes + i`; then
/// the inputs from outside; then messages under way, by their slot.
template <class P, class Observer>
class network_run {
 public:
  using datum = typename P::datum;

  constexpr network_run(network<P>& n, view<network_input<datum>> inputs, Observer& observer)
      : n_(n), inputs_(inputs), observer_(observer), engine_(with_timer(n.platform)) {
    for (int k = 0; k < resource_kinds; ++k)
      first_[k] = first_resource(n.platform, static_cast<sim_resource>(k));
    // The host of the timer comes after the others: later resources move by one.
    for (int k = 1; k < resource_kinds; ++k) ++first_[k];
    timer_ = first_[1] - 1;
  }

  constexpr result<network_outcome<datum>> run() {
    if (const auto valid = set_up(); !valid) return valid.error();
    start_all();
    while (error_.code == errc::none && engine_.step(*this)) {
    }
    if (error_.code != errc::none) return error_;
    if (const auto free = find_deadlock(); !free) return free.error();
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (holds_data(i)) out_.starved.push_back(i);
    }
    out_.processed = engine_.processed();
    out_.makespan = makespan_;
    return static_cast<network_outcome<datum>&&>(out_);
  }

  constexpr void started(std::uint32_t activity, std::int64_t begin) {
    if (activity < nodes_.size()) {
      state& s = nodes_[activity];
      s.status = process_state::running;
      out_.accounts[activity].queued += begin - s.since;
      s.since = begin;
    } else if (activity >= first_message_) {
      messages_[activity - first_message_].begin = begin;
    }
  }
  constexpr void finished(std::uint32_t activity) {
    if (error_.code != errc::none) return;
    const auto count = static_cast<std::uint32_t>(nodes_.size());
    if (activity < count) return finish(activity);
    if (activity < 2 * count) return wake_up(activity - count);
    if (activity < first_message_) {
      const network_input<datum>& in = inputs_[activity - 2 * count];
      return arrive(in.node, in.input, datum(in.value));
    }
    const std::uint32_t slot = activity - first_message_;
    message& m = messages_[slot];
    const way& e = ways_[m.way];
    makespan_ = engine_.now();
    observer_.transfer(e.edge, m.sent, m.begin, engine_.now(), m.bytes);
    messages_.release(slot);
    arrive(e.to, e.input, static_cast<datum&&>(m.value));
  }

 private:
  // An edge, compact and beside the others of its sender: what a run touches is to fit the caches.
  struct way {
    std::uint32_t to = 0;
    std::uint32_t input = 0;
    std::uint32_t output = 0;
    std::uint32_t over = here;   // resource of the engine
    std::uint32_t capacity = 0;  // 0: no limit
    std::uint32_t load = 0;      // data under way, or not yet taken
    std::uint32_t edge = 0;      // its index in the network
  };
  static constexpr std::uint32_t here = UINT32_MAX;

  static constexpr std::uint32_t none = UINT32_MAX;
  struct port_state {
    std::uint32_t way = none;    // the edge that ends here
    std::uint32_t queue = none;  // of queues_: most inputs never need one
    bool bounded = false;        // that edge has a capacity
    bool typed = false;          // expects a type
    bool taken = false;          // gave a datum in this round
  };
  struct state {
    range inputs;            // of ports_
    range ways;              // of ways_: the edges that begin here
    std::uint32_t host = 0;  // resource of the engine
    process_state status = process_state::waiting;
    bool wakes = false;        // its timer has called while it could not run
    std::uint32_t taken = 0;   // inputs that gave a datum in this round
    std::uint32_t queued = 0;  // data in the queues of its inputs
    std::int64_t since = 0;    // when it became able to run, or started
    std::int64_t held = 0;     // bytes at its inputs and in use
    std::int64_t in_use = 0;   // bytes that this round has taken
  };
  struct message {
    datum value{};
    std::int64_t bytes = 0;
    std::int64_t sent = 0;
    std::int64_t begin = 0;
    std::uint32_t way = 0;
  };
  struct emission {
    std::uint32_t output = 0;
    datum value{};
  };

  static constexpr platform_engine with_timer(const sim_platform& f) {
    table<std::int64_t> hosts(f.slots);
    hosts.push_back(slots::unlimited);
    return make_engine(f, hosts);
  }

  // --- setting up ---

  constexpr std::uint32_t resource_of(const sim_place& p) const {
    return first_[static_cast<int>(p.kind)] + p.index;
  }

  constexpr error invalid(text_view subject, text_view sentence) const {
    return make_error(errc::simulation_failed, subject, sentence);
  }
  constexpr result<nothing> set_up() {
    if (const auto valid = n_.validate(); !valid) return valid.error();
    nodes_.resize(n_.nodes.size());
    out_.accounts.resize(n_.nodes.size());
    std::uint32_t ports = 0;
    for (std::uint32_t i = 0; i < n_.nodes.size(); ++i) {
      const view<expected_input> expected = n_.nodes[i].process.inputs();
      nodes_[i].inputs = {ports, static_cast<std::uint32_t>(expected.size())};
      nodes_[i].host = resource_of(n_.nodes[i].where);
      ports += nodes_[i].inputs.count;
    }
    ports_.resize(ports);
    for (std::uint32_t i = 0; i < n_.nodes.size(); ++i) {
      const view<expected_input> expected = n_.nodes[i].process.inputs();
      for (std::uint32_t k = 0; k < expected.size(); ++k)
        ports_[nodes_[i].inputs.first + k].typed =
            expected[k].use == usage::data && expected[k].type.type != dtype::unknown;
    }
    for (const network_edge<datum>& e : n_.edges) ++nodes_[e.from].ways.count;
    std::uint32_t first = 0;
    for (state& s : nodes_) {
      s.ways.first = first;
      first += s.ways.count;
      s.ways.count = 0;
    }
    ways_.resize(first);
    for (std::uint32_t k = 0; k < n_.edges.size(); ++k) {
      const network_edge<datum>& e = n_.edges[k];
      state& s = nodes_[e.from];
      const std::uint32_t at = s.ways.first + s.ways.count++;
      ways_[at] = {e.to,       e.input,
                   e.output,   e.local ? here : resource_of(e.over),
                   e.capacity, static_cast<std::uint32_t>(e.initial.size()),
                   k};
      port_state& port = ports_[nodes_[e.to].inputs.first + e.input];
      port.way = at;
      port.bounded = e.capacity != 0;
    }
    for (const network_input<datum>& in : inputs_) {
      if (in.node >= nodes_.size() || in.input >= nodes_[in.node].inputs.count)
        return invalid("", "an input from outside has no place");
      if (ports_[nodes_[in.node].inputs.first + in.input].way != none)
        return invalid(port_name(in.node, in.input).view(),
                       "data from outside arrive where an edge ends");
      if (in.time < 0)
        return invalid(n_.nodes[in.node].name.view(), "an input arrives before tick 0");
    }
    first_message_ = static_cast<std::uint32_t>(2 * nodes_.size() + inputs_.size());
    return nothing{};
  }
  constexpr void start_all() {
    for (std::uint32_t k = 0; k < inputs_.size(); ++k)
      engine_.add(timer_, {static_cast<std::uint32_t>(2 * nodes_.size()) + k, 0, inputs_[k].time},
                  *this);
    for (std::uint32_t k = 0; k < n_.edges.size(); ++k) {
      const network_edge<datum>& e = n_.edges[k];
      for (const datum& d : e.initial) {
        count_in(e.to, datum_traits<datum>::bytes(d));
        enqueue(e.to, nodes_[e.to].inputs.first + e.input, datum(d));
      }
    }
    for (std::uint32_t i = 0; i < nodes_.size() && error_.code == errc::none; ++i) {
      const bool wakes = ask_wake(i);
      if (nodes_[i].inputs.count == 0 && !wakes)
        become_able(i);
      else
        take(i);
    }
  }
  // Asks when a process becomes able to run by itself; false if it does not.
  constexpr bool ask_wake(std::uint32_t i) {
    if constexpr (waking_process<P>) {
      const std::int64_t at = n_.nodes[i].process.wake(engine_.now());
      if (at == never) return false;
      const std::int64_t wait = at > engine_.now() ? at - engine_.now() : 0;
      engine_.add(timer_, {static_cast<std::uint32_t>(nodes_.size()) + i, 0, wait}, *this);
      return true;
    }
    return false;
  }

  // --- data arrive ---

  constexpr text port_name(std::uint32_t node, std::uint32_t input) const {
    const view<expected_input> all = n_.nodes[node].process.inputs();
    return text() << n_.nodes[node].name << '.' << all[input].name;
  }
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
    resource_account& account = out_.accounts[node];
    account.bytes_in = saturating_add(account.bytes_in, bytes);
    nodes_[node].held = saturating_add(nodes_[node].held, bytes);
    keep_peak(node, nodes_[node].held);
  }
  constexpr void keep_peak(std::uint32_t node, std::int64_t bytes) {
    std::int64_t& peak = out_.accounts[node].peak_bytes;
    peak = peak < bytes ? bytes : peak;
  }
  // Gives a process a datum. True if that ended a round without a run: more data may follow.
  constexpr bool give(std::uint32_t node, std::uint32_t input, datum d) {
    state& s = nodes_[node];
    port_state& port = ports_[s.inputs.first + input];
    port.taken = true;
    ++s.taken;
    s.in_use = saturating_add(s.in_use, datum_traits<datum>::bytes(d));
    if (port.typed && !expects(node, input, d)) return false;
    const std::uint32_t freed = port.bounded ? port.way : UINT32_MAX;
    const auto able = n_.nodes[node].process.update(input, static_cast<datum&&>(d), engine_.now());
    if (!able) return fail(able.error()), false;
    const bool ends = !*able && s.taken == s.inputs.count;
    if (*able) become_able(node);
    if (ends) end_round(node);
    if (freed != UINT32_MAX) make_room(freed);
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
  constexpr void make_room(std::uint32_t k) {
    --ways_[k].load;
    const std::uint32_t sender = n_.edges[ways_[k].edge].from;
    if (nodes_[sender].status == process_state::blocked) ask(sender);
  }

  // --- a process runs ---

  constexpr void wake_up(std::uint32_t node) {
    if (nodes_[node].status == process_state::waiting)
      become_able(node);
    else
      nodes_[node].wakes = true;
  }
  constexpr void become_able(std::uint32_t node) {
    nodes_[node].status = process_state::blocked;
    nodes_[node].since = engine_.now();
    ask(node);
  }
  constexpr void ask(std::uint32_t node) {
    state& s = nodes_[node];
    for (std::uint32_t k = s.ways.first; k < s.ways.first + s.ways.count; ++k)
      if (ways_[k].capacity != 0 && ways_[k].load >= ways_[k].capacity) return;
    const auto& place = n_.nodes[node];
    const auto work = static_cast<std::int64_t>(place.process.work(engine_.now()));
    if (work < 0 || work >= std::int64_t{1} << 62 || engine_.now() >= std::int64_t{1} << 62)
      return fail(invalid(place.name.view(), "its time is negative or does not fit 62 bits"));
    s.status = process_state::ready;
    engine_.add(s.host, {node, place.priority, work}, *this);
  }
  constexpr void finish(std::uint32_t node) {
    state& s = nodes_[node];
    const std::int64_t now = engine_.now();
    makespan_ = now;
    resource_account& account = out_.accounts[node];
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
    observer_.execute(node, s.since, now, sent);
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
  constexpr void end_round(std::uint32_t node) {
    state& s = nodes_[node];
    for (std::uint32_t k = 0; k < s.inputs.count; ++k) ports_[s.inputs.first + k].taken = false;
    s.taken = 0;
    s.held -= s.in_use;
    s.in_use = 0;
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
      out_.outputs.push_back({node, e.output, static_cast<datum&&>(e.value), engine_.now()});
  }
  constexpr void send_over(std::uint32_t k, datum d) {
    way& e = ways_[k];
    if (e.capacity != 0) ++e.load;
    if (e.over == here) return arrive(e.to, e.input, static_cast<datum&&>(d));
    const std::int64_t bytes = datum_traits<datum>::bytes(d);
    const std::uint32_t slot = messages_.add({static_cast<datum&&>(d), bytes, engine_.now(), 0, k});
    engine_.add(e.over, {first_message_ + slot, 0, bytes}, *this);
    prefetch(e);
  }
  // The receiver will be needed when the datum arrives: its records come to the caches by then.
  constexpr void prefetch(const way& e) const {
    if (std::is_constant_evaluated()) return;
    __builtin_prefetch(&nodes_[e.to]);
    __builtin_prefetch(&out_.accounts[e.to]);
    __builtin_prefetch(&n_.nodes[e.to]);
  }
  constexpr void fail(error e) {
    if (error_.code == errc::none) error_ = static_cast<error&&>(e);
  }

  // --- the end ---

  constexpr bool holds_data(std::uint32_t node) const {
    const state& s = nodes_[node];
    bool some = s.taken != 0;
    for (std::uint32_t k = 0; k < s.inputs.count; ++k)
      some = some || has_queued(ports_[s.inputs.first + k]);
    return some;
  }
  // A node that could not run for want of room waits for the receiver; a node that has data, or has
  // never run, waits for the senders of those that it lacks.
  constexpr result<nothing> find_deadlock() const {
    table<wait_edge> waits;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const state& s = nodes_[i];
      if (s.status == process_state::blocked)
        for (std::uint32_t k = s.ways.first; k < s.ways.first + s.ways.count; ++k)
          if (ways_[k].capacity != 0 && ways_[k].load >= ways_[k].capacity)
            waits.push_back({i, ways_[k].to});
      if (s.status != process_state::waiting || (out_.accounts[i].runs != 0 && !holds_data(i)))
        continue;
      for (std::uint32_t k = 0; k < s.inputs.count; ++k) {
        const port_state& port = ports_[s.inputs.first + k];
        if (!port.taken && !has_queued(port) && port.way != none)
          waits.push_back({i, n_.edges[ways_[port.way].edge].from});
      }
    }
    const table<std::uint32_t> cycle = wait_cycle(waits);
    if (cycle.empty()) return nothing{};
    const auto name = [&](std::uint32_t i) { return n_.nodes[i].name.view(); };
    return make_error(errc::simulation_failed, name(cycle[0]),
                      text() << "deadlock: " << wait_cycle_text(cycle, name).view());
  }

  network<P>& n_;
  view<network_input<datum>> inputs_;
  Observer& observer_;
  platform_engine engine_;
  std::uint32_t first_[resource_kinds]{};
  std::uint32_t timer_ = 0;
  table<state> nodes_;
  table<port_state> ports_;
  table<way> ways_;
  table<fifo<datum>> queues_;
  pool<message> messages_;
  table<emission> emitted_;
  std::uint32_t first_message_ = 0;
  std::int64_t makespan_ = 0;
  error error_;
  network_outcome<datum> out_;
};

}  // namespace sim::detail

template <process P>
template <class Observer>
constexpr result<network_outcome<typename P::datum>> network<P>::run(
    view<network_input<datum>> inputs, Observer&& observer) {
  return sim::detail::network_run<P, std::remove_reference_t<Observer>>(*this, inputs, observer)
      .run();
}

}  // namespace wf
