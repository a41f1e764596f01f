// SPDX-License-Identifier: BSL-1.0
//
// A library's implementation of an operator beside wf's own: a plan calls it at the nodes where it
// takes less time. Here the library is Eigen's Cholesky factorisation, with times made up for it.
#include <iostream>
#include <vector>

#include <Eigen/Cholesky>

#include <wf/registry/registry.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/run/plan/executable_plan.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:library]
constexpr auto factorisations =
    wf::implementations(wf::implement<wf::kernels::cholesky>([](auto& l, const auto& a) {
      const auto factors = a.llt();
      l = factors.matrixL();
      return factors.info() == Eigen::Success;
    }));

// The implementation, and what it takes on this machine, in nanoseconds.
constexpr wf::kernel_spec library[] = {
    wf::library_kernels<factorisations>[0],
    {.name = "cholesky", .costs = {{"library_time", "5000 + 0.002*M**3"}}, .overrides = true}};
// --8<-- [end:library]

constexpr auto two_factors = wf::workflow<"two_factors">([](wf::scope& s) {
  auto small = s.input<"small", double, 8, 8>(wf::spd);
  auto large = s.input<"large", double, 300, 300>(wf::spd);
  s.output<"L1">(wf::call<wf::kernels::cholesky>(small));
  s.output<"L2">(wf::call<wf::kernels::cholesky>(large));
});

Eigen::MatrixXd definite(Eigen::Index n) {
  return Eigen::MatrixXd::Ones(n, n) + static_cast<double>(n) * Eigen::MatrixXd::Identity(n, n);
}

}  // namespace

int main(int argc, char** argv) {
  support::output_folder(argc, argv);
  // --8<-- [start:plan]
  wf::planning_options options;
  options.kernels = library;
  const auto plan = support::value_or_exit(wf::executable_plan::make(two_factors.graph(), options));
  const wf::metric_spec metrics[] = {wf::execution_time};
  std::cout << support::value_or_exit(plan.explain(metrics)) << '\n';
  // --8<-- [end:plan]
  const wf::named_matrices in{{"small", definite(8)}, {"large", definite(300)}};
  const auto out = support::value_or_exit(plan(in));
  for (const auto& [of, factor] : {std::pair{"small", "L1"}, std::pair{"large", "L2"}}) {
    const Eigen::MatrixXd& l = out.at(factor);
    support::require((l * l.transpose() - in.at(of)).norm() < 1e-10, "a factor of the matrix");
  }
}
