// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/array/constraints.hpp>
#include <wf/map/place/map.hpp>
#include <wf/simulate/replay/mapping.hpp>

#include "../checker.hpp"
#include "../random_constraints.hpp"
#include "../random_workload.hpp"
#include "../small_problems.hpp"

namespace {

constexpr wf::workload three() {
  wf::workload_operator o;
  o.macs = 64;
  o.first_axis = o.second_axis = 4;
  wf::workload w = wf_test::alike("three", o, {"a", "b", "c"});
  o = {};
  o.label = wf::text("view");
  o.is_view = true;
  w.add(o);
  w.connect(0, 3, 0);
  return w;
}

constexpr wf::pe_array square() {
  wf::pe_array a = wf_test::row_of(2, 100);
  a.rows = 2;
  return a;
}

constexpr wf::mapping mapped(const wf::map_constraints& wishes) {
  wf::map_options options;
  options.constraints = wishes;
  return *wf::map(three(), square(), options);
}

// Each operator takes 4 cycles on all PEs, 16 on one.
static_assert(mapped({}).makespan == 12);
static_assert(mapped(wf::map_constraints().pin(0, {0, 0, 1, 1})).makespan == 16);
static_assert(mapped(wf::map_constraints().pin(0, {0, 0, 1, 1})).proven());
static_assert(wf::validate(wf::map_constraints().order(0, 1), three(), square()).has_value());

wf::error refused(const wf::map_constraints& wishes) {
  const auto valid = wf::validate(wishes, three(), square());
  REQUIRE_FALSE(valid);
  CHECK(valid.error().code == wf::errc::invalid_problem);
  wf::map_options options;
  options.constraints = wishes;
  CHECK(wf::map(three(), square(), options).error().message == valid.error().message);
  return valid.error();
}

void compare_with_brute_force(std::uint64_t seed, int cases, std::int32_t rows,
                              std::int32_t columns, int most) {
  int infeasible = 0, dearer = 0;
  for (int i = 0; i < cases; ++i) {
    CAPTURE(seed + static_cast<std::uint64_t>(i));
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(i));
    const wf::workload w =
        wf_test::random_workload(random, static_cast<int>(wf_test::pick(random, 2, most)));
    const wf::pe_array a = wf_test::random_array(random, rows, columns);
    wf::map_options options;
    const auto freely = wf::map(w, a, options);
    options.constraints = wf_test::random_constraints(random, w, a, 3);
    const auto m = wf::map(w, a, options);
    wf_test::brute_force all(w, a, options.constraints);
    if (!m) {
      ++infeasible;
      REQUIRE(m.error().code == wf::errc::mapping_infeasible);
      REQUIRE_FALSE(all.beats(1'000'000));
      continue;
    }
    REQUIRE(m->proven());
    REQUIRE(wf_test::check(w, a, *m) == "");
    REQUIRE(wf_test::broken_wish(options.constraints, w, *m) == "");
    REQUIRE_FALSE(all.beats(m->makespan));
    REQUIRE(m->makespan >= freely->makespan);
    dearer += m->makespan > freely->makespan ? 1 : 0;
    const auto t = wf::simulate(w, a, *m, {.constraints = options.constraints});
    REQUIRE(t);
    REQUIRE(t->makespan == m->makespan);
  }
  MESSAGE(cases << " cases on " << rows << "x" << columns << ": " << infeasible << " infeasible, "
                << dearer << " with a longer makespan than without constraints");
  CHECK(infeasible < cases * 2 / 3);
  CHECK(dearer > cases / 10);
}

}  // namespace

TEST_CASE("constrained optima agree with brute force") {
  compare_with_brute_force(1000, 1000, 1, 2, 4);
  compare_with_brute_force(20000, 500, 2, 2, 3);
  compare_with_brute_force(40000, 200, 1, 3, 3);
}

