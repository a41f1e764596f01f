// SPDX-License-Identifier: BSL-1.0
//
// Arrays declared in a workflow, tuples as arguments, and argument types derived from C++ types.
#include <array>
#include <cstdio>
#include <string>
#include <tuple>

#include <wf/run/eigen.hpp>
#include <wf/run/host_backend.hpp>
#include <wf/run/values/argument_types.hpp>
#include <wf/wf.hpp>

// --8<-- [start:workflow]
// Position and velocity of an object whose position is measured; a state is a tuple of their mean
// and covariance.
using vector = std::array<double, 2>;
using matrix = std::array<vector, 2>;

constexpr auto predict = wf::workflow<"predict">([](wf::scope& s) {
  auto [x, P] = s.input<"state", std::tuple<vector, matrix>>();
  auto F = s.let<"F">(wf::literal(matrix{{{1, 0.1}, {0, 1}}}));
  auto Q = s.let<"Q">(wf::literal(matrix{{{1e-4, 0}, {0, 1e-2}}}, wf::spd));
  s.output<"next">(std::tuple{F * x, F * P * trans(F) + Q});
});
// --8<-- [end:workflow]

// --8<-- [start:symbolic]
constexpr auto layer = wf::workflow<"layer">([](wf::scope& s) {
  auto W = s.input<"W", double, "M", "N">();
  auto x = s.input<"x", double, "N">();
  s.output<"y">(relu(W * x));
});
// --8<-- [end:symbolic]

using namespace wf::literals;

int main() {
  // --8<-- [start:run]
  Eigen::Vector2d x(0, 1), next_x;
  Eigen::Matrix2d P = Eigen::Matrix2d::Identity(), next_P;
  const auto status =
      wf::run<predict>("state"_arg = std::tuple{x, P}, "next"_arg = std::tie(next_x, next_P));
  std::printf("position %.2f, its variance %.4f\n", next_x(0), next_P(0, 0));
  // --8<-- [end:run]

  // --8<-- [start:compile]
  const Eigen::MatrixXd weights = Eigen::MatrixXd::Constant(3, 4, 0.25);
  const Eigen::VectorXd input = Eigen::VectorXd::Ones(4);
  const auto types = wf::types_of("W"_arg = weights, "x"_arg = input);
  std::printf("%s\n", std::string(wf::to_text(types)).c_str());

  wf::type_args known;
  known.fixed.push_back(wf::static_arg("W", weights));
  const auto backend = wf::host_backend();
  const auto artifact = backend.compile(layer.graph(), known);
  if (!artifact) return 1;
  const auto y = backend.load(*artifact)({{"x", input}});  // W is compiled into the artifact
  std::printf("y is %g\n", y->at("y")(0));
  // --8<-- [end:compile]
  return status && y ? 0 : 1;
}
