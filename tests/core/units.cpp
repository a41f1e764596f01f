// SPDX-License-Identifier: BSL-1.0
#include <wf/core/units.hpp>

#include <doctest/doctest.h>

using namespace wf::literals;

static_assert(1_KiB == 1024 && 1_MiB == 1024_KiB && 1_GiB == 1024_MiB);
static_assert(1_us == 1000_ns && 1_ms == 1000_us);

TEST_CASE("units are plain 64-bit integers") {
  const std::int64_t bytes = 8_KiB;
  CHECK(bytes == 8192);
}
