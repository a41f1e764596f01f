// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF803: step 'parse' comes before step 'emit'
#include <wf/toolchain/toolchain.hpp>

struct ast {};
struct ir {};
struct code {};
[[maybe_unused]] constexpr auto parse = wf::step<"parse">([](int) { return ast{}; });
[[maybe_unused]] constexpr auto lint = wf::step<"lint">([](ast a) { return a; });
[[maybe_unused]] constexpr auto lower = wf::step<"lower">([](ast) { return ir{}; });
[[maybe_unused]] constexpr auto emit = wf::step<"emit">([](ir) { return code{}; });

constexpr auto w = wf::chain(parse, lower, emit);
#ifdef WF_FAIL
void f() { w.between<"emit", "parse">(ir{}); }
#else
void f() { (void)w.between<"lower", "emit">(ast{}); }
#endif
