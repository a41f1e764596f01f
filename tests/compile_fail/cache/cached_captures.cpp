// SPDX-License-Identifier: BSL-1.0
// EXPECT: scale WF807: the state of 'scale' cannot be seen, such as captures and private members:
// pass a version that changes with it, cached(step, store, version)
#include <wf/cache/cached.hpp>

auto kept(int factor) {
  const auto scale = wf::step<"scale">([factor](const int& x) { return factor * x; });
#ifdef WF_FAIL
  return wf::cached(scale, wf::in_memory<int>());  // HERE
#else
  return wf::cached(scale, wf::in_memory<int>(), factor);
#endif
}
