// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/hana.hpp>

#include <doctest/doctest.h>
#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/define_struct.hpp>

#include <wf/capture/workflow.hpp>

namespace {

using matrix2 = Eigen::Matrix2d;

struct measurement {
  BOOST_HANA_DEFINE_STRUCT(measurement, (matrix2, A), (Eigen::Vector2d, b));
};
struct solution {
  BOOST_HANA_DEFINE_STRUCT(solution, (Eigen::Vector2d, x), (Eigen::Vector2d, residual));
};
struct only_x {
  Eigen::Vector2d x;
};
struct other_size {
  BOOST_HANA_DEFINE_STRUCT(other_size, (Eigen::Vector3d, x));
};
struct other_name {
  BOOST_HANA_DEFINE_STRUCT(other_name, (Eigen::VectorXd, y));
};
struct any_size {
  BOOST_HANA_DEFINE_STRUCT(any_size, (Eigen::MatrixXd, A), (Eigen::VectorXd, b));
};

}  // namespace

BOOST_HANA_ADAPT_STRUCT(only_x, x);

namespace {

constexpr auto linear = wf::workflow<"linear">([](wf::scope& s) {
  auto A = s.input<"A", double, 2, 2>();
  auto b = s.input<"b", double, 2>();
  auto x = s.let<"x">(solve(A, b));
  s.output<"x">(x);
  s.output<"residual">(A * x - b);
});

const measurement given{(matrix2() << 2, 1, 1, 3).finished(), {3, 5}};

}  // namespace

static_assert(wf::hana_struct<measurement> && wf::hana_struct<const only_x&>);
static_assert(!wf::hana_struct<matrix2> && !wf::hana_struct<int>);

TEST_CASE("members of structures are the arguments of their names") {
  solution out;
  const wf::run_status status = wf::run_with<linear>(given, out);
  REQUIRE(status);
  CHECK(out.x.isApprox(Eigen::Vector2d(0.8, 1.4)));
  CHECK(out.residual.norm() < 1e-15);
}

TEST_CASE("outputs without a member are returned") {
  using namespace wf::literals;
  only_x out;
  const auto results = wf::run_with<linear>(given, out);
  REQUIRE(results);
  CHECK(out.x.isApprox(Eigen::Vector2d(0.8, 1.4)));
  CHECK(results["residual"_arg].norm() < 1e-15);
}

TEST_CASE("a structure of matrices of any size runs dynamically") {
  const any_size in{given.A, given.b};
  only_x out;
  const auto done = wf::run_dynamic_with(linear.graph(), in, out);
  REQUIRE(done);
  CHECK(out.x.isApprox(Eigen::Vector2d(0.8, 1.4)));
}

TEST_CASE("a member that is no output, or of another size, is refused and nothing is stored") {
  other_size three{Eigen::Vector3d::Constant(7)};
  const auto size = wf::run_dynamic_with(linear.graph(), given, three);
  REQUIRE_FALSE(size);
  CHECK(size.error().code == wf::errc::argument_shape);
  CHECK(three.x == Eigen::Vector3d::Constant(7));
  other_name named;
  const auto name = wf::run_dynamic_with(linear.graph(), given, named);
  REQUIRE_FALSE(name);
  CHECK(name.error().code == wf::errc::missing_argument);
  CHECK(name.error().subject.view() == "y");
  measurement singular{matrix2::Zero(), {1, 1}};
  only_x untouched{{4, 2}};
  const auto failed = wf::run_dynamic_with(linear.graph(), singular, untouched);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == wf::errc::numerical_failure);
  CHECK(untouched.x == Eigen::Vector2d(4, 2));
}
