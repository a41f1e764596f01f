// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF803: unknown step 'lowr': did you mean 'lower'?
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
[[maybe_unused]] constexpr auto made = w.until<"lowr">(1);
#else
[[maybe_unused]] constexpr auto made = w.until<"lower">(1);
#endif
