// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include <Eigen/Core>

namespace wf {

/// A matrix of any size, as run-time executors take and give it. A vector is a column, a scalar
/// 1x1; a tensor of more dimensions is a row of its elements in row-major order.
template <class Real>
using basic_dynamic_matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
/// The same of doubles.
using dynamic_matrix = basic_dynamic_matrix<double>;

/// Matrices by name.
template <class Real>
using basic_named_matrices = std::map<std::string, basic_dynamic_matrix<Real>, std::less<>>;
/// The same of doubles.
using named_matrices = basic_named_matrices<double>;

}  // namespace wf
