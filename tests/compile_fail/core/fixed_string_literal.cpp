// SPDX-License-Identifier: BSL-1.0
// EXPECT: fixed_string
// EXPECT: template argument
#include <wf/core/text/fixed_string.hpp>

template <wf::fixed_string Name>
struct named {};

#ifdef WF_FAIL
inline const char* const pointer = "P";
using input = named<pointer>;  // HERE
#else
using input = named<"P">;
#endif
