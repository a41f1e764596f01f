// SPDX-License-Identifier: BSL-1.0
#include <wf/core/version.hpp>

#include <doctest/doctest.h>

// User code can test the version with the preprocessor.
#if WF_VERSION < 100 || WF_VERSION_MAJOR > 0 || !defined(WF_VERSION_PATCH)
#error the version is not that of these tests
#endif

static_assert(wf::version.major_part == WF_VERSION_MAJOR &&
              wf::version.minor_part == WF_VERSION_MINOR &&
              wf::version.patch_part == WF_VERSION_PATCH);
static_assert(WF_VERSION_MINOR < 100 && WF_VERSION_PATCH < 100, "WF_VERSION has two digits each");

TEST_CASE("the version is ordered by its three numbers") {
  CHECK(wf::version.major_part * 10000 + wf::version.minor_part * 100 + wf::version.patch_part ==
        WF_VERSION);
}
