// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/type/properties.hpp>

#include <doctest/doctest.h>

static_assert(wf::properties(wf::spd).has(wf::symmetric) && wf::properties(wf::spd).has(wf::psd));
static_assert(wf::properties(wf::diagonal).has(wf::lower_triangular));
static_assert((wf::lower_triangular | wf::upper_triangular).value.has(wf::diagonal));
static_assert((wf::psd | wf::nonsingular).value == wf::properties(wf::spd));
static_assert((wf::symmetric | wf::lower_triangular).value.has(wf::diagonal));
static_assert(!wf::properties(wf::symmetric).has(wf::psd));
static_assert((wf::spd | wf::orthogonal).value == wf::properties(wf::identity));
static_assert((wf::permutation | wf::upper_triangular).value == wf::properties(wf::identity));
static_assert((wf::orthogonal | wf::lower_triangular).value.has(wf::diagonal));
static_assert(wf::properties(wf::identity).has(wf::spd | wf::permutation | wf::diagonal));
static_assert(wf::properties(wf::nonsingular).has(wf::full_rank));
static_assert(!wf::properties(wf::full_rank).has(wf::nonsingular));

TEST_CASE("sets are closed under what they imply, and print as the fewest names") {
  for (std::uint32_t bits = 0; bits < 4096; ++bits) {
    const wf::properties p = wf::detail::close_properties(bits);
    CHECK(wf::detail::close_properties(p.bits) == p);
    wf::properties back;
    const wf::text names = wf::to_text(p);
    for (wf::text_view rest = names; !rest.empty();) {
      const std::size_t end = rest.find(' ');
      CHECK_FALSE(wf::properties_named(rest.part(0, end)).empty());
      back = back | wf::properties_named(rest.part(0, end));
      rest = rest.part(end + 1);
    }
    CHECK(back == p);
  }
}
