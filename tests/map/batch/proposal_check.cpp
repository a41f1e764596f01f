// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/proposal_check.hpp>

#include <doctest/doctest.h>

#include "../small_problems.hpp"

namespace {

using outlines = wf::table<wf::segment_outline>;

wf::segment_outline segment(std::initializer_list<wf::stage_outline> stages, std::int64_t b = 1) {
  wf::segment_outline g;
  for (const wf::stage_outline& s : stages) g.stages.push_back(s);
  g.sub_batch = b;
  return g;
}

}  // namespace

TEST_CASE("a proposal replaces one segment or two with exactly their operators") {
  wf::workload w;
  w.batch = 4;
  for (int i = 0; i < 3; ++i) {
    w.add(wf_test::task(16, 8));
  }
  w.connect(0, 1, 8, wf::operand_split::by_both);
  const auto work = wf::batch_work_of(w);
  REQUIRE(work);
  const auto order = order_of({}, work->graph, w);
  REQUIRE(order);
  wf::pe_array a;
  a.rows = 1;
  a.columns = 2;
  const wf::rectangle left{0, 0, 1, 1}, right{0, 1, 1, 1}, all{0, 0, 1, 2};
  const outlines plan{segment({{all, {0}}}), segment({{all, {1}}}), segment({{all, {2}}})};
  wf::detail::proposal_check check(*work, a, true), apart(*work, a, false);
  const auto replaced = [&](const outlines& p) { return check.replaced_by(p, plan, 0, *order); };
  CHECK(replaced({segment({{all, {0}}}, 2)}) == 1);
  CHECK(replaced({segment({{all, {0, 1}}})}) == 2);
  CHECK(replaced({segment({{left, {0}}, {right, {1}}})}) == 2);
  CHECK(replaced({segment({{all, {0}}}), segment({{all, {1}}})}) == 2);
  CHECK(replaced({}) == 0);
  CHECK(replaced({segment({{all, {0}}}, 3)}) == 0);                      // no divisor of the batch
  CHECK(replaced({segment({{left, {0}}, {all, {1}}})}) == 0);            // stages overlap
  CHECK(replaced({segment({{{0, 0, 2, 2}, {0, 1}}})}) == 0);             // outside the array
  CHECK(replaced({segment({{all, {0, 0}}})}) == 0);                      // the same operator twice
  CHECK(replaced({segment({{all, {0, 2}}})}) == 0);                      // an operator of another
                                                                         // segment
  CHECK(replaced({segment({{all, {1}}}), segment({{all, {0}}})}) == 0);  // against the data flow
  CHECK(apart.replaced_by({segment({{all, {0, 1}}})}, plan, 0, *order) == 0);
  CHECK(apart.replaced_by({segment({{left, {0}}, {right, {1}}})}, plan, 0, *order) == 2);
  const auto grouped = order_of({0, 0, 1}, work->graph, w);
  REQUIRE(grouped);
  CHECK(check.replaced_by({segment({{left, {0}}, {right, {1}}})}, plan, 0, *grouped) == 0);
  CHECK(check.replaced_by({segment({{all, {0, 1}}})}, plan, 0, *grouped) == 2);
}
