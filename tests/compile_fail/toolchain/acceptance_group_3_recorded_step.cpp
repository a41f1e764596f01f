// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF803: unknown step 'lint'; known here: parse, lower, emit
#include <wf/toolchain/toolchain.hpp>

struct ast {};
struct ir {};
struct code {};
[[maybe_unused]] constexpr auto parse = wf::step<"parse">([](int) { return ast{}; });
[[maybe_unused]] constexpr auto lint = wf::step<"lint">([](ast a) { return a; });
[[maybe_unused]] constexpr auto lower = wf::step<"lower">([](ast) { return ir{}; });
[[maybe_unused]] constexpr auto emit = wf::step<"emit">([](ir) { return code{}; });

constexpr auto w = wf::chain(parse, lower, emit);
constexpr auto all = w.record(1);
#ifdef WF_FAIL
[[maybe_unused]] constexpr auto stage = all.get<"lint">();
#else
[[maybe_unused]] constexpr auto stage = all.get<"lower">();
#endif
