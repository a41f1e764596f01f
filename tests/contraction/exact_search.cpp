// SPDX-License-Identifier: BSL-1.0
#include <wf/contraction/exact_search.hpp>

#include <doctest/doctest.h>

#include "../sanitized.hpp"
#include "random_network.hpp"

namespace {

template <class... Shapes>
constexpr double flops(const char* equation, Shapes... shapes) {
  const wf::shape all[] = {shapes...};
  const auto n = wf::parse_network(equation, all);
  const auto best = wf::best_contraction(*n);
  return best && best->proven ? best->cost.flops : 0;
}
using wf::shape;

// A chain is cheapest from its thin end: 2·9·9·1 + 2·2·9·1.
static_assert(flops("ab,bc,cd->ad", shape::of(2, 9), shape::of(9, 9), shape::of(9, 1)) ==
              2 * 9 * 9 * 1 + 2 * 2 * 9 * 1);
// An elementwise product, a trace, and a sum before an outer product.
static_assert(flops("ab,ab->ab", shape::of(3, 4), shape::of(3, 4)) == 12);
static_assert(flops("aa->", shape::of(7, 7)) == 14);
static_assert(flops("ab,c->c", shape::of(3, 4), shape::of(5)) == 2 * 12 + 5);
// The longer index is summed first.
static_assert(flops("a,b,ab->", shape::of(9), shape::of(7), shape::of(9, 7)) == 2 * 63 + 2 * 7);
static_assert(flops("x,y,z,xyz->xyz", shape::of(5), shape::of(5), shape::of(5),
                    shape::of(5, 5, 5)) == 25 + 125 + 125);
// A hyperedge and a batch: the thin operand is scaled.
static_assert(flops("bgk,bkd,bk->bgd", shape::of(2, 3, 8), shape::of(2, 8, 50), shape::of(2, 8)) ==
              2 * 3 * 8 + 2 * 2 * 3 * 8 * 50);
// Twelve operands, within the default limits.
static_assert(flops("ab,bc,cd,de,ef,fg,gh,hi,ij,jk,kl,la->", shape::of(2, 3), shape::of(3, 4),
                    shape::of(4, 5), shape::of(5, 6), shape::of(6, 7), shape::of(7, 8),
                    shape::of(8, 9), shape::of(9, 10), shape::of(10, 11), shape::of(11, 12),
                    shape::of(12, 13), shape::of(13, 2)) > 0);

}  // namespace

TEST_CASE("the best order of a contraction is the best of all") {
  std::mt19937 random(5);
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    const auto operands = static_cast<std::uint32_t>(1 + random() % 5);
    const wf::tensor_network n =
        random_network(random, operands, static_cast<std::uint32_t>(1 + random() % 6));
    const auto best = wf::best_contraction(n);
    REQUIRE(best);
    const double least = every_order(n).least;
    CHECK(best->cost.flops == least);
    CHECK(best->proven);
    // Each tensor is used exactly once.
    std::vector<int> used(n.operands.size() + best->steps.size());
    for (const wf::contraction_step& s : best->steps) {
      ++used[s.left];
      if (s.right != wf::contraction_step::none) ++used[s.right];
    }
    CHECK(used.back() == 0);
    used.pop_back();
    for (const int times : used) CHECK(times == 1);
  }
}

TEST_CASE("orders that operators can compute, as they count") {
  std::mt19937 random(17);
  int refused = 0, other = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const auto operands = static_cast<std::uint32_t>(1 + random() % 5);
    const wf::tensor_network n =
        random_network(random, operands, static_cast<std::uint32_t>(1 + random() % 7));
    const wf::contraction_rules rules{wf::contraction_count::operators,
                                      static_cast<std::uint32_t>(1 + random() % 5)};
    const every_order all(n, rules);
    const auto best = wf::best_contraction(n, rules);
    if (!best) {
      CHECK(best.error().code == wf::errc::search_limit);
      CHECK(all.least == 1e300);
      ++refused;
      continue;
    }
    CHECK(best->cost.flops == all.least);
    CHECK(wf::price_order(n, best->steps, rules.count).flops == best->cost.flops);
    CHECK(wf::price_order(n, best->steps).flops >= best->cost.flops);
    other += best->cost.flops != wf::best_contraction(n)->cost.flops ? 1 : 0;
  }
  CHECK(refused > 5);
  CHECK(other > 20);
}

TEST_CASE("a contraction of many different indices") {
  // Indices in different operands: more sets than fit into one or two bytes.
  std::mt19937 random(11);
  wf::tensor_network n;
  std::vector<std::vector<std::uint32_t>> of(5);
  for (std::uint32_t i = 0; i < (wf_test::sanitized ? 17 : 25); ++i) {
    n.extents.push_back(2);
    for (std::uint32_t k = 0; k < 5; ++k)
      if (((i + 1) >> k & 1) != 0) of[k].push_back(i);
  }
  for (const auto& each : of) n.add_operand({each.data(), each.size()});
  const auto best = wf::best_contraction(n);
  REQUIRE(best);
  CHECK(best->cost.flops == every_order(n).least);
}

TEST_CASE("a contraction of more indices than a machine word has bits") {
  std::mt19937 random(12);
  for (int round = 0; round < (wf_test::sanitized ? 3 : 40); ++round) {
    CAPTURE(round);
    // Some indices, at any position, are larger than 1.
    wf::tensor_network n;
    std::vector<std::vector<std::uint32_t>> of(4);
    const auto indices = static_cast<std::uint32_t>(60 + random() % 100);
    for (std::uint32_t i = 0; i < indices; ++i) {
      n.extents.push_back(random() % 10 == 0 ? 3 : 1);
      const auto owners = static_cast<std::uint32_t>(1 + random() % 15);
      for (std::uint32_t k = 0; k < 4; ++k)
        if ((owners >> k & 1) != 0) of[k].push_back(i);
      if (random() % 4 == 0) n.output.push_back(i);
    }
    for (const auto& each : of) n.add_operand({each.data(), each.size()});
    const auto best = wf::best_contraction(n);
    REQUIRE(best);
    CHECK(best->cost.flops == every_order(n).least);
  }
}

TEST_CASE("contractions beyond the limits are refused") {
  wf::tensor_network n;
  CHECK(wf::best_contraction(n).error().code == wf::errc::bad_equation);
  n.extents.push_back(2);
  const std::uint32_t index = 0;
  for (std::size_t k = 0; k < wf::max_exact_operands + 1; ++k) n.add_operand({&index, 1});
  const auto refused = wf::best_contraction(n);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::search_limit);
  CHECK(refused.error().message ==
        wf::text("the order of 17 operands is not found exactly, that of 16 would be"));
}
