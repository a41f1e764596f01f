// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/program.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>
#include <wf/adapt/wfformat/replay.hpp>

#include "random_instance.hpp"
#include "small_file.hpp"

namespace {

constexpr std::int64_t makespan_while_compiling() {
  const auto all = wf::wfformat::parse(wf_test::small_file);
  const auto made = wf::wfformat::program_of(*all, {.decimals = 3});
  return made ? wf::simulate(made->program)->makespan : -1;
}
static_assert(makespan_while_compiling() == 5750);

std::int64_t makespan(const wf::wfformat::instance& all, const wf::wfformat::machine_options& o) {
  const auto made = wf::wfformat::program_of(all, o);
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
  const auto record = wf::simulate(made->program);
  REQUIRE_MESSAGE(record, std::string(wf::to_text(record.error()).view()));
  return record->makespan;
}

}  // namespace

TEST_CASE("the small file, option by option") {
  const auto all = *wf::wfformat::parse(wf_test::small_file);
  CHECK(makespan(all, {.decimals = 3}) == 5750);
  CHECK(makespan(all, {.decimals = 3, .start = 100}) == 5850);
  CHECK(makespan(all, {.decimals = 3, .latency = 10}) == 5780);
  // The dispatcher takes b first, then c.
  CHECK(makespan(all, {.decimals = 3, .serial_dispatch = 20}) == 5750 + 80);
  // One byte a millisecond: a reads 1000 and writes 200; c reads nothing and writes 40; d reads
  // 340 and writes 5. b reads 200 and writes 300, while c runs.
  CHECK(makespan(all, {.decimals = 3, .hub_bandwidth = 1000}) == 5750 + 1200 + 40 + 345);
}

TEST_CASE("one slot each, and the hub shared by two") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  for (auto& task : all.workflow.execution->tasks) {
    task.machines.clear();
    task.machines.push_back("m2");
  }
  CHECK(makespan(all, {.decimals = 3, .slots = 1}) == 1500 + 2000 + 4000 + 250);
  // Now b and c both read 200 bytes at once.
  all.workflow.specification.files[2].size_in_bytes = 200;
  CHECK(makespan(all, {.decimals = 3, .hub_bandwidth = 1000}) ==
        1000 + 1500 + 400 + 400 + 4000 + 40 + 340 + 250 + 5);
}

// Times are long, so that no two tasks come to one machine in one tick, but siblings.
TEST_CASE("with an unlimited hub and one core a task, program and replay agree") {
  wf_test::random_source random(20261203);
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const auto all =
        wf_test::random_instance(random, {.most_tasks = 25, .one_core = true, .most_ms = 1 << 30});
    wf::wfformat::machine_options o{.decimals = 3,
                                    .start = static_cast<std::int64_t>(random() % 3),
                                    .latency = static_cast<std::int64_t>(random() % (1 << 20)),
                                    .serial_dispatch = static_cast<std::int64_t>(random() % 2) *
                                                       static_cast<std::int64_t>(random() % 12345),
                                    .slots = static_cast<std::int64_t>(random() % 3),
                                    .unplaced_slots = static_cast<std::int64_t>(random() % 4)};
    const auto made = wf::wfformat::program_of(all, o);
    REQUIRE(made);
    const auto record = wf::simulate(made->program);
    const auto replayed = wf::wfformat::replay(all, o);
    REQUIRE(record);
    REQUIRE(replayed);
    CHECK(record->makespan == replayed->makespan);
    for (std::size_t t = 0; t < replayed->tasks.size(); ++t) {
      CHECK(record->times[made->runs[t]].start == replayed->tasks[t].start);
      CHECK(record->times[made->ends[t]].finish == replayed->tasks[t].finish);
    }
  }
}
