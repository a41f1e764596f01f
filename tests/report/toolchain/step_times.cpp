// SPDX-License-Identifier: BSL-1.0
#include <wf/report/toolchain/step_times.hpp>

#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <wf/toolchain/wrapper.hpp>

#include "../golden.hpp"
#include "../steps.hpp"

namespace {

using steps::compiler, steps::fake_clock, steps::text_of;

constexpr wf::step_times measured(const char* characters) {
  wf::timing_tracer<fake_clock> timing;
  (void)compiler(text_of(characters), timing);
  return timing.times();
}

constexpr bool has(const wf::step_times& times, wf::text_view path, std::int64_t calls,
                   std::int64_t failures, std::int64_t own, std::int64_t total) {
  const wf::step_time* row = times.find(path);
  return row != nullptr && row->calls == calls && row->failures == failures &&
         row->own == wf::run_time{own * 1'000'000, own * 500'000} &&
         row->total == wf::run_time{total * 1'000'000, total * 500'000};
}

// Every event takes a millisecond, so that a step without inner steps takes one.
constexpr bool counts_exclusive_times() {
  const wf::step_times times = measured("a b c");
  return times.rows().size() == 8 && has(times, "front", 1, 0, 3, 5) &&
         has(times, "front/split", 1, 0, 1, 1) && has(times, "optimise", 1, 0, 2, 3) &&
         has(times, "back", 1, 0, 3, 5) && times.total().wall == 13'000'000;
}
static_assert(counts_exclusive_times());

constexpr bool counts_failures() {
  const wf::step_times times = measured("a ? c");
  return times.rows().size() == 3 && has(times, "front", 1, 1, 3, 5) &&
         has(times, "front/split", 1, 0, 1, 1) && has(times, "front/parse", 1, 1, 1, 1);
}
static_assert(counts_failures());

}  // namespace

TEST_CASE("acceptance group 6: timing counts calls, failures and exclusive times of nested steps") {
  CHECK(counts_exclusive_times());
  CHECK(counts_failures());
}

TEST_CASE("golden, acceptance group 6: the table of times of several runs") {
  wf::timing_tracer<fake_clock> timing;
  for (const char* characters : {"a", "a b c", "a ?", "a b c d e f g h"})
    (void)compiler(text_of(characters), timing);
  golden::check("step_times.txt", to_text(timing.times()).view());
}

TEST_CASE("a step that only inner steps were run of is shown without calls") {
  wf::timing_tracer<fake_clock> timing;
  (void)compiler.from<"back/generate">(steps::tree{2}, timing);
  (void)compiler.until<"front/split">(text_of("a"), timing);
  const wf::step_times& times = timing.times();
  REQUIRE(times.find("back") != nullptr);
  CHECK(has(times, "back", 0, 0, 0, 0));
  CHECK(has(times, "back/generate", 1, 0, 1, 1));
  CHECK(times.find("back/generate")->depth == 1);
  CHECK(times.rows()[times.find("back/generate")->parent].path.view() == "back");
  CHECK(times.find("optimise") == nullptr);
  CHECK(times.total().wall == 3'000'000);
}

TEST_CASE("steps stand below the one around them, whatever ran first") {
  wf::step_times times;
  times.add("b/x");
  times.add("a");
  times.add("b/y/z");
  times.add("a/x");
  const auto rows = to_rows(times);
  const char* expected[] = {"step", "b", "  x", "  y", "    z", "a", "  x", "all"};
  REQUIRE(rows.size() == 8);
  for (std::size_t i = 0; i < 8; ++i) CHECK(rows[i][0].view() == expected[i]);
  CHECK(rows[1][7].view() == "-");  // the share of zero time is undefined
}

TEST_CASE("an exception ends every step that it leaves") {
  const auto throwing = compiler.replace<"front/parse">(
      [](const steps::words&) -> wf::result<steps::tree> { throw std::runtime_error("no"); });
  wf::timing_tracer<fake_clock> timing;
  CHECK_THROWS_AS((void)throwing(text_of("a"), timing), wf::step_exception);
  CHECK(has(timing.times(), "front/parse", 1, 1, 1, 1));
  CHECK(has(timing.times(), "front", 1, 1, 3, 5));
  (void)compiler(text_of("a"), timing);
  CHECK(has(timing.times(), "front", 2, 1, 6, 10));
}

TEST_CASE("a step that runs inside of itself is not counted twice") {
  wf::timing_tracer<fake_clock> timing;
  const wf::step_info outer{"again", "a", "a", nullptr, 0}, inner = outer;
  timing.enter(outer, 0);
  timing.enter(inner, 0);
  timing.leave(inner, 0);
  timing.leave(outer, 0);
  CHECK(has(timing.times(), "again", 2, 0, 3, 3));
}

TEST_CASE("a step that was left without word ends with the one around it") {
  wf::timing_tracer<fake_clock> timing;
  const wf::step_info outer{"outer", "a", "a", nullptr, 0}, inner{"inner", "a", "a", &outer, 1};
  timing.enter(outer, 0);
  timing.enter(inner, 0);
  timing.fail(outer, {});
  timing.fail(outer, {});  // no step is open
  CHECK(has(timing.times(), "outer", 1, 1, 2, 2));
  CHECK(has(timing.times(), "outer/inner", 0, 0, 0, 0));
}

TEST_CASE("tables of several threads join") {
  constexpr std::size_t threads = 4;
  std::vector<wf::timing_tracer<>> tracers(threads);
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < threads; ++i)
    running.emplace_back([&tracer = tracers[i], i] {
      for (std::size_t k = 0; k <= 10 * i; ++k) (void)compiler(text_of("a b ?"), tracer);
      if (i == 2) (void)compiler(text_of("a"), tracer);
    });
  for (std::thread& t : running) t.join();
  for (std::size_t i = 1; i < threads; ++i) tracers[0].merge(tracers[i]);
  const wf::step_times& all = tracers[0].times();
  CHECK(all.find("front/split")->calls == 65);
  CHECK(all.find("front/parse")->failures == 64);
  CHECK(all.find("back/generate")->calls == 1);
  CHECK(all.rows().size() == 8);
  for (const wf::step_time& row : all.rows()) {
    CAPTURE(row.path.view());
    CHECK(row.own.wall >= 0);
    CHECK(row.own.cpu >= 0);
    CHECK(row.total.wall >= row.own.wall);
  }
  CHECK(all.total().wall == all.find("front")->total.wall + all.find("optimise")->total.wall +
                                all.find("back")->total.wall);
}

TEST_CASE("figures are rounded exactly") {
  using wf::detail::milliseconds, wf::detail::percentage;
  CHECK(milliseconds(0).view() == "0.000");
  CHECK(milliseconds(499).view() == "0.000");
  CHECK(milliseconds(500).view() == "0.001");
  CHECK(milliseconds(1'234'567'899).view() == "1,234.568");
  CHECK(milliseconds(INT64_MAX).view() == "9,223,372,036,854.776");
  CHECK(percentage(1, 3).view() == "33.3 %");
  CHECK(percentage(2, 3).view() == "66.7 %");
  CHECK(percentage(INT64_MAX, INT64_MAX).view() == "100.0 %");
  CHECK(percentage(0, 0).view() == "-");
}
