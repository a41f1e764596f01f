// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/process_world.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <wf/run/transport/loopback.hpp>
#include <wf/simulate/fault/storm.hpp>

#include "../../simulate/fault/scripts.hpp"
#include "in_threads.hpp"

namespace {

using world = wf::process_world<wf::loopback>;
using wf::fault::script;

constexpr std::int64_t ms = 1'000'000;

// Each peer sends numbers to the next one, with bytes of many sizes.
struct relay {
  int count = 50;
  std::vector<std::uint64_t> taken;
  std::size_t bytes = 0;
  bool fits = true;
  std::vector<wf::fault::reason> ends;

  template <class Net>
  void start(Net& net) {
    for (std::uint32_t p = 0; p < net.size(); ++p)
      if (net.hosts(p)) net.wake_after(p, p * 100'000, 0);
  }
  template <class Net>
  void woke(Net& net, std::uint32_t p, std::uint64_t) {
    for (int i = 0; i < count; ++i)
      net.send(p, (p + 1) % net.size(), 3, static_cast<std::uint64_t>(i), {2000 * ms, 9, -1});
  }
  world::cargo cargo(std::uint32_t p, std::uint64_t payload) const {
    if (payload % 7 == 0) return nullptr;
    return std::make_shared<const wf::table<std::uint8_t>>(
        static_cast<std::size_t>(payload * payload), static_cast<std::uint8_t>(p + payload));
  }
  template <class Net>
  void fired(Net&, const wf::fault::delivery& d, const world::cargo& x) {
    taken.push_back(d.payload);
    if (d.payload % 7 == 0) {
      fits = fits && x == nullptr;
      return;
    }
    fits = fits && x != nullptr && x->size() == d.payload * d.payload;
    for (std::size_t i = 0; fits && i < x->size(); ++i)
      fits = (*x)[i] == static_cast<std::uint8_t>(d.source + d.payload);
    bytes += x != nullptr ? x->size() : 0;
  }
  template <class Net>
  void ended(Net&, const wf::fault::send_end& e) {
    ends.push_back(e.why);
  }
};

// A storm in four processes, each of which has one peer.
struct stormy {
  wf::fault::storm_program program;
  wf::fault::tally counts;
  bool is_alive = false;
  wf::error failure;
  stormy(const script& s, const wf::fault::storm_options& o)
      : program(s, o), counts(s.peers.size()) {}
};
std::vector<std::unique_ptr<stormy>> storm_in_processes(const script& s,
                                                        const wf::fault::storm_options& o = {}) {
  wf::fault::network_options options;
  options.service_ns = o.service_ns;
  options.knobs[wf::fault::knob::backoff_cap_ns] = o.backoff_cap_ns;
  return in_threads::run(4, [&](wf::loopback& carrier) {
    auto out = std::make_unique<stormy>(s, o);
    wf::process_options limits;
    limits.longest_ns = 100'000 * ms;
    wf::fault::peer_network<wf::fault::storm_program, wf::fault::tally, wf::fault::standard_gates,
                            world>
        net(s, out->program, out->counts, options,
            world(carrier, {0, 1, 2, 3}, static_cast<std::uint32_t>(s.events.size()), s.seed,
                  limits));
    out->failure = net.run().error();
    out->is_alive = net.active(carrier.rank());
    return out;
  });
}

}  // namespace

TEST_CASE("published scripts have the survivors and the items of the simulator in processes") {
  if (wf_test::fault_folder().empty()) return;
  for (const char* name : {"kill_three_of_four", "restart_same_name"}) {
    CAPTURE(name);
    const script s = wf_test::fault_script(name);
    // Waits are real here, above all for answers of the dead.
    wf::fault::storm_options o;
    o.backoff_cap_ns = 30 * ms;
    if (name[0] == 'k') o.budget_ns = 2'500 * ms;
    REQUIRE(wf::fault::run_storm(s, o).broken.invariant == 0);
    const auto all = storm_in_processes(s, o);
    for (std::uint32_t p = 0; p < 4; ++p) {
      CAPTURE(p);
      CHECK_MESSAGE(all[p]->failure.code == wf::errc::none, to_text(all[p]->failure).view());
      const bool dies = name[0] == 'k' && p != 0;
      CHECK(all[p]->is_alive == !dies);
    }
    // Every item from a peer of the core to another has its effect, as in the simulator.
    for (const std::uint32_t q : s.live.core) {
      CHECK(all[q]->counts.peers[q].unfinished == 0);
      for (const std::uint32_t p : s.live.core) CHECK(all[q]->program.is_complete(p, q));
    }
  }
}
TEST_CASE("a storm without late answers has the counts of the simulator in processes") {
  if (wf_test::fault_folder().empty()) return;
  script s = wf_test::fault_script("storm_loss30");
  s.rules.pop_back();  // delays
  using wf::fault::knob;
  s.knobs = {{knob::ttl_ns, 400 * ms},
             {knob::backoff_base_ns, 0},
             {knob::backoff_cap_ns, 0},
             {knob::governor_threshold, 100'000}};
  const auto simulated = wf::fault::run_storm(s);
  REQUIRE(simulated.broken.invariant == 0);
  const auto all = storm_in_processes(s);
  for (std::uint32_t p = 0; p < 4; ++p) {
    CAPTURE(p);
    const auto &found = all[p]->counts.peers[p], &expected = simulated.counts.peers[p];
    CHECK(found.fired == expected.fired);
    CHECK(found.dropped == expected.dropped);
    CHECK(found.retries == expected.retries);
    CHECK(found.acknowledged == expected.acknowledged);
    for (std::uint32_t r = 0; r < wf::fault::reason_count; ++r)
      CHECK(found.refused[r] == expected.refused[r]);
    CHECK(expected.dropped > 30);
  }
}
TEST_CASE("what messages carry comes whole, once and for each peer, however they are batched") {
  for (const std::size_t batch : {std::size_t{1}, std::size_t{1} << 16}) {
    CAPTURE(batch);
    script s;
    s.peers.resize(5);
    s.seed = 4;
    wf::fault::rule twice;
    twice.effect = wf::fault::rule_effect::duplicate;
    twice.probability = 0.3;
    s.rules.push_back(twice);
    s.knobs.push_back({wf::fault::knob::per_hop_budget_ns, 1000 * ms});
    const auto all = in_threads::run(3, [&](wf::loopback& carrier) {
      relay program;
      wf::fault::no_history none;
      wf::process_options options;
      options.batch_bytes = batch;
      options.longest_ns = 60'000 * ms;
      wf::fault::peer_network<relay, wf::fault::no_history, wf::fault::standard_gates, world> net(
          s, program, none, {}, world(carrier, {0, 1, 2, 0, 1}, 0, 5, options));
      const auto ran = net.run();
      CHECK_MESSAGE(ran, to_text(ran.error()).view());
      return program;
    });
    for (std::uint32_t r = 0; r < 3; ++r) {
      CAPTURE(r);
      CHECK(all[r].fits);
      CHECK(all[r].taken.size() == (r == 2 ? 50 : 100));
      CHECK(all[r].bytes > 10'000);
      CHECK(all[r].ends ==
            std::vector<wf::fault::reason>(r == 2 ? 50 : 100, wf::fault::reason::none));
    }
  }
}
TEST_CASE("time is real, stands still between looks, and ends a run that is too long") {
  wf::loopback_hub hub(2);
  wf::loopback here(hub, 0);
  wf::process_options options;
  options.longest_ns = 30 * ms;
  world w(here, {0, 1}, 0, 1, options);
  CHECK(w.hosts(0));
  CHECK(!w.hosts(1));
  const std::int64_t before = w.now();
  CHECK(w.now() == before);
  w.look();
  CHECK(w.now() > before);
  script s;
  s.peers.resize(2);
  relay program;
  wf::fault::no_history none;
  wf::fault::peer_network<relay, wf::fault::no_history, wf::fault::standard_gates, world> net(
      s, program, none, {}, std::move(w));
  const auto ran = net.run();  // nobody answers
  CHECK(ran.error().code == wf::errc::transport_failed);
  CHECK(net.now() > 30 * ms);
}
TEST_CASE("what a process has sent before it was lost, and comes later, has no effect") {
  for (const bool is_lost : {false, true}) {
    CAPTURE(is_lost);
    wf::loopback_hub hub(2);
    wf::loopback here(hub, 0), other(hub, 1);
    wf::batch_writer out(9);
    wf::fault::envelope m;
    m.source = 1, m.request = 1, m.sequence = 1;
    out.add(m, true, {});
    other.begin();
    if (is_lost) hub.lose(1);
    CHECK(other.send(0, out.take()));
    if (!is_lost) hub.lose(1);
    script s;
    s.peers.resize(2);
    relay program;
    program.count = 0;
    wf::fault::no_history none;
    wf::fault::peer_network<relay, wf::fault::no_history, wf::fault::standard_gates, world> net(
        s, program, none, {}, world(here, {0, 1}, 0, 9));
    CHECK(net.run());  // alone
    CHECK(program.taken.size() == (is_lost ? 0 : 1));
  }
}
TEST_CASE("what is no batch, or not for this process, ends a run") {
  const auto outcome = [](const wf::table<std::uint8_t>& bytes) {
    wf::loopback_hub hub(2);
    wf::loopback here(hub, 0), other(hub, 1);
    other.begin();
    CHECK(other.send(0, bytes));
    script s;
    s.peers.resize(3);
    relay program;
    program.count = 0;
    wf::fault::no_history none;
    wf::process_options options;
    options.longest_ns = 50 * ms;
    wf::fault::peer_network<relay, wf::fault::no_history, wf::fault::standard_gates, world> net(
        s, program, none, {}, world(here, {0, 1, 1}, 2, 9, options));
    return net.run().error();
  };
  const auto message = [](std::uint32_t from, std::uint32_t to, std::uint64_t run) {
    wf::batch_writer out(run);
    wf::fault::envelope m;
    m.source = from, m.destination = to, m.request = 1, m.sequence = 1;
    out.add(m, true, {});
    return out.take();
  };
  // Nobody answers about the end, so that a batch without a fault lets time pass.
  CHECK(outcome(message(1, 0, 9)).message == "it takes longer than the options allow");
  CHECK(outcome({1, 2, 3}).code == wf::errc::malformed_message);
  CHECK(outcome(message(0, 0, 9)).code == wf::errc::malformed_message);
  CHECK(outcome(message(1, 2, 9)).code == wf::errc::malformed_message);
  CHECK(outcome(message(3, 0, 9)).code == wf::errc::malformed_message);
  CHECK(outcome(message(1, 3, 9)).code == wf::errc::malformed_message);
  CHECK(outcome(message(1, 0, 8)).subject == "batch");
  wf::batch_writer no_event(9);
  no_event.add(2);
  CHECK(outcome(no_event.take()).code == wf::errc::malformed_message);
}
