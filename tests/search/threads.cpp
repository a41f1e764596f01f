// SPDX-License-Identifier: BSL-1.0
#include <wf/search/threads.hpp>

#include <atomic>
#include <cstddef>

#include <doctest/doctest.h>

#include <wf/search/executor.hpp>

#include "executor_checks.hpp"

static_assert(wf::task_executor<wf::threads>);

TEST_CASE("threads do every task once, however many there are, again and again") {
  for (const unsigned count : {1U, 2U, 4U, 7U}) {
    wf::threads workers(count);
    CHECK(workers.size() == count);
    executor_checks::every_task_once(workers, 300);
  }
}

TEST_CASE("a task that lasts keeps nobody from the others") {
  wf::threads workers(2);
  std::atomic<int> others = 0;
  workers(9, [&](std::size_t i) {
    if (i != 0) {
      ++others;
      return;
    }
    while (others < 8) std::this_thread::yield();
  });
  CHECK(others == 8);
}

TEST_CASE("what tasks throw reaches the caller when all are done, and the threads go on") {
  for (const unsigned count : {1U, 2U, 4U, 7U}) {
    wf::threads workers(count);
    executor_checks::first_exception(workers, 300);
  }
}

TEST_CASE("no number given means one thread for each processor") {
  CHECK(wf::threads().size() >= 1);
}
