// SPDX-License-Identifier: BSL-1.0
//
// Generalised least squares from the textbook formula: held to a budget while compiling, planned by
// predicted time with a proof, explained, and timed beside the same formula in Eigen.
#include <algorithm>
#include <ctime>
#include <random>
#include <vector>

#include <Eigen/Dense>

#include <wf/run/plan/executable_plan.hpp>
#include <wf/static.hpp>

#include "support.hpp"

// --8<-- [start:formula]
constexpr auto least_squares = wf::workflow<"least_squares">([](wf::scope& s) {
  auto X = s.input<"X", double, 500, 100>(wf::full_rank);
  auto M = s.input<"M", double, 500, 500>(wf::spd);
  auto y = s.input<"y", double, 500>();
  s.output<"b">(inv(trans(X) * inv(M) * X) * trans(X) * inv(M) * y);
});
static_assert(wf::cost(least_squares)[wf::flops] < 400'000'000);
// --8<-- [end:formula]

namespace {

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class F>
double median_milliseconds(F f) {
  std::vector<double> taken;
  for (int round = 0; round < 11; ++round) {
    const double start = seconds();
    f();
    taken.push_back(1e3 * (seconds() - start));
  }
  std::nth_element(taken.begin(), taken.begin() + 5, taken.end());
  return taken[5];
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);

  // --8<-- [start:plan]
  const auto plan = support::value_or_exit(wf::executable_plan::make(least_squares.graph()));
  support::require(plan.proven_optimal(), "no other plan of the alternatives is predicted faster");
  const wf::metric_spec metrics[] = {wf::execution_time, wf::flops};
  const wf::text story = support::value_or_exit(plan.explain(metrics));
  // --8<-- [end:plan]
  const auto flops = support::value_or_exit(wf::price(plan.chosen(), wf::flops));
  support::require(5 * flops < wf::cost(least_squares)[wf::flops], "a fifth of the arithmetic");

  std::mt19937_64 random(20261122);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto some = [&](Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd(
        Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return uniform(random); }));
  };
  const Eigen::MatrixXd X = some(500, 100), root = some(500, 500);
  const Eigen::MatrixXd M = root * root.transpose() / 500 + Eigen::MatrixXd::Identity(500, 500);
  const Eigen::VectorXd y = some(500, 1);

  Eigen::VectorXd b(100), naive(100);
  // --8<-- [start:run]
  const wf::input_matrix inputs[] = {X, M, y};
  const wf::output_matrix outputs[] = {b};
  const auto run = [&] { return plan.run(inputs, outputs); };
  // --8<-- [end:run]
  const auto run_naive = [&] {
    naive = (X.transpose() * M.inverse() * X).inverse() * X.transpose() * M.inverse() * y;
  };
  support::require(static_cast<bool>(run()), "the plan runs");
  run_naive();
  const double difference = (b - naive).norm() / naive.norm();
  support::require(difference < 1e-9, "plan and naive Eigen agree to 1e-9");

  const double planned = median_milliseconds([&] { (void)run(); });
  const double as_written = median_milliseconds(run_naive);
  wf::text timing;
  timing << "plan " << static_cast<long>(1e3 * planned) << " us, naive Eigen "
         << static_cast<long>(1e3 * as_written)
         << " us (medians of 11 rounds, thread CPU time, one core)\n";
  std::cout << story << '\n' << timing;
  support::write(folder / "least_squares.txt", (wf::text() << story << '\n' << timing).view());
}
