// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/builtin.hpp>

#include <doctest/doctest.h>

TEST_CASE("every built-in transform is complete, and its number leads to its name") {
  const auto transforms = wf::builtin_transforms();
  REQUIRE_FALSE(transforms.empty());
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    CHECK((transforms[i].propose != nullptr));
    CHECK_FALSE(transforms[i].summary.empty());
    CHECK(wf::origin_name(transforms, static_cast<wf::origin_id>(i + 1)) == transforms[i].name);
  }
  CHECK(wf::origin_name(transforms, wf::origin_id::captured) == "captured");
  CHECK(wf::origin_name(transforms, wf::origin_id{999}) == "captured");
}
