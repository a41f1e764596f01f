// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/search.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/packing/component_search.hpp>
#include <wf/select/select.hpp>

#include "../packing_oracle.hpp"

using namespace enumerated;

namespace {

// The packing search without an initial solution and without improvement of incumbents.
wf::detail::stage_outcome search_alone(const wf::selection_problem& p,
                                       const wf::search_limits& limits) {
  const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
  const auto reduced = wf::detail::reduce(p, stage);
  wf::detail::stage_outcome out;
  if (!reduced.feasible) return out;
  const wf::keep_going going_on;
  const wf::progress_callback_to<const wf::keep_going> callback(going_on);
  wf::detail::choice_pricer pricer(p, stage, reduced, nullptr);
  const wf::in_turn executor;
  wf::detail::packing_stage(p, stage, reduced, pricer, callback, limits.resolved(), executor, out)
      .run(0);
  return out;
}

bool agrees(const wf::selection_problem& p, const wf::detail::stage_outcome& found,
            const brute& expected) {
  if (found.found != !expected.best.empty()) return false;
  if (!found.found) return found.status == wf::search_status::infeasible;
  if (found.status != wf::search_status::proven || found.value != expected.best[0] ||
      found.bound != expected.best[0])
    return false;
  std::vector<std::int64_t> totals;
  std::vector<bool> used;
  return evaluate(p, choice_of(p, found.best), totals, used) &&
         values_of(found.best.totals) == totals;
}

}  // namespace

TEST_CASE("the packing search alone against enumeration: sharing, cycles, limits, pairs") {
  std::mt19937 random(501);
  int infeasible = 0, pairs = 0, limited = 0;
  for (int round = 0; round < 30'000; ++round) {
    const wf::selection_problem p = random_packing(random);
    const brute expected = enumerate(p);
    infeasible += expected.best.empty();
    pairs += !p.pairs.empty();
    limited += !p.limits.empty();
    if (agrees(p, search_alone(p, {}), expected)) continue;
    FAIL_CHECK("round ", round);
    break;
  }
  CHECK(infeasible > 3'000);
  CHECK(pairs > 10'000);
  CHECK(limited > 10'000);
}

TEST_CASE("selection with pairs against enumeration") {
  std::mt19937 random(502);
  for (int round = 0; round < 15'000; ++round) {
    const wf::selection_problem p = random_packing(random);
    const brute expected = enumerate(p);
    const auto found = wf::select(p);
    CAPTURE(round);
    REQUIRE(found.has_value() == !expected.best.empty());
    if (!found) {
      CHECK((found.error().code == wf::errc::infeasible));
      continue;
    }
    CHECK(found->proven());
    CHECK(values_of(found->objective) == expected.best);
    for (const wf::rejection& r : found->rejected) {
      const auto& with = expected.with[r.candidate];
      if (r.kind == wf::rejection_kind::no_better && !with.empty() && r.level == 0)
        CHECK(r.at_least <= with[0]);
    }
  }
}

TEST_CASE("a packing search that is stopped keeps a valid bound") {
  std::mt19937 random(503);
  for (int round = 0; round < 3'000; ++round) {
    const wf::selection_problem p = random_packing(random);
    const brute expected = enumerate(p);
    const auto found = search_alone(p, wf::search_limits{.max_nodes = 1 + random() % 3});
    if (expected.best.empty()) {
      CHECK(!found.found);
      continue;
    }
    CHECK(found.bound <= expected.best[0]);
    if (found.found) CHECK(found.value >= expected.best[0]);
  }
}

TEST_CASE("exploring and cutting from the first step on change no proof") {
  std::mt19937 random(504);
  int searched = 0;
  for (int round = 0; round < 4'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    wf::detail::packing_search<> search(m);
    search.set_budget(random() % 2 == 0 ? 0 : 1'000);
    search.set_exploring(0);
    wf::detail::packing_cuts pool;
    if (round % 2 == 0) search.set_cutting(pool);
    wf::table<std::uint32_t> suggested(m.classes, wf::detail::packing_model::none);
    for (std::uint32_t k = 0; k < m.classes; ++k)
      if (random() % 2 == 0) suggested[k] = random_value(m, k, random);
    search.suggest(suggested);
    int asked = 0;
    search.start([&] { return ++asked < 8; });
    search.fix_root(false);
    searched += !search.closed();
    wf::keep_going callback;
    const wf::in_turn executor;
    wf::detail::packing_team(search, executor, random() % 8)
        .run(wf::search_limits{}.resolved(), callback);
    CHECK(search.closed());
    const std::optional<std::int64_t> expected = optimum(m);
    CHECK(expected.has_value() == (search.value() != wf::unbounded));
    if (!expected) continue;
    CHECK(m.base + search.value() == *expected);
    CHECK(m.base + search.bound() == *expected);
    CHECK(is_solution(m, search.best()));
  }
  CHECK(searched > 30);
}
