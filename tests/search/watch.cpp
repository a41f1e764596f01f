// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <wf/map/batch/clean_up.hpp>
#include <wf/map/place/map.hpp>
#include <wf/search/watch.hpp>

#include "../map/checker.hpp"
#include "../map/layered_workload.hpp"
#include "../sanitized.hpp"

namespace {

/// The default predictor with a counter of calls: a measure of work that the mapper cannot
/// misreport.
struct counting_model {
  std::uint64_t* calls = nullptr;

  template <class Emit>
  constexpr void tilings(const wf::operator_load& load, const wf::pe_array& a, std::int32_t rows,
                         std::int32_t columns, Emit&& emit) const {
    ++*calls;
    model.tilings(load, a, rows, columns, emit);
  }
  constexpr std::int64_t result_bytes(const wf::operator_load& load, const wf::pe_array& a,
                                      std::int32_t rows, std::int32_t columns) const {
    ++*calls;
    return model.result_bytes(load, a, rows, columns);
  }
  constexpr std::int64_t transfer(const wf::pe_array& a, const wf::rectangle& from,
                                  const wf::rectangle& to, std::int64_t bytes) const {
    ++*calls;
    return model.transfer(a, from, to, bytes);
  }

  wf::cycle_model model;
};

/// The predictor's work as seen by a callback.
struct seen_work {
  std::uint64_t calls = 0, at_question = 0, largest = 0, questions = 0;
  void ask() {
    ++questions;
    largest = std::max(largest, calls - at_question);
    at_question = calls;
  }
};

/// The maximum work between two calls of the callback, and after it has asked to stop.
constexpr std::uint64_t most_between = 100'000;

/// Maps, and stops at the callback with number `last`.
std::pair<wf::result<wf::mapping>, seen_work> map_until(const wf::workload& w,
                                                        const wf::pe_array& a, std::uint64_t last,
                                                        const wf::map_options& options = {}) {
  seen_work seen;
  bool had = false, told = true;
  counting_model model{&seen.calls, {}};
  auto m = wf::map(
      w, a, options,
      [&](const wf::search_progress& p) {
        seen.ask();
        told = told && (!had || p.incumbent != wf::unbounded) && p.bound <= p.incumbent;
        had = had || p.incumbent != wf::unbounded;
        CHECK(seen.questions <= last);  // no callback after the stop
        return seen.questions < last;
      },
      model);
  CHECK(told);
  CHECK((m ? had || m->proven() : !had));
  return {std::move(m), seen};
}

}  // namespace

TEST_CASE("a watch asks after so many steps, and no more once it is told to stop") {
  int asked = 0;
  const auto answer = [&] { return ++asked < 3; };
  const wf::callable_to<const decltype(answer), bool> ask(answer);
  wf::search_watch watch(ask);
  for (int i = 1; i <= 20; ++i) {
    CHECK(watch.go_on(wf::search_watch::interval / 2) == (i < 6));
    CHECK(watch.stopped() == (i >= 6));
    CHECK(asked == std::min(i / 2, 3));
  }
  CHECK(watch.steps() == 10 * wf::search_watch::interval);
  wf::search_watch silent;
  CHECK(silent.go_on(UINT64_MAX));
}

