// SPDX-License-Identifier: BSL-1.0
#include <wf/contraction/order.hpp>

#include <cmath>
#include <initializer_list>

#include <doctest/doctest.h>

#include "random_network.hpp"

namespace {

using wf::contraction_count, wf::contraction_step;

// "ab,bc,cd->ad" with a matrix of 2 x 9, one of 9 x 9 and one of 9 x 1.
constexpr wf::tensor_network chain() {
  wf::tensor_network n;
  for (const double extent : {2, 9, 9, 1}) n.extents.push_back(extent);
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t of[] = {k, k + 1};
    n.add_operand({of, 2});
  }
  n.output.push_back(0);
  n.output.push_back(3);
  return n;
}
constexpr wf::contraction_cost price(const wf::tensor_network& n,
                                     std::initializer_list<contraction_step> steps,
                                     contraction_count count = contraction_count::uniform) {
  return wf::price_order(n, {steps.begin(), steps.size()}, count);
}

static_assert(price(chain(), {{1, 2}, {0, 3}}).flops == 2 * 9 * 9 * 1 + 2 * 2 * 9 * 1);
static_assert(price(chain(), {{0, 1}, {3, 2}}).flops == 2 * 2 * 9 * 9 + 2 * 2 * 9 * 1);
static_assert(price(chain(), {{0, 1}, {3, 2}}).multiplications == 2 * 9 * 9 + 2 * 9 * 1);
static_assert(price(chain(), {{0, 1}, {3, 2}}).largest == 2 * 9);
// An outer product sums nothing.
static_assert(price(chain(), {{0, 2}, {1, 3}}).flops == 2 * 9 * 9 * 1 + 2 * 2 * 9 * 9);
static_assert(price(chain(), {{0, 2}, {1, 3}}).largest == 2 * 9 * 9);
static_assert(price(chain(), {}).flops == 0);

// The sum of all elements of an elementwise product, and of a single tensor.
constexpr wf::tensor_network inner() {
  wf::tensor_network n;
  for (const double extent : {3, 4}) n.extents.push_back(extent);
  const std::uint32_t of[] = {0, 1};
  n.add_operand({of, 2});
  n.add_operand({of, 2});
  return n;
}
static_assert(price(inner(), {{0, 1}}).flops == 2 * 12);
static_assert(price(inner(), {{0, 1}}, contraction_count::operators).flops == 12 + 11);
constexpr wf::tensor_network single() {
  wf::tensor_network n;
  n.extents.push_back(7);
  const std::uint32_t of[] = {0, 0};
  n.add_operand({of, 2});
  return n;
}
static_assert(price(single(), {{0}}).flops == 14);
static_assert(price(single(), {{0}}).multiplications == 0);
static_assert(price(single(), {{0}}, contraction_count::operators).flops == 6);

}  // namespace

TEST_CASE("an index is summed by the step after which no other tensor has it") {
  // A hyperedge: index 0 is in all three operands, and not in the result.
  wf::tensor_network n;
  for (const double extent : {5, 2, 3, 4}) n.extents.push_back(extent);
  for (std::uint32_t k = 1; k < 4; ++k) {
    const std::uint32_t of[] = {0, k};
    n.add_operand({of, 2});
    n.output.push_back(k);
  }
  const wf::contraction_cost cost = price(n, {{0, 1}, {3, 2}});
  CHECK(cost.flops == 5 * 2 * 3 + 2 * 5 * 2 * 3 * 4);
  CHECK(cost.largest == 5 * 2 * 3);
}

TEST_CASE("indices beyond a machine word are counted like the others") {
  wf::tensor_network n;
  for (int i = 0; i < 200; ++i) n.extents.push_back(i % 64 == 3 ? 3 : 1);
  for (std::uint32_t k = 0; k < 2; ++k) {
    std::vector<std::uint32_t> of;
    for (std::uint32_t i = 0; i < 200; ++i)
      if (i % 2 != k || i == 131) of.push_back(i);
    n.add_operand({of.data(), of.size()});
  }
  // Indices 3, 67, 131 and 195 have odd extents; only 131 is in both operands.
  CHECK(price(n, {{0, 1}}).multiplications == std::pow(3, 4));
  CHECK(price(n, {{0, 1}}).flops == 2 * std::pow(3, 4));
}

TEST_CASE("no order of pairs costs less than trying every order finds") {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    const wf::tensor_network n =
        random_network(random, 4, static_cast<std::uint32_t>(1 + random() % 6));
    std::vector<std::uint32_t> open{0, 1, 2, 3};
    wf::table<contraction_step> steps;
    while (open.size() > 1) {
      std::shuffle(open.begin(), open.end(), random);
      const std::uint32_t left = open.back();
      open.pop_back();
      steps.push_back({left, open.back()});
      open.back() = static_cast<std::uint32_t>(3 + steps.size());
    }
    for (const auto count : {contraction_count::uniform, contraction_count::operators}) {
      const wf::contraction_cost cost = wf::price_order(n, steps, count);
      CHECK(cost.flops >= every_order(n, {count}).least);
      CHECK(cost.flops <= 2 * cost.multiplications);
    }
  }
}
