// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF109: a function traced while compiling captures no variables
#include <wf/capture/trace.hpp>

struct scaled {
#ifdef WF_FAIL
  double factor = 2;
#else
  static constexpr double factor = 2;
#endif
  template <class T>
  constexpr auto operator()(const T& x) const {
    return factor * x;
  }
};
constexpr auto w = wf::trace<"w">(scaled{}, wf::outputs<"y">(), wf::input<"x", double, 3>());
static_assert(w.graph().outputs.size() == 1);
