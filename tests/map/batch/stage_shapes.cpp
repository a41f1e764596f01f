// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/stage_shapes.hpp>

#include <doctest/doctest.h>

#include "../small_problems.hpp"

namespace {

// A chain of operators with given numbers of multiply-accumulates.
wf::workload chain_of(std::initializer_list<std::int64_t> macs) {
  wf::workload w;
  for (const std::int64_t m : macs) {
    const auto at = w.add(wf_test::task(m, 8));
    if (at > 0) w.connect(at - 1, at, 8, wf::operand_split::by_both);
  }
  return w;
}

}  // namespace

TEST_CASE("a chain of stages divides the groups by their work over the regions") {
  const wf::workload w = chain_of({100, 100, 100, 300});
  const auto work = wf::batch_work_of(w);
  REQUIRE(work);
  const auto order = order_of({}, work->graph, w);
  REQUIRE(order);
  wf::pe_array a;
  a.rows = 1;
  a.columns = 5;
  a.dead.push_back(2);
  const wf::detail::stage_shapes shapes(*work, a, wf::usable_regions(a));
  REQUIRE(shapes.regions().size() == 2);
  wf::table<wf::stage_outline> out;
  shapes.whole(*order, 1, 3, out);
  REQUIRE(out.size() == 1);
  CHECK(out[0].where == shapes.regions()[0]);
  CHECK(out[0].operators == wf::table<std::uint32_t>{1, 2});
  REQUIRE(shapes.chain(*order, 0, 4, 2, out));
  CHECK(out[0].operators == wf::table<std::uint32_t>{0, 1, 2});
  CHECK(out[1].operators == wf::table<std::uint32_t>{3});
  CHECK_FALSE(shapes.chain(*order, 0, 1, 2, out));
  CHECK(shapes.are_independent(*order, 0, 1));
  CHECK_FALSE(shapes.are_independent(*order, 0, 2));
}
