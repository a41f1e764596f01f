// SPDX-License-Identifier: BSL-1.0
#include <wf/run/static/static_run.hpp>

#include <cstddef>
#include <tuple>

#include <doctest/doctest.h>

#include <wf/run/plan/implement.hpp>
#include <wf/static.hpp>

namespace {

constexpr auto flow = wf::workflow<"flow">([](wf::scope& s) {
  auto a = s.input<"a", double, 3, 3>();
  auto b = s.input<"b", double, 3>();
  auto inverse = s.let<"inverse">(inv(a));
  s.output<"x">(inverse * b);
  s.output<"t">(trans(a));
});

}  // namespace

TEST_CASE("nodes run in order, outputs that are transposes are copied, and a failure has a place") {
  using a = wf::argument<"a", const Eigen::Matrix3d>;
  using b = wf::argument<"b", const Eigen::Vector3d>;
  using x = wf::argument<"x", Eigen::Vector3d>;
  using t = wf::argument<"t", Eigen::Matrix3d>;
  Eigen::Matrix3d matrix;
  matrix << 2, 1, 0, 0, 4, 0, 0, 0, 8;
  const Eigen::Vector3d right(4, 4, 4);
  Eigen::Vector3d solution;
  Eigen::Matrix3d turned;
  const auto run = [&] {
    alignas(64) std::byte workspace[wf::detail::workspace_plan<flow>::value.bytes];
    const std::tuple<a, b, x, t> arguments{a{matrix}, b{right}, x{solution}, t{turned}};
    return wf::detail::static_run<flow, wf::built_in_only, a, b, x, t>(workspace, arguments).run();
  };
  CHECK(run());
  CHECK((matrix * solution - right).norm() < 1e-14);
  CHECK(turned == matrix.transpose());
  matrix.row(2).setZero();
  const wf::run_status failed = run();
  CHECK_FALSE(failed);
  CHECK(failed.code == wf::errc::numerical_failure);
  CHECK(flow.graph().op_name(flow.graph()[failed.at]) == "inverse");
}
