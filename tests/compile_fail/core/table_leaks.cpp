// SPDX-License-Identifier: BSL-1.0
// EXPECT-GCC: refers to a result of 'operator new'
// EXPECT-CLANG: must be initialized by a constant expression
#include <wf/core/container/table.hpp>

constexpr wf::table<int> numbers() { return {1, 2, 3}; }

#ifdef WF_FAIL
constexpr auto kept = numbers();
#else
constexpr auto size = numbers().size();
#endif
