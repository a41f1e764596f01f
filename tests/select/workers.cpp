// SPDX-License-Identifier: BSL-1.0
#include <wf/select/workers.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "enumerate.hpp"

namespace {

// Two ways to a result: one node of 10, or two of 6 side by side and one of 1 that joins them.
constexpr wf::selection_problem forked() {
  wf::selection_problem p;
  p.add_metric("work");
  p.add_metric("path", wf::aggregation::critical_path);
  for (int k = 0; k < 3; ++k) p.add_class();
  const std::uint32_t halves[] = {0, 1};
  const std::int64_t six[] = {6, 6}, ten[] = {10, 10}, one[] = {1, 1};
  p.add_candidate(0, {}, six);
  p.add_candidate(1, {}, six);
  p.add_candidate(2, {}, ten);
  p.add_candidate(2, halves, one);
  p.add_root(2);
  return p;
}
constexpr std::int64_t best_on(std::uint32_t workers) {
  const auto search = [](const wf::selection_problem& p) { return wf::select(p); };
  const auto found = wf::select_for_workers(forked(), {0, 1, workers}, search);
  return found && found->best.proven() ? found->best.objective[0] : -1;
}
static_assert(best_on(1) == 10);  // the least work
static_assert(best_on(2) == 7);   // more work, a shorter path

}  // namespace

TEST_CASE("the selection is the best one for any number of workers, by enumeration") {
  std::mt19937 random(20261128);
  std::size_t solved = 0, traded = 0, searches = 0;
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(round);
    wf::selection_problem p = enumerated::random_problem(random);
    if (p.metrics.size() < 2) continue;
    p.metrics[0].kind = wf::aggregation::sum;
    p.metrics[1].kind = wf::aggregation::critical_path;
    const wf::shared_work of{0, 1, 1 + enumerated::below(random, 4)};
    std::int64_t best = -1;
    std::vector<std::int64_t> totals;
    std::vector<bool> used;
    enumerated::for_each_choice(p, [&](const std::vector<std::uint32_t>& choice) {
      if (!enumerated::evaluate(p, choice, totals, used)) return;
      const std::int64_t value = of.value_of({totals.data(), totals.size()});
      if (best < 0 || value < best) best = value;
    });
    const auto search = [](const wf::selection_problem& one) { return wf::select(one); };
    const auto found = wf::select_for_workers(p, of, search);
    if (best < 0) {
      REQUIRE(!found);
      CHECK(found.error().code == wf::errc::infeasible);
      continue;
    }
    REQUIRE(found);
    ++solved;
    searches = std::max<std::size_t>(searches, found->searches);
    CHECK(found->best.proven());
    CHECK(found->best.objective[0] == best);
    CHECK(found->best.bound[0] == best);
    CHECK(of.value_of(found->best.best.totals) == best);
    CHECK(found->least_work[0] <= found->best.best.totals[0]);
    traded += found->least_work[0] < found->best.best.totals[0] ? 1 : 0;
    // The selection is one, and has these totals.
    const auto choice = enumerated::choice_of(p, found->best.best);
    REQUIRE(enumerated::evaluate(p, choice, totals, used));
    CHECK(totals == enumerated::values_of(found->best.best.totals));
  }
  CHECK(solved > 1500);
  CHECK(traded > 50);
  CHECK(searches > 2);
}

TEST_CASE("a search without a proof leaves a valid bound") {
  std::mt19937 random(77);
  std::size_t open = 0;
  for (int round = 0; round < 3000; ++round) {
    wf::selection_problem p = enumerated::random_problem(random);
    if (p.metrics.size() < 2) continue;
    p.metrics[0].kind = wf::aggregation::sum;
    p.metrics[1].kind = wf::aggregation::critical_path;
    const wf::shared_work of{0, 1, 2};
    // What the engine would say if a limit had ended a search: a worse bound.
    const auto search = [&](const wf::selection_problem& one) {
      auto found = wf::select(one);
      if (found && random() % 2 == 0 && found->bound[0] > 0) {
        found->bound[0] -= 1 + static_cast<std::int64_t>(random()) % found->bound[0];
        found->status = wf::search_status::stopped_by_limit;
      }
      return found;
    };
    const auto found = wf::select_for_workers(p, of, search);
    if (!found) continue;
    std::int64_t best = -1;
    std::vector<std::int64_t> totals;
    std::vector<bool> used;
    enumerated::for_each_choice(p, [&](const std::vector<std::uint32_t>& choice) {
      if (!enumerated::evaluate(p, choice, totals, used)) return;
      const std::int64_t value = of.value_of({totals.data(), totals.size()});
      if (best < 0 || value < best) best = value;
    });
    CHECK(found->best.bound[0] <= best);
    CHECK(found->best.objective[0] >= best);
    CHECK(found->best.proven() == (found->best.bound[0] == found->best.objective[0]));
    open += found->best.proven() ? 0 : 1;
  }
  CHECK(open > 100);
}

TEST_CASE("other metrics are refused") {
  const auto search = [](const wf::selection_problem& p) { return wf::select(p); };
  for (const wf::shared_work of : {wf::shared_work{1, 1, 2}, wf::shared_work{0, 0, 2},
                                   wf::shared_work{0, 1, 0}, wf::shared_work{7, 1, 2}}) {
    const auto found = wf::select_for_workers(forked(), of, search);
    REQUIRE(!found);
    CHECK(found.error().code == wf::errc::invalid_problem);
  }
}
