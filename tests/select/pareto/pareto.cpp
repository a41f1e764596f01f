// SPDX-License-Identifier: BSL-1.0
#include <wf/select/pareto/pareto.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../enumerate.hpp"

using namespace enumerated;

namespace {

// At least the largest own cost, plus an amount that is no sum; rejects some choices.
struct strange_measure {
  bool rejects = false;
  std::int64_t operator()(const wf::selection_problem& p, const wf::selection& s,
                          std::uint32_t metric) const {
    std::int64_t most = 0, mixed = 0;
    for (std::uint32_t k = 0; k < p.classes; ++k) {
      if (s.chosen[k] == wf::no_candidate) continue;
      most = std::max(most, p.cost(s.chosen[k], metric));
      mixed = 3 * mixed + s.chosen[k];
    }
    if (rejects && mixed % 5 == 3) return -1;
    return most + mixed % 7;
  }
};

// Totals of choices in some metrics.
using vectors = std::vector<wf::objective_vector>;

// True if a metric is used: it is requested or limited. Other measured metrics are not measured.
bool counts(const wf::selection_problem& p, const std::vector<std::uint32_t>& metrics,
            std::uint32_t metric) {
  bool out = std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
  for (const wf::selection_limit& l : p.limits) out = out || l.metric == metric;
  return out;
}

vectors feasible_vectors(const wf::selection_problem& p, const std::vector<std::uint32_t>& metrics,
                         const strange_measure& measure) {
  vectors out;
  const auto asked = [&](std::uint32_t m) { return counts(p, metrics, m); };
  for_each_measured(p, measure, asked, [&](const std::vector<std::int64_t>& totals) {
    wf::objective_vector v;
    for (std::uint32_t i = 0; i < metrics.size(); ++i) v[i] = totals[metrics[i]];
    out.push_back(v);
  });
  return out;
}

vectors non_dominated(const vectors& all) {
  vectors out;
  for (const auto& v : all) {
    bool stays = std::find(out.begin(), out.end(), v) == out.end();
    for (const auto& w : all) stays = stays && (w == v || !w.no_worse_than(v));
    if (stays) out.push_back(v);
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::vector(a.values, a.values + 3) < std::vector(b.values, b.values + 3);
  });
  return out;
}

struct question {
  wf::selection_problem problem;
  std::vector<std::uint32_t> metrics;
};

// A random problem with sums, maxima and measured metrics, pairs and limits, and at least two
// metrics.
question random_question(std::mt19937& random, bool with_measured) {
  question q;
  do q.problem = random() % 2 == 0 ? random_problem(random) : random_packing(random);
  while (q.problem.metrics.size() < 2);
  if (random() % 2 == 0) q.problem.limits.clear();
  if (random() % 2 == 0)  // more alternatives, and larger fronts
    for (std::uint32_t k = 0; k < q.problem.classes; ++k) q.problem.add_root(k);
  if (with_measured && q.problem.pairs.empty())
    q.problem.metrics[random() % q.problem.metrics.size()].kind = wf::aggregation::measured;
  for (std::uint32_t m = 0; m < q.problem.metrics.size(); ++m) q.metrics.push_back(m);
  std::shuffle(q.metrics.begin(), q.metrics.end(), random);
  if (q.metrics.size() == 3 && random() % 3 == 0) q.metrics.pop_back();
  return q;
}

vectors points_of(const wf::pareto_front& front) {
  vectors out;
  for (const wf::pareto_point& point : front.points) out.push_back(point.value);
  return out;
}

// Checks the invariant of every front, complete or not.
void check_front(const wf::pareto_front& front, const vectors& all) {
  const vectors best = non_dominated(all);
  for (const wf::pareto_point& point : front.points) {
    CHECK(std::find(all.begin(), all.end(), point.value) != all.end());
    if (point.proven) CHECK(std::find(best.begin(), best.end(), point.value) != best.end());
    for (std::size_t i = 0; i < front.metrics.size(); ++i)
      CHECK(point.best.totals[front.metrics[i]] == point.value.values[i]);
  }
  for (const auto& v : all) {
    bool covered = false;
    for (const wf::pareto_point& point : front.points)
      covered = covered || (point.proven && point.value.no_worse_than(v));
    for (const wf::objective_box& box : front.open) covered = covered || box.contains(v);
    CHECK(covered);
  }
  CHECK(front.proven() == front.open.empty());
  if (front.proven()) CHECK(points_of(front) == best);
}

