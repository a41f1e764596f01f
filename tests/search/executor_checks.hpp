// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

// The guarantees of every executor with threads.
namespace executor_checks {

// Each task runs exactly once, for up to 19 tasks per call.
template <class Executor>
void every_task_once(Executor& workers, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<int> done(round % 20);
    std::atomic<std::size_t> total = 0;
    workers(done.size(), [&](std::size_t i) {
      ++done[i];
      ++total;
    });
    CHECK(total == round % 20);
    for (const int times : done) CHECK(times == 1);
  }
}

// When all tasks are done, the exception of the one with the smallest number is thrown, and the
// threads remain usable.
template <class Executor>
void first_exception(Executor& workers, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::size_t first = round % 17;
    std::atomic<std::size_t> done = 0;
    std::size_t caught = 99;
    try {
      workers(20, [&](std::size_t i) {
        ++done;
        if (i >= first && (i - first) % 3 == 0) throw i;
      });
    } catch (const std::size_t i) {
      caught = i;
    }
    CHECK(caught == first);
    CHECK(done == 20);
    std::atomic<std::size_t> after = 0;
    workers(5, [&](std::size_t) { ++after; });
    CHECK(after == 5);
  }
}

}  // namespace executor_checks
