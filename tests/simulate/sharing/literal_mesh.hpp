// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/sharing/mesh_parameters.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <utility>
#include <vector>

// The rules of the mesh, written down flit by flit: queues of flits, matrices of requests, and
// every router looked at in every cycle.
namespace literal_mesh {

struct message {
  int source = 0, destination = 0;
  std::int64_t flits = 0, created = 0;
  std::int64_t started = -1, finished = -1;
};

struct flit {
  int message = 0;
  int destination = 0;
  int vc = 0;
  bool head = false, tail = false;
};

// One iteration of iSLIP.
struct islip {
  std::vector<int> grant_pointer, accept_pointer;

  islip(int inputs, int outputs)
      : grant_pointer(static_cast<std::size_t>(outputs)),
        accept_pointer(static_cast<std::size_t>(inputs)) {}

  // The output of each input, or -1.
  std::vector<int> match(const std::vector<std::vector<bool>>& wants) {
    const int inputs = static_cast<int>(accept_pointer.size());
    const int outputs = static_cast<int>(grant_pointer.size());
    std::vector<int> grant(grant_pointer.size(), -1), out(accept_pointer.size(), -1);
    for (int o = 0; o < outputs; ++o)
      for (int k = 0; k < inputs && grant[o_(o)] < 0; ++k) {
        const int i = (grant_pointer[o_(o)] + k) % inputs;
        if (wants[o_(i)][o_(o)]) grant[o_(o)] = i;
      }
    for (int i = 0; i < inputs; ++i)
      for (int k = 0; k < outputs && out[o_(i)] < 0; ++k) {
        const int o = (accept_pointer[o_(i)] + k) % outputs;
        if (grant[o_(o)] == i) out[o_(i)] = o;
      }
    for (int i = 0; i < inputs; ++i)
      if (const int o = out[o_(i)]; o >= 0) {
        grant_pointer[o_(o)] = (i + 1) % inputs;
        accept_pointer[o_(i)] = (o + 1) % outputs;
      }
    return out;
  }
  static std::size_t o_(int i) { return static_cast<std::size_t>(i); }
};

// The state of a virtual channel as seen from what feeds it.
struct downstream_state {
  bool in_use = false, tail_sent = false;
  int occupancy = 0;
};

struct virtual_channel {
  std::deque<flit> buffer;
  enum { idle, waiting, active } state = idle;
  int output = -1, output_vc = -1;
};

template <class T>
using delayed = std::deque<std::pair<std::int64_t, T>>;

struct router {
  std::vector<virtual_channel> inputs;    // port * vcs + vc
  std::vector<downstream_state> outputs;  // port * vcs + vc
  std::vector<delayed<flit>> arriving;    // by input port
  std::vector<delayed<int>> credits;      // by output port
  islip channel_allocator, switch_allocator;
  std::vector<int> lane;  // by crossbar input: the virtual channel that is first in turn
};

struct tile {
  std::deque<flit> flits;  // that have been created and not sent
  std::vector<downstream_state> outputs;
  delayed<int> credits;
  delayed<flit> arriving;
  int vc = -1, last_vc = -1;
};

class mesh {
 public:
  explicit mesh(const wf::sim::mesh_parameters& m) : m_(m), vcs_(m.virtual_channels) {
    const auto channels = static_cast<std::size_t>(5 * vcs_);
    for (std::uint32_t t = 0; t < m.tiles(); ++t) {
      routers_.push_back({std::vector<virtual_channel>(channels),
                          std::vector<downstream_state>(channels), std::vector<delayed<flit>>(5),
                          std::vector<delayed<int>>(5), islip(5 * vcs_, 5 * vcs_),
                          islip(5 * m.input_speedup, 5),
                          std::vector<int>(static_cast<std::size_t>(5 * m.input_speedup))});
      tiles_.emplace_back();
      tiles_.back().outputs.resize(static_cast<std::size_t>(vcs_));
    }
  }

  // Fills in when the messages, sorted by creation, start and finish.
  void run(std::vector<message>& messages) {
    std::size_t created = 0, left = messages.size();
    for (now_ = 0; left > 0; ++now_) {
      for (; created < messages.size() && messages[created].created == now_; ++created)
        cut(messages[created], static_cast<int>(created));
      for (tile& t : tiles_) eject(t, messages, left);
      for (router& r : routers_) receive(r);
      for (std::size_t t = 0; t < tiles_.size(); ++t) inject(t, messages);
      for (std::size_t r = 0; r < routers_.size(); ++r) allocate(r);
    }
  }