// Two alternatives for each of three steps: fast and large, or slow and small.
constexpr wf::selection_problem trade_offs() {
  wf::selection_problem p;
  p.add_metric("time");
  p.add_metric("memory");
  p.add_metric("widest", wf::aggregation::maximum);
  for (std::uint32_t k = 0; k < 3; ++k) {
    p.add_root(p.add_class());
    const std::int64_t fast[] = {2, 9 + std::int64_t{k}, 5},
                       slow[] = {5 + 2 * std::int64_t{k}, 4, 3};
    p.add_candidate(k, {}, fast);
    p.add_candidate(k, {}, slow);
  }
  p.objective = wf::minimise_metric(0);
  return p;
}

constexpr std::size_t points_while_compiling(std::uint32_t count) {
  const std::uint32_t metrics[] = {0, 1, 2};
  const auto front = wf::select_pareto(trade_offs(), {metrics, count});
  return front && front->proven() ? front->points.size() : 0;
}
static_assert(points_while_compiling(2) == 8);
static_assert(points_while_compiling(3) == 8);

}  // namespace

TEST_CASE("fronts of all kinds of problems are those of enumeration") {
  std::mt19937 random(301);
  int infeasible = 0, large = 0;
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(round);
    const question q = random_question(random, round % 3 == 0);
    const strange_measure measure{random() % 3 == 0};
    const vectors all = feasible_vectors(q.problem, q.metrics, measure);
    const auto front = wf::select_pareto(q.problem, q.metrics, {}, wf::keep_going{}, measure);
    CHECK(front.has_value() == !all.empty());
    if (!front) {
      ++infeasible;
      CHECK(front.error().code == wf::errc::infeasible);
      continue;
    }
    CHECK(front->proven());
    CHECK(front->status == wf::pareto_status::complete);
    check_front(*front, all);
    large += front->points.size() > 5;
  }
  CHECK(infeasible > 500);
  CHECK(large > 100);
}

TEST_CASE("a front that is stopped anywhere holds proven points and valid boxes") {
  std::mt19937 random(302);
  int stopped[4] = {};
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const question q = random_question(random, round % 3 == 0);
    const strange_measure measure{random() % 3 == 0};
    const vectors all = feasible_vectors(q.problem, q.metrics, measure);
    wf::pareto_limits limits;
    int calls = static_cast<int>(random() % 12);
    const auto patience = [&](const wf::pareto_progress&) { return calls-- > 0; };
    if (round % 3 == 0) limits.max_points = 1 + random() % 4;
    if (round % 3 == 1) limits.search.max_steps = 1 + random() % 2000;
    if (round % 3 != 2) calls = 1'000'000;
    const auto front = wf::select_pareto(q.problem, q.metrics, limits, patience, measure);
    if (!front) {
      CHECK((all.empty() || front.error().code == wf::errc::search_limit));
      continue;
    }
    check_front(*front, all);
    CHECK(front->points.size() <= limits.max_points);
    ++stopped[static_cast<int>(front->status)];
  }
  for (const int count : stopped) CHECK(count > 50);
}

TEST_CASE("a few points of a large front are spread over it") {
  wf::selection_problem p;
  p.add_metric("time");
  p.add_metric("memory");
  for (std::uint32_t k = 0; k < 10; ++k) {
    p.add_root(p.add_class());
    const std::int64_t fast[] = {0, 1 << k}, slow[] = {1 << k, 0};
    p.add_candidate(k, {}, fast);
    p.add_candidate(k, {}, slow);
  }
  p.objective = wf::minimise_metric(0);
  const std::uint32_t metrics[] = {0, 1};
  const auto front = wf::select_pareto(p, metrics, {{}, 9});
  REQUIRE(front);
  CHECK(front->status == wf::pareto_status::full);
  REQUIRE(front->points.size() == 9);
  for (std::size_t i = 1; i < 9; ++i)
    CHECK(front->points[i].value[0] - front->points[i - 1].value[0] < 1024 / 4);
  const auto all = wf::select_pareto(p, metrics, {{}, 2000});
  REQUIRE(all);
  CHECK(all->proven());
  CHECK(all->points.size() == 1024);
}

TEST_CASE("metrics that make no front are refused") {
  const wf::selection_problem p = trade_offs();
  const auto code = [&](const std::vector<std::uint32_t>& metrics, wf::pareto_limits limits = {}) {
    return wf::select_pareto(p, metrics, limits).error();
  };
  for (const auto& metrics : {std::vector<std::uint32_t>{0}, {0, 1, 2, 0}, {0, 0}, {1, 7}})
    CHECK(code(metrics).code == wf::errc::invalid_problem);
  CHECK(code({0, 1, 0}).subject.view() == "time");
  CHECK(code({0, 1}, {{}, 0}).code == wf::errc::invalid_problem);
  CHECK(code({0, 1}).code == wf::errc::none);
}
