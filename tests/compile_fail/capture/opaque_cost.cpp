// SPDX-License-Identifier: BSL-1.0
// EXPECT: "::opaque::lib.svd#0"
// EXPECT: WF305: its cost in flops is not
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto A = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  s.output<"s">(wf::opaque<"lib.svd", "A[M, N] -> s[N]">(A));
#else
  s.output<"s">(wf::opaque<"lib.svd", "A[M, N] -> s[N]", wf::declare("flops", "M*N")>(A));
#endif
});
static_assert(wf::cost(w)[wf::flops] == 12);
