// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF802: two steps are named 'lint'
#include <wf/toolchain/toolchain.hpp>

struct ast {};
struct ir {};
struct code {};
[[maybe_unused]] constexpr auto parse = wf::step<"parse">([](int) { return ast{}; });
[[maybe_unused]] constexpr auto lint = wf::step<"lint">([](ast a) { return a; });
[[maybe_unused]] constexpr auto lower = wf::step<"lower">([](ast) { return ir{}; });
[[maybe_unused]] constexpr auto emit = wf::step<"emit">([](ir) { return code{}; });

#ifdef WF_FAIL
constexpr auto w = wf::chain(parse, lint, lint);
#else
constexpr auto w = wf::chain(parse, lint, wf::rename<"lint again">(lint));
#endif
static_assert(w.size() >= 1);
