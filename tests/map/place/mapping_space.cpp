// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/place/mapping_space.hpp>

#include "../checker.hpp"
#include "../random_constraints.hpp"
#include "../random_workload.hpp"
#include "../small_problems.hpp"

namespace {

using wf_test::row_with_hops, wf_test::task;

const wf::cycle_model model;

}  // namespace

TEST_CASE("an operator starts when operands, PEs and the order of starts allow") {
  wf::workload w;
  const auto a = w.add(task(16, 8)), b = w.add(task(16, 8)), c = w.add(task(16, 8));
  w.connect(a, c, 8, wf::operand_split::by_both);
  const wf::pe_array array = row_with_hops(2, 1000);
  const auto p = wf::prepare(w, array, model);
  REQUIRE(p);
  wf::mapping_space space(*p, array, model);
  const wf::rectangle left{0, 0, 1, 1}, right{0, 1, 1, 1};
  wf::partial_mapping s = space.root();
  space.look(s);
  REQUIRE(space.ready().size() == 2);
  const auto how = [&](std::uint32_t op, const wf::rectangle& r) {
    return space.tilings(op, r).first;
  };
  CHECK(space.earliest(s, a, left, how(a, left)) == 0);
  s = space.place(s, a, left, how(a, left), 0);
  CHECK(s.makespan == 16);
  space.look(s);
  REQUIRE(space.ready().size() == 2);
  CHECK(space.earliest(s, c, left, how(c, left)) == 16);
  CHECK(space.earliest(s, c, right, how(c, right)) == 16 + 2 + 2);
  CHECK(space.earliest(s, b, right, how(b, right)) == 0);
  const auto late = space.place(s, c, right, how(c, right), 20);
  space.look(late);
  CHECK(space.earliest(late, b, left, how(b, left)) == 20);  // starts keep their order
  CHECK(late.makespan == 36);
}

TEST_CASE("an operator waits until memory is given back, or for ever") {
  // Only b reads a's result (8 bytes per PE), whose space c needs.
  wf::workload w;
  const auto a = w.add(task(16, 8)), b = w.add(task(16, 1)), c = w.add(task(16, 1));
  w.operators[c].weight_bytes = 10;
  w.connect(a, b, 8, wf::operand_split::by_both);
  const wf::pe_array array = row_with_hops(2, 17);
  const auto p = wf::prepare(w, array, model);
  REQUIRE(p);
  REQUIRE(p->memory_matters);
  wf::mapping_space space(*p, array, model);
  const wf::rectangle left{0, 0, 1, 1}, right{0, 1, 1, 1};
  wf::partial_mapping s = space.root();
  space.look(s);
  s = space.place(s, a, left, space.tilings(a, left).first, 0);
  space.look(s);
  CHECK(space.earliest(s, c, left, space.tilings(c, left).first) == wf::unbounded);
  CHECK(space.least_shortage().op == c);
  CHECK(space.least_shortage().needed == 11);
  CHECK(space.least_shortage().left == 9);
  CHECK(space.earliest(s, c, right, space.tilings(c, right).first) == 0);
  // b reads it from the other PE until 16 + 2 + 2 + 16; c fits afterwards.
  s = space.place(s, b, right, space.tilings(b, right).first, 20);
  space.look(s);
  CHECK(space.earliest(s, c, left, space.tilings(c, left).first) == 36);
}

TEST_CASE("mirror images are recognised while the state is symmetric") {
  wf::workload w;
  w.add(task(16, 8));
  w.add(task(16, 8));
  wf::pe_array array = row_with_hops(3, 1000);
  auto p = wf::prepare(w, array, model);
  REQUIRE(p);
  wf::mapping_space space(*p, array, model);
  wf::partial_mapping s = space.root();
  space.look(s);
  CHECK(space.is_canonical({0, 0, 1, 1}));
  CHECK_FALSE(space.is_canonical({0, 2, 1, 1}));
  CHECK(space.is_canonical({0, 1, 1, 1}));
  s = space.place(s, 0, {0, 0, 1, 1}, space.tilings(0, {0, 0, 1, 1}).first, 0);
  space.look(s);
  CHECK(space.is_canonical({0, 2, 1, 1}));
  array.dead.push_back(0);
  p = wf::prepare(w, array, model);
  REQUIRE(p);
  wf::mapping_space broken(*p, array, model);
  broken.look(broken.root());
  CHECK(broken.is_canonical({0, 2, 1, 1}));
}

TEST_CASE("the bound of every state on a random walk is below its completions") {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w = wf_test::random_workload(random, 6);
    wf::pe_array array = wf_test::random_array(random, 2, 2);
    array.memory_bytes = 4096;
    const auto p = wf::prepare(w, array, model);
    REQUIRE(p);
    wf::mapping_space space(*p, array, model);
    wf::partial_mapping s = space.root();
    std::vector<std::int64_t> bounds{s.bound};
    while (s.sequence.size() < s.spots.size()) {
      space.look(s);
      const auto& rectangles = p->rectangles;
      const std::uint32_t op = space.ready()[random() % space.ready().size()];
      const wf::rectangle r = rectangles[random() % rectangles.size()];
      const wf::range t = space.tilings(op, r);
      const auto how = t.first + static_cast<std::uint32_t>(random() % t.count);
      const std::int64_t start = space.earliest(s, op, r, how);
      REQUIRE(start >= s.now);
      s = space.place(s, op, r, how, start);
      bounds.push_back(s.bound);
    }
    REQUIRE(s.bound == s.makespan);
    for (std::int64_t bound : bounds) REQUIRE(bound <= s.makespan);
  }
}

TEST_CASE("to follow a placement is to look at the state anew") {
  int placed = 0, waited = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 12, 2, 2);
    a.memory_bytes = wf_test::pick(random, 60, 200);
    wf::map_constraints wishes;
    if (seed % 2 == 0) wishes = wf_test::random_constraints(random, w, a, 2);
    auto p = wf::prepare(w, a, model);
    if (!p) continue;
    const wf::prepared_constraints rules(wishes, *p);
    if (!wf::constrain(*p, rules, a)) continue;
    wf::mapping_space followed(*p, a, model, &rules), anew(*p, a, model, &rules);
    wf::partial_mapping s = followed.root();
    followed.look(s);
    while (!followed.ready().empty()) {
      const wf::view<std::uint32_t> ready = followed.ready();
      const std::uint32_t op = ready[static_cast<std::size_t>(random() % ready.size())];
      const wf::rectangle& r = p->rectangles[random() % p->rectangles.size()];
      const wf::range t = followed.tilings(op, r);
      const auto first = t.count == 0 ? wf::unbounded : followed.earliest(s, op, r, t.first);
      if (first == wf::unbounded) break;
      followed.put(s, op, r, t.first, first);
      followed.follow(s);
      anew.look(s);
      ++placed;
      REQUIRE(followed.ready().size() == anew.ready().size());
      for (std::size_t i = 0; i < anew.ready().size(); ++i)
        REQUIRE(followed.ready()[i] == anew.ready()[i]);
      REQUIRE(followed.busy() == anew.busy());
      for (std::uint32_t v : anew.ready())
        for (const wf::rectangle& other : p->rectangles) {
          const wf::range k = anew.tilings(v, other);
          if (k.count == 0) continue;
          const std::int64_t start = anew.earliest(s, v, other, k.first);
          REQUIRE(followed.earliest(s, v, other, k.first) == start);
          waited += start > s.now ? 1 : 0;
        }
    }
  }
  CHECK(placed > 500);
  CHECK(waited > 500);
}
