// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/step_list.hpp>

#include <doctest/doctest.h>

#include "number_steps.hpp"

namespace {

using namespace number_steps;
using namespace wf::detail;

constexpr wf::text_view three[] = {"a", "b", "b"};
static_assert(find_step(three, "b") == 1 && find_step(three, "c") == 3 && find_step({}, "a") == 0);
static_assert(first_true({false, true, true}) == 1 && first_true({false, false}) == 2);

static_assert(any_fallible<half_t, round_t, negate_t>(0, 3));
static_assert(any_fallible<half_t, round_t, negate_t>(1, 2));
static_assert(!any_fallible<half_t, round_t, negate_t>(0, 1));
static_assert(!any_fallible<half_t, round_t, negate_t>(2, 3));

}  // namespace

TEST_CASE("steps are listed and found by their names") {
  const wf::view<wf::text_view> names = step_names<half_t, round_t, negate_t>;
  REQUIRE(names.size() == 3);
  CHECK(names[0] == "half");
  CHECK(find_step(names, "round") == 1);
  CHECK(find_step(names, "negate") == 2);
  CHECK(find_step(names, "roun") == 3);
}
