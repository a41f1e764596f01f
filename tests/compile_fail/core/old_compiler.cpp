// SPDX-License-Identifier: BSL-1.0
// EXPECT: wf needs g++ 12, clang 19 or a later version of either
#if defined(WF_FAIL) && defined(__clang__)
#undef __clang_major__
#define __clang_major__ 18
#endif
#ifdef WF_FAIL
#undef __GNUC__
#define __GNUC__ 11
#else
static_assert(__GNUC__ > 0);
#endif
#include <wf/core/version.hpp>

static_assert(WF_VERSION > 0);
