// SPDX-License-Identifier: BSL-1.0
// EXPECT: lower WF807: a store that outlives the process needs the version of the code: pass
// cached(step, store, version)
#include <wf/cache/cached.hpp>
#include <wf/cache/store/directory.hpp>

const auto lower = wf::step<"lower">([](const int& x) { return x + 1; });
const auto store = wf::in_directory<int>("stages");
#ifdef WF_FAIL
const auto kept = wf::cached(lower, store);  // HERE
#else
const auto kept = wf::cached(lower, store, "1");
#endif
