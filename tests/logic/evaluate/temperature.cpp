// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/temperature.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "../solved_program.hpp"

namespace {

using wf::logic::temperature_schedule;
using wf_test::dialect;
using wf_test::near;

const std::map<std::string, wf_test::dense_input> inputs = {{"X", {{2}, {-2, 2}}}};

std::vector<double> with(const std::string& source, const std::string& wanted,
                         const std::vector<std::pair<const char*, temperature_schedule>>& all,
                         std::uint64_t steps = 1) {
  wf::logic::evaluation_options options;
  options.steps = steps;
  for (const auto& [head, schedule] : all)
    options.temperatures.push_back({wf::text(head), schedule});
  const auto solved =
      wf_test::solve(source, inputs, dialect::legacy, wf::logic::rule_registry(), options);
  CHECK(solved.message == "");
  return solved.values(wanted);
}

}  // namespace

static_assert(temperature_schedule::linear(0, 1, 4).at(2) == 0.5);

TEST_CASE("a schedule is constant, a ramp, or pieces") {
  const auto ramp = temperature_schedule::linear(2, 0, 4);
  const double wanted[] = {2, 1.5, 1, 0.5, 0, 0};
  for (std::uint64_t i = 0; i < 6; ++i) CHECK(ramp.at(i) == wanted[i]);
  CHECK(temperature_schedule(3).at(7) == 3);
  CHECK(ramp.to_text() == wf::text("linear 2.0 0.0 4"));
  CHECK(temperature_schedule(0.5).to_text() == wf::text("0.5"));
  CHECK(temperature_schedule::linear(2, 1, 0).to_text() == wf::text("1.0"));
  CHECK(temperature_schedule::linear(2, 1, 0).at(0) == 1);
  const temperature_schedule::piece pieces[] = {{1, 5}, {3, 7}};
  const auto stairs = temperature_schedule::piecewise({pieces, 2});
  const double steps[] = {5, 5, 5, 7, 7};
  for (std::uint64_t i = 0; i < 5; ++i) CHECK(stairs.at(i) == steps[i]);
}

TEST_CASE("conformance 11: sig without a temperature has that of its head") {
  const std::string y = "Y[i] = sig(X[i])";
  CHECK(near(with(y, "Y", {}), {0, 1}));
  CHECK(near(with(y, "Y", {{"Y", 0.5}}), {0.0179862, 0.9820138}));
  CHECK(near(with(y, "Y", {{"*", 1}}), {0.1192029, 0.8807971}));
  CHECK(near(with(y, "Y", {{"Z", 1}}), {0, 1}));
  CHECK(near(with(y, "Y", {{"*", 1}, {"Y", 0.5}}), {0.0179862, 0.9820138}));
  CHECK(near(with(y, "Y", {{"Y", 0.5}, {"*", 1}}), {0.0179862, 0.9820138}));
  CHECK(near(with("Y[i] = sig(X[i], T=0.5)", "Y", {{"*", 1}}), {0.0179862, 0.9820138}));
  // In the middle of an equation, too, also where the value has a tensor of its own.
  const double s = 1 / (1 + std::exp(-2.0));
  CHECK(near(with("Y = sum(sig(X[i]), axis=\"i\") 3", "Y", {{"Y", 1}}), {3}));
  CHECK(near(with("Y[i] = softmax(sig(X[i]))", "Y", {{"Y", 1}}),
             {1 / (1 + std::exp(2 * s - 1)), 1 / (1 + std::exp(1 - 2 * s))}));
}

TEST_CASE("a schedule counts the steps of a program") {
  const std::string steps = "Y[i,*t+1] = sig(X[i]) + Y[i,*t] 0";
  const auto at = [&](std::uint64_t n) {
    return with(steps, "Y", {{"Y", temperature_schedule::linear(0, 1, 4)}}, n);
  };
  CHECK(near(at(1), {0, 1}));                  // T = 0
  CHECK(near(at(3), {0.0179862, 0.9820138}));  // T = 0.5 in the third step
  CHECK(near(at(9), {0.1192029, 0.8807971}));  // T = 1
}
