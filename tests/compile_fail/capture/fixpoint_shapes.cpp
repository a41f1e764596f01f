// SPDX-License-Identifier: BSL-1.0
// EXPECT: "body"
// EXPECT: WF101: output y is f64[4x4], the
// EXPECT: operand that it replaces f64[4]
#include <wf/capture/fixpoint.hpp>

constexpr auto body = wf::workflow<"body">([](wf::scope& s) {
  auto A = s.input<"A", double, 4, 4>();
  auto x = s.input<"x", double, 4>();
#ifdef WF_FAIL
  (void)x;
  s.output<"y">(A * A);
#else
  s.output<"y">(A * x);
#endif
});
constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto A = s.input<"A", double, 4, 4>();
  auto x = s.input<"x", double, 4>();
  auto [y, runs, converged] = wf::fixpoint<"loop">(body, {3}, A, x);
  s.output<"y">(y);
});
static_assert(w.graph().outputs.size() == 1);
