// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/factor.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::detail::packing_factor;
using wf::detail::sparse_columns;
using wf::detail::sparse_vector;

// A dense basis matrix with a column for each slot.
struct dense_basis {
  std::vector<std::vector<double>> column;

  explicit dense_basis(std::size_t order) : column(order, std::vector<double>(order)) {
    for (std::size_t i = 0; i < order; ++i) column[i][i] = 1;
  }

  // The largest element of B x - b.
  double error(const sparse_vector& x, const std::vector<double>& b) const {
    double worst = 0;
    for (std::size_t r = 0; r < column.size(); ++r) {
      double sum = -b[r];
      for (std::size_t i = 0; i < column.size(); ++i) sum += column[i][r] * x[i];
      worst = std::max(worst, std::abs(sum));
    }
    return worst;
  }
  // The largest element of y B - c.
  double error_transposed(const sparse_vector& y, const std::vector<double>& c) const {
    double worst = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      double sum = -c[i];
      for (std::size_t r = 0; r < column.size(); ++r) sum += column[i][r] * y[r];
      worst = std::max(worst, std::abs(sum));
    }
    return worst;
  }
};

std::vector<double> random_column(std::mt19937& random, std::size_t order) {
  std::vector<double> out(order);
  for (int entry = 0; entry < 3; ++entry)
    out[random() % order] =
        (random() % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(1 + random() % 4) / 2;
  return out;
}

sparse_vector sparse(const std::vector<double>& dense) {
  sparse_vector out(dense.size());
  for (std::uint32_t i = 0; i < dense.size(); ++i)
    if (dense[i] != 0) out.at(i) = dense[i];
  return out;
}

double worst_error(const packing_factor& factor, const dense_basis& basis, std::mt19937& random) {
  const std::vector<double> side = random_column(random, basis.column.size());
  sparse_vector x = sparse(side), y = sparse(side);
  factor.solve(x);
  factor.solve_transposed(y);
  return std::max(basis.error(x, side), basis.error_transposed(y, side));
}

// Factorises random columns, one per row of the basis; false if they are singular.
bool factorise(packing_factor& factor, dense_basis& basis, std::mt19937& random) {
  const std::size_t order = basis.column.size();
  wf::table<std::uint8_t> taken(order);
  std::vector<std::vector<double>> extras;
  sparse_columns columns;
  for (std::size_t r = 0; r < order; ++r) {
    taken[r] = random() % 3 != 0;
    if (!taken[r]) continue;
    extras.push_back(random_column(random, order));
    for (std::uint32_t i = 0; i < order; ++i)
      if (extras.back()[i] != 0) columns.add(i, extras.back()[i]);
    columns.close();
  }
  if (!factor.factorise(columns, taken)) return false;
  for (std::size_t j = 0; j < extras.size(); ++j) basis.column[factor.slot(j)] = extras[j];
  return true;
}

// Replaces the column of a slot by a random one, unless the basis becomes nearly singular.
void replace(packing_factor& factor, dense_basis& basis, std::mt19937& random) {
  const std::size_t order = basis.column.size();
  const auto slot = static_cast<std::uint32_t>(random() % order);
  const std::vector<double> added = random_column(random, order);
  std::vector<double> change(added), unit(order);
  unit[slot] = 1;
  sparse_vector row = sparse(unit);
  factor.solve_transposed(row);
  double pivot = 0;
  for (std::size_t r = 0; r < order; ++r) {
    pivot += row[r] * added[r];
    change[r] -= basis.column[slot][r];
  }
  if (std::abs(pivot) < 0.1) return;
  factor.replace(slot, sparse(change), row, pivot);
  basis.column[slot] = added;
}

void reflect(packing_factor& factor, dense_basis& basis, std::mt19937& random) {
  const std::size_t order = basis.column.size();
  const auto slot = static_cast<std::uint32_t>(random() % order);
  wf::table<std::uint32_t> others;
  for (std::uint32_t i = 0; i < order; ++i)
    if (i != slot && random() % 8 == 0) others.push_back(i);
  factor.reflect(slot, others);
  for (std::size_t r = 0; r < order; ++r) {
    for (const std::uint32_t i : others) basis.column[i][r] -= basis.column[slot][r];
    basis.column[slot][r] = -basis.column[slot][r];
  }
}

constexpr double solved_while_compiling() {
  // The columns (2, 1) and (4, 3): 2 x + 4 y = 2, x + 3 y = 3.
  sparse_columns columns;
  columns.add(0, 2);
  columns.add(1, 1);
  columns.close();
  columns.add(0, 4);
  columns.add(1, 3);
  columns.close();
  packing_factor factor(2);
  const wf::table<std::uint8_t> taken(2, 1);
  if (!factor.factorise(columns, taken)) return 0;
  sparse_vector x(2);
  x.at(0) = 2;
  x.at(1) = 3;
  factor.solve(x);
  return 10 * x[factor.slot(0)] + x[factor.slot(1)];
}
static_assert(solved_while_compiling() == 10 * -3 + 2);

}  // namespace

TEST_CASE("factors solve both systems, before and after exchanges, and go back") {
  std::mt19937 random(541);
  int regular = 0, singular = 0;
  for (int round = 0; round < 2'000; ++round) {
    CAPTURE(round);
    const std::size_t order = 1 + random() % 40;
    packing_factor factor(order);
    dense_basis basis(order);
    if (!factorise(factor, basis, random)) {
      ++singular;
      continue;
    }
    ++regular;
    REQUIRE(worst_error(factor, basis, random) < 1e-6);
    for (int step = 0; step < 6; ++step)
      random() % 4 == 0 ? reflect(factor, basis, random) : replace(factor, basis, random);
    REQUIRE(worst_error(factor, basis, random) < 1e-5);
    const dense_basis before = basis;
    const std::size_t updates = factor.updates();
    for (int step = 0; step < 4; ++step) replace(factor, basis, random);
    factor.take_back(updates);
    REQUIRE(worst_error(factor, before, random) < 1e-5);
  }
  CHECK(regular > 300);
  CHECK(singular > 300);
}

TEST_CASE("columns that depend on each other are singular") {
  sparse_columns columns;
  for (int j = 0; j < 2; ++j) {
    columns.add(0, 1);
    columns.add(1, -1);
    columns.close();
  }
  packing_factor factor(3);
  wf::table<std::uint8_t> taken(3, 1);
  taken[2] = 0;
  CHECK(!factor.factorise(columns, taken));
}
