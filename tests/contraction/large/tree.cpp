// SPDX-License-Identifier: BSL-1.0
#include <wf/contraction/large/tree.hpp>

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include <wf/contraction/order.hpp>

#include "../random_network.hpp"

using wf::detail::contraction_random;
using wf::detail::contraction_tree;

TEST_CASE("random numbers are spread, and the same for the same seed") {
  contraction_random a(1), b(1), c(2);
  int counts[8] = {};
  double sum = 0;
  for (int i = 0; i < 8000; ++i) {
    const std::uint64_t x = a.next();
    CHECK(x == b.next());
    CHECK(x != c.next());
    ++counts[a.below(8)];
    (void)b.below(8);
    const double f = a.fraction();
    (void)b.fraction();
    CHECK(f > 0);
    CHECK(f <= 1);
    sum += f;
  }
  for (const int count : counts) CHECK(std::abs(count - 1000) < 150);
  CHECK(std::abs(sum / 8000 - 0.5) < 0.02);
}

TEST_CASE("a tree costs what its steps cost") {
  std::mt19937 random(4);
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const wf::tensor_network n =
        random_network(random, static_cast<std::uint32_t>(2 + random() % 9), 12);
    contraction_tree tree(n);
    // A comb, keeping the indices of the result and of the operands not yet contracted.
    wf::table<std::uint64_t> kept(tree.words());
    std::uint32_t last = 0;
    for (std::uint32_t k = 1; k < tree.leaves(); ++k) {
      for (std::size_t w = 0; w < tree.words(); ++w) {
        kept[w] = tree.output()[w];
        for (std::uint32_t later = k + 1; later < tree.leaves(); ++later)
          kept[w] |= tree.set_of(later)[w];
      }
      tree.join(tree.leaves() + k - 1, k, last, kept.data());
      last = tree.leaves() + k - 1;
    }
    CHECK(tree.root() == tree.size() - 1);
    const auto cost = wf::price_order(n, tree.steps(n));
    CHECK(std::abs(tree.log_total() - std::log2(cost.multiplications)) < 1e-9);
  }
}
