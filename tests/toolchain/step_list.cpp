// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/step_list.hpp>

#include <doctest/doctest.h>

namespace {

using namespace wf::detail;

constexpr wf::text_view three[] = {"a", "b", "b"};
static_assert(find_step(three, "b") == 1 && find_step(three, "c") == 3 && find_step({}, "a") == 0);
static_assert(first_true({false, true, true}) == 1 && first_true({false, false}) == 2);

constexpr auto half = wf::step<"half">([](int n) { return n / 2.0; });
constexpr auto round_off = wf::step<"round">([](double x) -> wf::result<int> {
  if (x < 0) return wf::make_error(wf::errc::overflow, "x", "below zero");
  return static_cast<int>(x);
});
constexpr auto negate = wf::step<"negate">([](int n) { return -n; });
using half_t = std::remove_const_t<decltype(half)>;
using round_t = std::remove_const_t<decltype(round_off)>;
using negate_t = std::remove_const_t<decltype(negate)>;

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
