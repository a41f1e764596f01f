// SPDX-License-Identifier: BSL-1.0
#include <wf/calibrate/fit.hpp>

#include <random>

#include <doctest/doctest.h>

TEST_CASE("coefficients are found again, and none is negative") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> size(1, 1000), noise(0.95, 1.05);
  for (int round = 0; round < 50; ++round) {
    CAPTURE(round);
    Eigen::MatrixXd terms(80, 4);
    for (Eigen::Index i = 0; i < terms.rows(); ++i) {
      const double n = size(random);
      terms.row(i) << 1, n, n * n, n * n * n;
    }
    Eigen::VectorXd wanted(4);
    for (double& c : wanted) c = random() % 3 == 0 ? 0 : size(random);
    if ((wanted.array() == 0).all()) wanted(0) = 1;
    const Eigen::VectorXd exact = wf::calibration::fit_relative(terms, terms * wanted);
    CHECK((exact - wanted).cwiseAbs().maxCoeff() < 1e-3);
    Eigen::VectorXd times = terms * wanted;
    for (double& t : times) t *= noise(random);
    const Eigen::VectorXd fitted = wf::calibration::fit_relative(terms, times);
    CHECK((fitted.array() >= 0).all());
    CHECK(((terms * fitted).array() / (terms * wanted).array() - 1).abs().maxCoeff() < 0.1);
  }
}

TEST_CASE("coefficients are written with four digits and no exponent") {
  CHECK(wf::calibration::decimal(0) == "0");
  CHECK(wf::calibration::decimal(-1) == "0");
  CHECK(wf::calibration::decimal(60) == "60");
  CHECK(wf::calibration::decimal(127.1518) == "127.2");
  CHECK(wf::calibration::decimal(123456.7) == "123457");
  CHECK(wf::calibration::decimal(0.0052331) == "0.005233");
  CHECK(wf::calibration::decimal(0.5) == "0.5");
  CHECK(wf::calibration::decimal(1e-20) == "0");
}

TEST_CASE("medians are the larger one of two in the middle, and errors are relative to scales") {
  CHECK(wf::calibration::median_of({3}) == 3);
  CHECK(wf::calibration::median_of({5, 1, 3}) == 3);
  CHECK(wf::calibration::median_of({4, 1, 3, 2}) == 3);
  const Eigen::MatrixXd terms = Eigen::MatrixXd::Identity(3, 3);
  const Eigen::Vector3d fitted(1, 2, 5), times(2, 2, 1), scales(4, 1, 8);
  const auto errors = wf::calibration::errors_of(terms, fitted, times, scales);
  CHECK(errors.median == doctest::Approx(0.25));
  CHECK(errors.worst == doctest::Approx(0.5));
}
