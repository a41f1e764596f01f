// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/place/arrange.hpp>
#include <wf/map/place/construct.hpp>

#include "../checker.hpp"
#include "../random_workload.hpp"

namespace {

constexpr bool halves_are_nested() {
  wf::pe_array a;
  a.rows = 2;
  a.columns = 4;
  // 1 + 2 + 4 of two rows, 2 + 4 + 8 of one.
  return wf::halved_rectangles(a).size() == 21;
}
static_assert(halves_are_nested());

const wf::cycle_model model;

}  // namespace

TEST_CASE("halved rectangles leave out dead PEs and reach single ones of odd arrays") {
  wf::pe_array a;
  a.rows = 5;
  a.columns = 3;
  a.dead.push_back(0);
  int single = 0;
  for (const wf::rectangle& r : wf::halved_rectangles(a)) {
    CHECK(a.usable(r));
    single += r.area() == 1 ? 1 : 0;
  }
  CHECK(single == 14);
}

TEST_CASE("list schedules are valid mappings, at any slack") {
  int complete = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w = wf_test::random_workload(random, 8);
    const wf::pe_array a = wf_test::random_array(random, 3, 2);
    const auto p = wf::prepare(w, a, model);
    if (!p) continue;
    wf::mapping_space space(*p, a, model);
    for (const std::int64_t slack : {0, 4, 16}) {
      wf::partial_mapping s;
      if (!wf::construct(space, space.root(), wf::halved_rectangles(a), slack, s)) continue;
      ++complete;
      wf::mapping m = wf::finish_mapping(w, space, s);
      m.bound = p->bound;
      m.status =
          m.bound == m.makespan ? wf::search_status::proven : wf::search_status::stopped_by_limit;
      REQUIRE(wf_test::check(w, a, m) == "");
    }
  }
  CHECK(complete > 300);
}

TEST_CASE("slack lets independent operators run side by side") {
  // Two indivisible operators: one PE each is as fast as both.
  wf::workload w;
  wf::workload_operator o;
  o.macs = 10;
  w.add(o);
  w.add(o);
  wf::pe_array a;
  a.columns = 2;
  const auto p = wf::prepare(w, a, model);
  REQUIRE(p);
  wf::mapping_space space(*p, a, model);
  wf::partial_mapping s;
  REQUIRE(wf::construct(space, space.root(), wf::halved_rectangles(a), 0, s));
  CHECK(s.makespan == 10);
  const wf::rectangle whole = a.whole();
  REQUIRE(wf::construct(space, space.root(), {&whole, 1}, 0, s));
  CHECK(s.makespan == 20);
}
