// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include <Eigen/Core>

namespace wf {

/// A matrix sized at run time, the argument and result type of run-time executors. A vector is a
/// column, a scalar 1x1; a tensor of higher rank is a row of its elements in row-major order.
template <class Real>
using basic_dynamic_matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
/// Matrix of doubles, sized at run time.
using dynamic_matrix = basic_dynamic_matrix<double>;

/// Matrices by the names of inputs or outputs.
template <class Real>
using basic_named_matrices = std::map<std::string, basic_dynamic_matrix<Real>, std::less<>>;
/// Matrices of doubles by name.
using named_matrices = basic_named_matrices<double>;

}  // namespace wf
