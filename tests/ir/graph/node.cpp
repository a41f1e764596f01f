// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/node.hpp>

#include <doctest/doctest.h>

static_assert(wf::index_of(wf::node_id{5}) == 5 && wf::index_of(wf::value_id{7}) == 7);
static_assert(wf::name_of(wf::effect::external) == "external");
static_assert(wf::name_of(wf::edge_kind::mutate) == "mutate");
static_assert(wf::to_text(wf::value_type{wf::dtype::f64, wf::spd, wf::shape::of(6, 6)}) ==
              wf::text("f64[6x6] spd"));

static_assert(wf::value_type{wf::dtype::f64, {}, wf::shape::of(6, "N")}.is_complete());
static_assert(wf::value_type{wf::dtype::f64, {}, {}}.is_complete());
static_assert(!wf::value_type{wf::dtype::unknown, {}, wf::shape::of(6)}.is_complete());
static_assert(!wf::value_type{wf::dtype::f64, {}, wf::shape::unknown()}.is_complete());
static_assert(!wf::value_type{wf::dtype::f64, {}, wf::shape::of(6, wf::extent())}.is_complete());

TEST_CASE("types are equal only with all their parts") {
  const wf::value_type a{wf::dtype::f64, wf::spd, wf::shape::of(2, 2)};
  wf::value_type b = a;
  CHECK(a == b);
  b.known = {};
  CHECK(a != b);
}