 private:
  template <class T>
  static auto& at(T& of, int i) {
    return of[static_cast<std::size_t>(i)];
  }
  void cut(const message& w, int number) {
    std::int64_t left = w.flits;
    while (left > 0) {
      const std::int64_t size = std::min(left, m_.packet_flits);
      for (std::int64_t k = 0; k < size; ++k)
        at(tiles_, w.source).flits.push_back({number, w.destination, -1, k == 0, k + 1 == size});
      left -= size;
    }
  }
  void eject(tile& t, std::vector<message>& messages, std::size_t& left) {
    while (!t.arriving.empty() && t.arriving.front().first == now_) {
      const flit f = t.arriving.front().second;
      t.arriving.pop_front();
      message& w = at(messages, f.message);
      at(routers_, w.destination)
          .credits[4]
          .push_back({now_ + 1 + m_.link_latency + m_.credit_delay, f.vc});
      if (--w.flits > 0) continue;
      w.finished = now_;
      --left;
    }
  }
  void credit(downstream_state& s) const {
    --s.occupancy;
    if (s.tail_sent && s.occupancy == 0) s.in_use = false;
  }
  void receive(router& r) {
    for (int p = 0; p < 5; ++p) {
      for (auto& q = at(r.arriving, p); !q.empty() && q.front().first == now_; q.pop_front()) {
        virtual_channel& c = at(r.inputs, p * vcs_ + q.front().second.vc);
        c.buffer.push_back(q.front().second);
        if (c.state == virtual_channel::idle) c.state = virtual_channel::waiting;
      }
      for (auto& q = at(r.credits, p); !q.empty() && q.front().first == now_; q.pop_front())
        credit(at(r.outputs, p * vcs_ + q.front().second));
    }
  }
  void inject(std::size_t number, std::vector<message>& messages) {
    tile& t = tiles_[number];
    for (; !t.credits.empty() && t.credits.front().first == now_; t.credits.pop_front())
      credit(at(t.outputs, t.credits.front().second));
    if (t.flits.empty()) return;
    flit f = t.flits.front();
    for (int k = 1; f.head && t.vc < 0 && k <= vcs_; ++k)
      if (const int v = (t.last_vc + k) % vcs_; !at(t.outputs, v).in_use) t.vc = v;
    if (t.vc < 0) return;
    downstream_state& s = at(t.outputs, t.vc);
    if (f.head) s = {true, false, s.occupancy};
    if (s.occupancy == m_.buffer_depth) return;
    f.vc = t.last_vc = t.vc;
    ++s.occupancy;
    s.tail_sent = f.tail;
    if (f.tail) t.vc = -1;
    t.flits.pop_front();
    routers_[number].arriving[4].push_back({now_ + 1 + m_.link_latency, f});
    message& w = at(messages, f.message);
    if (w.started < 0) w.started = now_;
  }
  int route(int r, int destination) const {
    const int x = r % m_.columns, y = r / m_.columns;
    const int to_x = destination % m_.columns, to_y = destination / m_.columns;
    if (x != to_x) return x < to_x ? 0 : 1;
    if (y != to_y) return y < to_y ? 2 : 3;
    return 4;
  }
  int neighbour(int r, int port) const {
    const int step[] = {1, -1, m_.columns, -m_.columns};
    return r + step[port];
  }
  void allocate(std::size_t number) {
    const int me = static_cast<int>(number);
    router& r = routers_[number];
    const auto channels = static_cast<std::size_t>(5 * vcs_);
    std::vector<std::vector<bool>> wants(channels, std::vector<bool>(channels));
    for (int i = 0; i < 5 * vcs_; ++i) {
      virtual_channel& c = at(r.inputs, i);
      if (c.state != virtual_channel::waiting) continue;
      c.output = route(me, c.buffer.front().destination);
      for (int v = 0; v < vcs_; ++v)
        if (!at(r.outputs, c.output * vcs_ + v).in_use)
          at(wants, i)[static_cast<std::size_t>(c.output * vcs_ + v)] = true;
    }
    const std::vector<int> channel_of = r.channel_allocator.match(wants);
    allocate_switch(me, r);
    for (int i = 0; i < 5 * vcs_; ++i)
      if (const int o = at(channel_of, i); o >= 0) {
        virtual_channel& c = at(r.inputs, i);
        c.state = virtual_channel::active;
        c.output_vc = o % vcs_;
        downstream_state& s = at(r.outputs, o);
        s = {true, false, s.occupancy};
      }
  }
  void allocate_switch(int me, router& r) {
    const int lanes = m_.input_speedup;
    const auto crossbar = static_cast<std::size_t>(5 * lanes);
    std::vector<std::vector<bool>> wants(crossbar, std::vector<bool>(5));
    std::vector<std::vector<int>> label(crossbar, std::vector<int>(5, -1));
    for (int i = 0; i < 5 * vcs_; ++i) {
      const virtual_channel& c = at(r.inputs, i);
      if (c.state != virtual_channel::active || c.buffer.empty()) continue;
      if (at(r.outputs, c.output * vcs_ + c.output_vc).occupancy == m_.buffer_depth) continue;
      const int v = i % vcs_, e = i / vcs_ * lanes + v % lanes;
      const auto turn = [&](int vc) { return (vc - at(r.lane, e) + vcs_) % vcs_; };
      int& chosen = at(at(label, e), c.output);
      if (chosen < 0 || turn(v) < turn(chosen)) chosen = v;
      at(wants, e)[static_cast<std::size_t>(c.output)] = true;
    }
    const std::vector<int> output_of = r.switch_allocator.match(wants);
    for (int e = 0; e < 5 * lanes; ++e)
      if (const int o = at(output_of, e); o >= 0) {
        const int v = at(at(label, e), o);
        at(r.lane, e) = (v + 1) % vcs_;
        move(me, r, e / lanes, v);
      }
  }
  void move(int me, router& r, int port, int v) {
    virtual_channel& c = at(r.inputs, port * vcs_ + v);
    flit f = c.buffer.front();
    c.buffer.pop_front();
    downstream_state& s = at(r.outputs, c.output * vcs_ + c.output_vc);
    ++s.occupancy;
    s.tail_sent = f.tail;
    f.vc = c.output_vc;
    if (f.tail) c.state = virtual_channel::idle;
    const std::int64_t arrival = now_ + m_.router_latency - 1 + m_.link_latency;
    if (c.output == 4)
      at(tiles_, me).arriving.push_back({arrival, f});
    else
      at(at(routers_, neighbour(me, c.output)).arriving, c.output ^ 1).push_back({arrival, f});
    const std::int64_t back = now_ + 1 + m_.link_latency;
    if (port == 4)
      at(tiles_, me).credits.push_back({back, v});
    else
      at(at(routers_, neighbour(me, port)).credits, port ^ 1)
          .push_back({back + m_.credit_delay, v});
  }
  wf::sim::mesh_parameters m_;
  int vcs_;
  std::vector<router> routers_;
  std::vector<tile> tiles_;
  std::int64_t now_ = 0;
};

// Meshes of few tiles with any delays, and messages that meet.
inline wf::sim::mesh_parameters random_mesh(std::mt19937& random) {
  const auto draw = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  wf::sim::mesh_parameters m;
  m.rows = draw(1, 4);
  m.columns = draw(1, 4);
  m.virtual_channels = draw(1, draw(0, 3) == 0 ? 12 : 4);
  m.buffer_depth = draw(1, 6);
  m.input_speedup = draw(1, m.virtual_channels);
  m.router_latency = draw(2, 4);
  m.link_latency = draw(0, 2);
  m.credit_delay = draw(0, 3);
  m.flit_bytes = 1;
  m.packet_flits = draw(1, 9);
  return m;
}

inline std::vector<message> random_messages(const wf::sim::mesh_parameters& m,
                                            std::mt19937& random) {
  const auto draw = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  const int tiles = static_cast<int>(m.tiles()), flits = draw(1, 12), cycles = draw(1, 100);
  const bool is_hot = draw(0, 2) == 0;
  std::vector<message> out;
  for (std::int64_t cycle = 0; cycle < cycles; ++cycle)
    for (int source = 0; source < tiles; ++source)
      if (draw(0, 2) == 0)
        out.push_back({source, is_hot && draw(0, 1) == 0 ? 0 : draw(0, tiles - 1), draw(1, flits),
                       cycle, -1, -1});
  return out;
}

}  // namespace literal_mesh
