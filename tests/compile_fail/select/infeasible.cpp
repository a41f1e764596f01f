// SPDX-License-Identifier: BSL-1.0
// EXPECT: "w"
// EXPECT: WF501: no plan meets the limits; raise them; wf::optimise(w.graph(), ...) at run time
// names
#include <wf/wf.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto a = s.input<"A", double, 3, 3>();
  s.output<"Y">(a * a);
});
#ifdef WF_FAIL
constexpr auto plan = wf::optimise<w>(wf::minimise(wf::flops), wf::peak_memory <= 8);  // HERE
#else
constexpr auto plan = wf::optimise<w>(wf::minimise(wf::flops), wf::peak_memory <= 144);
static_assert(wf::try_optimise<w>(wf::minimise(wf::flops), wf::peak_memory <= 8).failure() ==
              wf::errc::infeasible);
#endif
static_assert(plan.proven_optimal);
