// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/adjoint_text.hpp>

#include <doctest/doctest.h>

namespace {

namespace rules = wf::kernels::detail;
using wf::dtype, wf::shape;

static_assert(rules::shape_text("A", 0).empty());
static_assert(rules::shape_text("A", 2).view() == ", d0 = A_0, d1 = A_1");
static_assert(rules::shape_text("A", 2, 1).view() == ", d0 = A_0, d1 = 1");
static_assert(rules::kept_text("dC", "A", 2, 0).view() == "reshape(dC, d0 = 1, d1 = A_1)");
static_assert(rules::number_text("1", dtype::f64).view() == "1");
static_assert(rules::number_text("1", dtype::f32).view() == "cast(1, dtype = \"f32\")");
static_assert(rules::filled_text("0", "A", {dtype::f64, {}, shape::of(2)}).view() ==
              "broadcast_to(0, d0 = A_0)");

}  // namespace

TEST_CASE("numbers of elements are digits where they are known, else sums") {
  const wf::value_type fixed{dtype::f64, {}, shape::of(2, 3, 4)};
  CHECK(rules::count_text("A", fixed, 0, 3).view() == "24");
  CHECK(rules::count_text("A", fixed, 1, 2).view() == "3");
  CHECK(rules::count_text("A", fixed, 1, 1).view() == "1");
  const wf::value_type symbolic{dtype::f32, {}, shape::of(2, "M")};
  CHECK(rules::count_text("A", symbolic, 0, 1).view() == "2");
  CHECK(rules::count_text("A", symbolic, 0, 2).view() ==
        "sum(broadcast_to(cast(1, dtype = \"f32\"), d0 = A_0, d1 = A_1))");
  const std::int64_t huge = std::int64_t{1} << 40;
  const wf::value_type beyond{dtype::f64, {}, shape::of(huge, huge)};
  CHECK(rules::count_text("A", beyond, 0, 2).view().starts_with("sum("));
}

TEST_CASE("an attribute counts where a node states it") {
  const wf::attribute_value stated[] = {wf::attribute_value::floating("epsilon", 0.5)};
  wf::rule_input in;
  CHECK(rules::stated_or(in, "epsilon", "0.1") == "0.1");
  in.attributes = stated;
  CHECK(rules::stated_or(in, "epsilon", "0.1") == "epsilon");
}
