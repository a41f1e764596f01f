// SPDX-License-Identifier: BSL-1.0
// EXPECT: operator""_KiB
#include <wf/core/units.hpp>

using namespace wf::literals;

#ifdef WF_FAIL
constexpr std::int64_t size = 1.5_KiB;  // HERE
#else
constexpr std::int64_t size = 1_KiB + 512;
#endif
