// SPDX-License-Identifier: BSL-1.0
// EXPECT: "inner.B"
// EXPECT: WF101: the input is NxN, the
// EXPECT: operand 3x4
#include <wf/capture/subworkflow.hpp>

constexpr auto inner = wf::workflow<"inner">([](wf::scope& s) {
  auto A = s.input<"A", double, "M", "N">();
  auto B = s.input<"B", double, "N", "N">();
  s.output<"C">(A * B);
});
constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto A = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  s.output<"y">(inner(A, A));
#else
  s.output<"y">(inner(A, trans(A) * A));
#endif
});
static_assert(w.graph().outputs.size() == 1);
