// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/network_peer.hpp>

#include <doctest/doctest.h>

#include "../process/rated_process.hpp"

using wf_test::rated;

TEST_CASE("a part asks for timers and messages, and hears of room in any order") {
  wf::network<rated> n;
  const auto a = n.add_host(), b = n.add_host();
  n.add_node("a", rated({1}, {1}, 7), a);
  n.add_node("b", rated({1}, {1}, 7), b);
  n.connect(0, 0, 1, 0).capacity = 1;
  wf::network<rated> here = n, there = n;
  wf::table<wf::network_input<std::int64_t>> in;
  for (std::int64_t k = 0; k < 3; ++k) in.push_back({0, 0, k, 10 * k});
  const wf::table<std::uint32_t> peer_of{0, 1};
  wf::fault::detail::network_peer<rated> first(here, in, peer_of, 0), second(there, in, peer_of, 1);
  first.start(0);
  second.start(0);
  CHECK(second.timers.empty());
  REQUIRE(first.timers.size() == 3);
  for (std::uint32_t k = 0; k < 3; ++k) CHECK(first.timers.pop().activity == 4 + k);
  for (std::uint32_t k = 0; k < 3; ++k) first.due(4 + k, 10);
  REQUIRE(first.timers.size() == 1);
  CHECK(first.timers.front().is_work);
  CHECK(first.timers.pop().wait == 7);
  first.due(0, 17);
  REQUIRE(first.messages.size() == 1);
  CHECK(first.timers.empty());  // the edge is full
  second.receive(0, first.messages.pop().value, 20);
  REQUIRE(second.messages.size() == 1);  // room
  CHECK(second.messages.front().is_room);
  CHECK(second.messages.front().taken == 1);
  first.hear_of_room(0, 1, 30);
  REQUIRE(first.timers.size() == 1);
  first.hear_of_room(0, 1, 30);  // again: no more room than before
  first.timers.pop();
  first.due(0, 40);
  CHECK(first.timers.empty());
  REQUIRE(second.timers.size() == 1);
  second.due(second.timers.pop().activity, 27);
  REQUIRE(second.outputs.size() == 1);
  CHECK(second.outputs[0].time == 27);
}
