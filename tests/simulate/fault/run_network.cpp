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
    end e{a, static_cast<std::uint32_t>(made[a].size()),
          b, static_cast<std::uint32_t>(in[b].size()),
          0, 0};
    if (a >= b) e.initial = draw.index(3) == 0 ? draw.index(4) : 2 * runs[a] * runs[b];
    if (draw(3) != 0) e.capacity = runs[b] + e.initial + draw.index(4);
    made[a].push_back(runs[b]);
    in[b].push_back(runs[a]);
    ends.push_back(e);
  }
  const wf::sim_place hosts[] = {n.add_host(), n.add_host(2), n.add_host()};
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const auto input = static_cast<std::uint32_t>(in[i].size());
    in[i].push_back(1);    // from outside
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
  network_run_options o;  // three of four messages may be lost: only the budget of an hour is sure
  if (!crashes) o.budget_ns = 3'600'000'000'000, o.retries = 4000;
  const auto run = run_network(c.network, s, c.placement, c.inputs, o);
  REQUIRE(run);
  REQUIRE_MESSAGE(run->run.broken.invariant == 0, run->run.broken.sentence.view());
  const auto calm = c.network.run(c.inputs);
  CAPTURE(std::string(to_text(run->failure).view()));
  if (crashes && run->failure.code != wf::errc::none && is_peer(run->failure.subject.view())) {
    REQUIRE(run->failure.code == wf::errc::simulation_failed);
    REQUIRE_FALSE(run->failure.message.view().starts_with("the peer did not learn"));
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
  MESSAGE(count.complete << " complete, " << count.restarted << " with a restart, " << count.failed
                         << " failed, " << count.deadlocks << " deadlocks");
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

namespace {

// A user's process with a fault: it forgets a datum that comes much later than the one before.
class forgetful {
 public:
  using datum = std::int64_t;
  forgetful() { inputs_.push_back({wf::text("x"), wf::usage::data, {}}); }
  explicit forgetful(bool is_faulty) : forgetful() { is_faulty_ = is_faulty; }
  wf::view<wf::expected_input> inputs() const { return inputs_; }
  std::uint32_t outputs() const { return 1; }
  wf::result<bool> update(std::uint32_t, std::int64_t d, std::int64_t now) {
    const bool is_late = is_faulty_ && last_ != 0 && now - last_ > 50'000'000;
    last_ = now;
    if (!is_late) sum_ += d;
    return true;
  }
  std::int64_t work(std::int64_t) const { return 1000; }
  template <class Emit>
  wf::result<wf::nothing> generate_output(std::int64_t, Emit&& emit) {
    emit(0u, sum_);
    return wf::nothing{};
  }

 private:
  wf::table<wf::expected_input> inputs_;
  bool is_faulty_ = false;
  std::int64_t last_ = 0, sum_ = 0;
};

case_of<forgetful> two_sums(bool is_faulty) {
  case_of<forgetful> out;
  const auto a = out.network.add_host(), b = out.network.add_host();
  out.network.add_node("first", forgetful(false), a);
  out.network.add_node("second", forgetful(is_faulty), b);
  out.network.connect(0, 0, 1, 0);
  for (std::int64_t k = 0; k < 8; ++k) out.inputs.push_back({0, 0, k + 1, k * 3'000'000});
  out.placement = {{wf::text("first"), wf::text("A")}, {wf::text("second"), wf::text("B")}};
  return out;
}

}  // namespace

TEST_CASE("a fault of a user's process is shrunk to a small script") {
  const case_of<forgetful> bad = two_sums(true), good = two_sums(false);
  wf::network<forgetful> calm = good.network;
  const output_list wanted = sorted(calm.run(good.inputs)->outputs);
  const auto fails_with = [&](const case_of<forgetful>& c, const script& s) {
    const auto run = run_network(c.network, s, c.placement, c.inputs);
    return run && run->failure.code == wf::errc::none && sorted(run->outputs) != wanted;
  };
  const auto fails = [&](const script& s) { return fails_with(bad, s); };
  script s;
  for (std::uint64_t seed = 1; seed < 100; ++seed) {
    drawing draw{seed, 0};
    s = draw_script(draw, false);
    if (s.rules.size() + s.events.size() > 3 && fails(s)) break;
  }
  REQUIRE(fails(s));
  const shrunk_script small = shrink(s, fails, 1500);
  CHECK(fails(small.smallest));
  CHECK_FALSE(fails_with(good, small.smallest));
  CHECK(small.smallest.rules.size() + small.smallest.events.size() == 1);
  MESSAGE(small.runs << " runs\n" << std::string(to_json(small.smallest).view()));
}

TEST_CASE("what cannot be placed is refused") {
  case_of<forgetful> c = two_sums(false);
  script s;
  for (const char* name : {"A", "B"}) s.peers.push_back(wf::text(name));
  const auto message = [&](auto spoil) {
    case_of<forgetful> other = two_sums(false);
    spoil(other);
    const auto run = run_network(other.network, s, other.placement, other.inputs);
    return run ? wf::text() : run.error().message;
  };
  CHECK(message([](auto&) {}).empty());
  CHECK(message([](auto& x) { x.placement[0].peer = wf::text("C"); }) ==
        wf::text("its peer is not in the script"));
  CHECK(message([](auto& x) { x.placement[0].node = wf::text("none"); }) ==
        wf::text("the network has no node of this name"));
  CHECK(message([](auto& x) { x.placement.pop_back(); }) == wf::text("it is placed on no peer"));
  CHECK(message([](auto& x) { x.placement[1] = x.placement[0]; }) ==
        wf::text("it is placed twice"));
  CHECK(message([](auto& x) { x.network.nodes[1].name = wf::text("first"); }) ==
        wf::text("two nodes have this name"));
  CHECK(message([](auto& x) { x.network.nodes[1].where.index = 0; }) ==
        wf::text("its host belongs to another peer"));
  CHECK(message([](auto& x) { x.inputs[0].node = 7; }) ==
        wf::text("an input from outside has no place"));
  // A peer that never comes back is named.
  event e;
  e.when.at_ns = 5'000'000;
  e.what.kind = action_kind::crash;
  e.what.peer = 1;
  s.events.push_back(e);
  const auto lost = run_network(c.network, s, c.placement, c.inputs);
  REQUIRE(lost);
  CHECK(lost->failure.code == wf::errc::simulation_failed);
  CHECK(lost->failure.subject == wf::text("B"));
  CHECK(lost->outputs.empty());
}
