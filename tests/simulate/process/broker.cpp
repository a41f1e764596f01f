// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/simulate/process/broker.hpp>

#include <iterator>
#include <random>
#include <set>
#include <vector>

namespace {

constexpr bool requests_are_granted_whole_and_in_order() {
  wf::broker b;
  const auto disk = b.add(2), memory = b.add(10);
  const auto other = b.add(1);
  const wf::demand both[] = {{disk, 1}, {memory, 6}}, little[] = {{memory, 1}};
  const wf::demand elsewhere[] = {{other, 1}, {memory, 0}};
  if (!*b.request(0, both)) return false;
  if (*b.request(1, both)) return false;        // not enough memory
  if (*b.request(2, little)) return false;      // would fit, but does not overtake
  if (!*b.request(3, elsewhere)) return false;  // waits for nobody
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

namespace {

// The rule of the broker, read literally from a list of requests.
struct listed_request {
  std::uint32_t holder = 0;
  std::int32_t priority = 0;
  std::vector<wf::demand> demands;
};
struct listed_broker {
  std::vector<std::int64_t> left;
  std::vector<listed_request> waiting;  // in the order of arrival
  std::set<std::uint32_t> running;

  bool share(const listed_request& a, const listed_request& b) const {
    for (const auto& x : a.demands)
      for (const auto& y : b.demands)
        if (x.resource == y.resource && x.amount != 0 && y.amount != 0) return true;
    return false;
  }
  bool may_start(std::size_t i) const {
    for (const auto& d : waiting[i].demands)
      if (d.amount > left[d.resource]) return false;
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      const bool before = waiting[k].priority != waiting[i].priority
                              ? waiting[k].priority > waiting[i].priority
                              : k < i;
      if (before && share(waiting[k], waiting[i])) return false;
    }
    return true;
  }
  void grant_all() {
    for (std::size_t i = 0; i < waiting.size();) {
      if (!may_start(i)) {
        ++i;
        continue;
      }
      for (const auto& d : waiting[i].demands) left[d.resource] -= d.amount;
      running.insert(waiting[i].holder);
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    }
  }
};

std::vector<wf::demand> draw_demands(std::mt19937_64& random,
                                     const std::vector<std::int64_t>& capacity) {
  std::vector<wf::demand> out;
  for (std::uint32_t r = 0; r < capacity.size(); ++r)
    if (random() % 2 == 0)
      out.push_back(
          {r, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(capacity[r] + 1))});
  return out;
}

}  // namespace

TEST_CASE("what is granted is what the rule allows, with and without priorities") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::broker b;
    listed_broker list;
    for (std::uint64_t r = 1 + random() % 5; r > 0; --r) {
      list.left.push_back(static_cast<std::int64_t>(1 + random() % 6));
      b.add(list.left.back());
    }
    const std::vector<std::int64_t> capacity = list.left;
    const std::uint64_t priorities = 1 + random() % 3;
    std::vector<std::vector<wf::demand>> demands;
    std::set<std::uint32_t> running;
    const auto grant = [&](std::uint32_t holder) { REQUIRE(running.insert(holder).second); };
    for (int step = 0; step < 120; ++step) {
      if (running.empty() || random() % 3 != 0) {
        const auto holder = static_cast<std::uint32_t>(demands.size());
        const auto priority = static_cast<std::int32_t>(random() % priorities);
        demands.push_back(draw_demands(random, capacity));
        const auto granted = b.request(holder, demands.back(), priority);
        REQUIRE(granted);
        if (*granted) grant(holder);
        list.waiting.push_back({holder, priority, demands.back()});
      } else {
        auto at = running.begin();
        std::advance(at, random() % running.size());
        const std::uint32_t holder = *at;
        running.erase(at);
        list.running.erase(holder);
        for (const auto& d : demands[holder]) list.left[d.resource] += d.amount;
        REQUIRE(b.release(holder, demands[holder], grant));
      }
      list.grant_all();
      REQUIRE(running == list.running);
      REQUIRE(b.waiting() == list.waiting.size());
      for (std::uint32_t r = 0; r < capacity.size(); ++r) REQUIRE(b.left(r) == list.left[r]);
    }
  }
}
