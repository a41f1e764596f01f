// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: step 'place' returns placed graph but step 'cut' takes wired program
#include <wf/partition/toolchain.hpp>

[[maybe_unused]] constexpr auto place = wf::step<"place", wf::graph, wf::placed_graph>(
    [](const wf::graph& g) { return wf::place(g.view(), wf::builtin_registry()); });
[[maybe_unused]] constexpr auto receive = wf::step<"receive", wf::placed_graph, wf::wired_program>(
    [](const wf::placed_graph& p) { return wf::insert_receives(p); });
[[maybe_unused]] constexpr auto cut = wf::step<"cut", wf::wired_program, wf::partitioned_program>(
    [](const wf::wired_program& p) { return wf::cut(p); });

#ifdef WF_FAIL
constexpr auto steps = wf::chain(place, cut);
#else
constexpr auto steps = wf::chain(place, receive, cut);
#endif
static_assert(steps.size() >= 2);
