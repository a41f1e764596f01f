// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/fit.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "random_instance.hpp"

using namespace wf::wfformat;

namespace {
struct synthetic {
  std::vector<recorded_model> models;
  std::vector<fit_sample> samples;
  wf::view<fit_sample> all() const { return {samples.data(), samples.size()}; }
  auto predict() const {
    return [this](std::uint32_t i, const engine_constants& c) { return models[i].makespan(c); };
  }
};
// Random workflows, simulated with known constants.
synthetic simulated_with(const engine_constants& truth, unsigned seed) {
  wf_test::random_source random(seed);
  synthetic out;
  for (int i = 0; i < 12; ++i) {
    auto made = recorded_model::of(wf_test::random_instance(random));
    REQUIRE(made);
    out.models.push_back(*made);
    out.samples.push_back({*made->makespan(truth), *made->makespan({}), made->load()});
  }
  return out;
}
}  // namespace

TEST_CASE("the fit finds the constants with which runs were simulated") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    for (std::size_t k = 0; k < 3; ++k) {
      CAPTURE(k);
      engine_constants truth;
      truth[k] = wf::wfformat::detail::constant_grid()[150 + 7 * seed];
      const synthetic runs = simulated_with(truth, seed);
      const auto best = fit_constants(runs.all(), runs.predict());
      REQUIRE(best);
      CHECK(best->objective < 0.01 * 12);
      CHECK(best->constants[k] == doctest::Approx(truth[k]).epsilon(0.08));
    }
  }
}

TEST_CASE("shrinkage moves the constants towards the prior") {
  const synthetic runs = simulated_with({.latency = 5}, 3);
  const engine_constants prior{.latency = 2};
  const auto strong = fit_constants(runs.all(), runs.predict(), {.shrinkage = 1e6, .prior = prior});
  CHECK(strong->constants.latency == doctest::Approx(2).epsilon(0.05));
  CHECK(strong->constants.submission == 0);
}

TEST_CASE("bad samples and options are refused") {
  const synthetic runs = simulated_with({.latency = 5}, 1);
  CHECK(fit_constants(runs.all(), runs.predict(), {.shrinkage = -1, .prior = {}}).error().code ==
        wf::errc::invalid_problem);
  const fit_sample wrong{};
  CHECK(fit_constants(wf::view<fit_sample>(&wrong, 1), runs.predict()).error().code ==
        wf::errc::invalid_problem);
}
