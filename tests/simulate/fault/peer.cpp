// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/peer.hpp>

#include <doctest/doctest.h>

#include <random>

using namespace wf::fault;

TEST_CASE("a clock with a rate measures durations by it, and never runs backwards") {
  std::mt19937_64 random(5);
  peer_clock clock;
  std::int64_t now = 0, last = 0;
  for (int i = 0; i < 2000; ++i) {
    now += static_cast<std::int64_t>(random() % 1'000'000);
    if (i % 10 == 0) clock.set_rate(now, static_cast<std::int64_t>(random() % 3'000'000) - 900'000);
    if (i % 7 == 0) clock.jump(static_cast<std::int64_t>(random() % 1000) - 500);
    CHECK(clock.at(now) >= last);
    last = clock.at(now);
    // The delay of a duration is the first time at which it is over.
    const auto duration = static_cast<std::int64_t>(random() % 1'000'000) + 1;
    const std::int64_t delay = clock.delay(duration);
    CHECK(clock.at(now + delay) >= last + duration - 1);
    CHECK(clock.at(now + delay - 1) <= last + duration);
  }
}

TEST_CASE("a jump moves the time that a peer shows, and no duration") {
  peer_clock clock;
  clock.jump(1000);
  CHECK(clock.shown(5) == 1005);
  CHECK(clock.at(5) == 5);
  CHECK(clock.delay(7) == 7);
}

TEST_CASE("silence ends a quote after the wait of the last notice") {
  overload_entry load;
  CHECK_FALSE(load.recovers(INT64_MAX - overload_entry::quote));
  load.quoted_until = 100 + overload_entry::quote;
  load.notices = 3;
  load.silent = true;
  CHECK_FALSE(load.recovers(100 + 2 * overload_entry::quote - 1));
  CHECK(load.silent);
  CHECK(load.recovers(100 + 2 * overload_entry::quote));
  CHECK_FALSE(load.silent);
  CHECK(load.notices == 0);
}
