// SPDX-License-Identifier: BSL-1.0
// EXPECT: a WF703: it is 3x1, not 4x1
#include <wf/run/eigen.hpp>
#include <wf/static.hpp>

using namespace wf::literals;

constexpr auto negation =
    wf::workflow<"negation">([](wf::scope& s) { s.output<"c">(-s.input<"a", double, 3>()); });

bool call(Eigen::Vector3d& c) {
#ifdef WF_FAIL
  const Eigen::Vector4d a(1, 2, 3, 4);
#else
  const Eigen::Vector3d a(1, 2, 3);
#endif
  return bool(wf::run<negation>("a"_arg = a, "c"_arg = c));  // HERE
}
