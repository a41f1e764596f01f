// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/weighted_sum.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using Eigen::Index;
using wf::compute::sum_side;
using wf::compute::sum_term;

namespace {

std::vector<double> filled(Index elements, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> out(static_cast<std::size_t>(elements));
  for (double& x : out) x = uniform(random);
  return out;
}

// Checks a sum of terms in any order with any weights, element by element; no other element is
// written.
void check_sum(Index runs, Index length, std::size_t terms, bool in_place, std::mt19937& random) {
  CAPTURE(runs);
  CAPTURE(length);
  CAPTURE(terms);
  CAPTURE(in_place);
  const Index gap = random() % 3, stride = length + gap;
  std::vector<double> to = filled(runs * stride, random);
  const std::vector<double> before = to;
  std::vector<std::vector<double>> storage;
  std::vector<sum_term<double>> sum;
  for (std::size_t k = 0; k < terms; ++k) {
    const bool turned = random() % 2 == 0;
    const Index apart = (turned ? runs : length) + static_cast<Index>(random() % 3);
    storage.push_back(filled(apart * (turned ? length : runs), random));
    sum_term<double> t{storage.back().data(), turned ? 1 : apart, turned ? apart : 1};
    if (random() % 2 == 0) t.factor = -1;
    if (random() % 3 == 0) t.factor = 0.3;
    if (random() % 4 == 0) t.before = -2;
    sum.push_back(t);
  }
  if (in_place) {
    sum_term<double>& mine = sum[random() % terms];
    mine = {to.data(), stride, 1, 0.7, mine.before};
  }
  const double after = random() % 2 == 0 ? 1 : -1.5;
  std::vector<double> expected = before;
  for (Index r = 0; r < runs; ++r)
    for (Index i = 0; i < length; ++i) {
      double value = 0;
      for (const sum_term<double>& t : sum) {
        const double* const from = t.elements == to.data() ? before.data() : t.elements;
        value = t.before * value + t.factor * from[r * t.run_step + i * t.step];
      }
      expected[static_cast<std::size_t>(r * stride + i)] = after * value;
    }
  wf::compute::weighted_sum(to.data(), stride, runs, length, {sum.data(), sum.size()}, after,
                            in_place);
  double error = 0;
  for (std::size_t at = 0; at < to.size(); ++at)
    error = std::max(error, std::abs(to[at] - expected[at]));
  CHECK(error <= 1e-14 * std::pow(3.0, static_cast<double>(terms)));
}

}  // namespace

TEST_CASE("sums of terms that lie one way or the other") {
  std::mt19937 random(71);
  for (int round = 0; round < 300; ++round) {
    const auto extent = [&] {
      constexpr Index over[] = {0, 1, 3, 7, 8, 20, 65, 100};
      return sum_side<double> + over[random() % 8];
    };
    const Index runs = extent(), length = extent();
    check_sum(runs, length, 1 + random() % 6, random() % 2 == 0, random);
  }
}

TEST_CASE("sums beyond the caches") {
  std::mt19937 random(72);
  for (const bool in_place : {false, true}) {
    check_sum(301, 402, 3, in_place, random);
    check_sum(9, 7000, 4, in_place, random);
    check_sum(7001, 8, 4, in_place, random);
  }
}

TEST_CASE("sums of signs are what they are element by element, bit by bit, also of zeros") {
  std::mt19937 random(73);
  const Index runs = sum_side<double> + 5, length = 2 * sum_side<double> + 3;
  const auto numbers = [&] {
    std::vector<double> out = filled(runs * length, random);
    for (double& x : out)
      if (random() % 2 == 0) x = random() % 2 == 0 ? 0.0 : -0.0;
    return out;
  };
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const std::size_t count = 1 + random() % 4;
    std::vector<std::vector<double>> storage;
    std::vector<sum_term<double>> terms;
    for (std::size_t k = 0; k < count; ++k) {
      storage.push_back(numbers());
      const bool turned = random() % 2 == 0;
      terms.push_back({nullptr, turned ? 1 : length, turned ? runs : 1});
      terms.back().factor = random() % 2 == 0 ? 1 : -1;
      if (k > 0 && random() % 3 == 0) terms.back().before = -1;
    }
    for (std::size_t k = 0; k < count; ++k) terms[k].elements = storage[k].data();
    const double after = random() % 3 == 0 ? -1 : 1;
    std::vector<double> to(static_cast<std::size_t>(runs * length));
    wf::compute::weighted_sum(to.data(), length, runs, length, {terms.data(), count}, after, false);
    bool same = true;
    for (Index r = 0; r < runs; ++r)
      for (Index i = 0; i < length; ++i) {
        double sum = terms[0].factor * *terms[0].at(r, i);
        for (std::size_t k = 1; k < count; ++k)
          sum = terms[k].before * sum + terms[k].factor * *terms[k].at(r, i);
        sum *= after;
        same =
            same && std::bit_cast<std::uint64_t>(sum) ==
                        std::bit_cast<std::uint64_t>(to[static_cast<std::size_t>(r * length + i)]);
      }
    CHECK(same);
  }
}

TEST_CASE_TEMPLATE("sums of runs of any length, over their own terms, too", real, float, double) {
  std::mt19937_64 random(20261124);
  std::uniform_real_distribution<real> uniform(-1, 1);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const auto length = static_cast<Eigen::Index>(random() % 150);
    const std::size_t count = 1 + random() % 6;
    std::vector<std::vector<real>> elements(count);
    std::vector<wf::compute::sum_term<real>> terms;
    for (std::vector<real>& e : elements) {
      for (Eigen::Index i = 0; i < length; ++i) e.push_back(uniform(random));
      const auto number = [&] {
        return random() % 2 == 0 ? real(1) : random() % 2 == 0 ? real(-1) : uniform(random);
      };
      const real factor = number(), before = number();
      terms.push_back({e.data(), length, 1, factor, before});
    }
    const real after = random() % 2 == 0 ? real(1) : uniform(random);
    std::vector<double> wanted;
    for (Eigen::Index i = 0; i < length; ++i) {
      double sum = 0;
      for (const auto& t : terms)
        sum = static_cast<double>(t.before) * sum +
              static_cast<double>(t.factor) * static_cast<double>(t.elements[i]);
      wanted.push_back(static_cast<double>(after) * sum);
    }
    std::vector<real> apart(static_cast<std::size_t>(length) + 1, real(7));
    // The result overwrites a term or has storage of its own.
    real* const to = random() % 2 == 0 ? apart.data() : elements[random() % count].data();
    wf::compute::weighted_run(to, length, {terms.data(), terms.size()}, after);
    CHECK(apart.back() == real(7));
    const double digits = sizeof(real) == 4 ? 1e-6 : 1e-14;
    for (Eigen::Index i = 0; i < length; ++i)
      CHECK(std::abs(static_cast<double>(to[i]) - wanted[static_cast<std::size_t>(i)]) <
            8 * digits);
  }
}
