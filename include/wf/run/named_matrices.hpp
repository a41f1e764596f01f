// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include <Eigen/Core>

namespace wf {

/// A matrix of any size, as run-time executors take and give it. A vector is a column, a scalar
/// 1x1; a tensor of more dimensions is a row of its elements in row-major order.
using dynamic_matrix = Eigen::MatrixXd;

/// Matrices by name.
using named_matrices = std::map<std::string, dynamic_matrix, std::less<>>;

}  // namespace wf
