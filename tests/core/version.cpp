// SPDX-License-Identifier: BSL-1.0
#include <wf/core/version.hpp>

#include <doctest/doctest.h>

static_assert(wf::version.major_part >= 0 && wf::version.minor_part >= 0);

TEST_CASE("the version is ordered by its three numbers") {
  CHECK(wf::version.major_part * 10000 + wf::version.minor_part * 100 + wf::version.patch_part > 0);
}
