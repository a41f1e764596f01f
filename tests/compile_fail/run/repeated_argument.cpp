// SPDX-License-Identifier: BSL-1.0
// EXPECT: a WF702: an argument of this name is given twice
#include <wf/run/eigen.hpp>
#include <wf/static.hpp>

using namespace wf::literals;

constexpr auto negation =
    wf::workflow<"negation">([](wf::scope& s) { s.output<"c">(-s.input<"a", double, 3>()); });

bool call(const Eigen::Vector3d& a, Eigen::Vector3d& c) {
#ifdef WF_FAIL
  return bool(wf::run<negation>("a"_arg = a, "a"_arg = a, "c"_arg = c));  // HERE
#else
  return bool(wf::run<negation>("a"_arg = a, "c"_arg = c));
#endif
}
