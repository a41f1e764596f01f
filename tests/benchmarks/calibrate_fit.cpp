// SPDX-License-Identifier: BSL-1.0
#include <calibrate/fit.hpp>

#include <random>

#include <doctest/doctest.h>

#include <calibrate/one_kernel.hpp>
#include <calibrate/rows.hpp>
#include <wf/registry/host_times.hpp>
#include <wf/run/executable.hpp>

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
    const Eigen::VectorXd exact = calibration::fit_relative(terms, terms * wanted);
    CHECK((exact - wanted).cwiseAbs().maxCoeff() < 1e-3);
    Eigen::VectorXd times = terms * wanted;
    for (double& t : times) t *= noise(random);
    const Eigen::VectorXd fitted = calibration::fit_relative(terms, times);
    CHECK((fitted.array() >= 0).all());
    CHECK(((terms * fitted).array() / (terms * wanted).array() - 1).abs().maxCoeff() < 0.1);
  }
}

TEST_CASE("coefficients are written with four digits and no exponent") {
  CHECK(calibration::decimal(0) == "0");
  CHECK(calibration::decimal(-1) == "0");
  CHECK(calibration::decimal(60) == "60");
  CHECK(calibration::decimal(127.1518) == "127.2");
  CHECK(calibration::decimal(123456.7) == "123457");
  CHECK(calibration::decimal(0.0052331) == "0.005233");
  CHECK(calibration::decimal(0.5) == "0.5");
  CHECK(calibration::decimal(1e-20) == "0");
}

TEST_CASE("every kernel that has a time is measured, or kept with a reason, and no other") {
  const std::vector<calibration::row> rows = calibration::rows();
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    const std::string op(k.name);
    CAPTURE(op);
    int times = 0;
    for (const calibration::row& r : rows) times += r.op == op ? 1 : 0;
    CHECK(times == (calibration::is_kept(op) ? 0 : 1));
  }
  for (const calibration::row& r : rows) {
    CAPTURE(r.op);
    bool known = false;
    for (const wf::kernel_spec& k : wf::kernels::host_times)
      known = known || k.name == r.op.c_str();
    CHECK(known);
  }
}

TEST_CASE("the one node of every row runs, and the terms of its time have values") {
  std::mt19937_64 random(7);
  for (const calibration::row& r : calibration::rows()) {
    CAPTURE(r.op);
    const auto one = calibration::make_one(r, {24, 20, 16}, random);
    REQUIRE_MESSAGE(one, std::string(wf::to_text(one.error()).view()));
    for (const std::string& term : r.terms) {
      CAPTURE(term);
      const auto value = calibration::value_of(r, term, one->graph);
      REQUIRE(value);
      CHECK(*value >= 0);
    }
    const auto program = wf::executable_graph::prepare(one->graph.view());
    REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error()).view()));
    std::vector<wf::input_matrix> inputs(one->inputs.begin(), one->inputs.end());
    std::vector<Eigen::MatrixXd> results;
    for (const wf::output& o : one->graph.view().outputs) {
      const wf::shape& s = one->graph.view()[o.source].type.shape;
      results.emplace_back(s.rank > 0 ? s[0].size() : 1, s.rank > 1 ? s[1].size() : 1);
    }
    std::vector<wf::output_matrix> outputs(results.begin(), results.end());
    CHECK(program->run({inputs.data(), inputs.size()}, {outputs.data(), outputs.size()}));
  }
}
