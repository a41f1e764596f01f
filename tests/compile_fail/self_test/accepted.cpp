// SPDX-License-Identifier: BSL-1.0
// REJECT: nothing
// EXPECT: demo WF999: a sentence that is longer than one of the lines it is broken into: 3 vs 5
#include <wf/core/diagnosis/ill_formed.hpp>

#ifdef WF_FAIL
constexpr wf::error failure() {
  return wf::make_error(
      static_cast<wf::errc>(999), "demo",
      "a sentence that is longer than one of the lines it is broken into: 3 vs 5");
}
template struct wf::report<wf::diagnose<[] { return failure(); }>>;  // HERE
#else
using fine = wf::ill_formed<"demo", "never instantiated">;
#endif
