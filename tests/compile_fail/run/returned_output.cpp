// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF702: the run returned no output of this name
#include <wf/run/eigen.hpp>
#include <wf/static.hpp>

using namespace wf::literals;

constexpr auto negation =
    wf::workflow<"negation">([](wf::scope& s) { s.output<"c">(-s.input<"a", double, 3>()); });

double call(const Eigen::Vector3d& a) {
  const auto results = wf::run<negation>("a"_arg = a);
#ifdef WF_FAIL
  return results["C"_arg](0);  // HERE
#else
  return results["c"_arg](0);
#endif
}
