// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/tensor/large_contractions.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/choice/transform/registry.hpp>
#include <wf/select/optimise.hpp>

#include "../../equal_classes.hpp"
#include "../../tensor_values.hpp"

namespace {

// A chain of batched matrix products, from the left.
std::string chain(const std::vector<int>& extents) {
  const auto index = [](std::size_t i) { return "i" + std::to_string(i); };
  std::string inputs, product;
  for (std::size_t k = 0; k + 1 < extents.size(); ++k) {
    const std::string name = "A" + std::to_string(k);
    inputs += "input " + name + " : i64[3," + std::to_string(extents[k]) + "," +
              std::to_string(extents[k + 1]) + "]\n";
    product += (k == 0 ? "" : " * ") + name + "[b," + index(k) + "," + index(k + 1) + "]";
  }
  return inputs + "Y[b," + index(0) + "," + index(extents.size() - 1) + "] = " + product +
         "\nexport Y";
}
// The least flops over all orders of the chain.
std::int64_t least_flops(const std::vector<int>& extents) {
  const std::size_t n = extents.size();
  std::vector<std::vector<std::int64_t>> least(n, std::vector<std::int64_t>(n));
  for (std::size_t length = 2; length < n; ++length)
    for (std::size_t i = 0; i + length < n; ++i) {
      std::int64_t& best = least[i][i + length] = INT64_MAX;
      for (std::size_t k = i + 1; k < i + length; ++k)
        best =
            std::min(best, least[i][k] + least[k][i + length] +
                               std::int64_t{2} * 3 * extents[i] * extents[k] * extents[i + length]);
    }
  return least[0][n - 1];
}

}  // namespace

TEST_CASE("a large contraction is planned by a search, and computes the same") {
  const unsigned seed = 8;
  CAPTURE(seed);
  std::mt19937 random(seed);
  wf::transform_registry all(wf::builtin_transforms());
  REQUIRE(all.add(wf::transforms::reorder_large_contraction, wf::builtin_registry()));
  wf::optimise_options how;
  how.transforms = all.transforms();
  for (const std::size_t factors : {std::size_t{17}, std::size_t{24}, std::size_t{40}}) {
    CAPTURE(factors);
    std::vector<int> extents(factors + 1);
    for (int& e : extents) e = 2 + static_cast<int>(random() % 5);
    const std::string text = chain(extents);
    const auto g = wf::equations("chain", {text.data(), text.size()});
    REQUIRE(g);
    const auto written = wf::price(g->view(), wf::flops);
    const auto plan =
        wf::optimise(g->view(), wf::minimise(wf::flops), {}, wf::builtin_registry(), how);
    REQUIRE(plan);
    CHECK(plan->value < *written);
    CHECK(plan->value >= least_flops(extents));
    CHECK(plan->value <= least_flops(extents) * 11 / 10);
    const auto again =
        wf::optimise(g->view(), wf::minimise(wf::flops), {}, wf::builtin_registry(), how);
    REQUIRE(again);
    CHECK(again->value == plan->value);
    const auto grown = wf::grow(g->view(), {&wf::transforms::reorder_large_contraction, 1});
    REQUIRE(grown);
    CHECK(grown->size() > g->view().nodes.size());
    check_tensor_classes(*grown, seed);
    check_invariants(*grown);
  }
}

TEST_CASE("a small contraction is left to the exact order") {
  const std::string text = chain({2, 3, 4, 5, 2, 3, 2, 5, 3, 4, 2, 2, 5, 3, 4, 3, 2});
  const auto g = wf::equations("chain", {text.data(), text.size()});
  REQUIRE(g);
  const auto grown = wf::grow(g->view(), {&wf::transforms::reorder_large_contraction, 1});
  REQUIRE(grown);
  CHECK(grown->size() == g->view().nodes.size());
  const auto plan = wf::optimise(g->view(), wf::minimise(wf::flops));
  REQUIRE(plan);
  CHECK(plan->value == least_flops({2, 3, 4, 5, 2, 3, 2, 5, 3, 4, 2, 2, 5, 3, 4, 3, 2}));
}
