// SPDX-License-Identifier: BSL-1.0
#include <wf/run/static/run_checks.hpp>

#include <doctest/doctest.h>

#include <wf/run/plan/implement.hpp>
#include <wf/static.hpp>

namespace {

constexpr auto flow = wf::workflow<"flow">([](wf::scope& s) {
  auto a = s.input<"a", double, 3, 3>();
  s.output<"c">(a + a);
});
constexpr auto deep =
    wf::workflow<"deep">([](wf::scope& s) { s.output<"c">(-s.input<"a", double, 2, 2, 2>()); });

template <wf::fixed_string Name, class T>
using argument = wf::argument<Name, T>;

}  // namespace

TEST_CASE("a plan is executable, or the check says why not") {
  using wf::detail::executor_error;
  CHECK(executor_error<flow, wf::built_in_only>().code == wf::errc::none);
  CHECK(executor_error<deep, wf::built_in_only>().code == wf::errc::not_executable);
}

TEST_CASE("arguments are all there, once, and of the extents of their values") {
  using namespace wf::detail;
  using a = argument<"a", const Eigen::Matrix3d>;
  using c = argument<"c", Eigen::Matrix3d>;
  CHECK(missing_argument<flow, a, c>().code == wf::errc::none);
  CHECK(missing_argument<flow, a>().code == wf::errc::none);  // a small output is returned
  CHECK(missing_argument<flow, c>().code == wf::errc::missing_argument);
  CHECK(repeated_argument<a, c>().code == wf::errc::none);
  CHECK(repeated_argument<a, c, a>().code == wf::errc::unknown_argument);
  CHECK(argument_error<flow, a>().code == wf::errc::none);
  CHECK(argument_error<flow, argument<"b", Eigen::Matrix3d>>().code == wf::errc::unknown_argument);
  CHECK(argument_error<flow, argument<"a", Eigen::Matrix4d>>().code == wf::errc::argument_shape);
  CHECK(argument_error<flow, argument<"a", Eigen::Matrix3f>>().code == wf::errc::argument_shape);
  CHECK(argument_error<flow, argument<"c", const Eigen::Matrix3d>>().code ==
        wf::errc::argument_shape);
  CHECK(argument_error<flow, argument<"a", int>>().code == wf::errc::argument_shape);
}
