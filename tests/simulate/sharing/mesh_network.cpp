// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/mesh_network.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <wf/simulate/sharing/slots.hpp>

#include <files.hpp>
#include <simulation/noc.hpp>
#include "../../sanitized.hpp"
#include "literal_mesh.hpp"

namespace {

using wf::sim::mesh_network;
using wf::sim::mesh_parameters;

mesh_parameters square(std::int32_t side) {
  mesh_parameters m;
  m.rows = m.columns = side;
  m.flit_bytes = 1;
  return m;
}

// Messages that are created at given cycles: each is first a wait on a host without limit.
template <class Engine>
struct timed_messages {
  Engine& e;
  mesh_parameters mesh;
  std::uint32_t host, first;
  std::vector<literal_mesh::message> messages;
  std::vector<std::uint32_t> order;  // in which they finish

  void run() {
    const auto count = static_cast<std::uint32_t>(messages.size());
    for (std::uint32_t i = 0; i < count; ++i)
      e.add(host, {count + i, 0, messages[i].created}, *this);
    e.run(*this);
  }
  void started(std::uint32_t a, std::int64_t begin) {
    if (a < messages.size()) messages[a].started = begin;
  }
  void finished(std::uint32_t a) {
    if (a < messages.size()) {
      messages[a].finished = e.now();
      return order.push_back(a);
    }
    a -= static_cast<std::uint32_t>(messages.size());
    const literal_mesh::message& m = messages[a];
    const std::uint32_t resource =
        mesh.pair(static_cast<std::uint32_t>(m.source), static_cast<std::uint32_t>(m.destination));
    e.add(first + resource, {a, 0, m.flits}, *this);
  }
};

using waits_first = wf::sim::engine<wf::sim::slots, mesh_network>;
using mesh_first = wf::sim::engine<mesh_network, wf::sim::slots>;

const wf::table<std::int64_t> unlimited = {wf::sim::slots::unlimited};

auto simulate(const mesh_parameters& m, const std::vector<literal_mesh::message>& messages) {
  REQUIRE(validate(m));
  waits_first e{wf::sim::slots(unlimited), mesh_network(m)};
  timed_messages<waits_first> d{e, m, 0, 1, messages, {}};
  d.run();
  CHECK(e.idle());
  return d;
}

constexpr std::int64_t crossing() {
  struct driver {
    wf::sim::engine<mesh_network>& e;
    std::int64_t last = 0;
    constexpr void started(std::uint32_t, std::int64_t) {}
    constexpr void finished(std::uint32_t) { last = e.now(); }
  };
  mesh_parameters m;
  m.rows = 2;
  m.columns = 3;
  wf::sim::engine<mesh_network> e{mesh_network(m)};
  driver d{e};
  // Both cross the mesh, and meet on the way down.
  e.add(m.pair(0, 5), {0, 0, 64}, d);
  e.add(m.pair(2, 5), {1, 0, 64}, d);
  e.run(d);
  return d.last;
}

}  // namespace

static_assert(crossing() == 4 * 4 + 3 + 2);

TEST_CASE("a message alone takes the unloaded latency") {
  for (const std::int32_t router_latency : {2, 3, 5})
    for (const std::int32_t link_latency : {0, 1, 4}) {
      mesh_parameters m = square(3);
      m.columns = 5;
      m.router_latency = router_latency;
      m.link_latency = link_latency;
      m.packet_flits = 8;
      for (int source = 0; source < 15; ++source)
        for (int destination = 0; destination < 15; ++destination) {
          const std::int64_t flits = 1 + (source + destination) % 8;
          const auto d = simulate(m, {{source, destination, flits, 7}});
          CHECK(d.messages[0].started == 7);
          CHECK(d.messages[0].finished ==
                7 + m.unloaded_latency(static_cast<std::uint32_t>(source),
                                       static_cast<std::uint32_t>(destination), flits));
        }
    }
}

TEST_CASE("every message starts and finishes as in the literal model") {
  std::int64_t messages = 0, late = 0;
  for (unsigned seed = 1; seed <= (wf_test::sanitized ? 15u : 100u); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const mesh_parameters m = literal_mesh::random_mesh(random);
    std::vector<literal_mesh::message> expected = literal_mesh::random_messages(m, random);
    const auto d = simulate(m, expected);
    const std::vector<literal_mesh::message> offered = expected;
    literal_mesh::mesh(m).run(expected);
    REQUIRE(d.order.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(i);
      REQUIRE(d.messages[i].started == expected[i].started);
      REQUIRE(d.messages[i].finished == expected[i].finished);
      ++messages;
      const literal_mesh::message& o = offered[i];
      late += expected[i].finished - o.created >
                      m.unloaded_latency(static_cast<std::uint32_t>(o.source),
                                         static_cast<std::uint32_t>(o.destination), o.flits)
                  ? 1
                  : 0;
    }
  }
  MESSAGE(messages << " messages, of which " << late << " met others");
  CHECK(late > messages / 2);
}

