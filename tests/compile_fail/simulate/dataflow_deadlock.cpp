// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF602: deadlock: filter waits for control, control waits for filter
#include <wf/simulate/process/dataflow.hpp>

template <unsigned Initial>
constexpr auto loop = [] {
  wf::dataflow_graph g;
  g.add_node("filter");
  g.add_node("control");
  g.connect(0, 1, 2, 1).capacity = 2;
  g.connect(1, 0, 1, 2).initial = Initial;
  return g;
};

#ifdef WF_FAIL
static_assert(wf::require_dataflow<loop<1>>());
#else
static_assert(wf::require_dataflow<loop<2>>());
#endif
