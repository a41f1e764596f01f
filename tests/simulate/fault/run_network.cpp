// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/run_network.hpp>

#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include <wf/simulate/fault/shrink.hpp>
#include <wf/simulate/fault/write_script.hpp>
#include <wf/simulate/process/network.hpp>

#include "../../sanitized.hpp"
#include "../process/rated_process.hpp"

using namespace wf::fault;
using wf_test::rated;

namespace {

using output_list = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>>;

// By node, then by output, each in its order.
template <class Outputs>
output_list sorted(const Outputs& outputs) {
  output_list out;
  for (std::uint32_t node = 0; node < 20; ++node)
    for (std::uint32_t port = 0; port < 20; ++port)
      for (const auto& o : outputs)
        if (o.node == node && o.output == port) out.emplace_back(node, port, o.value);
  return out;
}

struct drawing {
  std::uint64_t seed = 0, n = 0;
  std::int64_t operator()(std::int64_t below) {
    return random_draws(seed, 91, {}).between(n++, 0, below - 1);
  }
  std::uint32_t index(std::size_t below) {
    return static_cast<std::uint32_t>((*this)(static_cast<std::int64_t>(below)));
  }
};

template <class P>
struct case_of {
  wf::network<P> network;
  std::vector<wf::network_input<typename P::datum>> inputs;
  std::vector<node_placement> placement;
};

const char* const peer_names[] = {"A", "B", "C"};

// Nodes with fixed rates that data from outside limit to a number of iterations; loops have initial
// data, edges mostly a capacity. Some deadlock.
case_of<rated> draw_network(drawing& draw) {
  case_of<rated> out;
  wf::network<rated>& n = out.network;
  const std::uint32_t nodes = 2 + draw.index(5), iterations = 1 + draw.index(6);
  struct end {
    std::uint32_t from, output, to, input, initial, capacity;
  };
  std::vector<std::uint32_t> runs;
  std::vector<std::vector<std::uint32_t>> in(nodes), made(nodes);
  std::vector<end> ends;
  for (std::uint32_t i = 0; i < nodes; ++i) runs.push_back(1 + draw.index(3));
  for (std::uint32_t k = draw.index(2 * nodes) + 1; k > 0; --k) {
    const std::uint32_t a = draw.index(nodes), b = draw.index(nodes);
    end e{a, static_cast<std::uint32_t>(made[a].size()), b,
          static_cast<std::uint32_t>(in[b].size()), 0, 0};
    if (a >= b) e.initial = draw.index(3) == 0 ? draw.index(4) : 2 * runs[a] * runs[b];
    if (draw(3) != 0) e.capacity = runs[b] + e.initial + draw.index(4);
    made[a].push_back(runs[b]);
    in[b].push_back(runs[a]);
    ends.push_back(e);
  }
  const wf::sim_place hosts[] = {n.add_host(), n.add_host(2), n.add_host()};
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const auto input = static_cast<std::uint32_t>(in[i].size());
    in[i].push_back(1);     // from outside
    made[i].push_back(1);  // to outside
    const wf::text name = wf::text("n") << i;
    const std::uint32_t peer = draw.index(3);
    n.add_node(name.view(), rated(in[i], made[i], draw(4'000'000)), hosts[peer]);
    out.placement.push_back({name, wf::text(peer_names[peer])});
    for (std::uint32_t k = 0; k < iterations * runs[i]; ++k)
      out.inputs.push_back({i, input, draw(1000), draw(9'000'000)});
  }
  for (const end& e : ends) {
    auto& edge = n.connect(e.from, e.output, e.to, e.input);
    edge.capacity = e.capacity;
    for (std::uint32_t k = 0; k < e.initial; ++k) edge.initial.push_back(k);
  }
  return out;
}

