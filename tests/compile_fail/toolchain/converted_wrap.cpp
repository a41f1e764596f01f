// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: step 'wrap' does not take int and cell
#include <wf/toolchain/converted.hpp>

struct cell {
  int value;
};
constexpr auto twice = wf::step<"twice">([](int x) { return 2 * x; });
[[maybe_unused]] constexpr auto unwrap = [](const cell& c) { return c.value; };

#ifdef WF_FAIL
constexpr auto s = wf::converted(unwrap, twice, [](const cell& c) { return c; });
#else
constexpr auto s = wf::converted(unwrap, twice, [](int, const cell& c) { return c; });
#endif
static_assert(s.name() == "twice");
