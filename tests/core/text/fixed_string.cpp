// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/fixed_string.hpp>

#include <type_traits>

#include <doctest/doctest.h>

namespace {

template <wf::fixed_string Name>
struct named {
  static constexpr wf::text_view name() { return Name.view(); }
};
static_assert(named<"kalman">::name() == "kalman" && named<"">::name().empty());
static_assert(std::is_same_v<named<"a">, named<"a">> && !std::is_same_v<named<"a">, named<"b">>);
static_assert(wf::fixed_string("abc").size() == 3);

}  // namespace

TEST_CASE("a fixed string lives as long as the template argument") {
  const wf::text_view name = named<"kept">::name();
  CHECK(name == "kept");
}
