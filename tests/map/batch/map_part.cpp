// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/batch/map_part.hpp>
#include <wf/search/threads.hpp>
#include <wf/simulate/replay/mapping.hpp>

#include "../checker.hpp"
#include "../random_constraints.hpp"
#include "../random_workload.hpp"

namespace {

/// A random rectangle of the array.
wf::rectangle random_part(std::mt19937_64& random, const wf::pe_array& a) {
  return wf_test::random_rectangle(random, a);
}

wf::pe_array random_large(std::mt19937_64& random) {
  wf::pe_array a =
      wf_test::random_array(random, static_cast<std::int32_t>(wf_test::pick(random, 1, 3)),
                            static_cast<std::int32_t>(wf_test::pick(random, 2, 4)));
  if (a.memory_bytes < 100) a.memory_bytes = 40;
  return a;
}

}  // namespace

TEST_CASE("a larger array is never worse, however early the searches stop") {
  int cases = 0, better = 0, on_a_part = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w =
        wf_test::random_workload(random, static_cast<int>(wf_test::pick(random, 2, 6)));
    const wf::pe_array large = random_large(random);
    const wf::pe_array small = wf::part_of(large, random_part(random, large));
    wf::map_options options;
    options.limits.max_nodes = static_cast<std::uint64_t>(wf_test::pick(random, 1, 12));
    const auto few = wf::map_onto_part(w, small, options);
    const auto many = wf::map_onto_part(w, large, options);
    if (!few) continue;
    REQUIRE(many);
    ++cases;
    REQUIRE(many->placed.makespan <= few->placed.makespan);
    better += many->placed.makespan < few->placed.makespan ? 1 : 0;
    REQUIRE(wf_test::check(w, many->array, many->placed) == "");
    REQUIRE(many->bound <= many->placed.makespan);
    REQUIRE(many->proven() == (many->bound == many->placed.makespan));
    REQUIRE(many->searched <= many->parts);
    on_a_part += many->part == large.whole() ? 0 : 1;
    if (const auto whole = wf::map(w, large, options))
      REQUIRE(many->placed.makespan <= whole->makespan);
  }
  MESSAGE(cases << " pairs of arrays: the larger one is better " << better << " times; "
                << on_a_part << " times a part is better than all");
  CHECK(cases > 1000);
  CHECK(better > 100);
  CHECK(on_a_part > 0);
}

TEST_CASE("1, 2 and 4 threads give the same answer to the bit") {
  wf::threads one(1), two(2), four(4);
  int cases = 0;
  for (std::uint64_t seed = 1; seed <= 350; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w =
        wf_test::random_workload(random, static_cast<int>(wf_test::pick(random, 2, 6)));
    const wf::pe_array a = random_large(random);
    wf::map_options options;
    options.limits.max_nodes = 8;
    if (seed % 3 == 0) options.constraints = wf_test::random_constraints(random, w, a, 2);
    const auto with = [&](auto& executor) {
      return wf::map_onto_part(w, a, options, wf::keep_going{}, wf::cycle_model{},
                               wf::all_strategies{}, executor);
    };
    const auto in_turn = wf::map_onto_part(w, a, options);
    for (const auto& other : {with(one), with(two), with(four)}) {
      REQUIRE(other.has_value() == in_turn.has_value());
      if (!in_turn) {
        REQUIRE(other.error().message == in_turn.error().message);
        continue;
      }
      ++cases;
      REQUIRE(other->placed == in_turn->placed);
      REQUIRE(other->part == in_turn->part);
      REQUIRE(other->bound == in_turn->bound);
      REQUIRE(other->searched == in_turn->searched);
    }
  }
  CHECK(cases > 700);
}

