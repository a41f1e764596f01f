// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/engine/progress.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/simulate/process/network.hpp>
#include <wf/simulate/program/builder.hpp>

namespace {

// Notes the progress, and stops after a number of questions.
struct watcher {
  std::size_t questions = SIZE_MAX;
  std::vector<wf::sim_progress> seen = {};

  void finished(std::uint32_t, const wf::sim_times&) {}
  bool go_on(const wf::sim_progress& p) {
    seen.push_back(p);
    return seen.size() < questions;
  }
};
static_assert(wf::progress_observer<watcher>);
static_assert(!wf::progress_observer<wf::sim::no_program_observer>);
static_assert(!wf::progress_observer<wf::no_observer>);

wf::sim_program random_program(std::uint32_t tasks) {
  std::mt19937 random(5);
  wf::sim_program_builder b;
  for (int h = 0; h < 20; ++h) b.platform.slots.push_back(2);
  for (std::uint32_t i = 0; i < tasks; ++i) {
    b.add(wf::sim_resource::slots, static_cast<std::uint32_t>(random() % 20),
          static_cast<std::int64_t>(random() % 1000));
    if (i > 50) b.connect(i - 1 - static_cast<std::uint32_t>(random() % 50), i);
  }
  return b.take();
}

}  // namespace

TEST_CASE("a program that is stopped has the times of the whole run up to there") {
  const wf::sim_program p = random_program(100'000);
  const auto whole = wf::simulate(p);
  REQUIRE(whole);
  CHECK_FALSE(whole->stopped);
  watcher all;
  const auto watched = wf::simulate(p, all);
  REQUIRE(watched);
  CHECK(*watched == *whole);
  REQUIRE(all.seen.size() == 1 + 100'000 / wf::sim::progress_clock::interval);
  for (std::size_t i = 0; i < all.seen.size(); ++i) {
    CHECK(all.seen[i].of == 100'000);
    if (i > 0) {
      CHECK(all.seen[i].now > all.seen[i - 1].now);
      CHECK(all.seen[i].finished >= all.seen[i - 1].finished + wf::sim::progress_clock::interval);
    }
  }
  for (std::size_t questions = 1; questions <= all.seen.size(); ++questions) {
    watcher some{questions};
    const auto part = wf::simulate(p, some);
    REQUIRE(part);
    CHECK(part->stopped);
    CHECK(part->makespan == all.seen[questions - 1].now);
    std::uint64_t finished = 0;
    for (std::size_t i = 0; i < p.activities.size(); ++i) {
      const wf::sim_times was = whole->times[i], now = part->times[i];
      const bool ended = was.finish <= part->makespan;
      REQUIRE(now.finish == (ended ? was.finish : -1));
      if (ended) REQUIRE(now.start == was.start);
      finished += ended ? 1 : 0;
    }
    CHECK(finished == all.seen[questions - 1].finished);
  }
}

TEST_CASE("a network that would never end is stopped") {
  struct stopper : wf::no_observer {
    std::size_t left = 3;
    bool go_on(const wf::sim_progress&) { return --left != 0; }
  };
  wf::network<wf::task_process> n;
  const wf::sim_place host = n.add_host();
  wf::table<wf::expected_input> in;
  in.push_back({wf::text("again"), wf::usage::data, {}});
  const auto loop = n.add_node("loop", wf::task_process(in, 7, {1}), host);
  n.connect(loop, 0, loop, 0).initial.push_back({1});
  const auto outcome = n.run({}, stopper{});
  REQUIRE(outcome);
  CHECK(outcome->stopped);
  CHECK(outcome->makespan == 7 * static_cast<std::int64_t>(outcome->accounts[0].runs));
  CHECK(outcome->accounts[0].runs > wf::sim::progress_clock::interval);
}
