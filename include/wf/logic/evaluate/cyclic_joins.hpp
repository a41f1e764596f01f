// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf::logic::detail {

/// Sets of variables of a rule, one bit each; rules of more variables count as acyclic.
using variable_set = std::uint64_t;

/// True for the joins that remain when ears are taken off: variables that only one join has, then
/// joins whose variables another one has, too, until nothing changes. No join remains if and only
/// if the rule is acyclic. [Graham 1979; Yu, Ozsoyoglu 1979] O(joins^3).
constexpr table<bool> cyclic_core(view<variable_set> joins) {
  table<variable_set> left(joins);
  table<bool> remains(joins.size(), true);
  for (bool changed = true; changed;) {
    changed = false;
    variable_set once = 0, often = 0;
    for (const variable_set each : left) often |= once & each, once |= each;
    for (std::size_t i = 0; i < left.size(); ++i) {
      left[i] &= often;
      for (std::size_t k = 0; k < left.size() && remains[i]; ++k)
        if (k != i && remains[k] && (left[i] & ~left[k]) == 0) remains[i] = false;
      if (remains[i] && left[i] == 0) remains[i] = false;
      if (remains[i] || left[i] == 0) continue;
      left[i] = 0;
      changed = true;
    }
  }
  return remains;
}

/// The logarithm of n to base 2, at least 0, from below by at most 2^-20.
constexpr double binary_logarithm(std::uint64_t n) {
  if (n < 2) return 0;
  const auto whole = static_cast<int>(std::bit_width(n)) - 1;
  double rest = static_cast<double>(n) / static_cast<double>(std::uint64_t{1} << whole);
  double out = whole;
  for (double place = 0.5; place > 0x1p-21; place /= 2) {
    rest *= rest;
    if (rest >= 2) out += place, rest /= 2;
  }
  return out;
}

/// The binary logarithm of the greatest number of results that joins can have, by those of their
/// numbers of rows, none below 0: the least fractional cover of the variables.
/// [Atserias, Grohe, Marx 2008] Found as the greatest packing of the variables into the joins, by
/// the simplex method with Bland's rule.
constexpr double most_results(view<variable_set> joins, view<double> logarithms) {
  table<std::uint32_t> variables;
  for (std::uint32_t v = 0; v < 64; ++v)
    for (const variable_set each : joins)
      if ((each >> v & 1) != 0) {
        variables.push_back(v);
        break;
      }
  // Row i: the sum of the weights of join i's variables, and a slack, is its logarithm. The last
  // row has the prices of the weights, and less the sum of all of them.
  const std::size_t rows = joins.size(), columns = variables.size() + rows;
  table<double> cells((rows + 1) * (columns + 1));
  const auto cell = [&](std::size_t row, std::size_t column) -> double& {
    return cells[row * (columns + 1) + column];
  };
  table<std::size_t> basic(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < variables.size(); ++k)
      cell(i, k) = (joins[i] >> variables[k] & 1) != 0 ? 1 : 0;
    cell(i, variables.size() + i) = 1;
    cell(i, columns) = logarithms[i];
    basic[i] = variables.size() + i;
  }
  for (std::size_t k = 0; k < variables.size(); ++k) cell(rows, k) = 1;
  for (;;) {
    std::size_t enters = 0, leaves = rows;
    while (enters < columns && !(cell(rows, enters) > 1e-9)) ++enters;
    if (enters == columns) return -cell(rows, columns);
    for (std::size_t i = 0; i < rows; ++i) {
      if (!(cell(i, enters) > 1e-9)) continue;
      const double mine = leaves == rows ? 0 : cell(i, columns) * cell(leaves, enters);
      const double best = leaves == rows ? 0 : cell(leaves, columns) * cell(i, enters);
      if (leaves == rows || mine < best || (mine == best && basic[i] < basic[leaves])) leaves = i;
    }
    if (leaves == rows) return -cell(rows, columns);  // each variable is in a join
    const double pivot = cell(leaves, enters);
    for (std::size_t c = 0; c <= columns; ++c) cell(leaves, c) /= pivot;
    for (std::size_t i = 0; i <= rows; ++i) {
      const double factor = cell(i, enters);
      if (i == leaves || factor == 0) continue;
      for (std::size_t c = 0; c <= columns; ++c) cell(i, c) -= factor * cell(leaves, c);
    }
    basic[leaves] = enters;
  }
}

}  // namespace wf::logic::detail
