// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/property_rules.hpp>

#include <functional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/registry/domain/elementwise.hpp>
#include <wf/registry/domain/linalg/inverse.hpp>
#include <wf/registry/domain/linalg/product.hpp>
#include <wf/registry/domain/linalg/transpose.hpp>

#include "rational_matrix.hpp"

using exact::matrix;
using wf::properties;

namespace {

enum class operand_kind { none, whole, scalar };

// An application of an operator: its kernel, its rules, and its function.
struct application {
  const wf::kernel_spec* kernel;
  const wf::property_rules* rules;
  operand_kind first, second;
  bool is_product;  // the columns of the first operand match the rows of the second
  bool inverts;     // the first operand must be nonsingular
  std::function<matrix(const matrix&, const matrix&)> compute;
};

matrix negated(const matrix& a) { return by_cell(matrix(1, 1), a, exact::minus); }

const std::vector<application>& applications() {
  using enum operand_kind;
  using m = const matrix&;
  static const std::vector<application> all = {
      {&wf::kernels::transpose, &wf::transpose_rules, whole, none, false, false,
       [](m a, m) { return transposed(a); }},
      {&wf::kernels::inverse, &wf::inverse_rules, whole, none, false, true,
       [](m a, m) { return inverse(a); }},
      {&wf::kernels::matmul, &wf::product_rules, whole, whole, true, false,
       [](m a, m b) { return product(a, b); }},
      {&wf::kernels::add, &wf::sum_rules, whole, whole, false, false,
       [](m a, m b) { return by_cell(a, b, exact::plus); }},
      {&wf::kernels::subtract, &wf::difference_rules, whole, whole, false, false,
       [](m a, m b) { return by_cell(a, b, exact::minus); }},
      {&wf::kernels::negate, &wf::negation_rules, whole, none, false, false,
       [](m a, m) { return negated(a); }},
      {&wf::kernels::multiply, &wf::scaling_rules, scalar, whole, false, false,
       [](m a, m b) { return by_cell(a, b, exact::times); }},
      {&wf::kernels::multiply, &wf::hadamard_rules, whole, whole, false, false,
       [](m a, m b) { return by_cell(a, b, exact::times); }},
      {&wf::kernels::multiply, &wf::scalar_rules, scalar, scalar, false, false,
       [](m a, m b) { return by_cell(a, b, exact::times); }},
      {&wf::kernels::add, &wf::scalar_rules, scalar, scalar, false, false,
       [](m a, m b) { return by_cell(a, b, exact::plus); }},
      {&wf::kernels::reciprocal, &wf::scalar_rules, scalar, none, false, false,
       [](m a, m) { return by_cell(matrix::unit(1), a, exact::over); }},
  };
  return all;
}

struct operand {
  matrix value;
  wf::value_type type;
};

operand random_operand(operand_kind kind, std::size_t rows, std::size_t columns, properties wanted,
                       std::mt19937& random) {
  if (kind == operand_kind::scalar) {
    operand out{exact::random_matrix(1, 1, wanted, random), {wf::dtype::f64, wanted, {}}};
    while (out.value(0, 0).sign() == 0) out.value(0, 0) = exact::small(random);
    out.type.shape = wf::shape::of();
    return out;
  }
  return {exact::random_matrix(rows, columns, wanted, random),
          {wf::dtype::f64, wanted,
           wf::shape::of(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns))}};
}

// Any properties for square matrices; at most full rank for others.
properties random_properties(operand_kind kind, bool square, std::mt19937& random) {
  if (kind == operand_kind::scalar)
    return random() % 2 == 0 ? properties() : properties(wf::positive);
  if (!square) return random() % 2 == 0 ? properties() : properties(wf::full_rank);
  const std::uint32_t all = properties(wf::identity).bits;
  std::uint32_t bits = static_cast<std::uint32_t>(random()) & static_cast<std::uint32_t>(random());
  if (random() % 2 == 0) bits &= static_cast<std::uint32_t>(random());
  return wf::detail::close_properties(bits & all);
}

