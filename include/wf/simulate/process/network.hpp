// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <wf/simulate/engine/pool.hpp>
#include <wf/simulate/engine/progress.hpp>
#include <wf/simulate/platform/engine.hpp>
#include <wf/simulate/process/rounds.hpp>

namespace wf {

namespace sim::detail {

/// One run of a network: the driver of its engine.
///
/// Activities of the engine: node `i` runs as activity `i` and wakes as activity `nodes + i`; then
/// the inputs from outside; then messages under way, by their slot.
template <class P, class Observer>
class network_run : public process_rounds<network_run<P, Observer>, P> {
  using base = process_rounds<network_run, P>;
  friend base;

 public:
  using datum = typename P::datum;

  constexpr network_run(network<P>& n, view<network_input<datum>> inputs, Observer& observer)
      : base(n), inputs_(inputs), observer_(observer), engine_(with_timer(n.platform)) {
    for (int k = 0; k < resource_kinds; ++k)
      first_[k] = first_resource(n.platform, static_cast<sim_resource>(k));
    // The host of the timer comes after the others: later resources move by one.
    for (int k = 1; k < resource_kinds; ++k) ++first_[k];
    timer_ = first_[1] - 1;
  }

  constexpr result<network_outcome<datum>> run() {
    if (const auto valid = set_up(); !valid) return valid.error();
    start_all();
    progress_clock clock;
    while (error_.code == errc::none && !out_.stopped && engine_.step(*this))
      out_.stopped = !clock.go_on(observer_, {engine_.now(), engine_.processed(), 0});
    if (error_.code != errc::none) return error_;
    table<wait_edge> waits;
    for (std::uint32_t i = 0; i < nodes_.size() && !out_.stopped; ++i) this->add_waits(i, waits);
    if (const auto free = find_deadlock(n_, waits); !free) return free.error();
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (this->holds_data(i)) out_.starved.push_back(i);
    }
    out_.accounts.swap(this->accounts_);
    out_.processed = engine_.processed();
    out_.makespan = makespan_;
    return static_cast<network_outcome<datum>&&>(out_);
  }

  constexpr void started(std::uint32_t activity, std::int64_t begin) {
    if constexpr (activity_observer<Observer>) observer_.started(activity, begin);
    if (activity < nodes_.size())
      this->begin_run(activity, begin);
    else if (activity >= first_message_)
      messages_[activity - first_message_].begin = begin;
  }
  constexpr void finished(std::uint32_t activity) {
    if (error_.code != errc::none) return;
    if constexpr (activity_observer<Observer>) observer_.finished(activity, engine_.now());
    const auto count = static_cast<std::uint32_t>(nodes_.size());
    if (activity < count) return this->finish_run(activity);
    if (activity < 2 * count) return this->wake_up(activity - count);
    if (activity < first_message_) {
      const network_input<datum>& in = inputs_[activity - 2 * count];
      return this->arrive(in.node, in.input, datum(in.value));
    }
    const std::uint32_t slot = activity - first_message_;
    message& m = messages_[slot];
    const auto& e = ways_[m.way];
    makespan_ = engine_.now();
    observer_.transfer(e.edge, m.sent, m.begin, engine_.now(), m.bytes);
    messages_.release(slot);
    this->arrive(e.to, e.input, static_cast<datum&&>(m.value));
  }

 private:
  using base::error_;
  using base::n_;
  using base::nodes_;
  using base::ways_;

  struct message {
    datum value{};
    std::int64_t bytes = 0;
    std::int64_t sent = 0;
    std::int64_t begin = 0;
    std::uint32_t way = 0;
  };

  static constexpr platform_engine with_timer(const sim_platform& f) {
    table<std::int64_t> hosts(f.slots);
    hosts.push_back(slots::unlimited);
    return make_engine(f, hosts);
  }
  constexpr std::uint32_t resource_of(const sim_place& p) const {
    return first_[static_cast<int>(p.kind)] + p.index;
  }
  constexpr result<nothing> set_up() {
    if (const auto valid = n_.validate(); !valid) return valid.error();
    const auto over = [this](const network_edge<datum>& e) {
      return e.local ? base::here : resource_of(e.over);
    };
    if (const auto ready = base::set_up(inputs_, over); !ready) return ready;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      nodes_[i].host = resource_of(n_.nodes[i].where);
    first_message_ = static_cast<std::uint32_t>(2 * nodes_.size() + inputs_.size());
    return nothing{};
  }
  constexpr void start_all() {
    for (std::uint32_t k = 0; k < inputs_.size(); ++k)
      request(timer_, {static_cast<std::uint32_t>(2 * nodes_.size()) + k, 0, inputs_[k].time},
              network_activity::input, k);
    for (const network_edge<datum>& e : n_.edges) this->start_edge(e);
    for (std::uint32_t i = 0; i < nodes_.size() && error_.code == errc::none; ++i)
      this->start_node(i);
  }

  constexpr void request(std::uint32_t resource, const sim::request& what, network_activity kind,
                         std::uint32_t index) {
    if constexpr (activity_observer<Observer>)
      observer_.requested(what.activity, kind, index, what.work);
    engine_.add(resource, what, *this);
  }

  // --- what the rules ask for ---

  constexpr std::int64_t now() const { return engine_.now(); }
  constexpr void run_later(std::uint32_t node, std::int32_t priority, std::int64_t work) {
    request(nodes_[node].host, {node, priority, work}, network_activity::run, node);
  }
  constexpr void wake_later(std::uint32_t node, std::int64_t wait) {
    request(timer_, {static_cast<std::uint32_t>(nodes_.size()) + node, 0, wait},
            network_activity::wake, node);
  }
  constexpr void carry(std::uint32_t k, datum d) {
    const auto& e = ways_[k];
    const std::int64_t bytes = datum_traits<datum>::bytes(d);
    const std::uint32_t slot = messages_.add({static_cast<datum&&>(d), bytes, engine_.now(), 0, k});
    request(e.over, {first_message_ + slot, 0, bytes}, network_activity::message, e.edge);
    // The receiver will be needed when the datum arrives: its records come to the caches by then.
    if (std::is_constant_evaluated()) return;
    prefetch(nodes_[e.to]);
    prefetch(this->accounts_[e.to]);
    prefetch(n_.nodes[e.to].process);
  }
  template <class T>
  static void prefetch(const T& record) {
    // Both ends: a record may lie in two lines of a cache.
    __builtin_prefetch(&record);
    __builtin_prefetch(reinterpret_cast<const char*>(&record + 1) - 1);
  }
  constexpr void give_out(std::uint32_t node, std::uint32_t output, datum d) {
    out_.outputs.push_back({node, output, static_cast<datum&&>(d), engine_.now()});
  }
  constexpr void freed(std::uint32_t way) { this->make_room(way); }
  constexpr void ran(std::uint32_t node, std::int64_t begin, std::int64_t bytes) {
    makespan_ = engine_.now();
    observer_.execute(node, begin, engine_.now(), bytes);
  }

  view<network_input<datum>> inputs_;
  Observer& observer_;
  platform_engine engine_;
  std::uint32_t first_[resource_kinds]{};
  std::uint32_t timer_ = 0;
  pool<message> messages_;
  std::uint32_t first_message_ = 0;
  std::int64_t makespan_ = 0;
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
