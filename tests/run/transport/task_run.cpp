// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/task_run.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include <wf/run/transport/loopback.hpp>

#include "random_tasks.hpp"

TEST_CASE("processes of a run have places in a tree, whatever their numbers") {
  wf::detail::task_members some;
  for (const std::uint32_t r : {1U, 4U, 7U}) some.ranks.push_back(r);
  CHECK(some.place_of(1) == 0);
  CHECK(some.place_of(4) == 1);
  CHECK(some.place_of(7) == 2);
  CHECK(some.place_of(2) == 3);
}

TEST_CASE("an interrupted run tells what has ended, and gives away what is here") {
  // Task 1 reads task 0, which nobody else does; the run stops before task 3.
  random_tasks::problem p{wf::task_list(1), {0, 0, 0, 0}};
  const std::uint32_t first[] = {p.tasks.add(0, {})};
  const std::uint32_t second[] = {p.tasks.add(0, first)};
  p.tasks.keep(p.tasks.add(0, second));
  p.tasks.add(0, second);
  const random_tasks::expected e = random_tasks::serially(p);
  wf::loopback_hub hub(1);
  wf::loopback carrier(hub, 0);
  random_tasks::computing computes{&p, 0};
  using run_of = wf::detail::task_run<
      std::uint64_t, wf::loopback,
      std::function<wf::error(std::uint32_t, wf::view<wf::task_operand<std::uint64_t>>,
                              std::uint64_t&)>>;
  run_of* running = nullptr;
  std::function<wf::error(std::uint32_t, wf::view<wf::task_operand<std::uint64_t>>, std::uint64_t&)>
      compute = [&](std::uint32_t task, wf::view<wf::task_operand<std::uint64_t>> operands,
                    std::uint64_t& out) {
        if (task == 2) running->lost(1);
        return computes(task, operands, out);
      };
  run_of run(carrier, p.tasks, compute, {}, {wf::table<std::uint32_t>(1), 5, true});
  running = &run;
  run.go();
  CHECK_FALSE(run.is_over());
  CHECK(run.fault().code == wf::errc::none);
  CHECK(run.counts().computed == 3);
  for (std::uint32_t t = 0; t < 4; ++t) {
    CHECK(run.has_ended(t) == (t != 3));
    CHECK(run.has_value(t) == (t == 1 || t == 2));
    std::uint64_t value = 0;
    CHECK(run.take_value(t, value) == (t == 1 || t == 2));
    if (t == 1 || t == 2) CHECK(value == e.values[t]);
  }
}
