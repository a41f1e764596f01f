// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: step 'lower' returns code but step 'emit' takes ir
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
constexpr auto other = w.replace<"lower">([](ast) { return code{}; });
#else
constexpr auto other = w.replace<"lower">([](const ast&) { return ir{}; });
#endif
static_assert(other.size() == 3);
