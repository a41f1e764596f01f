// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/type/shape.hpp>

#include <doctest/doctest.h>

static_assert(wf::shape::of(6, "M").rank == 2 && wf::shape::of(6, "M")[1].is_symbol());
static_assert(wf::extent(7).is_fixed() && wf::extent("M").name() == wf::make_symbol("M"));
static_assert(wf::extent::derived(3).is_derived() && wf::extent::derived(3).index() == 3);
static_assert(wf::extent("far_too_long_a_name").is_unknown() && wf::extent().is_unknown());
static_assert(wf::shape::of(3, 4).elements() == 12 && wf::shape::of().elements() == 1);
static_assert(wf::shape::of(3, "N").elements() == -1 && !wf::shape::unknown().has_rank());
static_assert(wf::to_text(wf::shape::of(6, "M", wf::extent::derived(2))) == wf::text("6xMx#2"));
static_assert(wf::shape::of(1, 2) != wf::shape::of(2, 1));
static_assert(wf::shape::of(INT64_MAX, INT64_MAX).elements() == -1);

TEST_CASE("a shape holds eight dimensions and no more") {
  wf::shape s;
  for (int i = 0; i < 8; ++i) CHECK(s.push_back(i));
  CHECK_FALSE(s.push_back(8));
  CHECK(s.rank == 8);
}
