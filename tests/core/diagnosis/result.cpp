// SPDX-License-Identifier: BSL-1.0
#include <wf/core/diagnosis/result.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::result<int> half(int n) {
  if (n % 2 != 0) return wf::make_error(wf::errc::bad_attribute, "half", "it is odd", {2, 7, 9});
  return n / 2;
}
static_assert(half(8) && *half(8) == 4 && !half(7));
static_assert(wf::to_text(half(7).error()) ==
              wf::text("WF107 in 'half': it is odd (line 2, column 7)"));
static_assert(half(8).error().code == wf::errc::none);

constexpr wf::text_view source = "first line\nsecond line\nthird";
static_assert(wf::position_at(source, 18) == wf::text_position{2, 8, 18});
static_assert(wf::caret(source, {2, 8, 18}) == wf::text("  second line\n         ^"));
static_assert(wf::position_at(source, 0) == wf::text_position{1, 1, 0});

}  // namespace

TEST_CASE("a result is a regular value") {
  wf::result<int> a = half(6), b = a;
  CHECK(*b == 3);
  b = half(5);
  CHECK_FALSE(b.has_value());
  CHECK(b.error().where.column == 7);
}
