// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF109: the body of a compile-time workflow captures no variables
#include <wf/static.hpp>

std::size_t count(int size) {
#ifdef WF_FAIL
  constexpr auto w = wf::workflow<"w">(
      [size](wf::scope& s) { s.output("Y", s.input<double>("A", wf::shape::of(size))); });
  return w.graph().nodes.size();
#else
  const auto g = wf::capture(
      "w", [size](wf::scope& s) { s.output("Y", s.input<double>("A", wf::shape::of(size))); });
  return g->view().nodes.size();
#endif
}
