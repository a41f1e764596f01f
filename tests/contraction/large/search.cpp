// SPDX-License-Identifier: BSL-1.0
#include <wf/contraction/large/search.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/contraction/exact_search.hpp>

#include "../random_network.hpp"

namespace {

/// True if each tensor is used exactly once and the last one is the result.
bool is_order(const wf::tensor_network& n, const wf::contraction_order& o) {
  std::vector<int> used(n.operands.size() + o.steps.size());
  for (std::size_t s = 0; s < o.steps.size(); ++s)
    for (const std::uint32_t t : {o.steps[s].left, o.steps[s].right}) {
      if (t == wf::contraction_step::none) continue;
      if (t >= n.operands.size() + s) return false;
      ++used[t];
    }
  for (std::size_t t = 0; t + 1 < used.size(); ++t)
    if (used[t] != 1) return false;
  return used.back() == 0;
}

/// A grid of matrices: tensors with up to four neighbours.
wf::tensor_network grid(std::uint32_t rows, std::uint32_t columns, double extent) {
  wf::tensor_network n;
  std::vector<std::vector<std::uint32_t>> of(rows * columns);
  const auto tie = [&](std::uint32_t a, std::uint32_t b) {
    of[a].push_back(static_cast<std::uint32_t>(n.extents.size()));
    of[b].push_back(static_cast<std::uint32_t>(n.extents.size()));
    n.extents.push_back(extent);
  };
  for (std::uint32_t r = 0; r < rows; ++r)
    for (std::uint32_t c = 0; c < columns; ++c) {
      if (r + 1 < rows) tie(r * columns + c, (r + 1) * columns + c);
      if (c + 1 < columns) tie(r * columns + c, r * columns + c + 1);
    }
  for (const auto& each : of) n.add_operand({each.data(), each.size()});
  return n;
}

}  // namespace

TEST_CASE("orders of random networks are orders, and the same every time") {
  std::mt19937 random(3);
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    const auto operands = static_cast<std::uint32_t>(13 + random() % 30);
    const wf::tensor_network n = random_network(random, operands, 2 * operands);
    wf::contraction_limits limits;
    limits.sweeps = 60;
    limits.rounds = 2;
    const auto found = wf::search_contraction(n, limits);
    REQUIRE(found);
    CHECK(is_order(n, *found));
    CHECK_FALSE(found->proven);
    const auto again = wf::search_contraction(n, limits);
    CHECK(again->steps == found->steps);
    limits.rounds = 3;
    CHECK(wf::search_contraction(n, limits)->cost.multiplications <= found->cost.multiplications);
  }
}

TEST_CASE("the search comes near the best order where that is known") {
  std::mt19937 random(9);
  for (int round = 0; round < 6; ++round) {
    CAPTURE(round);
    wf::tensor_network n = random_network(random, 14, 20);
    for (double& e : n.extents) e += 1;
    const auto best = wf::best_contraction(n);
    REQUIRE(best);
    wf::contraction_limits limits;
    limits.sweeps = 300;
    const auto found = wf::search_contraction(n, limits);
    REQUIRE(found);
    CHECK(is_order(n, *found));
    // One counts flops, the other multiplications, which are half as many per step.
    CHECK(found->cost.multiplications <= best->cost.multiplications * 1.0001);
    CHECK(found->cost.flops >= best->cost.flops);
  }
}

TEST_CASE("a grid is contracted along its shorter side") {
  // One tensor after the other along the shorter side: no tensor has more than six indices, and no
  // step more than eight.
  const wf::tensor_network n = grid(5, 9, 8);
  wf::contraction_limits limits;
  limits.sweeps = 300;
  const auto found = wf::search_contraction(n, limits);
  REQUIRE(found);
  CHECK(is_order(n, *found));
  CHECK(std::log2(found->cost.largest) <= 3 * 6.001);
  CHECK(found->cost.multiplications <= 45 * std::pow(8, 8));
}

TEST_CASE("small networks get the proven order, and none is refused but that without operands") {
  wf::tensor_network n;
  CHECK(wf::search_contraction(n).error().code == wf::errc::bad_equation);
  CHECK(wf::search_contraction(grid(3, 4, 2))->proven);
  // Forty scalars and a vector with an index of its own.
  n.extents = {5};
  const std::uint32_t index = 0;
  for (int k = 0; k < 40; ++k) n.add_operand({});
  n.add_operand({&index, 1});
  const auto found = wf::search_contraction(n);
  REQUIRE(found);
  CHECK(is_order(n, *found));
  CHECK(found->cost.multiplications == 40);
}

TEST_CASE("the callback stops the search after a sweep") {
  std::uint32_t told = 0;
  const auto found = wf::search_contraction(grid(5, 5, 3), {}, [&](const auto& now) {
    CHECK(now.round == 0);
    CHECK(now.sweep == told);
    CHECK(now.best > 0);
    return ++told < 7;
  });
  REQUIRE(found);
  CHECK(told == 7);
  CHECK(is_order(grid(5, 5, 3), *found));
}
