// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF804: step 'lower' cannot be left out: it makes ir of ast
#include <wf/toolchain/toolchain.hpp>

struct ast {};
struct ir {};
struct code {};
[[maybe_unused]] constexpr auto parse = wf::step<"parse">([](int) { return ast{}; });
[[maybe_unused]] constexpr auto lint = wf::step<"lint">([](ast a) { return a; });
[[maybe_unused]] constexpr auto lower = wf::step<"lower">([](ast) { return ir{}; });
[[maybe_unused]] constexpr auto emit = wf::step<"emit">([](ir) { return code{}; });

constexpr auto w = wf::chain(parse, lint, lower, emit);
#ifdef WF_FAIL
constexpr auto shorter = w.drop<"lower">();
#else
constexpr auto shorter = w.drop<"lint">();
#endif
static_assert(shorter.size() == 3);
