// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tbb.hpp>

#include <atomic>
#include <cstddef>

#include <doctest/doctest.h>

#include <wf/map/place/map.hpp>

#include "../search/executor_checks.hpp"

TEST_CASE("TBB's threads do every task once, however many there are, again and again") {
  for (const int count : {1, 2, 5}) {
    wf::tbb_threads workers(count);
    CHECK(workers.size() == static_cast<std::size_t>(count));
    executor_checks::every_task_once(workers, 200);
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
    executor_checks::first_exception(workers, 100);
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
