// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <Eigen/Dense>

namespace calibration {

/// The coefficients, none negative, for which the least squares of the relative errors of
/// `terms * coefficients` against `times` are least: the best of all subsets of the terms whose
/// unrestricted solution is positive. Exact, for few terms: O(2^terms).
inline Eigen::VectorXd fit_relative(const Eigen::MatrixXd& terms, const Eigen::VectorXd& times) {
  const Eigen::MatrixXd scaled = times.cwiseInverse().asDiagonal() * terms;
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(times.size());
  Eigen::VectorXd best = Eigen::VectorXd::Zero(terms.cols());
  double least = static_cast<double>(times.size());
  for (std::size_t subset = 1; subset < std::size_t{1} << terms.cols(); ++subset) {
    std::vector<Eigen::Index> chosen;
    for (Eigen::Index c = 0; c < terms.cols(); ++c)
      if ((subset >> c & 1) != 0) chosen.push_back(c);
    const Eigen::MatrixXd part = scaled(Eigen::all, chosen);
    const Eigen::VectorXd solved = part.colPivHouseholderQr().solve(ones);
    if ((solved.array() <= 0).any()) continue;
    const double error = (part * solved - ones).squaredNorm();
    if (error >= least) continue;
    least = error;
    best.setZero();
    for (std::size_t i = 0; i < chosen.size(); ++i)
      best(chosen[i]) = solved(static_cast<Eigen::Index>(i));
  }
  return best;
}

/// A number, not negative, as a formula writes it: four significant digits, no exponent.
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

}  // namespace calibration
