// SPDX-License-Identifier: BSL-1.0
// EXPECT: deleted
#include <wf/core/text/text.hpp>

#ifdef WF_FAIL
wf::text written() { return wf::text() << true; }  // HERE
#else
wf::text written() { return wf::text() << 1 << 'c' << "characters"; }
#endif
