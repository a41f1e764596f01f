// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/Core>

namespace linalg_benchmark {

/// The values of the outputs of a problem.
using output_values = std::vector<Eigen::MatrixXd>;

/// The largest relative difference between an output and its reference in the Frobenius norm;
/// infinite if shapes differ or an element is NaN.
inline double difference(const output_values& of, const output_values& reference) {
  if (of.size() != reference.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i].rows() != reference[i].rows() || of[i].cols() != reference[i].cols()) return INFINITY;
    const double norm = reference[i].norm(), distance = (of[i] - reference[i]).norm();
    const double relative = norm > 0 ? distance / norm : distance;
    if (!std::isfinite(relative)) return INFINITY;
    largest = std::max(largest, relative);
  }
  return largest;
}

}  // namespace linalg_benchmark
