// SPDX-License-Identifier: BSL-1.0
// EXPECT: b WF701: the run needs this input as a named argument
#include <wf/run/eigen.hpp>
#include <wf/static.hpp>

using namespace wf::literals;

constexpr auto sum = wf::workflow<"sum">([](wf::scope& s) {
  auto a = s.input<"a", double, 3>();
  auto b = s.input<"b", double, 3>();
  s.output<"c">(a + b);
});

bool call(const Eigen::Vector3d& a, const Eigen::Vector3d& b, Eigen::Vector3d& c) {
#ifdef WF_FAIL
  (void)b;
  return bool(wf::run<sum>("a"_arg = a, "c"_arg = c));  // HERE
#else
  return bool(wf::run<sum>("a"_arg = a, "b"_arg = b, "c"_arg = c));
#endif
}
