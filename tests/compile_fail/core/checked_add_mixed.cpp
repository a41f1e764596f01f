// SPDX-License-Identifier: BSL-1.0
// EXPECT: no matching function for call to
// EXPECT: checked_add
#include <wf/core/integer.hpp>

bool add(std::int64_t a, std::int32_t b, std::int64_t& out) {
#ifdef WF_FAIL
  return wf::checked_add(a, b, out);  // HERE
#else
  return wf::checked_add(a, std::int64_t{b}, out);
#endif
}
