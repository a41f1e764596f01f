// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/random.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <sstream>

#include "scripts.hpp"

namespace {

using wf::fault::message_identity;

// Two of the vectors, while compiling.
static_assert(wf::fault::prf(0, 0, {}, 0) == 0.014472190592931478);
static_assert(wf::fault::random_draws(101, 0, {2, 1, 3, 1, 17, 123456, 4}).bits(0) ==
              0xe2c98ad2a6dfa185U);
static_assert(wf::fault::random_draws(1, 0, {0, 0, 1, 0, 0, 1, 0}).between(0, 5, 5) == 5);

}  // namespace

TEST_CASE("the random function agrees with its vectors to the bit") {
  const std::string folder = wf_test::fault_folder();
  if (folder.empty()) return;
  std::istringstream lines(wf_benchmark::read_whole(folder + "/prf_vectors.csv"));
  std::string line;
  std::getline(lines, line);
  int count = 0;
  for (; std::getline(lines, line); ++count) {
    unsigned long long n[10]{}, bits = 0;
    double uniform = 0;
    REQUIRE(std::sscanf(line.c_str(), "%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llx,%lf",
                        &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &n[9], &bits,
                        &uniform) == 12);
    const auto narrow = [&](int i) { return static_cast<std::uint32_t>(n[i]); };
    const message_identity m{narrow(2), narrow(3), narrow(4), narrow(5),
                             narrow(6), n[7],      narrow(8)};
    CHECK(wf::fault::random_draws(n[0], narrow(1), m).bits(n[9]) == bits);
    CHECK(wf::fault::prf(n[0], narrow(1), m, n[9]) == uniform);
  }
  CHECK(count == 10);
}

TEST_CASE("an integer between two others is lo + floor(u * (hi - lo + 1))") {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    const message_identity m{1, 0, 2, 0, 3, seed, 0};
    const wf::fault::random_draws draws(seed, 7, m);
    const auto hi = static_cast<std::int64_t>(seed % 1000) * 77'777;
    const auto wanted = static_cast<std::int64_t>(draws.uniform(1) * static_cast<double>(hi + 1));
    CHECK(draws.between(1, 0, hi) == wanted);
    CHECK(draws.between(1, -5, hi - 5) == wanted - 5);
  }
}

TEST_CASE("every argument matters") {
  const message_identity m{1, 2, 3, 1, 5, 6, 7};
  const double u = wf::fault::prf(9, 8, m, 1);
  CHECK(wf::fault::prf(10, 8, m, 1) != u);
  CHECK(wf::fault::prf(9, 9, m, 1) != u);
  CHECK(wf::fault::prf(9, 8, m, 2) != u);
  for (int k = 0; k < 7; ++k) {
    message_identity other = m;
    if (k == 0) ++other.source;
    if (k == 1) ++other.incarnation;
    if (k == 2) ++other.destination;
    if (k == 3) ++other.kind;
    if (k == 4) ++other.edge;
    if (k == 5) ++other.sequence;
    if (k == 6) ++other.attempt;
    CHECK(wf::fault::prf(9, 8, other, 1) != u);
  }
}
