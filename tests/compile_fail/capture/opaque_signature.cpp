// SPDX-License-Identifier: BSL-1.0
// EXPECT: A[M, N -> s[N]
// EXPECT: WF303:
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto A = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  s.output<"s">(wf::opaque<"lib.svd", "A[M, N -> s[N]">(A));
#else
  s.output<"s">(wf::opaque<"lib.svd", "A[M, N] -> s[N]">(A));
#endif
});
static_assert(w.graph().outputs.size() == 1);
