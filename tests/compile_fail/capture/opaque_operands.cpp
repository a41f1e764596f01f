// SPDX-License-Identifier: BSL-1.0
// EXPECT: "::opaque::lib.svd"
// EXPECT: WF101: operand A has 1
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
#ifdef WF_FAIL
  auto A = s.input<"A", double, 3>();
#else
  auto A = s.input<"A", double, 3, 4>();
#endif
  s.output<"s">(wf::opaque<"lib.svd", "A: floating [M, N] -> s: floating [N]">(A));
});
static_assert(w.graph().outputs.size() == 1);
