// SPDX-License-Identifier: BSL-1.0
// EXPECT: deleted
#include <wf/core/text/text.hpp>

#ifdef WF_FAIL
wf::text written() { return wf::text() << 0.5; }  // HERE
#else
wf::text written() { return wf::text() << INT64_MIN << wf::int128{7}; }
#endif
