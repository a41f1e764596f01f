// SPDX-License-Identifier: BSL-1.0
// EXPECT: std::
#include <string>

#include <wf/core/text/view.hpp>

wf::text_view name();

#ifdef WF_FAIL
std::string copied = name();  // HERE
#else
std::string copied(name());
#endif
