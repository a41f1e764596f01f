// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/engine.hpp>
#include <wf/simulate/engine/fifo.hpp>
#include <wf/simulate/sharing/fifo_link.hpp>

namespace wf::sim {

/// Links as `fifo_link` describes them; work is a number of bytes. O(1) a message.
class fifo_links {
 public:
  constexpr fifo_links() = default;
  /// Takes the links.
  constexpr explicit fifo_links(view<fifo_link> links) {
    links_.resize(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) links_[i].link = links[i];
  }

  /// Number of links.
  constexpr std::size_t resources() const { return links_.size(); }
  /// One timer for each link: messages arrive in the order in which they were sent.
  constexpr std::size_t timers() const { return links_.size(); }

  /// Sends a message as soon as the link is free.
  template <class Port>
  constexpr void add(std::uint32_t resource, const request& r, Port& port) {
    state& s = links_[resource];
    const transit t = s.link.send(port.now(), r.work);
    s.sent.push({{t.end, port.number()}, r.activity});
    if (s.sent.size() == 1) port.set(resource, s.sent.front().arrival);
    port.started(r.activity, t.begin);
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
    fifo_link link;
    fifo<message> sent;
  };
  table<state> links_;
};

}  // namespace wf::sim
