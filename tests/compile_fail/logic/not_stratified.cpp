// SPDX-License-Identifier: BSL-1.0
// EXPECT: "Win"
// EXPECT: WF115: depends on its own complement
// EXPECT: line 1, column
#include <wf/logic/static_program.hpp>

#ifdef WF_FAIL
constexpr auto strata = wf::logic::rules<"Win(x) = Move(x,y) !Win(y)">().strata.size();
#else
constexpr auto strata = wf::logic::rules<"Win(x) = Move(x,y) !Lost(y)">().strata.size();
#endif
static_assert(strata == 1);
