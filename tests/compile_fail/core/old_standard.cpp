// SPDX-License-Identifier: BSL-1.0
// EXPECT: wf needs C++20: compile with -std=c++20 or a later standard
#ifdef WF_FAIL
#undef __cplusplus
#define __cplusplus 201703L
#else
static_assert(__cplusplus >= 202002L);
#endif
#include <wf/core/version.hpp>

static_assert(WF_VERSION > 0);
