// SPDX-License-Identifier: BSL-1.0
//
// The gain of a Kalman filter: captured, priced, held to a budget, optimised with a proof while
// compiling, and run as straight-line Eigen code beside the textbook formula.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <vector>

#include <Eigen/Dense>

#include <wf/report.hpp>
#include <wf/run/eigen.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

using namespace wf::literals;

// --8<-- [start:kalman]
constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});
static_assert(wf::cost(kalman)[wf::flops] < 2'000);

constexpr auto plan = wf::optimise<kalman>(wf::minimise(wf::flops), wf::peak_memory <= 8_KiB);
static_assert(plan.proven_optimal);
static_assert(plan.value < wf::cost(kalman)[wf::flops]);
// --8<-- [end:kalman]

namespace {

using matrix6 = Eigen::Matrix<double, 6, 6>;
using matrix36 = Eigen::Matrix<double, 3, 6>;
using matrix63 = Eigen::Matrix<double, 6, 3>;

template <class Matrix>
Matrix random_matrix(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Matrix::NullaryExpr([&] { return uniform(random); });
}

double cpu_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <class F>
double once(F&& f) {
  constexpr int repetitions = 20'000;
  const double start = cpu_nanoseconds();
  for (int i = 0; i < repetitions; ++i) f();
  return (cpu_nanoseconds() - start) / repetitions;
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// Keeps the compiler from optimising the loop away.
void clobber(void* p) { asm volatile("" : : "g"(p) : "memory"); }

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  const auto registry = wf::builtin_registry();

  // The same optimisation at run time, for its full explanation.
  const wf::limit limits[] = {wf::peak_memory <= 8_KiB};
  // --8<-- [start:explain]
  const wf::plan told =
      support::value_or_exit(wf::optimise(kalman.graph(), wf::minimise(wf::flops), limits));
  support::require(told.value == plan.value, "compile-time and run-time plan agree");
  const wf::metric_spec metrics[] = {wf::flops, wf::bytes, wf::peak_memory};
  const wf::cost_table captured =
      support::value_or_exit(wf::tabulate_costs(kalman.graph(), metrics, registry));
  const wf::text story = support::value_or_exit(wf::explain(told, metrics, registry));
  // --8<-- [end:explain]
  std::cout << "as captured:\n" << wf::to_text(captured, kalman.graph()) << '\n' << story << '\n';

  std::mt19937_64 random(20260101);
  matrix6 P = random_matrix<matrix6>(random);
  P = (P * P.transpose() + matrix6::Identity()).eval();
  matrix36 H = random_matrix<matrix36>(random);
  Eigen::Matrix3d R = random_matrix<Eigen::Matrix3d>(random);
  R = (R * R.transpose() + Eigen::Matrix3d::Identity()).eval();

  matrix63 K, naive;
  // --8<-- [start:run]
  const auto run_plan = [&] {
    return wf::run<plan>("P"_arg = P, "H"_arg = H, "R"_arg = R, "K"_arg = K);
  };
  // --8<-- [end:run]
  const auto run_naive = [&] { naive = P * H.transpose() * (H * P * H.transpose() + R).inverse(); };
  support::require(static_cast<bool>(run_plan()), "the plan runs");
  run_naive();
  const double difference = (K - naive).norm() / naive.norm();
  support::require(difference < 1e-9, "plan and naive Eigen agree to 1e-9");

  std::vector<double> plan_times, naive_times;
  for (int round = 0; round < 31; ++round) {
    plan_times.push_back(once([&] { clobber(&P), (void)run_plan(), clobber(&K); }));
    naive_times.push_back(once([&] { clobber(&P), run_naive(), clobber(&naive); }));
  }
  const auto whole = [](double x) { return static_cast<long>(std::lround(x)); };
  wf::text timing;
  timing << "plan " << whole(median(plan_times)) << " ns, naive Eigen "
         << whole(median(naive_times))
         << " ns: " << whole(100 * median(naive_times) / median(plan_times))
         << " % of the speed of the "
         << "formula as written (medians of 31 rounds, thread CPU time, one core)\n";
  std::cout << "relative difference to naive Eigen: " << difference << '\n' << timing;

  wf::html_page page("kalman");
  page.add_heading("Kalman gain, planned while compiling");
  page.add_picture(wf::to_svg(kalman.graph()).view(), "As captured from the formula.");
  page.add_picture(wf::to_svg(plan.graph()).view(),
                   "The plan: proven optimal among its alternatives under 8 KiB of peak memory.");
  page.add_preformatted(story.view());
  page.add_preformatted(timing.view());
  support::write(folder / "kalman.fragment.html", page.body());
  support::write(folder / "kalman.dot", wf::to_dot(told.from.choices).view());
}
