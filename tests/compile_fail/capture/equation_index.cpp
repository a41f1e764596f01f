// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF113: index k stands only here
// EXPECT: line 1, column
#include <wf/capture/equations/equations.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto A = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  s.output<"y">(wf::equation<"y[i] = A[i,k]">(A));
#else
  s.output<"y">(wf::equation<"y[i] = reduce(sum, k) A[i,k]">(A));
#endif
});
static_assert(w.graph().outputs.size() == 1);
