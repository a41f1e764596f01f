// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/process/network_graph.hpp>

#include <doctest/doctest.h>

namespace {

using network = wf::network<wf::task_process>;

network sample() {
  wf::table<wf::expected_input> in;
  in.push_back({wf::text("x"), wf::usage::data, {}});
  wf::table<std::int64_t> out;
  out.push_back(8);
  network n;
  const auto host = n.add_host();
  n.add_node("first", wf::task_process({}, 1, out), host);
  n.add_node("second", wf::task_process(in, 1, {}), host, 3);
  auto& e = n.connect(0, 0, 1, 0, n.add_link(1, 2));
  e.capacity = 1;
  e.initial.push_back({8});
  return n;
}

}  // namespace

TEST_CASE("a network is checked before it runs") {
  CHECK(sample().validate());
  const auto message = [](auto spoil) {
    network n = sample();
    spoil(n);
    const auto valid = n.validate();
    return valid ? wf::text() : valid.error().message;
  };
  const auto refuses = [&](auto spoil) { return !message(spoil).empty(); };
  CHECK(refuses([](auto& n) { n.nodes[0].where.index = 1; }));
  CHECK(refuses([](auto& n) { n.nodes[0].where = n.edges[0].over; }));
  CHECK(refuses([](auto& n) { n.edges[0].from = 2; }));
  CHECK(refuses([](auto& n) { n.edges[0].to = 2; }));
  CHECK(refuses([](auto& n) { n.edges[0].output = 1; }));
  CHECK(refuses([](auto& n) { n.edges[0].input = 1; }));
  CHECK(refuses([](auto& n) { n.edges[0].over.index = 1; }));
  CHECK(refuses([](auto& n) { n.edges[0].over = n.nodes[0].where; }));
  CHECK(refuses([](auto& n) { n.edges[0].initial.push_back({8}); }));
  CHECK(refuses([](auto& n) { n.connect(0, 0, 1, 0); }));
  CHECK(refuses([](auto& n) { n.platform.slots[0] = 0; }));
  CHECK(message([](auto& n) { n.connect(0, 0, 1, 0); }) ==
        wf::text("two edges end at one of its inputs"));
}