TEST_CASE("who maps is asked after a bounded amount of work, and heard at once") {
  int stopped = 0, without = 0, searching = 0;
  for (std::uint64_t seed = 1; seed <= 14; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto size =
        static_cast<std::uint32_t>(wf_test::pick(random, 20, seed % 7 == 0 ? 600 : 90));
    const auto width = static_cast<std::uint32_t>(wf_test::pick(random, 1, 12));
    const wf::workload w = wf_test::layered_workload(random, size, width);
    const wf::pe_array a =
        wf_test::square_array(wf_test::pick(random, 0, 1) == 0 ? 40'000 : 100'000);
    for (const std::uint64_t last : {1u, 2u, 5u, 60u, 200u}) {
      CAPTURE(last);
      const auto [m, seen] = map_until(w, a, last);
      REQUIRE(seen.largest <= most_between);
      REQUIRE(seen.calls - seen.at_question <= most_between);
      if (!m) {
        const bool refuted = m.error().code == wf::errc::mapping_infeasible;
        CHECK((refuted ? seen.questions < last : m.error().code == wf::errc::search_limit));
        without += refuted ? 0 : 1;
        continue;
      }
      REQUIRE(wf_test::check(w, a, *m) == "");
      if (m->proven()) continue;
      CHECK(seen.questions == last);
      CHECK(m->status == wf::search_status::stopped_by_caller);
      ++stopped;
      if (m->counters.nodes > 0) ++searching;
    }
  }
  MESSAGE(stopped << " stopped with a mapping, " << without << " before they had one, " << searching
                  << " during the search");
  CHECK(stopped > 20);
  CHECK(without > 0);
  CHECK(searching > 5);
}

TEST_CASE("the first mapping of a large workload is announced at once") {
  // The work may grow linearly with operators and operands, as bounds and tables do.
  for (const std::uint32_t size : {1'000u, 3'000u}) {
    if (wf_test::sanitized && size > 1'000) continue;
    std::mt19937_64 random(size);
    const wf::workload w = wf_test::layered_workload(random, size, 10);
    const wf::pe_array a = wf_test::square_array(65'536);
    seen_work seen;
    std::uint64_t first = 0;
    counting_model model{&seen.calls, {}};
    const auto m = wf::map(
        w, a, wf::map_options{},
        [&](const wf::search_progress& p) {
          seen.ask();
          if (p.incumbent != wf::unbounded) first = seen.calls;
          return first == 0;
        },
        model);
    REQUIRE(m);
    CHECK(wf_test::check(w, a, *m) == "");
    CHECK(seen.calls - first == 0);
    CHECK(seen.largest <= most_between);
    // 128 calls per operator for tables of 64 shapes; the rest is the list schedule.
    CHECK(first <= std::uint64_t{2'000} * size);
  }
}

TEST_CASE("why nothing fits is not looked for any more after a stop") {
  std::mt19937_64 random(3);
  const wf::workload w = wf_test::layered_workload(random, 400, 8);
  wf::pe_array a = wf_test::square_array(5'000);
  const auto whole =
      wf::map(w, a, wf::map_options{}, [](const wf::search_progress&) { return true; });
  REQUIRE_FALSE(whole);
  REQUIRE(whole.error().code == wf::errc::mapping_infeasible);
  std::uint64_t questions = 0;
  const auto m =
      wf::map(w, a, wf::map_options{}, [&](const wf::search_progress&) { return ++questions < 3; });
  REQUIRE_FALSE(m);
  CHECK(questions == 3);
  CHECK(m.error().code == wf::errc::search_limit);
}

TEST_CASE("a clean-up that is stopped gives a mapping that is no longer") {
  std::mt19937_64 random(5);
  const wf::workload w = wf_test::layered_workload(random, 60, 6);
  const wf::pe_array a = wf_test::square_array(65'536);
  const auto m = map_until(w, a, 9).first;
  REQUIRE(m);
  for (const std::uint64_t last : {1u, 3u, 8u, 15u}) {
    seen_work seen;
    counting_model model{&seen.calls, {}};
    const auto cleaned = wf::clean_up(
        w, a, *m, {},
        [&](const wf::search_progress& p) {
          seen.ask();
          CHECK(p.incumbent == m->makespan);
          return seen.questions < last;
        },
        model);
    REQUIRE(cleaned);
    CHECK(seen.questions == last);
    CHECK(seen.largest <= most_between);
    CHECK(seen.calls - seen.at_question <= most_between);
    CHECK(cleaned->makespan <= m->makespan);
    CHECK(wf_test::check(w, a, *cleaned) == "");
  }
}
