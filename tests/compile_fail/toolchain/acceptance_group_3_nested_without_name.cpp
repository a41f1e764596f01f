// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF105: a step, a toolchain inside of another one too, has a name without '/'
#include <wf/toolchain/toolchain.hpp>

struct ast {};
struct ir {};
struct code {};
[[maybe_unused]] constexpr auto parse = wf::step<"parse">([](int) { return ast{}; });
[[maybe_unused]] constexpr auto lint = wf::step<"lint">([](ast a) { return a; });
[[maybe_unused]] constexpr auto lower = wf::step<"lower">([](ast) { return ir{}; });
[[maybe_unused]] constexpr auto emit = wf::step<"emit">([](ir) { return code{}; });

constexpr auto back = wf::chain(lower, emit);
#ifdef WF_FAIL
constexpr auto w = wf::chain(parse, back);
#else
constexpr auto w = wf::chain(parse, back.named<"back">());
#endif
static_assert(w.size() == 2);