TEST_CASE("constraints speak of the whole array, whatever the part") {
  int cases = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w = wf_test::random_workload(random, 3);
    const wf::pe_array a = wf_test::random_array(random, 2, 2);
    wf::map_options options;
    options.constraints = wf_test::random_constraints(random, w, a, 2);
    const auto m = wf::map_onto_part(w, a, options);
    const auto whole = wf::map(w, a, options);
    REQUIRE(m.has_value() == whole.has_value());
    if (!m) {
      REQUIRE(m.error().message == whole.error().message);
      continue;
    }
    ++cases;
    REQUIRE(m->placed.makespan <= whole->makespan);
    wf::mapping placed = m->placed;
    for (wf::placement& p : placed.operators)
      if (!p.where.empty()) p.where.row += m->part.row, p.where.column += m->part.column;
    REQUIRE(wf_test::broken_wish(options.constraints, w, placed) == "");
    wf::map_constraints own;
    REQUIRE(wf::constraints_within(options.constraints, m->part, own));
    REQUIRE(wf_test::check(w, m->array, m->placed) == "");
    const auto t = wf::simulate(w, m->array, m->placed, {.constraints = own});
    REQUIRE(t);
    REQUIRE(t->makespan == m->placed.makespan);
  }
  CHECK(cases > 200);
}

TEST_CASE("the callback is told between rounds and stops the search") {
  std::mt19937_64 random(9);
  const wf::workload w = wf_test::random_workload(random, 6);
  wf::pe_array a = wf_test::random_array(random, 4, 4);
  a.memory_bytes = 4096;
  wf::map_options options;
  options.limits.max_nodes = 2;
  std::int64_t last = wf::unbounded;
  int calls = 0;
  const auto m = wf::map_onto_part(w, a, options, [&](const wf::search_progress& p) {
    CHECK(p.incumbent <= last);
    CHECK(p.bound <= p.incumbent);
    last = p.incumbent;
    return ++calls < 2;
  });
  REQUIRE(m);
  CHECK(calls <= 2);
  CHECK(m->placed.makespan == last);
  const auto none = wf::map_onto_part(w, part_of(a, {0, 0, 1, 1}), options);
  REQUIRE(none);
  CHECK(none->parts == 1);
}

TEST_CASE("errors are those of the whole array") {
  std::mt19937_64 random(9);
  const wf::workload w = wf_test::random_workload(random, 6);
  wf::pe_array a = wf_test::random_array(random, 2, 2);
  a.memory_bytes = 0;
  const auto m = wf::map_onto_part(w, a);
  REQUIRE_FALSE(m);
  CHECK(m.error().code == wf::errc::mapping_infeasible);
  CHECK(m.error().message == wf::map(w, a).error().message);
  a.rows = 0;
  CHECK(wf::map_onto_part(w, a).error().code == wf::errc::invalid_problem);
}

TEST_CASE("the mapping is the same with any number of threads") {
  wf::threads one(1), two(2), three(3), eight(8);
  int mapped = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 9, 2, 3);
    if (seed % 2 == 0) wf_test::let_overwrite(random, w);
    wf::map_options options;
    if (seed % 3 == 0) options.groups = wf::fusible_chains(w);
    if (seed % 4 == 0) options.constraints = wf_test::random_constraints(random, w, a, 2);
    options.limits.max_nodes = static_cast<std::uint64_t>(wf_test::pick(random, 1, 150));
    if (seed % 5 == 0)
      options.limits.max_steps = static_cast<std::uint64_t>(wf_test::pick(random, 1, 60'000));
    options.small_rectangles = seed % 2 == 0 ? 4 : 40;
    const auto alone = wf::map(w, a, options);
    ++(alone ? mapped : refused);
    const auto agrees = [&](wf::threads& executor) {
      const auto m = wf::map(w, a, options, wf::keep_going{}, wf::cycle_model{},
                             wf::all_strategies{}, executor);
      REQUIRE(m.has_value() == alone.has_value());
      if (m)
        REQUIRE(*m == *alone);
      else
        REQUIRE(m.error().message == alone.error().message);
    };
    agrees(one);
    agrees(two);
    agrees(three);
    agrees(eight);
  }
  CHECK(mapped > 100);
  CHECK(refused > 5);
}
