// SPDX-License-Identifier: BSL-1.0
// EXPECT: stacks WF704: the static executor knows f32, f64, c64, c128, i32 and i64
#include <wf/run/eigen.hpp>
#include <wf/static.hpp>

using namespace wf::literals;

#ifdef WF_FAIL
constexpr auto stacks = wf::workflow<"stacks">(
    [](wf::scope& s) { s.output<"c">(wf::sum<2>(s.input<"a", double, 2, 3, 4>())); });
#else
constexpr auto stacks = wf::workflow<"stacks">(
    [](wf::scope& s) { s.output<"c">(wf::sum<1>(s.input<"a", double, 3, 4>())); });
#endif

template <class A>
bool call(const A& a, Eigen::Vector3d& c) {
  return bool(wf::run<stacks>("a"_arg = a, "c"_arg = c));
}
template bool call(const Eigen::Matrix<double, 3, 4>&, Eigen::Vector3d&);
