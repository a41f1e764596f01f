// SPDX-License-Identifier: BSL-1.0
#include <wf/search/threads.hpp>

#include <atomic>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include <wf/search/executor.hpp>

static_assert(wf::task_executor<wf::threads>);

TEST_CASE("threads do every task once, however many there are, again and again") {
  for (const unsigned count : {1U, 2U, 4U, 7U}) {
    wf::threads workers(count);
    CHECK(workers.size() == count);
    for (int round = 0; round < 300; ++round) {
      std::vector<int> done(static_cast<std::size_t>(round % 20));
      std::atomic<int> total = 0;
      workers(done.size(), [&](std::size_t i) {
        ++done[i];
        ++total;
      });
      CHECK(total == round % 20);
      for (const int times : done) CHECK(times == 1);
    }
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
    for (std::size_t round = 0; round < 300; ++round) {
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
}

TEST_CASE("no number given means one thread for each processor") {
  CHECK(wf::threads().size() >= 1);
}
