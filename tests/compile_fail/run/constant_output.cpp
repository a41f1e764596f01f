// SPDX-License-Identifier: BSL-1.0
// EXPECT: c WF703: it is an output: pass a matrix that can be written
#include <wf/run/eigen.hpp>
#include <wf/static.hpp>

using namespace wf::literals;

constexpr auto negation =
    wf::workflow<"negation">([](wf::scope& s) { s.output<"c">(-s.input<"a", double, 3>()); });

bool call(const Eigen::Vector3d& a, Eigen::Vector3d& c) {
#ifdef WF_FAIL
  const Eigen::Vector3d& out = c;
#else
  Eigen::Vector3d& out = c;
#endif
  return bool(wf::run<negation>("a"_arg = a, "c"_arg = out));  // HERE
}
