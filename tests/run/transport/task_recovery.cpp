// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/task_recovery.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "random_tasks.hpp"

namespace {

using role = wf::task_recovery::role;

// A moment of a run: some tasks have ended, each after those that it waits for, and processes have
// the values of some of them.
struct moment {
  random_tasks::problem problem;
  std::vector<char> ended;  // by task
  std::vector<wf::task_progress> known;
  wf::table<char> lost;

  moment(std::uint32_t seed, std::uint32_t ranks) : problem(random_tasks::make(seed, ranks)) {
    std::mt19937 random(seed);
    const wf::task_list& all = problem.tasks;
    const std::uint32_t share = std::uint32_t(random()) % 11;
    for (std::uint32_t t = 0; t < all.size(); ++t) {
      bool can = problem.fails[t] == 0 && random() % 10 < share;
      for (const std::uint32_t b : all.before(t)) can = can && ended[b] != 0;
      ended.push_back(can ? 1 : 0);
    }
    for (std::uint32_t r = 0; r < ranks; ++r) {
      lost.push_back(r + 1 < ranks || random() % 2 == 0 ? std::uint32_t(random()) % 2 : 0);
      wf::task_progress p{{}, wf::table<char>(all.size()), wf::table<char>(all.size())};
      for (std::uint32_t t = 0; t < all.size(); ++t) {
        if (ended[t] == 0) continue;
        const bool is_own = all.owner(t) == r;
        if (is_own) p.ended[t] = 1;
        if (is_own ? all.is_kept(t) || random() % 3 != 0 : random() % 4 == 0) p.held[t] = 1;
      }
      known.push_back(std::move(p));
    }
    bool is_any_left = false;
    for (const char l : lost) is_any_left = is_any_left || l == 0;
    if (!is_any_left) lost[random() % ranks] = 0;
    for (wf::task_progress& p : known) p.lost = lost;
  }
  wf::task_recovery plan() const {
    return wf::recover(problem.tasks, lost, {known.data(), known.size()});
  }
};

}  // namespace

TEST_CASE("those who are left have, or make again, all that is still needed") {
  std::size_t counts[3] = {};
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    const moment m(seed, 1 + seed % 5);
    const wf::task_list& all = m.problem.tasks;
    const wf::task_recovery plan = m.plan();
    REQUIRE(plan.tasks.fault().code == wf::errc::none);
    REQUIRE(plan.tasks.size() == all.size());
    for (std::uint32_t t = 0; t < all.size(); ++t) {
      CAPTURE(t);
      ++counts[static_cast<std::size_t>(plan.roles[t])];
      const std::uint32_t owner = plan.tasks.owner(t);
      CHECK(m.lost[owner] == 0);
      CHECK(plan.tasks.is_kept(t) == all.is_kept(t));
      if (m.lost[all.owner(t)] == 0 && plan.roles[t] != role::held) CHECK(owner == all.owner(t));
      if (plan.roles[t] == role::held) CHECK(m.known[owner].held[t] != 0);
      if (all.is_kept(t)) CHECK(plan.roles[t] != role::idle);
      if (plan.roles[t] != role::runs) {
        CHECK(plan.tasks.before(t).empty());
        continue;
      }
      // It runs with all its operands, and does not run in vain.
      REQUIRE(plan.tasks.operands(t).size() == all.operands(t).size());
      for (std::size_t k = 0; k < all.operands(t).size(); ++k) {
        CHECK(plan.tasks.operands(t)[k] == all.operands(t)[k]);
        CHECK(plan.roles[all.operands(t)[k]] != role::idle);
      }
      for (std::uint32_t r = 0; r < m.known.size(); ++r)
        if (m.lost[r] == 0) CHECK(m.known[r].held[t] == 0);
    }
  }
  for (const std::size_t c : counts) CHECK(c > 1000);
}

TEST_CASE("what failed, or never ran, runs: every failure is found again") {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    const moment m(seed, 2 + seed % 4);
    const wf::task_list& all = m.problem.tasks;
    const wf::task_recovery plan = m.plan();
    // A task that has not ended runs, unless all that wait for it have ended: then it had, too.
    for (std::uint32_t t = 0; t < all.size(); ++t)
      if (m.ended[t] == 0) CHECK(plan.roles[t] == role::runs);
  }
}

TEST_CASE("without losses and progress all tasks run where they are") {
  const random_tasks::problem p = random_tasks::make(5, 3);
  const wf::table<char> nobody(3);
  const wf::task_recovery plan = wf::recover(p.tasks, nobody, {});
  for (std::uint32_t t = 0; t < p.tasks.size(); ++t) {
    CHECK(plan.roles[t] == role::runs);
    CHECK(plan.tasks.owner(t) == p.tasks.owner(t));
    CHECK(wf::table<std::uint32_t>(plan.tasks.before(t)) ==
          wf::table<std::uint32_t>(p.tasks.before(t)));
  }
}

TEST_CASE("a progress is read as it was written, and nothing else is one") {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const std::size_t ranks = 1 + random() % 9, tasks = random() % 40;
    wf::task_progress p;
    for (std::size_t r = 0; r < ranks; ++r) p.lost.push_back(char(random() % 2));
    for (std::size_t t = 0; t < tasks; ++t) {
      p.ended.push_back(char(random() % 2));
      p.held.push_back(char(random() % 2));
    }
    const wf::table<std::uint8_t> bytes = wf::write_progress(7, p);
    CHECK(wf::is_progress(bytes));
    const auto read = wf::read_progress(bytes, 7, ranks, tasks);
    REQUIRE(read);
    CHECK(*read == p);
    CHECK(wf::read_progress(bytes, 8, ranks, tasks).error().code == wf::errc::transport_failed);
    for (const auto& wrong : {wf::read_progress(bytes, 7, ranks + 1, tasks),
                              wf::read_progress(bytes, 7, ranks, tasks + 1),
                              wf::read_progress({bytes.data(), bytes.size() - 1}, 7, ranks, tasks),
                              wf::read_progress({}, 7, ranks, tasks)})
      CHECK(wrong.error().code == wf::errc::malformed_message);
  }
}
