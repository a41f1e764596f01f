// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/fifo.hpp>
#include <wf/core/integer.hpp>
#include <wf/simulate/engine/engine.hpp>

namespace wf::sim {

/// Directed links with first-come-first-served service and store-and-forward transfer; work is a
/// number of bytes. A message occupies its link for ⌈bytes / bandwidth⌉ ticks and arrives `latency`
/// later. O(1) a message.
class fifo_links {
 public:
  /// One link.
  struct link {
    std::int64_t bandwidth = 0;  ///< bytes a tick; 0: unlimited, a message takes the latency alone
    std::int64_t latency = 0;    ///< ticks from the last byte sent to its arrival
    std::int64_t free_from = 0;  ///< the tick from which on the link is free
  };

  constexpr fifo_links() = default;
  /// Takes the links.
  constexpr explicit fifo_links(view<link> links) {
    links_.resize(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) links_[i].properties = links[i];
  }

  /// Number of links.
  constexpr std::size_t resources() const { return links_.size(); }
  /// One timer for each link: messages arrive in the order in which they were sent.
  constexpr std::size_t timers() const { return links_.size(); }

  /// Sends a message as soon as the link is free.
  template <class Port>
  constexpr void add(std::uint32_t resource, const request& r, Port& port) {
    state& s = links_[resource];
    link& l = s.properties;
    const std::int64_t begin = port.now() < l.free_from ? l.free_from : port.now();
    const std::int64_t held = l.bandwidth == 0 ? 0 : wf::detail::ceil_div(r.work, l.bandwidth);
    l.free_from = saturating_add(begin, held);
    s.sent.push({{saturating_add(l.free_from, l.latency), port.number()}, r.activity});
    if (s.sent.size() == 1) port.set(resource, s.sent.front().arrival);
    port.started(r.activity, begin);
  }
  /// A message arrives.
  template <class Port>
  constexpr void complete(std::uint32_t timer, Port& port) {
    state& s = links_[timer];
    const std::uint32_t done = s.sent.pop().activity;
    if (s.sent.empty())
      port.clear(timer);
    else
      port.set(timer, s.sent.front().arrival);
    port.finished(done);
  }
  /// Nothing is shared.
  template <class Port>
  constexpr void settle(Port&) {}

 private:
  struct message {
    completion arrival;
    std::uint32_t activity = 0;
  };
  struct state {
    link properties;
    fifo<message> sent;
  };
  table<state> links_;
};

}  // namespace wf::sim
