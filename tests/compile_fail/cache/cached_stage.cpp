// SPDX-License-Identifier: BSL-1.0
// EXPECT: price WF801: the step returns double but the store holds int
#include <wf/cache/cached.hpp>

const auto price = wf::step<"price">([](const int& x) { return x / 2.0; });
#ifdef WF_FAIL
const auto kept = wf::cached(price, wf::in_memory<int>());  // HERE
#else
const auto kept = wf::cached(price, wf::in_memory<double>());
#endif
