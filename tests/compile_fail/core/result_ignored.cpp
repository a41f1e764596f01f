// SPDX-License-Identifier: BSL-1.0
// EXPECT: nodiscard
// EXPECT: result
#include <wf/core/diagnosis/result.hpp>

wf::result<int> parse();

#ifdef WF_FAIL
void careless() { parse(); }  // HERE
#else
bool careful() { return parse().has_value(); }
#endif
