// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/argument_tuple.hpp>

#include <array>

#include <doctest/doctest.h>
#include <Eigen/Core>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/literal.hpp>
#include <wf/capture/functions/operators.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/run/eigen.hpp>

using namespace wf::literals;

namespace {

constexpr auto joined = wf::workflow<"joined">([](wf::scope& s) {
  auto [a, rest] = s.input<"p", std::tuple<Eigen::Matrix<double, 2, 3>,
                                           std::pair<std::array<double, 3>, Eigen::Vector2d>>>();
  auto [x, b] = rest;
  s.output<"q">(std::tuple{a * x + b, trans(a)});
  s.output<"l">(wf::literal(std::array{std::array{1.0, 2.0, 3.0}, std::array{4.0, 5.0, 6.0}}) * x);
  s.output<"m">(trans(wf::literal(std::array{std::array{1.0, 2.0}, std::array{4.0, 5.0}})));
});

using spread_names = decltype(wf::detail::spread(
    std::declval<wf::argument<"p", std::tuple<int, std::pair<int, int>>>>()));
static_assert(std::tuple_size_v<spread_names> == 3);
static_assert(std::tuple_element_t<2, spread_names>::name() == "p.1.1");

}  // namespace

TEST_CASE("tuples are passed and handed out as a whole") {
  const Eigen::Matrix<double, 2, 3> a = Eigen::Matrix<double, 2, 3>::Random();
  const Eigen::Vector3d x = Eigen::Vector3d::Random();
  const Eigen::Vector2d b = Eigen::Vector2d::Random();
  Eigen::Vector2d y, l;
  Eigen::Matrix<double, 3, 2> t;
  const auto status =
      wf::run<joined>("p"_arg = std::tuple{a, std::pair{x, b}}, "q"_arg = std::tie(y, t));
  REQUIRE(status);
  CHECK(y.isApprox(a * x + b));
  CHECK(t == a.transpose());
  // Literals are stored in the program, and are exported and transposed like other values.
  const Eigen::Matrix<double, 2, 3> numbers{{1, 2, 3}, {4, 5, 6}};
  CHECK(status["l"_arg].isApprox(numbers * x));
  CHECK(status["m"_arg] == Eigen::Matrix2d{{1, 4}, {2, 5}});
}
