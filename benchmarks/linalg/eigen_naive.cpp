// SPDX-License-Identifier: BSL-1.0
#include <linalg/eigen_naive.hpp>

#include <memory>

#include <linalg/rival.hpp>
#include <linalg/timing.hpp>

namespace linalg_benchmark {

rival eigen_naive_rival(const formulas& f, const wf::named_matrices& inputs) {
  return make_rival("eigen_naive", std::make_shared<eigen_naive<double>>(f.computed, inputs),
                    f.computed.outputs.size());
}

double eigen_product_rate() {
  constexpr Eigen::Index size = 1000;
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(size, size), b = a.transpose();
  Eigen::MatrixXd c(size, size);
  return product_rate(size, [&] { c.noalias() = a * b; });
}

}  // namespace linalg_benchmark