TEST_CASE("a search that leaves rectangles out still finds the pinned ones") {
  std::mt19937_64 random(5);
  wf::workload w = wf_test::random_workload(random, 12);
  for (auto& o : w.operators) o.is_view = false;
  wf::pe_array a = wf_test::random_array(random, 5, 5);
  a.memory_bytes = 4096;
  a.dead = {};
  wf::map_options options;
  options.constraints.pin(2, {1, 1, 2, 3}).pin(3, {3, 0, 1, 2}).keep_inside(5, {0, 2, 3, 2});
  options.constraints.forbid(wf::every_operator, {0, 0, 1, 1}).order(7, 4);
  options.limits.max_nodes = 50;
  const auto m = wf::map(w, a, options);
  if (m) {
    CHECK(wf_test::check(w, a, *m) == "");
    CHECK(wf_test::broken_wish(options.constraints, w, *m) == "");
    CHECK(m->operators[2].where == wf::rectangle{1, 1, 2, 3});
  } else {
    // 4 precedes 7 in the data flow.
    CHECK(m.error().code == wf::errc::mapping_infeasible);
  }
}

TEST_CASE("operators that wait for each other take as long as their fastest runs together") {
  int sharper = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w = wf_test::random_workload(random, 5);
    const wf::pe_array a = wf_test::random_array(random, 2, 2);
    wf::map_constraints wishes;
    std::uint32_t before = UINT32_MAX;
    for (std::uint32_t v = 0; v < w.operators.size(); ++v) {
      if (w.operators[v].is_view) continue;
      if (before != UINT32_MAX) wishes.order(before, v);
      before = v;
    }
    auto ready = wf::prepare(w, a, wf::cycle_model{});
    if (!ready) continue;
    const std::int64_t freely = ready->bound;
    if (!wf::constrain(*ready, wf::prepared_constraints(wishes, *ready), a)) continue;
    std::int64_t together = 0;
    for (const wf::prepared_operator& p : ready->operators) together += p.fastest;
    if (wishes.rules.empty()) continue;
    CHECK(ready->bound >= together);
    sharper += ready->bound > freely ? 1 : 0;
  }
  CHECK(sharper > 100);
}

TEST_CASE("wishes without sense are refused by name") {
  CHECK(refused(wf::map_constraints().pin(9, {0, 0, 1, 1})).subject == wf::text("three"));
  CHECK(refused(wf::map_constraints().pin(wf::every_operator, {0, 0, 1, 1})).subject ==
        wf::text("three"));
  CHECK(refused(wf::map_constraints().pin(3, {0, 0, 1, 1})).subject == wf::text("view"));
  CHECK(refused(wf::map_constraints().order(0, 3)).subject == wf::text("view"));
  CHECK(refused(wf::map_constraints().order(1, 1)).subject == wf::text("b"));
  CHECK(refused(wf::map_constraints().forbid(2, {0, 0, 0, 1})).subject == wf::text("c"));
  CHECK(refused(wf::map_constraints().keep_inside(2, {1, 1, 1, 2})).message ==
        wf::text("the rectangle 1x2@(1,1) of a constraint is empty or not inside the array"));
  CHECK(refused(wf::map_constraints().keep_inside(2, {-1, 0, 1, 2})).subject == wf::text("c"));
  CHECK(refused(wf::map_constraints().forbid(wf::every_operator, {0, 0, 1, INT32_MAX})).subject ==
        wf::text("three"));
}

TEST_CASE("constraints have a text") {
  const wf::workload w = three();
  wf::map_constraints c;
  c.pin(0, {0, 0, 1, 2}).keep_inside(1, {0, 0, 2, 2}).forbid(wf::every_operator, {1, 1, 1, 1});
  c.order(2, 0);
  CHECK(wf::to_text(c.rules[0], w) == wf::text("a exactly on 1x2@(0,0)"));
  CHECK(wf::to_text(c.rules[1], w) == wf::text("b inside 2x2@(0,0)"));
  CHECK(wf::to_text(c.rules[2], w) == wf::text("every operator not on 1x1@(1,1)"));
  CHECK(wf::to_text(c.rules[3], w) == wf::text("c before a"));
  CHECK_FALSE(c.empty());
}
