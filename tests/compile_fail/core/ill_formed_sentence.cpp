// SPDX-License-Identifier: BSL-1.0
// EXPECT: the workflow is ill-formed
// EXPECT: conv2 WF101: inner dimensions differ: 3 vs 5 (left is 2 x 3, right is 5 x 7)
#include <wf/core/diagnosis/ill_formed.hpp>

template <int LeftColumns, int RightRows>
constexpr int multiply() {
  constexpr auto mismatch = [] {
    wf::text sentence;
    sentence << "inner dimensions differ: " << LeftColumns << " vs " << RightRows
             << " (left is 2 x 3, right is 5 x 7)";
    return wf::make_error(wf::errc::shape_mismatch, "conv2", sentence.view());
  };
  if constexpr (LeftColumns != RightRows) wf::report<wf::diagnose<mismatch>>{};
  return LeftColumns;
}

#ifdef WF_FAIL
constexpr int product = multiply<3, 5>();  // HERE
#else
constexpr int product = multiply<3, 3>();
#endif
static_assert(product == 3);
