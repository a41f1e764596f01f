// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/cyclic_joins.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::logic::detail::binary_logarithm;
using wf::logic::detail::cyclic_core;
using wf::logic::detail::most_results;
using wf::logic::detail::variable_set;
using sets = std::vector<variable_set>;

// True if every variable's joins are connected in the tree in which join i > 0 hangs on `above[i]`.
bool is_join_tree(const sets& joins, const std::vector<std::size_t>& above) {
  for (int v = 0; v < 64; ++v) {
    // As many as there are, less one for each edge between two of them, must be 1.
    int parts = 0;
    for (std::size_t i = 0; i < joins.size(); ++i) {
      if ((joins[i] >> v & 1) == 0) continue;
      ++parts;
      if (i > 0 && (joins[above[i]] >> v & 1) != 0) --parts;
    }
    if (parts > 1) return false;
  }
  return true;
}
// By the definition: some tree of the joins is a join tree.
bool is_acyclic(const sets& joins) {
  std::vector<std::size_t> above(joins.size(), 0);
  const auto is_tree = [&] {
    for (std::size_t i = 1; i < joins.size(); ++i) {
      std::size_t at = i, steps = 0;
      while (at != 0 && ++steps <= joins.size()) at = above[at];
      if (at != 0) return false;
    }
    return true;
  };
  for (;;) {
    if (is_tree() && is_join_tree(joins, above)) return true;
    std::size_t i = 1;
    while (i < joins.size() && ++above[i] == joins.size()) above[i++] = 0;
    if (i >= joins.size()) return false;
  }
}
bool has_core(const sets& joins) {
  for (const bool each : cyclic_core({joins.data(), joins.size()}))
    if (each) return true;
  return false;
}
double bound(const sets& joins, const std::vector<double>& logarithms) {
  return most_results({joins.data(), joins.size()}, {logarithms.data(), logarithms.size()});
}

constexpr bool triangles_while_compiling() {
  const variable_set triangle[] = {0b011, 0b110, 0b101}, path[] = {0b011, 0b110};
  const double sizes[] = {4, 4, 4};
  bool all = true;
  for (const bool each : cyclic_core(triangle)) all = all && each;
  for (const bool each : cyclic_core(path)) all = all && !each;
  return all && most_results(triangle, sizes) == 6 && binary_logarithm(8) == 3;
}
static_assert(triangles_while_compiling());

}  // namespace

TEST_CASE("a core remains if and only if no tree of the joins is a join tree") {
  std::mt19937_64 random(5);
  int cyclic = 0;
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(round);
    sets joins(1 + random() % 5);
    for (variable_set& each : joins) each = random() % 32;
    REQUIRE(has_core(joins) == !is_acyclic(joins));
    cyclic += has_core(joins);
    // What no cycle needs is not in the core: without it there is as much of one.
    const auto core = cyclic_core({joins.data(), joins.size()});
    sets left;
    for (std::size_t i = 0; i < joins.size(); ++i)
      if (core[i]) left.push_back(joins[i]);
    if (!left.empty())
      for (const bool each : cyclic_core({left.data(), left.size()})) REQUIRE(each);
  }
  CHECK(cyclic > 400);
}

TEST_CASE("the bound is the least fractional cover, whose parts are halves for joins of two") {
  std::mt19937_64 random(6);
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    sets joins(1 + random() % 6);
    std::vector<double> sizes;
    for (variable_set& each : joins) {
      each = variable_set{1} << random() % 5 | variable_set{1} << random() % 5;
      sizes.push_back(static_cast<double>(random() % 20));
    }
    variable_set all = 0;
    for (const variable_set each : joins) all |= each;
    double least = INFINITY;
    std::vector<int> halves(joins.size(), 0);
    for (;;) {
      bool covers = true;
      for (int v = 0; v < 5; ++v) {
        int sum = 0;
        for (std::size_t i = 0; i < joins.size(); ++i)
          sum += (joins[i] >> v & 1) != 0 ? halves[i] : 0;
        covers = covers && ((all >> v & 1) == 0 || sum >= 2);
      }
      double cost = 0;
      for (std::size_t i = 0; i < joins.size(); ++i) cost += halves[i] * sizes[i] / 2;
      if (covers && cost < least) least = cost;
      std::size_t i = 0;
      while (i < joins.size() && ++halves[i] == 3) halves[i++] = 0;
      if (i == joins.size()) break;
    }
    REQUIRE(bound(joins, sizes) == doctest::Approx(least).epsilon(1e-9));
  }
}

TEST_CASE("joins of three over four variables have the bound of Loomis and Whitney") {
  CHECK(bound({0b0111, 0b1011, 0b1101, 0b1110}, {3, 3, 3, 3}) == doctest::Approx(4));
  CHECK(bound({}, {}) == 0);
  CHECK(bound({0, 0b1}, {5, 2}) == doctest::Approx(2));
}

TEST_CASE("logarithms are those of the library, from below") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t n = random() >> random() % 64;
    const double wanted = n < 2 ? 0 : std::log2(static_cast<double>(n));
    REQUIRE(binary_logarithm(n) <= wanted + 1e-12);
    REQUIRE(binary_logarithm(n) > wanted - 1e-6);
  }
}
