// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF602: rates do not balance: a emits 1 a run, b takes 2
#include <wf/simulate/process/dataflow.hpp>

template <unsigned Taken>
constexpr auto pair = [] {
  wf::dataflow_graph g;
  g.add_node("a");
  g.add_node("b");
  g.connect(0, 1, 1, 1);
  g.connect(0, 1, 1, Taken);
  return g;
};

#ifdef WF_FAIL
static_assert(wf::require_dataflow<pair<2>>());
#else
static_assert(wf::require_dataflow<pair<1>>());
#endif
