// SPDX-License-Identifier: BSL-1.0
// EXPECT-GCC: outside the bounds
// EXPECT-CLANG: constant expression
#include <wf/core/container/table.hpp>

constexpr wf::frozen_table<int, 3> three{{1, 2, 3}};

#ifdef WF_FAIL
constexpr int element = three[3];  // HERE
#else
constexpr int element = three[2];
#endif
