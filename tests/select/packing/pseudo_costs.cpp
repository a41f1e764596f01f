// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/pseudo_costs.hpp>

#include <doctest/doctest.h>

TEST_CASE("pseudo-costs are means of gains per unit of share, by value and side") {
  wf::detail::pseudo_costs costs(3);
  CHECK(costs.count(0, 1) == 0);
  CHECK(costs.mean(0, 1) == 0);
  CHECK(costs.mean(0) == doctest::Approx(1));
  CHECK(costs.rate(0, 1, 17) == doctest::Approx(17));

  costs.learn(1, 0, 10, 0.5);
  costs.learn(1, 0, 40, 1);
  costs.learn(2, 0, 6, 1);
  CHECK(costs.count(0, 1) == 2);
  CHECK(costs.mean(0, 1) == 30);
  CHECK(costs.rate(0, 1, 17) == doctest::Approx(30));
  CHECK(costs.mean(0) == doctest::Approx(22));
  CHECK(costs.count(1, 1) == 0);
  CHECK(costs.mean(1) == doctest::Approx(1));
}

TEST_CASE("no distance and no gain leave the range of a pseudo-cost") {
  wf::detail::pseudo_costs costs(1);
  costs.learn(0, 1, 1e30, 0);
  CHECK(costs.mean(1, 0) == 1'000'000'000'000'000);
}
