// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/fifo.hpp>
#include <wf/simulate/sharing/fluid_network.hpp>
#include <wf/simulate/sharing/rounding.hpp>

namespace wf::sim {

/// Transfers over routes of several links that share the links' bandwidth by weighted max-min
/// fairness; work is a number of bytes, a resource is a route. A transfer first waits for the
/// latency of its route and uses nothing; then it moves at `level · weight` bytes per tick, where
/// the levels of all transfers are raised together and those on a link stay where it is full.
/// Times are rounded by `ticks_of`.
///
/// A start or an end of a transfer changes only what depends on it, mostly the level of one link or
/// two; see `fluid_network`.
/// Source of the sharing: Bertsekas and Gallager, Data Networks, 1992, section 6.5.2.
class max_min {
 public:
  constexpr max_min() = default;
  /// Takes the links' bandwidths in bytes per tick, the routes, and the links of all routes.
  /// Precondition: bandwidths and weights are positive, latencies not negative; ranges lie inside.
  constexpr max_min(view<double> bandwidths, view<fluid_route> routes,
                    view<std::uint32_t> links_of_routes)
      : network_(bandwidths, routes, links_of_routes) {
    pipes_.resize(routes.size());
    for (std::size_t r = 0; r < routes.size(); ++r) pipes_[r].latency = routes[r].latency;
  }

  /// Number of routes.
  constexpr std::size_t resources() const { return pipes_.size(); }
  /// One timer for each link, and one for each route's latency.
  constexpr std::size_t timers() const { return network_.links() + pipes_.size(); }

  /// Starts a transfer.
  template <class Port>
  constexpr void add(std::uint32_t route, const request& r, Port& port) {
    port.started(r.activity, port.now());
    pipe& p = pipes_[route];
    if (p.latency == 0 && r.work != 0 && network_.has_links(route)) {
      network_.join(route, {static_cast<double>(r.work), port.number(), r.activity}, port.now());
      return port.touch();
    }
    p.waiting.push({{saturating_add(port.now(), p.latency), port.number()}, r.activity, r.work});
    if (p.waiting.size() == 1) port.set(timer_of(route), p.waiting.front().end);
  }
  /// A transfer has waited for its latency, or has moved its last byte.
  template <class Port>
  constexpr void complete(std::uint32_t timer, Port& port) {
    if (timer < network_.links()) return finish(timer, port);
    const auto route = static_cast<std::uint32_t>(timer - network_.links());
    pipe& p = pipes_[route];
    const delayed next = p.waiting.pop();
    if (p.waiting.empty())
      port.clear(timer);
    else
      port.set(timer, p.waiting.front().end);
    if (next.bytes == 0 || !network_.has_links(route)) return port.finished(next.activity);
    network_.join(route, {static_cast<double>(next.bytes), next.end.number, next.activity},
                  port.now());
    port.touch();
  }
  /// Shares the links anew.
  template <class Port>
  constexpr void settle(Port& port) {
    for (const std::uint32_t link : network_.share(port.now())) set_timer(link, port);
  }

 private:
  /// A transfer that waits for the latency.
  struct delayed {
    completion end;
    std::uint32_t activity = 0;
    std::int64_t bytes = 0;
  };
  struct pipe {
    std::int64_t latency = 0;
    fifo<delayed> waiting;
  };

  constexpr std::uint32_t timer_of(std::uint32_t route) const {
    return static_cast<std::uint32_t>(network_.links()) + route;
  }
  template <class Port>
  constexpr void finish(std::uint32_t link, Port& port) {
    const fluid_transfer done = network_.pop(link, port.now());
    if (network_.due(link) == port.now())
      port.set(link, {port.now(), network_.next(link)});
    else
      port.clear(link);
    port.touch();
    port.finished(done.activity);
  }
  template <class Port>
  constexpr void set_timer(std::uint32_t link, Port& port) {
    const std::int64_t end = network_.due(link);
    if (end == never)
      port.clear(link);
    else
      port.set(link, {end, network_.next(link)});
  }

  fluid_network network_;
  table<pipe> pipes_;
};

}  // namespace wf::sim
