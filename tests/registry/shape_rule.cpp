// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/shape_rule.hpp>

#include <doctest/doctest.h>

namespace {

using wf::extent, wf::shape;
namespace rules = wf::kernels::detail;

static_assert(rules::fit_where_known(shape::of(2, "M"), shape::of(2, "M")));
static_assert(rules::fit_where_known(shape::of(2, extent()), shape::of(2, "M")));
static_assert(!rules::fit_where_known(shape::of(2, "N"), shape::of(2, "M")));
static_assert(!rules::fit_where_known(shape::of(2), shape::of(2, 1)));

static_assert(rules::same_elements(shape::of(2, "M", 6), shape::of("M", 12)));
static_assert(rules::same_elements(shape::of("M", "M"), shape::of("M", 1, "M")));
static_assert(!rules::same_elements(shape::of("M", "M"), shape::of("M")));
static_assert(!rules::same_elements(shape::of("M", 2), shape::of("M", 3)));

}  // namespace

TEST_CASE("extents are combined as far as they are known") {
  wf::table<wf::text> derived;
  wf::rule_input in;
  const auto sum = [&](extent a, extent b) {
    const extent both[] = {a, b};
    const auto made = rules::combined("A + B", both, in);
    return made ? *made : extent(-1000);
  };
  CHECK(sum(2, 3).is_unknown());  // no table for polynomials
  in.derived = &derived;
  CHECK(sum(2, 3) == extent(5));
  CHECK(sum("M", 0) == extent("M"));
  CHECK(sum("M", extent()).is_unknown());
  const extent polynomial = sum("M", "N");
  REQUIRE(polynomial.is_derived());
  CHECK(derived[polynomial.index()] == wf::text("M + N"));
  const extent odd[] = {3};
  CHECK_FALSE(rules::combined("A/2", odd, in));
}

TEST_CASE("messages name the operator and both shapes") {
  const wf::error e =
      rules::wrong_shape("gate", "the registers differ", shape::of(2), shape::of(3));
  CHECK(wf::to_text(e) == wf::text("WF101 in 'gate': the registers differ: 2 vs 3"));
}
