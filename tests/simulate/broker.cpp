// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/simulate/broker.hpp>

#include <random>
#include <vector>

namespace {

constexpr bool requests_are_granted_whole_and_in_order() {
  wf::broker b;
  const auto disk = b.add(2), memory = b.add(10);
  const wf::demand both[] = {{disk, 1}, {memory, 6}}, little[] = {{memory, 1}};
  if (!*b.request(0, both)) return false;
  if (*b.request(1, both)) return false;    // not enough memory
  if (*b.request(2, little)) return false;  // would fit, but does not overtake
  if (b.left(memory) != 4 || b.left(disk) != 1 || b.waiting() != 2) return false;
  std::uint32_t granted[4]{}, count = 0;
  if (!b.release(0, both, [&](std::uint32_t holder) { granted[count++] = holder; })) return false;
  return count == 2 && granted[0] == 1 && granted[1] == 2 && b.left(memory) == 3 &&
         b.held(1, memory) == 6 && b.held(0, memory) == 0 && b.waiting() == 0;
}
static_assert(requests_are_granted_whole_and_in_order());

constexpr auto ignore = [](std::uint32_t) {};

}  // namespace

TEST_CASE("the broker refuses what cannot be") {
  wf::broker b;
  const auto r = b.add(3);
  const wf::demand too_much[] = {{r, 4}}, unknown[] = {{r + 1, 1}}, two[] = {{r, 2}};
  CHECK(b.request(0, too_much).error().code == wf::errc::simulation_failed);
  CHECK(b.request(0, unknown).error().code == wf::errc::simulation_failed);
  CHECK(*b.request(0, two));
  CHECK(b.release(1, two, ignore).error().code == wf::errc::simulation_failed);
  CHECK(b.left(r) == 1);
  CHECK(b.release(0, two, ignore));
  CHECK_FALSE(b.release(0, two, ignore));
  CHECK(b.left(r) == 3);
}

TEST_CASE("a part can be given back") {
  wf::broker b;
  const auto r = b.add(5);
  const wf::demand three[] = {{r, 3}}, one[] = {{r, 1}};
  CHECK(*b.request(0, three));
  CHECK(*b.request(0, one));
  CHECK(b.held(0, r) == 4);
  CHECK(b.release(0, three, ignore));
  CHECK(b.held(0, r) == 1);
}

TEST_CASE("a deadlock is named by its cycle") {
  wf::broker b;
  const auto x = b.add(1), y = b.add(1);
  const wf::demand want_x[] = {{x, 1}}, want_y[] = {{y, 1}};
  CHECK(*b.request(3, want_x));
  CHECK(*b.request(5, want_y));
  CHECK(b.wait_cycle().empty());
  CHECK_FALSE(*b.request(3, want_y));
  CHECK(b.wait_cycle().empty());  // 5 can still proceed
  CHECK_FALSE(*b.request(5, want_x));
  const auto cycle = b.wait_cycle();
  REQUIRE(cycle.size() == 2);
  CHECK(cycle[0] == 3);
  CHECK(cycle[1] == 5);
  CHECK(wf::wait_cycle_text(cycle, [](std::uint32_t holder) {
          return holder == 3 ? wf::text_view("ann") : wf::text_view("bob");
        }) == wf::text("ann waits for bob, bob waits for ann"));
}

TEST_CASE("waits that the broker cannot know close a cycle too") {
  wf::broker b;
  const auto x = b.add(1);
  const wf::demand want[] = {{x, 1}};
  CHECK(*b.request(0, want));
  CHECK_FALSE(*b.request(1, want));
  const wf::wait_edge more[] = {{0, 2}, {2, 1}, {4, 0}};
  const auto cycle = b.wait_cycle(more);
  REQUIRE(cycle.size() == 3);
  CHECK(cycle[0] == 0);
  CHECK(cycle[1] == 2);
  CHECK(cycle[2] == 1);
}

TEST_CASE("capacity is never exceeded and nobody starves") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::broker b;
    const std::int64_t capacity[] = {3, 7};
    for (std::int64_t c : capacity) b.add(c);
    std::vector<std::vector<wf::demand>> held(60);
    std::vector<std::uint32_t> running;
    std::uint32_t next_granted = 0;
    const auto grant = [&](std::uint32_t holder) {
      REQUIRE(holder == next_granted++);  // requests are granted in order of arrival
      running.push_back(holder);
      std::int64_t used[2] = {};
      for (std::uint32_t r : running)
        for (const auto& d : held[r]) used[d.resource] += d.amount;
      for (int i = 0; i < 2; ++i) REQUIRE(used[i] <= capacity[i]);
    };
    const auto finish_one = [&] {
      const std::size_t at = random() % running.size();
      const std::uint32_t holder = running[at];
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
      REQUIRE(b.release(holder, held[holder], grant));
    };
    for (std::uint32_t i = 0; i < 60; ++i) {
      for (std::uint32_t r = 0; r < 2; ++r)
        held[i].push_back(
            {r, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(capacity[r] + 1))});
      const auto now = b.request(i, held[i]);
      REQUIRE(now);
      if (*now) grant(i);
      if (random() % 2 == 0 && !running.empty()) finish_one();
    }
    while (!running.empty()) finish_one();
    REQUIRE(next_granted == 60);
  }
}
