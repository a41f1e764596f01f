// SPDX-License-Identifier: BSL-1.0
#include <wf/select/every_size/piecewise_plan.hpp>

#include <doctest/doctest.h>

#include "../../choice/expressions.hpp"

TEST_CASE("each size of the range has the plan of its piece, with the size bound") {
  const auto g = expressions::chain({8, -1, 6});
  REQUIRE(g);
  wf::piecewise_plan plan;
  plan.range = {wf::make_symbol("M"), 2, 30};
  const std::int64_t ends[] = {2, 9, 20, 31};
  for (std::size_t i = 0; i < 3; ++i) {
    wf::plan_piece piece;
    piece.low = ends[i];
    piece.high = ends[i + 1] - 1;
    piece.chosen = *g;
    if (i == 2) piece.failure = wf::errc::infeasible;
    plan.pieces.push_back(piece);
  }
  CHECK(plan.plan_for(1) == nullptr);
  CHECK(plan.plan_for(31) == nullptr);
  for (std::int64_t size = 2; size <= 30; ++size) {
    CAPTURE(size);
    const wf::plan_piece* const piece = plan.plan_for(size);
    REQUIRE(piece != nullptr);
    CHECK(piece->low <= size);
    CHECK(size <= piece->high);
    const auto bound = plan.bound_for(size);
    CHECK(bound.has_value() == (size < 20));
    if (bound) CHECK(bound->view().is_static());
    if (!bound) CHECK(bound.error().code == wf::errc::infeasible);
  }
  CHECK(plan.bound_for(31).error().code == wf::errc::bad_attribute);
}

TEST_CASE("without pieces no size has a plan") {
  CHECK(wf::piecewise_plan().plan_for(1) == nullptr);
}
