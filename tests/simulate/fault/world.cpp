// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/world.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <wf/simulate/fault/peer_network.hpp>

using namespace wf::fault;

namespace {

constexpr std::int64_t ms = 1'000'000;

// What a message on its way between two worlds is.
struct in_transit {
  envelope message;
  bool whole = true;
  int cargo = 0;
};
constexpr std::int64_t one_host[] = {wf::sim::slots::unlimited};
using timers = wf::sim::engine<wf::sim::slots>;
// What the worlds of several peers have in common.
struct post_office {
  std::int64_t clock = 0;
  std::vector<std::vector<in_transit>> boxes;
  std::vector<std::vector<std::uint32_t>> events;
  std::vector<timers> engines;
  explicit post_office(std::size_t peers)
      : boxes(peers), events(peers), engines(peers, timers(wf::sim::slots(one_host))) {}
};

// One peer in a world of its own; all worlds have one clock, which the test moves.
class split_world {
 public:
  using cargo = int;

  split_world(std::uint32_t self, post_office& post) : self_(self), post_(&post) {}
  bool hosts(std::uint32_t p) const { return p == self_; }
  std::int64_t now() const { return post_->clock; }
  std::uint64_t processed() const { return post_->engines[self_].processed(); }
  wf::error failure() const { return {}; }
  void look() {}
  template <class Network>
  void after(std::int64_t delay, std::uint32_t activity, Network& network) {
    timers& engine = post_->engines[self_];
    engine.add(0, {activity, 0, now() + delay - engine.now()}, network);
  }
  // What is due at the time of the clock; false if nothing is.
  template <class Network>
  bool step(Network& network) {
    auto& box = post_->boxes[self_];
    auto& events = post_->events[self_];
    if (!events.empty()) {
      const std::uint32_t event = events.front();
      events.erase(events.begin());
      network.heard(event);
      return true;
    }
    if (!box.empty()) {
      const in_transit x = box.front();
      box.erase(box.begin());
      network.came(x.message, x.whole, x.cargo);
      return true;
    }
    timers& engine = post_->engines[self_];
    return engine.next(network) <= now() && engine.step(network);
  }
  void carry(const envelope& m, bool whole, int cargo) {
    post_->boxes[m.destination].push_back({m, whole, cargo});
  }
  void announce(std::uint32_t event) {
    for (std::uint32_t p = 0; p < post_->events.size(); ++p)
      if (p != self_) post_->events[p].push_back(event);
  }

 private:
  std::uint32_t self_;
  post_office* post_;
};

// Each peer sends a number of payloads to the two others, and answers what comes on edge 0.
struct chatter {
  std::vector<int> carried;

  template <class Net>
  void start(Net& net) {
    for (std::uint32_t p = 0; p < net.size(); ++p)
      for (std::uint64_t i = 0; i < 20 && net.hosts(p); ++i)
        net.wake_after(p, static_cast<std::int64_t>(i) * 7 * ms + p * 1'234'567 + 1, i);
  }
  template <class Net>
  void woke(Net& net, std::uint32_t p, std::uint64_t i) {
    send(net, p, (p + 1 + static_cast<std::uint32_t>(i % 2)) % 3, 0, 10 * i + p);
  }
  template <class Net>
  void fired(Net& net, const delivery& d) {
    if (d.edge == 0) send(net, d.peer, d.source, 1, d.payload + 1000);
  }
  template <class Net>
  void fired(Net& net, const delivery& d, int cargo) {
    carried.push_back(cargo - static_cast<int>(d.payload));
    fired(net, d);
  }
  int cargo(std::uint32_t, std::uint64_t payload) const { return static_cast<int>(payload) + 5; }
  template <class Net>
  static void send(Net& net, std::uint32_t from, std::uint32_t to, std::uint32_t edge,
                   std::uint64_t payload) {
    send_options o;
    o.budget_ns = 20'000 * ms;
    o.retries = 40;
    net.send(from, to, edge, payload, o);
  }
};

script storm(std::uint64_t seed) {
  script s;
  s.seed = seed;
  s.delay_ns = {500'001, 3 * ms};
  s.peers.resize(3);
  for (const rule_effect effect :
       {rule_effect::drop, rule_effect::duplicate, rule_effect::delay, rule_effect::corrupt}) {
    rule r;
    r.effect = effect;
    r.probability = 0.2;
    r.delay_ns = {0, 9 * ms};
    s.rules.push_back(r);
  }
  event crash;  // of a peer, by a counter of another one
  crash.when = {-1, counter::fired, 0, 9, -1};
  crash.what.kind = action_kind::crash;
  crash.what.peer = 2;
  crash.what.duration_ns = 30 * ms;
  event cut;
  cut.when = {-1, counter::sent, 1, 12, -1};
  cut.what.kind = action_kind::partition;
  cut.what.from = {false, {0}};
  cut.what.to = {false, {1}};
  event heal;
  heal.when.at_ns = 400 * ms;
  heal.what.kind = action_kind::heal;
  s.events = {crash, cut, heal};
  return s;
}
// The records of one peer. Tickets are numbers of a process.
std::vector<record> of_peer(const wf::table<record>& all, std::uint32_t p) {
  std::vector<record> out;
  for (record r : all) {
    if (r.peer != p) continue;
    if (r.what == happening::offered || r.what == happening::attempted ||
        r.what == happening::acknowledged || r.what == happening::failed)
      r.request = 0;
    out.push_back(r);
  }
  return out;
}

}  // namespace

TEST_CASE("peers in worlds of their own do at each time what they do in the simulated one") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const script s = storm(seed);
    chatter one;
    recorder whole;
    peer_network simulated(s, one, whole);
    REQUIRE(simulated.run());

    using split = peer_network<chatter, recorder, standard_gates, split_world>;
    post_office post(3);
    std::vector<chatter> programs(3);
    std::vector<recorder> histories(3);
    std::vector<std::unique_ptr<split>> parts;
    std::vector<split_world> worlds;
    for (std::uint32_t p = 0; p < 3; ++p)
      parts.push_back(std::make_unique<split>(s, programs[p], histories[p], network_options{},
                                              split_world(p, post)));
    for (auto& part : parts) part->start();
    for (bool goes_on = true; goes_on;) {
      bool moved = true;
      while (moved) {
        moved = false;
        for (auto& part : parts)
          while (part->step()) moved = true;
      }
      std::int64_t next = wf::sim::never;
      for (std::uint32_t p = 0; p < 3; ++p) next = std::min(next, post.engines[p].next(*parts[p]));
      goes_on = next != wf::sim::never;
      if (goes_on) post.clock = next;
    }
    for (auto& part : parts) {
      CHECK(part->is_passive());
      CHECK(part->finish());
    }
    for (std::uint32_t p = 0; p < 3; ++p) {
      CAPTURE(p);
      const auto expected = of_peer(whole.records, p), found = of_peer(histories[p].records, p);
      CHECK(found.size() == histories[p].records.size());  // nothing about the others
      CHECK(expected.size() > 200);
      CHECK(found == expected);
      CHECK(!programs[p].carried.empty());
      for (const int difference : programs[p].carried) CHECK(difference == 5);
    }
  }
}