script draw_script(drawing& draw, bool crashes) {
  script s;
  s.seed = draw.seed;
  s.name = wf::text("random");
  for (const char* name : peer_names) s.peers.push_back(wf::text(name));
  s.delay_ns = {100'000, 100'000 + draw(5'000'000)};
  if (draw(3) == 0) s.knobs.push_back({knob::dedup_window, 1 + draw(4)});
  if (draw(3) == 0) s.knobs.push_back({knob::ingress_capacity, 8 + draw(8)});
  if (draw(3) == 0) s.knobs.push_back({knob::outbound_capacity, 1 + draw(4)});
  for (std::int64_t i = draw(5); i > 0; --i) {
    rule r;
    r.effect = static_cast<rule_effect>(draw(4));
    r.probability = 0.25;
    r.count = 1 + draw.index(3);
    r.delay_ns = {0, draw(40'000'000)};
    s.rules.push_back(r);
  }
  for (std::int64_t i = draw(5); i > 0; --i) {
    event e;
    e.when.at_ns = draw(60'000'000);
    action& a = e.what;
    constexpr action_kind kinds[] = {action_kind::partition, action_kind::pause, action_kind::slow,
                                     action_kind::clock, action_kind::send};
    a.kind = kinds[draw(5)];
    a.peer = draw.index(3);
    a.destination = (a.peer + 1) % 3;
    a.edge = draw.index(4);
    a.hold = draw(2) == 0;
    if (a.kind == action_kind::partition) {
      a.from = {false, {draw.index(3)}};
      a.to = {false, {draw.index(3)}};
      event heal = e;
      heal.what.kind = action_kind::heal;
      heal.when.at_ns += draw(900'000'000);
      s.events.push_back(heal);
    }
    a.duration_ns = 1 + draw(900'000'000);
    a.percent = 100 + draw(1000);
    a.rate_ppm = draw(200'000) - 100'000;
    a.offset_ns = draw(1'000'000'000);
    s.events.push_back(e);
  }
  for (std::int64_t i = crashes ? 1 + draw(3) : 0; i > 0; --i) {
    event e;
    e.when.at_ns = draw(60'000'000);
    if (draw(3) == 0)
      e.when = {-1, static_cast<counter>(draw(5)), draw.index(3),
                1 + static_cast<std::uint64_t>(draw(20)), -1};
    e.what.kind = action_kind::crash;
    e.what.peer = draw.index(3);
    e.what.duration_ns = draw(6) == 0 ? -1 : draw(200'000'000);
    s.events.push_back(e);
  }
  return s;
}

bool is_peer(wf::text_view name) {
  return name == wf::text_view("A") || name == wf::text_view("B") || name == wf::text_view("C");
}

struct tally_of_runs {
  int deadlocks = 0, complete = 0, failed = 0, restarted = 0;
};

void compare(std::uint64_t seed, bool crashes, tally_of_runs& count) {
  CAPTURE(seed);
  drawing draw{seed, 0};
  case_of<rated> c = draw_network(draw);
  const script s = draw_script(draw, crashes);
  CAPTURE(std::string(to_json(s).view()));
  const auto run = run_network(c.network, s, c.placement, c.inputs);
  REQUIRE(run);
  REQUIRE_MESSAGE(run->run.broken.invariant == 0, run->run.broken.sentence.view());
  const auto calm = c.network.run(c.inputs);
  CAPTURE(std::string(to_text(run->failure).view()));
  if (crashes && run->failure.code != wf::errc::none && is_peer(run->failure.subject.view())) {
    REQUIRE(run->failure.code == wf::errc::simulation_failed);
    ++count.failed;
    return;
  }
  if (run->restarts != 0) ++count.restarted;
  REQUIRE((run->failure.code == wf::errc::none) == bool(calm));
  if (!calm) {
    REQUIRE(run->failure.message.view().starts_with("deadlock: "));
    ++count.deadlocks;
    return;
  }
  REQUIRE(sorted(run->outputs) == sorted(calm->outputs));
  REQUIRE(run->outputs.size() == calm->outputs.size());
  REQUIRE(run->starved == calm->starved);
  ++count.complete;
}

constexpr std::uint64_t seeds = wf_test::sanitized ? 60 : 1500;

}  // namespace

TEST_CASE("without crashes, the outputs are those of a run without faults") {
  tally_of_runs count;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) compare(seed, false, count);
  MESSAGE(count.complete << " complete, " << count.deadlocks << " deadlocks");
  CHECK(count.complete > static_cast<int>(seeds / 2));
  CHECK(count.deadlocks > 0);
}

TEST_CASE("with crashes, the outputs are those of a run without faults, or a peer is named") {
  tally_of_runs count;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) compare(seed, true, count);
  MESSAGE(count.complete << " complete, " << count.restarted << " with a restart, "
                         << count.failed << " failed, " << count.deadlocks << " deadlocks");
  CHECK(count.complete > static_cast<int>(seeds / 3));
  CHECK(count.restarted > static_cast<int>(seeds / 4));
  CHECK(count.failed > 0);
}

TEST_CASE("a run replays to the bit") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    drawing draw{seed, 0};
    const case_of<rated> c = draw_network(draw);
    script s = draw_script(draw, true);
    const auto a = run_network(c.network, s, c.placement, c.inputs);
    const auto b = run_network(c.network, s, c.placement, c.inputs);
    REQUIRE(a);
    REQUIRE(b);
    REQUIRE(a->run.trace == b->run.trace);
    REQUIRE(a->run.records == b->run.records);
    REQUIRE(a->failure == b->failure);
    REQUIRE(sorted(a->outputs) == sorted(b->outputs));
  }
}
