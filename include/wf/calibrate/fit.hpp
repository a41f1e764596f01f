// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <Eigen/Dense>

namespace wf::calibration {

/// Nonnegative least squares: the coefficients that minimize the squared errors of `terms *
/// coefficients` against `times`, relative to `scales`. Exact, for few terms: the best of all
/// subsets of the terms whose unrestricted solution is positive. O(2^terms).
inline Eigen::VectorXd fit_relative(const Eigen::MatrixXd& terms, const Eigen::VectorXd& times,
                                    const Eigen::VectorXd& scales) {
  const Eigen::MatrixXd scaled = scales.cwiseInverse().asDiagonal() * terms;
  const Eigen::VectorXd wanted = times.cwiseQuotient(scales);
  Eigen::VectorXd best = Eigen::VectorXd::Zero(terms.cols());
  double least = wanted.squaredNorm();
  for (std::size_t subset = 1; subset < std::size_t{1} << terms.cols(); ++subset) {
    std::vector<Eigen::Index> chosen;
    for (Eigen::Index c = 0; c < terms.cols(); ++c)
      if ((subset >> c & 1) != 0) chosen.push_back(c);
    const Eigen::MatrixXd part = scaled(Eigen::all, chosen);
    const Eigen::VectorXd solved = part.colPivHouseholderQr().solve(wanted);
    if (!solved.allFinite() || (solved.array() <= 0).any()) continue;
    const double error = (part * solved - wanted).squaredNorm();
    if (error >= least) continue;
    least = error;
    best.setZero();
    for (std::size_t i = 0; i < chosen.size(); ++i)
      best(chosen[i]) = solved(static_cast<Eigen::Index>(i));
  }
  return best;
}
/// The same with errors relative to `times`.
inline Eigen::VectorXd fit_relative(const Eigen::MatrixXd& terms, const Eigen::VectorXd& times) {
  return fit_relative(terms, times, times);
}

/// Errors of fitted times relative to scales: the median and the largest.
struct fit_errors {
  double median = 0;  ///< of all of them; of two in the middle the larger one
  double worst = 0;   ///< the largest
};

/// The errors of `terms * coefficients` against `times`, relative to `scales`. O(times · terms).
inline fit_errors errors_of(const Eigen::MatrixXd& terms, const Eigen::VectorXd& coefficients,
                            const Eigen::VectorXd& times, const Eigen::VectorXd& scales) {
  Eigen::VectorXd errors = ((terms * coefficients - times).array() / scales.array()).abs();
  std::sort(errors.begin(), errors.end());
  return {errors(errors.size() / 2), errors(errors.size() - 1)};
}

/// The median of some numbers, at least one; of two in the middle the larger one. O(size).
inline double median_of(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

/// A nonnegative number as a formula writes it: four significant digits, no exponent.
inline std::string decimal(double x) {
  if (!(x > 0)) return "0";
  const int after = std::max(0, 3 - static_cast<int>(std::floor(std::log10(x))));
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", std::min(after, 12), x);
  std::string out = text;
  if (out.find('.') == std::string::npos) return out;
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

}  // namespace wf::calibration
