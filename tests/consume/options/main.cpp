// SPDX-License-Identifier: BSL-1.0
#include <Eigen/Dense>
#include <atomic>
#include <cstddef>
#include <cstdio>

#include <wf/adapt/parallel.hpp>
#include <wf/adapt/tbb.hpp>

#ifdef EIGEN_USE_BLAS  // the macro that wf's kernels also test
constexpr const char* place = "on a BLAS";
#else
constexpr const char* place = "without a BLAS";
#endif

int main() {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Constant(40, 30, 2), b = a.transpose();
  const Eigen::MatrixXd product = a * b;
  std::atomic<int> done = 0;
  wf::tbb_threads workers(2);
  workers(9, [&](std::size_t) { ++done; });
  wf::parallel cores(2);
  cores.cores().as_team().each_part(9, [&](std::size_t) { ++done; });
  std::printf("%s 120 is %g, on TBB 9 + 9 is %d\n", place, product(39, 39), done.load());
  return product(39, 39) == 120 && done == 18 ? 0 : 1;
}
