// SPDX-License-Identifier: BSL-1.0
#pragma once

// Toolchains with complex pictures: deeply nested, with long names, adapters and conversions.

#include <wf/toolchain/adapter.hpp>

#include "steps.hpp"

namespace steps {

struct flags {
  bool fast = false;
};
struct number {
  constexpr number() = default;
  constexpr number(const tree& t) : value(t.leaves) {}
  int value = 0;
};

}  // namespace steps

template <>
inline constexpr wf::text_view wf::stage_name<wf::concrete<steps::source, steps::flags>> =
    "concrete<source, flags>";
template <>
inline constexpr wf::text_view wf::stage_name<wf::concrete<steps::tree, steps::flags>> =
    "concrete<tree, flags>";
template <>
inline constexpr bool wf::step_converts<steps::tree, steps::number> = true;

namespace steps {

// Steps on data alone, four levels deep, between stages that carry arguments.
inline constexpr auto layers = wf::chain<"layers">(
    wf::step<"add flags">([](const source& s) { return wf::concrete<source, flags>{s, {}}; }),
    wf::on_data<flags>(wf::chain<"read">(
        wf::step<"split">(&split), wf::step<"parse">(&parse),
        wf::chain<"simplify">(
            wf::step<"fold">(&fold),
            wf::chain<"again">(
                wf::step<"fold once more, which is a name as long as a line">(&fold))))),
    wf::drop_args<flags>(wf::step<"generate">(&generate)), wf::step<"assemble">(&assemble));

inline constexpr auto converting = wf::chain(wf::step<"parse">([](const words&) { return tree{}; }),
                                             wf::step<"count">([](const number& n) { return n; }));

}  // namespace steps
