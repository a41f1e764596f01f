// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/fifo.hpp>
#include <wf/simulate/process/rounds.hpp>
#include <wf/simulate/sharing/waiting_queue.hpp>

namespace wf::fault::detail {

/// The part of a network that one peer runs, from a start to the next one: its processes, in their
/// initial state at first, and their hosts. It does nothing by itself. What it asks for, timers and
/// data for other peers, it writes down, and its owner carries it out.
template <class P>
class network_peer : public sim::detail::process_rounds<network_peer<P>, P> {
  using base = sim::detail::process_rounds<network_peer, P>;
  friend base;

 public:
  using datum = typename P::datum;
  /// A timer: an activity is due after a local duration.
  struct timer {
    std::uint32_t activity = 0;
    std::int64_t wait = 0;  // nanoseconds
    bool is_work = false;   // of a host, which may be slow
  };
  /// A datum for another peer, or room on an edge from there: the number of data taken so far.
  struct message {
    std::uint32_t edge = 0;
    bool is_room = false;
    std::uint64_t taken = 0;
    datum value{};
  };

  fifo<timer> timers;                    ///< to be set
  fifo<message> messages;                ///< to be sent
  table<network_output<datum>> outputs;  ///< emitted so far

  /// The part of `peer` of a valid network; `peer_of` has the peer of each node. The network is
  /// changed; it and the others must outlive this.
  constexpr network_peer(network<P>& n, view<network_input<datum>> inputs,
                         view<std::uint32_t> peer_of, std::uint32_t peer)
      : base(n),
        inputs_(inputs),
        peer_of_(peer_of),
        peer_(peer),
        hosts_(n.platform.slots.size()),
        taken_(n.edges.size()),
        known_(n.edges.size()) {
    const auto over = [this](const network_edge<datum>& e) {
      return peer_of_[e.from] == peer_of_[e.to] ? base::here : 0;
    };
    if (const auto ready = base::set_up(inputs, over); !ready) this->fail(ready.error());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) nodes_[i].host = n_.nodes[i].where.index;
    for (std::uint32_t h = 0; h < hosts_.size(); ++h) hosts_[h].free = n.platform.slots[h];
    way_of_.resize(n.edges.size());
    for (std::uint32_t k = 0; k < ways_.size(); ++k) way_of_[ways_[k].edge] = k;
  }

  /// The first error of a process, or of none.
  constexpr const error& failure() const { return this->error_; }
  /// True if a node belongs to the peer.
  constexpr bool has(std::uint32_t node) const { return peer_of_[node] == peer_; }
  /// True if a node keeps data.
  constexpr bool keeps_data(std::uint32_t node) const { return this->holds_data(node); }
  /// What a node waits for.
  constexpr void waits(std::uint32_t node, table<wait_edge>& out) const {
    this->add_waits(node, out);
  }

  /// Begins, at a local time.
  constexpr void start(std::int64_t now) {
    now_ = now;
    const auto first = static_cast<std::uint32_t>(2 * nodes_.size());
    for (std::uint32_t k = 0; k < inputs_.size(); ++k)
      if (has(inputs_[k].node)) timers.push({first + k, inputs_[k].time, false});
    for (const network_edge<datum>& e : n_.edges)
      if (has(e.to)) this->start_edge(e);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      if (has(i) && failure().code == errc::none) this->start_node(i);
  }
  /// A timer calls.
  constexpr void due(std::uint32_t activity, std::int64_t now) {
    now_ = now;
    const auto count = static_cast<std::uint32_t>(nodes_.size());
    if (activity >= 2 * count) {
      const network_input<datum>& in = inputs_[activity - 2 * count];
      return this->arrive(in.node, in.input, datum(in.value));
    }
    if (activity >= count) return this->wake_up(activity - count);
    host& h = hosts_[nodes_[activity].host];
    ++h.free;
    this->finish_run(activity);
    if (!h.queue.empty() && h.free > 0) begin(h.queue.pop().what);
  }
  /// A datum comes over an edge from another peer, in its order.
  constexpr void receive(std::uint32_t edge, datum d, std::int64_t now) {
    now_ = now;
    this->arrive(n_.edges[edge].to, n_.edges[edge].input, static_cast<datum&&>(d));
  }
  /// The receiver of an edge has taken so many data: messages of this may overtake each other.
  constexpr void hear_of_room(std::uint32_t edge, std::uint64_t taken, std::int64_t now) {
    now_ = now;
    for (; known_[edge] < taken; ++known_[edge]) this->make_room(way_of_[edge]);
  }

 private:
  using base::n_;
  using base::nodes_;
  using base::ways_;

  struct host {
    std::int64_t free = 0;
    sim::waiting_queue queue;
  };

  // --- what the rules ask for ---

  constexpr std::int64_t now() const { return now_; }
  constexpr void run_later(std::uint32_t node, std::int32_t priority, std::int64_t work) {
    host& h = hosts_[nodes_[node].host];
    const sim::request r{node, priority, work};
    if (h.free > 0)
      begin(r);
    else
      h.queue.push({r, count_++});
  }
  constexpr void begin(const sim::request& r) {
    --hosts_[nodes_[r.activity].host].free;
    this->begin_run(r.activity, now_);
    timers.push({r.activity, r.work, true});
  }
  constexpr void wake_later(std::uint32_t node, std::int64_t wait) {
    timers.push({static_cast<std::uint32_t>(nodes_.size()) + node, wait, false});
  }
  constexpr void carry(std::uint32_t k, datum d) {
    messages.push({ways_[k].edge, false, 0, static_cast<datum&&>(d)});
  }
  constexpr void give_out(std::uint32_t node, std::uint32_t output, datum d) {
    outputs.push_back({node, output, static_cast<datum&&>(d), now_});
  }
  constexpr void freed(std::uint32_t k) {
    const std::uint32_t edge = ways_[k].edge;
    if (has(n_.edges[edge].from)) return this->make_room(k);
    messages.push({edge, true, ++taken_[edge], {}});
  }
  constexpr void ran(std::uint32_t, std::int64_t, std::int64_t) {}

  view<network_input<datum>> inputs_;
  view<std::uint32_t> peer_of_;
  std::uint32_t peer_ = 0;
  table<host> hosts_;
  table<std::uint64_t> taken_;   // data of each edge from another peer
  table<std::uint64_t> known_;   // data of each edge to another peer that were taken there
  table<std::uint32_t> way_of_;  // by edge
  std::uint64_t count_ = 0;
  std::int64_t now_ = 0;
};

}  // namespace wf::fault::detail
