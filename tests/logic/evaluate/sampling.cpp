// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/sampling.hpp>

#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "../solved_program.hpp"

namespace {

using wf_test::dialect;
using wf_test::near;

std::map<std::string, wf_test::dense_input> inputs_of(bool ones) {
  std::vector<double> m(300, 1.0), n(100, 1.0);
  if (!ones) std::iota(n.begin(), n.end(), 0.0);
  return {{"M", {{3, 100}, m}}, {"N", {{100}, n}}};
}

std::vector<double> sampled(const std::string& source, bool ones, std::uint64_t samples,
                            std::uint64_t seed) {
  wf::logic::evaluation_options options;
  options.samples = samples;
  options.seed = seed;
  const auto solved =
      wf_test::solve(source, inputs_of(ones), dialect::legacy, wf::logic::rule_registry(), options);
  CHECK(solved.message == "");
  return solved.values("S");
}

}  // namespace

TEST_CASE("conformance 9: what all projections agree on does not depend on the draws") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    CHECK(near(sampled("S[i] = M[i,k] N[k]", true, 10, seed), {100, 100, 100}));
    CHECK(near(sampled("S[i] avg= M[i,k] N[k]", true, 10, seed), {1, 1, 1}));
    CHECK(near(sampled("S[i] max= M[i,k] N[k]", true, 10, seed), {1, 1, 1}));
  }
}

TEST_CASE("conformance 9: as many samples as positions are all of them") {
  for (std::uint64_t samples : {0u, 100u, 1000u})
    CHECK(near(sampled("S[i] = M[i,k] N[k]", false, samples, 1), {4950, 4950, 4950}));
}

TEST_CASE("conformance 9: a sampled sum is right on average, and as far off as it should be") {
  // Of 0 to 99, 25 draws: mean 4950, standard deviation 100·√((100² - 1) / 12 / 25) = 577.3.
  double sum = 0, squares = 0;
  const int runs = 2000;
  for (int seed = 0; seed < runs; ++seed) {
    const auto s = sampled("S[i] = M[i,k] N[k]", false, 25, static_cast<std::uint64_t>(seed));
    REQUIRE(s.size() == 3);
    CHECK(s[0] == s[1]);  // one draw for all positions of the head
    sum += s[0] - 4950;
    squares += (s[0] - 4950) * (s[0] - 4950);
  }
  CHECK(std::abs(sum / runs) < 4 * 577.3 / std::sqrt(runs));
  CHECK(std::sqrt(squares / runs) == doctest::Approx(577.3).epsilon(0.05));
}

TEST_CASE("the mean and the extrema are those of the draws") {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    sum += sampled("S[i] avg= M[i,k] N[k]", false, 25, seed)[0];
    const double most = sampled("S[i] max= M[i,k] N[k]", false, 25, seed)[0];
    CHECK(most <= 99);
    CHECK(most >= 50);  // all 25 draws below 50: one in 2^25
  }
  CHECK(std::abs(sum / 400 - 49.5) < 4 * 5.773 / 20);
}

TEST_CASE("a seed gives the same result, and another one another") {
  std::set<double> all;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto s = sampled("S[i] = M[i,k] N[k]", false, 25, seed);
    CHECK(s == sampled("S[i] = M[i,k] N[k]", false, 25, seed));
    all.insert(s[0]);
  }
  CHECK(all.size() > 10);
}

TEST_CASE("several axes are drawn together, and what reads its own stratum is left alone") {
  CHECK(near(sampled("S = M[i,k] N[k] M[i,0]", true, 50, 3), {300}));
  // The shortest paths of a chain of 3: every edge counts.
  wf::logic::evaluation_options options;
  options.samples = 1;
  const std::map<std::string, wf_test::dense_input> edges = {
      {"E", {{4, 4}, {9, 1, 9, 9, 9, 9, 1, 9, 9, 9, 9, 1, 9, 9, 9, 9}}}};
  const auto solved = wf_test::solve("D[x,y] min= E[x,y]; D[x,y] min= D[x,z] + E[z,y]", edges,
                                     dialect::own, wf::logic::rule_registry(), options);
  CHECK(solved.values("D") ==
        wf_test::solve("D[x,y] min= E[x,y]; D[x,y] min= D[x,z] + E[z,y]", edges).values("D"));
}
