// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: a back end begins with a definition and its argument types, step 'lower' takes ast
#include <wf/compile/backend.hpp>

struct ast {};
struct code {};
constexpr auto lower = wf::step<"lower">([](ast) { return code{}; });
constexpr auto b = wf::make_backend<"b">(
    wf::on_data<wf::type_args>(wf::step<"parse">([](ast a) { return a; })),
    wf::step<"emit">([](const wf::concrete<ast, wf::type_args>&) { return code{}; }));

#ifdef WF_FAIL
constexpr auto other = b.with_steps(wf::chain(lower));
#else
constexpr auto other = b.with_steps(wf::chain(wf::drop_args<wf::type_args>(lower)));
#endif
static_assert(other.name() == "b");
