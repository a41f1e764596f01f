// SPDX-License-Identifier: BSL-1.0
#include <wf/report/toolchain/run_clock.hpp>

#include <thread>

#include <doctest/doctest.h>

#include <chrono>

static_assert(wf::run_time{3, 2} + wf::run_time{1, 1} == wf::run_time{4, 3});
static_assert(wf::run_time{3, 2} - wf::run_time{1, 1} == wf::run_time{2, 1});
static_assert(wf::run_clock_type<wf::run_clock>);
static_assert(wf::run_clock_type<decltype([] { return wf::run_time{}; })>);
static_assert(!wf::run_clock_type<decltype([] { return 1L; })>);

TEST_CASE("computing passes both times, and neither goes backwards") {
  wf::run_clock clock;
  const wf::run_time begin = clock();
  wf::run_time before = begin;
  while ((before - begin).cpu < 2'000'000) {
    const wf::run_time now = clock();
    REQUIRE(now.wall >= before.wall);
    REQUIRE(now.cpu >= before.cpu);
    before = now;
  }
  CHECK((before - begin).wall > 0);
}

TEST_CASE("sleeping is no computing") {
  wf::run_clock clock;
  const wf::run_time begin = clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const wf::run_time slept = clock() - begin;
  CHECK(slept.wall >= 30'000'000);
  CHECK(slept.cpu < slept.wall);
}
