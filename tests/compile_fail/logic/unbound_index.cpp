// SPDX-License-Identifier: BSL-1.0
// EXPECT: "Far"
// EXPECT: WF114: index z is bound by no relation
// EXPECT: line 2, column 1
#include <wf/logic/static_program.hpp>

#ifdef WF_FAIL
constexpr auto strata = wf::logic::rules<R"(Near(x,y) = Edge(x,y)
Far(x,z) = Near(x,y))">()
                            .strata.size();
#else
constexpr auto strata = wf::logic::rules<R"(Near(x,y) = Edge(x,y)
Far(x,z) = Near(x,y) Near(y,z))">()
                            .strata.size();
#endif
static_assert(strata == 2);
