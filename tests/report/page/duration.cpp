// SPDX-License-Identifier: BSL-1.0
#include <wf/report/page/duration.hpp>

#include <cstdint>

#include <doctest/doctest.h>

static_assert(wf::duration_text(0).view() == "0 ns");
static_assert(wf::duration_text(100'000'000).view() == "100 ms");

TEST_CASE("a duration has its largest unit and at most three decimals, cut") {
  CHECK(wf::duration_text(999).view() == "999 ns");
  CHECK(wf::duration_text(1'000).view() == "1 us");
  CHECK(wf::duration_text(1'500'000).view() == "1.5 ms");
  CHECK(wf::duration_text(1'050'000).view() == "1.05 ms");
  CHECK(wf::duration_text(1'001'999'999).view() == "1.001 s");
  CHECK(wf::duration_text(-3'000'000'000).view() == "-3 s");
  CHECK(wf::duration_text(7'200'000'000'000).view() == "7200 s");
  CHECK(wf::duration_text(INT64_MIN).view() == "-9223372036.854 s");
}
