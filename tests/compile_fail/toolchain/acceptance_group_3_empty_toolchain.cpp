// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF806: a toolchain has at least one step
#include <wf/toolchain/toolchain.hpp>

struct ast {};
struct ir {};
struct code {};
[[maybe_unused]] constexpr auto parse = wf::step<"parse">([](int) { return ast{}; });
[[maybe_unused]] constexpr auto lint = wf::step<"lint">([](ast a) { return a; });
[[maybe_unused]] constexpr auto lower = wf::step<"lower">([](ast) { return ir{}; });
[[maybe_unused]] constexpr auto emit = wf::step<"emit">([](ir) { return code{}; });

#ifdef WF_FAIL
void f() { wf::chain(); }
#else
void f() { (void)wf::chain(parse); }
#endif
