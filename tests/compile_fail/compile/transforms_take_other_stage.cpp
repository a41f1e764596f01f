// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: step 'bind' returns graph but step 'lower' takes ast
#include <wf/compile/backend.hpp>

struct ast {};
struct code {};
[[maybe_unused]] constexpr auto lower = wf::step<"lower">([](ast a) { return a; });
[[maybe_unused]] constexpr auto emit = wf::step<"emit">([](ast) { return code{}; });

#ifdef WF_FAIL
constexpr auto b = wf::make_backend<"b">(lower, emit);
#else
constexpr auto b = wf::make_backend<"b">(wf::drop_args<wf::type_args>(lower), emit);
#endif
[[maybe_unused]] constexpr auto made = b;
