// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: a route ends with ir but another one with code
#include <wf/toolchain/route.hpp>

struct ast {};
struct ir {};
struct code {};
[[maybe_unused]] constexpr auto parse = wf::step<"parse">([](int) { return ast{}; });
[[maybe_unused]] constexpr auto lint = wf::step<"lint">([](ast a) { return a; });
[[maybe_unused]] constexpr auto lower = wf::step<"lower">([](ast) { return ir{}; });
[[maybe_unused]] constexpr auto emit = wf::step<"emit">([](ir) { return code{}; });

constexpr auto w = wf::chain(parse, lower, emit);
#ifdef WF_FAIL
[[maybe_unused]] constexpr auto r =
    wf::router(wf::route<ast, "lower", "emit">(w), wf::route<int, "parse", "lower">(w));
#else
[[maybe_unused]] constexpr auto r =
    wf::router(wf::route<ast, "lower", "emit">(w), wf::route<ir, "emit">(w));
#endif
