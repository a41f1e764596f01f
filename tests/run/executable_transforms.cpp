// SPDX-License-Identifier: BSL-1.0
#include <wf/run/executable_transforms.hpp>

#include <doctest/doctest.h>

TEST_CASE("all built-in transforms but the one whose loop is not unrolled, in their order") {
  const wf::table<wf::transform> all = wf::executable_transforms();
  REQUIRE(all.size() + 1 == wf::builtin_transforms().size());
  std::size_t at = 0;
  for (const wf::transform& t : wf::builtin_transforms()) {
    if (t.name == "gaussian_elimination") continue;
    CHECK(all[at++].name == t.name);
  }
}