// Checks that the properties inferred for operands with these properties are true of the result;
// returns the inferred ones.
properties check(const application& a, properties first, properties second,
                 const std::size_t (&sizes)[3], std::mt19937& random) {
  CAPTURE(a.kernel->name.data());
  CAPTURE(first.bits);
  CAPTURE(second.bits);
  const operand x = random_operand(a.first, sizes[0], sizes[1], first, random);
  std::vector<wf::value_type> types{x.type};
  operand y;
  if (a.second != operand_kind::none) {
    y = a.is_product ? random_operand(a.second, sizes[1], sizes[2], second, random)
                     : random_operand(a.second, sizes[0], sizes[1], second, random);
    types.push_back(y.type);
  }
  const properties inferred = wf::infer_properties(*a.rules, types);
  CHECK(a.kernel->result_properties({types, {}}) == inferred);
  const bool scalar = a.first == operand_kind::scalar && a.second != operand_kind::whole;
  const properties is = exact::properties_of(a.compute(x.value, y.value), scalar);
  CAPTURE(inferred.bits);
  CAPTURE(is.bits);
  CHECK(is.has(inferred));
  return inferred;
}

constexpr std::size_t square[] = {3, 3, 3};

}  // namespace

TEST_CASE("each property that an operator keeps, it keeps on exact fractions") {
  std::mt19937 random(601);
  for (const application& a : applications())
    for (std::uint32_t bit = 1; bit <= wf::detail::positive_bit; bit *= 2) {
      if ((a.rules->kept & bit) == 0) continue;
      const bool of_scalar = bit == wf::detail::positive_bit;
      if (of_scalar != (a.first == operand_kind::scalar)) continue;
      properties one = wf::detail::close_properties(bit);
      if (a.inverts) one = one | wf::nonsingular;
      for (int round = 0; round < 200; ++round)
        CHECK((check(a, one, one, square, random).bits & bit) != 0);
    }
}

TEST_CASE("each inference holds on exact fractions") {
  std::mt19937 random(602);
  const std::size_t tall[] = {4, 3, 2}, wide[] = {2, 3, 4};
  for (const application& a : applications())
    for (const wf::property_inference& rule : a.rules->more)
      for (int round = 0; round < 200; ++round) {
        const auto& sizes = rule.condition == wf::inference_condition::tall   ? tall
                            : rule.condition == wf::inference_condition::wide ? wide
                                                                              : square;
        const properties second = a.second == operand_kind::none ? properties() : rule.second;
        CHECK(check(a, rule.first, second, sizes, random).has(rule.result));
      }
}

TEST_CASE("nothing is inferred that is not so") {
  std::mt19937 random(603);
  int inferred = 0;
  for (int round = 0; round < 20'000; ++round) {
    CAPTURE(round);
    const application& a = applications()[random() % applications().size()];
    std::size_t sizes[] = {1 + random() % 3, 1 + random() % 3, 1 + random() % 3};
    if (random() % 2 == 0 || a.inverts) sizes[1] = sizes[2] = sizes[0];
    const bool square_first = sizes[0] == sizes[1];
    const bool square_second = a.is_product ? sizes[1] == sizes[2] : square_first;
    properties first = random_properties(a.first, square_first, random);
    if (a.inverts) first = first | wf::nonsingular;
    const properties second = random_properties(a.second, square_second, random);
    inferred += !check(a, first, second, sizes, random).empty();
  }
  CHECK(inferred > 5'000);
}

TEST_CASE("rank is what products of tall and of wide matrices keep, and no others") {
  const auto product = [](std::int64_t m, std::int64_t k, std::int64_t n) {
    const wf::value_type types[] = {{wf::dtype::f64, wf::full_rank, wf::shape::of(m, k)},
                                    {wf::dtype::f64, wf::full_rank, wf::shape::of(k, n)}};
    return wf::infer_properties(wf::product_rules, types);
  };
  CHECK(product(5, 3, 2).has(wf::full_rank));
  CHECK(product(2, 3, 5).has(wf::full_rank));
  CHECK(product(3, 3, 3).has(wf::nonsingular));
  CHECK(product(3, 2, 3).empty());  // of rank 2
  CHECK(product(2, 3, 2).empty());  // no property
}

TEST_CASE("what is broadcast keeps nothing") {
  const wf::value_type types[] = {{wf::dtype::f64, wf::lower_triangular, wf::shape::of(1, 1)},
                                  {wf::dtype::f64, wf::lower_triangular, wf::shape::of(3, 3)}};
  CHECK(wf::kernels::add.result_properties({types, {}}).empty());
  CHECK(wf::kernels::subtract.result_properties({types, {}}).empty());
  CHECK(wf::kernels::multiply.result_properties({types, {}}).empty());
}
