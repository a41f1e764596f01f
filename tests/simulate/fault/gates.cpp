// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/gates.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>

using namespace wf::fault;

namespace {

envelope payload_of(std::uint32_t source, std::uint32_t incarnation, std::uint32_t edge,
                    std::uint64_t sequence, std::uint64_t payload = 0) {
  envelope m;
  m.source = source;
  m.incarnation = incarnation;
  m.edge = edge;
  m.sequence = sequence;
  m.payload = payload;
  return m;
}

// The rule of the window, read literally: all numbers that were recorded, of every stream.
class naive_window {
 public:
  std::uint64_t window = 64;

  reason test(const envelope& m) {
    const stream& s = streams_[{m.source, m.edge}];
    if (m.incarnation < s.incarnation) return reason::stale;
    if (m.incarnation > s.incarnation || m.sequence > s.high) return reason::none;
    if (m.sequence <= std::max(s.floor, floor(s))) return reason::stale;
    return s.seen.count(m.sequence) != 0 ? reason::duplicate : reason::none;
  }
  void record(const envelope& m) {
    stream& s = streams_[{m.source, m.edge}];
    if (m.incarnation != s.incarnation) s = {m.incarnation, 0, 0, {}};
    s.seen.insert(m.sequence);
    s.high = std::max(s.high, m.sequence);
  }
  void set_window(std::uint64_t w) {
    for (auto& [key, s] : streams_) s.floor = std::max(s.floor, floor(s));
    window = w;
  }
  std::int64_t entries() const {
    std::int64_t count = 0;
    for (const auto& [key, s] : streams_)
      for (std::uint64_t n : s.seen) count += n > std::max(s.floor, floor(s));
    return count;
  }

 private:
  struct stream {
    std::uint32_t incarnation = 0;
    std::uint64_t high = 0, floor = 0;
    std::set<std::uint64_t> seen;
  };
  std::uint64_t floor(const stream& s) const { return s.high > window ? s.high - window : 0; }
  std::map<std::pair<std::uint32_t, std::uint32_t>, stream> streams_;
};

}  // namespace

TEST_CASE("the window of numbers agrees with a set of all numbers") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    duplicate_window window;
    naive_window naive;
    const std::uint64_t size = 1 + random() % 200;
    window.set_window(static_cast<std::int64_t>(size));
    naive.set_window(size);
    std::uint64_t base = 1;
    for (int i = 0; i < 3000; ++i) {
      if (random() % 500 == 0) {
        const std::uint64_t w = 1 + random() % 200;
        window.set_window(static_cast<std::int64_t>(w));
        naive.set_window(w);
      }
      base += random() % 3;
      if (random() % 300 == 0) base += 500;
      const std::uint64_t back = random() % 300;
      const envelope m =
          payload_of(static_cast<std::uint32_t>(random() % 2),
                     static_cast<std::uint32_t>(i / 1200 + (random() % 50 == 0 ? 1 : 0)),
                     static_cast<std::uint32_t>(random() % 2), base > back ? base - back : 1);
      const reason why = window.test(m);
      REQUIRE(why == naive.test(m));
      if (why == reason::none && random() % 4 != 0) {
        window.record(m);
        naive.record(m);
      }
      if (i % 100 == 0) REQUIRE(window.entries() == naive.entries());
    }
  }
}

TEST_CASE("a restarted sender's numbers are new, those of its former life are stale") {
  duplicate_window window;
  window.record(payload_of(3, 0, 1, 1));
  CHECK(window.test(payload_of(3, 0, 1, 1)) == reason::duplicate);
  CHECK(window.test(payload_of(3, 0, 2, 1)) == reason::none);
  CHECK(window.test(payload_of(4, 0, 1, 1)) == reason::none);
  CHECK(window.test(payload_of(3, 1, 1, 1)) == reason::none);
  window.record(payload_of(3, 1, 1, 1));
  CHECK(window.test(payload_of(3, 1, 1, 1)) == reason::duplicate);
  CHECK(window.test(payload_of(3, 0, 1, 2)) == reason::stale);
  CHECK(window.entries() == 1);
}

