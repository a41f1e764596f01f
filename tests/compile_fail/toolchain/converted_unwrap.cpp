// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: step 'unwrap' returns cell but step 'twice' takes int
#include <wf/toolchain/converted.hpp>

struct cell {
  int value;
};
constexpr auto twice = wf::step<"twice">([](int x) { return 2 * x; });
[[maybe_unused]] constexpr auto wrap = [](int made, const cell&) { return cell{made}; };

#ifdef WF_FAIL
constexpr auto s = wf::converted([](const cell& c) { return c; }, twice, wrap);
#else
constexpr auto s = wf::converted([](const cell& c) { return c.value; }, twice, wrap);
#endif
static_assert(s.name() == "twice");
