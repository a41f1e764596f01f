// SPDX-License-Identifier: BSL-1.0
#include <wf/map/place/future.hpp>

#include <doctest/doctest.h>

#include <wf/map/place/mapping_space.hpp>

#include "../small_problems.hpp"

namespace {

using wf_test::row_with_hops, wf_test::task;

const wf::cycle_model model;

}  // namespace

TEST_CASE("states with the same future are the same whatever their past") {
  // Two equal operators without readers, side by side, in either order.
  wf::workload w;
  for (int i = 0; i < 3; ++i) w.add(task(16, 8));
  const wf::pe_array array = row_with_hops(2, 1000);
  const auto p = wf::prepare(w, array, model);
  REQUIRE(p);
  wf::mapping_space space(*p, array, model);
  const wf::rectangle left{0, 0, 1, 1}, right{0, 1, 1, 1};
  const auto side_by_side = [&](std::uint32_t first, std::uint32_t second) {
    wf::partial_mapping s = space.root();
    space.look(s);
    s = space.place(s, first, left, space.tilings(first, left).first, 0);
    space.look(s);
    return space.place(s, second, right, space.tilings(second, right).first, 0);
  };
  const auto x = side_by_side(0, 1), y = side_by_side(1, 0), z = side_by_side(0, 2);
  CHECK(have_same_future(space, x, y));
  CHECK(future_hash(space, x) == future_hash(space, y));
  CHECK_FALSE(have_same_future(space, x, z));
  CHECK_FALSE(have_same_future(space, x, space.root()));
}

TEST_CASE("results that are still to be read, or still fill memory, keep states apart") {
  // 0 is read by 1; 2 and 3 are independent. Everything takes 16 cycles on one PE.
  wf::workload w;
  for (int i = 0; i < 4; ++i) w.add(task(16, 8));
  w.connect(0, 1, 8, wf::operand_split::by_both);
  std::int64_t memory = 30;
  SUBCASE("to be read") { memory = 1000; }
  SUBCASE("fills memory") {}
  const wf::pe_array array = row_with_hops(2, memory);
  const auto p = wf::prepare(w, array, model);
  REQUIRE(p);
  REQUIRE(p->memory_matters == (memory == 30));
  wf::mapping_space space(*p, array, model);
  const wf::rectangle left{0, 0, 1, 1}, right{0, 1, 1, 1};
  struct step {
    std::uint32_t op;
    wf::rectangle where;
    std::int64_t start;
  };
  const auto state = [&](std::initializer_list<step> steps) {
    wf::partial_mapping s = space.root();
    for (const step& x : steps) {
      space.look(s);
      s = space.place(s, x.op, x.where, space.tilings(x.op, x.where).first, x.start);
    }
    return s;
  };
  if (!p->memory_matters) {
    const auto a = state({{0, left, 0}, {2, right, 0}}), b = state({{0, right, 0}, {2, left, 0}});
    CHECK(a.free == b.free);
    CHECK_FALSE(have_same_future(space, a, b));
    CHECK(future_hash(space, a) != future_hash(space, b));
    space.look(a);
    CHECK(space.is_canonical(left));
    CHECK(space.is_canonical(right));  // the unread result breaks the symmetry
  }
  if (p->memory_matters) {
    // 1 reads the result of 0 until 52, remotely or in place; the PEs become free at the same
    // cycles.
    const auto a = state({{0, left, 0}, {2, right, 0}, {1, right, 36}, {3, left, 36}});
    const auto b = state({{0, right, 0}, {2, left, 0}, {1, right, 36}, {3, left, 36}});
    CHECK(a.free == b.free);
    CHECK_FALSE(have_same_future(space, a, b));
    CHECK(future_hash(space, a) != future_hash(space, b));
  }
}
