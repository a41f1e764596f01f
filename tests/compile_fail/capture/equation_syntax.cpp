// SPDX-License-Identifier: BSL-1.0
// EXPECT: "layer"
// EXPECT: WF112: ',' or ')' is missing after an argument
// EXPECT: line 3, column 9
#include <wf/capture/equations/equations.hpp>

#ifdef WF_FAIL
constexpr auto w = wf::equations<"layer", R"(input X : f32[4, 4]
Y[i,k] = relu(X[i,j] X[j,k]
export Y)">();
#else
constexpr auto w = wf::equations<"layer", R"(input X : f32[4, 4]
Y[i,k] = relu(X[i,j] X[j,k])
export Y)">();
#endif
static_assert(w.graph().outputs.size() == 1);
