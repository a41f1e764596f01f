// SPDX-License-Identifier: BSL-1.0
//
// Replaces armadillo_rivals.cpp and armadillo_library.cpp where Armadillo is not installed.
#include <linalg/library.hpp>

namespace linalg_benchmark {

std::vector<rival> armadillo_rivals(const formulas&, const wf::named_matrices&) { return {}; }
std::vector<rival> armadillo_library_rivals(const std::string&, const wf::named_matrices&) {
  return {};
}
product_rival openblas_product(const Eigen::MatrixXd&, const Eigen::MatrixXd&) { return {}; }
double openblas_product_rate() { return 0; }

}  // namespace linalg_benchmark
