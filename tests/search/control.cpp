// SPDX-License-Identifier: BSL-1.0
#include <wf/search/control.hpp>

#include <random>
#include <set>
#include <string>

#include <doctest/doctest.h>

namespace {

static_assert(wf::gap_between(100, 90) == wf::ratio{10, 100});
static_assert(wf::gap_between(100, 100) == wf::ratio{0, 1} &&
              wf::gap_between(5, 9) == wf::ratio{0, 1});
static_assert(wf::gap_between(wf::unbounded, 3) == wf::ratio{1, 0});
static_assert(wf::gap_between(wf::unbounded, wf::unbounded) == wf::ratio{1, 0});
// A gap relative to zero or to a negative incumbent is not a fraction.
static_assert(wf::gap_between(0, -5).denominator == 0);
static_assert(wf::gap_between(-2, -5).denominator == 0);
static_assert(wf::gap_between(-5, -5) == wf::ratio{0, 1});
// The same holds for a difference that overflows.
static_assert(wf::gap_between(100, INT64_MIN) == wf::ratio{1, 0});
static_assert(wf::gap_between(INT64_MAX - 1, 0) == wf::ratio{INT64_MAX - 1, INT64_MAX - 1});

static_assert(wf::search_progress{}.gap() == wf::ratio{1, 0});
static_assert(wf::search_progress{100, 75, 3, 2}.gap() == wf::ratio{25, 100});
static_assert(wf::search_progress{} != wf::search_progress{.open = 1});
static_assert(wf::search_counters{} != wf::search_counters{.duplicates = 1});

// While compiling, default limits apply before those of compilers: a step takes about 30 evaluated
// statements.
constexpr wf::search_limits compiling = wf::search_limits{}.resolved();
static_assert(compiling.max_nodes < 100'000);
static_assert(compiling.max_steps * 30 < 1'048'576);
static_assert(compiling.max_open < 100'000);
static_assert(compiling.progress_interval > 0);
static_assert(compiling.resolved() == compiling);
// Stated limits are kept, alone and together.
static_assert(wf::search_limits{.max_nodes = 7}.resolved().max_nodes == 7);
static_assert(wf::search_limits{.max_nodes = 7}.resolved().max_steps == compiling.max_steps);
static_assert(wf::search_limits{1, 2, 3, 4}.resolved() == wf::search_limits{1, 2, 3, 4});

struct until_ten {
  int operator()(wf::search_progress progress) const { return progress.nodes < 10; }
};
struct tells_nothing {
  void operator()(const wf::search_progress&) const {}
};
static_assert(wf::progress_callback<wf::keep_going> && wf::progress_callback<until_ten>);
static_assert(!wf::progress_callback<tells_nothing> && !wf::progress_callback<int>);
static_assert(wf::keep_going{}({}));

struct silent {};
struct busy {
  constexpr std::uint32_t steps() const { return 12; }
};
static_assert(!wf::detail::counts_steps<silent> && wf::detail::counts_steps<busy>);
static_assert(wf::detail::steps_of(silent{}) == 0 && wf::detail::steps_of(busy{}) == 12);

}  // namespace

TEST_CASE("limits that are used up leave one, and no limit stays none") {
  const wf::search_limits limits{.max_nodes = 10, .max_steps = 100};
  const wf::search_limits left = limits.left_after(4, 100);
  CHECK(left.max_nodes == 6);
  CHECK(left.max_steps == 1);
  const wf::search_limits none{.max_nodes = UINT64_MAX, .max_steps = UINT64_MAX, .max_open = 3};
  CHECK(none.left_after(9, 9) == none);
}

TEST_CASE("a limit is reached by as many, not by fewer") {
  const wf::search_limits limits{.max_nodes = 10, .max_steps = 100, .max_open = 5};
  CHECK(!limits.reached_by(9, 99, 4));
  CHECK(limits.reached_by(10, 0));
  CHECK(limits.reached_by(0, 100));
  CHECK(limits.reached_by(0, 0, 5));
}

TEST_CASE("at run time nothing but memory is limited by default") {
  const wf::search_limits limits = wf::search_limits{}.resolved();
  CHECK(limits.max_nodes == UINT64_MAX);
  CHECK(limits.max_steps == UINT64_MAX);
  CHECK(limits.max_open >= 1'000'000);
  CHECK(limits.max_open < UINT32_MAX);
  CHECK(limits.progress_interval == compiling.progress_interval);
  CHECK(limits.resolved() == limits);
}

TEST_CASE("every limit that is given is kept, whichever others are") {
  std::mt19937_64 random(321);
  constexpr std::uint64_t wf::search_limits::* kinds[] = {
      &wf::search_limits::max_nodes, &wf::search_limits::max_steps, &wf::search_limits::max_open,
      &wf::search_limits::progress_interval};
  const wf::search_limits standard = wf::search_limits{}.resolved();
  for (int round = 0; round < 1000; ++round) {
    wf::search_limits given;
    for (const auto kind : kinds)
      if (random() % 2 == 0) given.*kind = random() >> (random() % 64);
    const wf::search_limits limits = given.resolved();
    for (const auto kind : kinds)
      CHECK(limits.*kind == (given.*kind == 0 ? standard.*kind : given.*kind));
  }
}

TEST_CASE("a gap is the part of the incumbent that is not proven") {
  std::mt19937_64 random(322);
  for (int round = 0; round < 2000; ++round) {
    const auto incumbent = static_cast<std::int64_t>(random() % 1000);
    const auto bound = static_cast<std::int64_t>(random() % 1000);
    CAPTURE(incumbent);
    CAPTURE(bound);
    const wf::ratio gap = wf::gap_between(incumbent, bound);
    if (bound >= incumbent)
      CHECK(gap == wf::ratio{0, 1});
    else
      CHECK((gap.numerator + bound == incumbent && gap.denominator == incumbent));
  }
}

TEST_CASE("every status has a name of its own") {
  std::set<std::string> names;
  for (int i = 0; i < 5; ++i) names.insert(wf::to_text(static_cast<wf::search_status>(i)));
  CHECK(names.size() == 5);
  CHECK(names.count(wf::to_text(static_cast<wf::search_status>(5))) == 0);
}