TEST_CASE("the order of the models does not matter") {
  std::mt19937 random(3);
  const mesh_parameters m = square(3);
  const auto messages = literal_mesh::random_messages(m, random);
  const auto one = simulate(m, messages);
  mesh_first e{mesh_network(m), wf::sim::slots(unlimited)};
  timed_messages<mesh_first> two{e, m, 81, 0, messages, {}};
  two.run();
  CHECK(one.order == two.order);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    CHECK(one.messages[i].started == two.messages[i].started);
    CHECK(one.messages[i].finished == two.messages[i].finished);
  }
}

TEST_CASE("messages of one source start in their order, and with one channel arrive in it") {
  mesh_parameters m = square(4);
  m.virtual_channels = m.input_speedup = 1;
  std::vector<literal_mesh::message> messages;
  for (int i = 0; i < 50; ++i) messages.push_back({1, 14, 1 + i % 7, i / 10, -1, -1});
  const auto d = simulate(m, messages);
  for (std::uint32_t i = 0; i < 50; ++i) {
    CHECK(d.order[i] == i);
    if (i > 0) CHECK(d.messages[i - 1].started < d.messages[i].started);
  }
}

TEST_CASE("an answer leaves in the cycle in which the question arrives") {
  struct driver {
    wf::sim::engine<mesh_network>& e;
    mesh_parameters mesh;
    int left = 5;
    std::int64_t last = 0;
    void started(std::uint32_t, std::int64_t) {}
    void finished(std::uint32_t) {
      last = e.now();
      if (left-- == 0) return;
      const bool is_answer = left % 2 == 0;
      e.add(mesh.pair(is_answer ? 3 : 0, is_answer ? 0 : 3), {0, 0, 4}, *this);
    }
  };
  const mesh_parameters m = square(2);
  wf::sim::engine<mesh_network> e{mesh_network(m)};
  driver d{e, m};
  e.add(m.pair(0, 3), {0, 0, 4}, d);
  e.run(d);
  CHECK(d.last == 6 * m.unloaded_latency(0, 3, 4));
}

TEST_CASE("a wait of no time between question and answer changes nothing") {
  struct driver {
    waits_first& e;
    bool is_waiting = false;
    std::vector<std::int64_t> end = {};
    void send(std::uint32_t id) {
      const std::uint32_t source = id % 9, destination = (id * 5 + 3) % 9;
      e.add(1 + square(3).pair(source, destination), {id, 0, 4}, *this);
    }
    void started(std::uint32_t, std::int64_t) {}
    void finished(std::uint32_t a) {
      if (a >= 1000) return send(a - 1000 + 20);
      end.push_back(e.now() * 1000 + a);
      if (a >= 200) return;
      if (is_waiting)
        e.add(0, {1000 + a, 0, 0}, *this);
      else
        send(a + 20);
    }
  };
  const auto ends = [](bool is_waiting) {
    waits_first e{wf::sim::slots(unlimited), mesh_network(square(3))};
    driver d{e, is_waiting};
    for (std::uint32_t id = 0; id < 20; ++id) d.send(id);
    e.run(d);
    return d.end;
  };
  CHECK(ends(false).size() == 220);
  CHECK(ends(false) == ends(true));
}

TEST_CASE("under overload every packet arrives, and equal seeds give equal runs") {
  for (const auto pattern : {simulation_benchmark::noc_pattern::uniform,
                             simulation_benchmark::noc_pattern::bit_complement}) {
    simulation_benchmark::noc_load load;
    load.side = 4;
    load.pattern = pattern;
    load.flits = 3;
    load.offered = 1;
    load.warm_up = 0;
    load.sample = 500;
    const auto one = simulation_benchmark::noc_run(load).run();
    const auto two = simulation_benchmark::noc_run(load).run();
    CHECK(one.arrived >= 16 * 500);
    CHECK(one.latency > 100);
    CHECK(one.arrived == two.arrived);
    CHECK(one.latency == two.latency);
  }
}

TEST_CASE("latencies and throughput are those of a cycle-accurate simulator") {
  const char* folder = std::getenv("WF_DATA_DIR");
  const std::string text = wf_benchmark::read_whole(std::string(folder ? folder : "") +
                                                    "/simulation/noc/booksim2_mesh.csv");
  if (text.empty()) {
    MESSAGE("skipped: there is no WF_DATA_DIR/simulation/noc/booksim2_mesh.csv");
    return;
  }
  const auto rows = simulation_benchmark::read_noc(text);
  REQUIRE(rows);
  CHECK(rows->size() >= 22);
  for (const auto& row : *rows) {
    CAPTURE(row.name);
    CAPTURE(row.load.offered);
    const double saturation = simulation_benchmark::saturation_of(row, *rows);
    if (row.spread > 1) continue;  // their mean is too uncertain for a short run
    const auto c = simulation_benchmark::compare(row, saturation, 20'000);
    CHECK(std::fabs(c.error) <= c.tolerance);
  }
}
