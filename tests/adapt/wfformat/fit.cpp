// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/fit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace wf::wfformat;

namespace {
using samples_of = std::vector<fit_sample>;
wf::view<fit_sample> all(const samples_of& s) { return {s.data(), s.size()}; }

double sum_of(const fit_sample& s, const engine_constants& c) {
  return s.ideal + c.latency * s.load.levels + c.submission * s.load.tasks +
         c.staging * s.load.share + c.transfer * s.load.gigabytes;
}
// The objective as documented, in units of seconds.
double objective(const samples_of& samples, const fit_options& o, const engine_constants& c) {
  double sum = 0;
  for (const fit_sample& s : samples) sum += std::abs(sum_of(s, c) - s.recorded) / s.recorded;
  for (std::size_t k = 0; k < engine_constants::count; ++k) {
    std::vector<double> effects;
    for (const fit_sample& s : samples) effects.push_back(s.load[k] / s.recorded);
    std::sort(effects.begin(), effects.end());
    const std::size_t n = effects.size();
    sum += o.shrinkage * std::abs(c[k] - o.prior[k]) * (effects[(n - 1) / 2] + effects[n / 2]) / 2;
  }
  return sum;
}
// Small integers make many terms vanish together; repeats make planes parallel.
samples_of random_samples(std::mt19937& random, int n, bool coarse) {
  const auto draw = [&](int limit) {
    const double whole = static_cast<double>(random() % static_cast<unsigned>(limit));
    return coarse ? whole : whole + static_cast<double>(random() % 1000) / 1000;
  };
  samples_of out;
  for (int i = 0; i < n; ++i) {
    fit_sample s;
    s.load = {1 + draw(5), 1 + draw(20), 1 + draw(9), draw(4)};
    s.ideal = draw(10);
    s.recorded = 1 + draw(60);
    if (i > 0 && random() % 4 == 0) s.load = out[static_cast<std::size_t>(i - 1)].load;
    out.push_back(s);
  }
  return out;
}
// The least objective at any point where four of the planes meet: by elimination.
double by_vertices(const samples_of& samples, const fit_options& o) {
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < 4; ++k)
    for (const double at : {0.0, o.prior[k]}) {
      rows.push_back({0, 0, 0, 0, at});
      rows.back()[k] = 1;
    }
  for (const fit_sample& s : samples)
    rows.push_back({s.load[0], s.load[1], s.load[2], s.load[3], s.recorded - s.ideal});
  double least = std::numeric_limits<double>::infinity();
  std::vector<int> chosen(rows.size(), 0);
  std::fill(chosen.end() - 4, chosen.end(), 1);
  do {
    std::vector<std::vector<double>> m;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (chosen[i] != 0) m.push_back(rows[i]);
    bool regular = true;
    for (std::size_t k = 0; k < 4 && regular; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k; i < 4; ++i)
        if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
      std::swap(m[k], m[pivot]);
      regular = std::abs(m[k][k]) > 1e-9;
      for (std::size_t i = 0; i < 4 && regular; ++i) {
        const double by = m[i][k] / m[k][k];
        for (std::size_t j = 0; j < 5 && i != k; ++j) m[i][j] -= by * m[k][j];
      }
    }
    if (!regular) continue;
    engine_constants c;
    bool valid = true;
    for (std::size_t k = 0; k < 4; ++k) {
      c[k] = m[k][4] / m[k][k];
      valid = valid && c[k] >= -1e-9;
      c[k] = std::max(c[k], 0.0);
    }
    if (valid) least = std::min(least, objective(samples, o, c));
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return least;
}
}  // namespace

TEST_CASE("the fit finds the constants of runs that are sums of costs") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    samples_of samples = random_samples(random, 12, false);
    engine_constants truth;
    for (std::size_t k = 0; k < engine_constants::count; ++k)
      truth[k] = random() % 3 == 0 ? 0 : static_cast<double>(random() % 1000) / 10;
    for (fit_sample& s : samples) s.recorded = sum_of(s, truth) + (s.ideal == 0 ? 1 : 0);
    for (fit_sample& s : samples) s.ideal = s.recorded - (sum_of(s, truth) - s.ideal);
    // A few odd runs do not move them.
    samples[3].recorded *= 4;
    const auto best = fit_constants(all(samples));
    REQUIRE(best);
    for (std::size_t k = 0; k < engine_constants::count; ++k)
      CHECK(best->constants[k] == doctest::Approx(truth[k]).epsilon(1e-6));
  }
}

TEST_CASE("no vertex and no point of a grid is better than the fit") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const samples_of samples =
        random_samples(random, 1 + static_cast<int>(random() % 8), seed % 2 == 0);
    fit_options o;
    o.shrinkage = static_cast<double>(random() % 4) / 5;
    for (std::size_t k = 0; k < engine_constants::count; ++k)
      o.prior[k] = static_cast<double>(random() % 3);
    const auto best = fit_constants(all(samples), o);
    REQUIRE(best);
    CHECK(best->objective == doctest::Approx(objective(samples, o, best->constants)));
    CHECK(best->objective == doctest::Approx(by_vertices(samples, o)).epsilon(1e-7));
    for (int i = 0; i < 10000; ++i) {
      engine_constants c;
      int rest = i;
      for (std::size_t k = 0; k < engine_constants::count; ++k, rest /= 10) c[k] = rest % 10 * 0.5;
      REQUIRE(best->objective <= objective(samples, o, c) + 1e-9);
    }
  }
}

TEST_CASE("shrinkage moves the constants towards the prior") {
  std::mt19937 random(3);
  samples_of samples = random_samples(random, 9, false);
  for (fit_sample& s : samples) s.load.gigabytes = 0;
  const engine_constants prior{.latency = 2, .submission = 0, .staging = 1, .transfer = 7};
  CHECK(fit_constants(all(samples), {.shrinkage = 1e6, .prior = prior})->constants == prior);
  // Without any load nothing is known of a constant but the prior.
  CHECK(fit_constants(all(samples), {.shrinkage = 0.1, .prior = prior})->constants.transfer == 7);
  CHECK(fit_constants({}, {.shrinkage = 0.1, .prior = prior})->constants == prior);
}

TEST_CASE("bad samples and options are refused") {
  std::mt19937 random(1);
  const samples_of samples = random_samples(random, 3, false);
  const auto refused = [&](const samples_of& s, const fit_options& o) {
    const auto best = fit_constants(all(s), o);
    return !best && best.error().code == wf::errc::invalid_problem;
  };
  for (const double wrong : {-1.0, std::nan(""), double(INFINITY)}) {
    CHECK(refused(samples, {.shrinkage = wrong, .prior = {}}));
    CHECK(refused(samples, {.shrinkage = 0, .prior = {.staging = wrong}}));
    samples_of bad = samples;
    bad[1].recorded = wrong;
    CHECK(refused(bad, {}));
  }
  CHECK(refused({fit_sample{}}, {}));
}