TEST_CASE("the window of payloads doubles late copies") {
  payload_window window;
  window.set_window(2);
  int fired = 0;
  for (const std::uint64_t payload : {1u, 2u, 3u, 1u}) {
    const envelope m = payload_of(0, 0, 0, 0, payload);
    if (window.test(m) != reason::none) continue;
    window.record(m);
    ++fired;
  }
  CHECK(fired == 4);
  CHECK(window.entries() == 2);
}

TEST_CASE("waits double up to the cap: 10, 20, 40 ms … 40.96 s, 60 s") {
  constexpr std::int64_t ms = 1'000'000;
  backoff_entry entry;
  std::int64_t wait = 10 * ms;
  for (int k = 1; k <= 80; ++k) {
    entry.fail(1000, 10 * ms, 60'000 * ms);
    CHECK(entry.next_retry == 1000 + wait);
    CHECK(entry.refuses(1000 + wait - 1));
    CHECK_FALSE(entry.refuses(1000 + wait));
    if (k == 13) CHECK(wait == 40'960 * ms);
    wait = std::min(2 * wait, 60'000 * ms);
  }
  backoff_entry tiny;
  tiny.fail(0, 5, 1);
  CHECK(tiny.next_retry == 1);
  tiny.advise(0, 100'000 * ms);
  CHECK(tiny.next_retry == 60'000 * ms);
  CHECK(tiny.failures == 2);
}

TEST_CASE("a peer goes down at exactly the threshold, and comes up once") {
  health_entry entry;
  for (int k = 1; k <= 10; ++k) CHECK(entry.fail(5) == (k == 5));
  CHECK(entry.succeed());
  CHECK_FALSE(entry.succeed());
  CHECK_FALSE(entry.fail(2));
  CHECK(entry.fail(2));
  CHECK(entry.policy() == reason::none);
  entry.not_allowed = true;
  CHECK(entry.policy() == reason::not_allowlisted);
  entry.blocked = true;
  CHECK(entry.policy() == reason::blocklisted);
}

TEST_CASE("the policy is asked before whether a peer is down") {
  health_entry entry;
  entry.down = true;
  CHECK(entry.refusal(false) == reason::none);
  CHECK(entry.refusal(true) == reason::down);
  entry.blocked = true;
  for (const bool denies_down : {false, true})
    CHECK(entry.refusal(denies_down) == reason::blocklisted);
}

TEST_CASE("at equality a deadline has passed") {
  CHECK_FALSE(standard_gates::is_late(4, 5));
  CHECK(standard_gates::is_late(5, 5));
}

TEST_CASE("the round trip is used from three samples on") {
  round_trip trip;
  trip.add(100);
  trip.add(100);
  CHECK(trip.wait(7) == 7);
  trip.add(100);
  // A constant round trip leaves no deviation, and still a margin.
  for (int i = 0; i < 40; ++i) trip.add(100);
  CHECK(trip.wait(7) == 201);
  for (int i = 0; i < 40; ++i) trip.add(i % 2 == 0 ? 50 : 150);
  CHECK(trip.wait(7) > 250);
}

TEST_CASE("the time to live leaves time for all attempts") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
    attempt_facts f{1 + below(1000), 0, 1 + below(1000), below(20), 0};
    std::int64_t passed = 0;
    for (f.attempt = 0; f.attempt <= f.retries && passed < f.budget; ++f.attempt) {
      f.remaining = f.budget - passed;
      const std::int64_t ttl = standard_gates::time_to_live(f);
      CHECK(ttl >= 1);
      CHECK(ttl <= f.remaining);
      CHECK(ttl <= std::max<std::int64_t>(1, f.budget / (f.retries + 1)));
      passed += ttl;
    }
    CHECK(passed <= f.budget);
  }
  CHECK(standard_gates::time_to_live({100, 100, 100, 0, 0}) == 100);
}
