// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tbb.hpp>

#include <atomic>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include <wf/map/place/map.hpp>

TEST_CASE("TBB's threads do every task once, however many there are, again and again") {
  for (const int count : {1, 2, 5}) {
    wf::tbb_threads workers(count);
    CHECK(workers.size() == static_cast<std::size_t>(count));
    for (std::size_t round = 0; round < 200; ++round) {
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
  CHECK(wf::tbb_threads().size() >= 1);
}

TEST_CASE("a task of TBB's threads may hand out tasks of its own") {
  wf::tbb_threads workers(2);
  std::atomic<int> inner = 0;
  workers(3, [&](std::size_t) { workers(4, [&](std::size_t) { ++inner; }); });
  CHECK(inner == 12);
}

TEST_CASE("the first exception by number reaches the caller when all tasks of TBB's are done") {
  for (const int count : {1, 2, 5}) {
    wf::tbb_threads workers(count);
    for (std::size_t round = 0; round < 100; ++round) {
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
    }
  }
}

TEST_CASE("a mapping is the same with TBB's threads as with none") {
  wf::workload w;
  w.name = "chain";
  for (std::int64_t i = 0; i < 6; ++i) {
    wf::workload_operator o;
    o.label = "product";
    o.macs = 64 * 64 * (16 + 8 * i);
    o.output_bytes = 64 * 64;
    o.first_axis = o.second_axis = 64;
    o.is_output = i == 5;
    w.add(o);
    if (i > 0) w.connect(static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i), 64 * 64);
  }
  wf::pe_array array;
  array.rows = array.columns = 2;
  array.memory_bytes = 64 * 1024;
  const auto alone = wf::map(w, array);
  wf::tbb_threads workers(3);
  const auto together = wf::map(w, array, wf::map_options{}, wf::keep_going{}, wf::cycle_model{},
                                wf::all_strategies{}, workers);
  REQUIRE(alone.has_value());
  REQUIRE(together.has_value());
  CHECK(together->makespan == alone->makespan);
  CHECK(together->bound == alone->bound);
}
