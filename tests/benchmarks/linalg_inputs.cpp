// SPDX-License-Identifier: BSL-1.0
#include <linalg/inputs.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <Eigen/Cholesky>
#include <Eigen/SVD>

using linalg_benchmark::input_generator;
using linalg_benchmark::make_inputs;
using linalg_benchmark::operand;
using linalg_benchmark::problem;

namespace {

wf::dynamic_matrix generate(wf::properties declared, std::int64_t rows, std::int64_t columns,
                            std::uint64_t seed = 7) {
  input_generator make(seed);
  return make({"A", rows, columns, false, declared});
}

bool is_diagonal(const wf::dynamic_matrix& m) { return m.isDiagonal(0); }
bool is_unit(const wf::dynamic_matrix& m) {
  return (m - wf::dynamic_matrix::Identity(m.rows(), m.cols())).norm() < 1e-13;
}

// The smallest singular value and the largest one.
Eigen::Vector2d singular_values(const wf::dynamic_matrix& m) {
  const Eigen::JacobiSVD<wf::dynamic_matrix> svd(m);
  return {svd.singularValues().minCoeff(), svd.singularValues().maxCoeff()};
}

// Checks each declared property of a matrix.
void check(wf::properties declared, const wf::dynamic_matrix& m) {
  const std::string names = static_cast<std::string>(wf::to_text(declared));
  CAPTURE(names);
  CAPTURE(m.rows());
  CAPTURE(m.cols());
  if (declared.has(wf::symmetric)) CHECK(m == m.transpose());
  if (declared.has(wf::lower_triangular)) CHECK(m.isLowerTriangular(0));
  if (declared.has(wf::upper_triangular)) CHECK(m.isUpperTriangular(0));
  if (declared.has(wf::diagonal)) CHECK(is_diagonal(m));
  if (declared.has(wf::psd)) CHECK(Eigen::LLT<wf::dynamic_matrix>(m).info() == Eigen::Success);
  if (declared.has(wf::orthogonal)) CHECK(is_unit(m.transpose() * m));
  if (declared.has(wf::identity)) CHECK(is_unit(m));
  if (declared.has(wf::positive)) CHECK(m.minCoeff() > 0);
  if (declared.has(wf::permutation)) {
    CHECK(m.cwiseAbs().rowwise().sum().isOnes(0));
    CHECK(m.cwiseAbs().colwise().sum().isOnes(0));
    CHECK(((m.array() == 0) || (m.array() == 1)).all());
  }
  if (declared.has(wf::full_rank)) {
    CHECK(singular_values(m)(0) > 0.1);
    CHECK(singular_values(m)(1) < 3);
  }
}

}  // namespace

TEST_CASE("square operands have the declared properties and are well-conditioned") {
  const wf::properties sets[] = {wf::symmetric | wf::full_rank,
                                 wf::spd,
                                 wf::psd | wf::full_rank,
                                 wf::lower_triangular | wf::full_rank,
                                 wf::upper_triangular | wf::nonsingular,
                                 wf::diagonal | wf::full_rank,
                                 wf::diagonal | wf::spd,
                                 wf::diagonal | wf::orthogonal,
                                 wf::orthogonal,
                                 wf::permutation,
                                 wf::identity,
                                 wf::nonsingular,
                                 wf::full_rank};
  for (const wf::properties declared : sets)
    for (const std::int64_t size : {1, 2, 3, 10, 60})
      check(declared, generate(declared, size, size));
}

TEST_CASE("rectangular operands do, too") {
  const wf::properties sets[] = {wf::full_rank,
                                 wf::upper_triangular | wf::full_rank,
                                 wf::lower_triangular | wf::full_rank,
                                 {}};
  const std::int64_t shapes[][2] = {{9, 10}, {10, 9}, {50, 3}, {3, 50}, {2, 3}};
  for (const wf::properties declared : sets)
    for (const auto& [rows, columns] : shapes) {
      const wf::dynamic_matrix m = generate(declared, rows, columns);
      CHECK(m.rows() == rows);
      CHECK(m.cols() == columns);
      check(declared, m);
    }
}

TEST_CASE("signs are random where nothing says what they are") {
  const wf::dynamic_matrix d = generate(wf::diagonal | wf::full_rank, 40, 40);
  CHECK(d.diagonal().minCoeff() < -0.4);
  CHECK(d.diagonal().maxCoeff() > 0.4);
  const wf::dynamic_matrix s = generate(wf::symmetric | wf::full_rank, 40, 40);
  CHECK(Eigen::LLT<wf::dynamic_matrix>(s).info() != Eigen::Success);
}

TEST_CASE("vectors and scalars") {
  const wf::dynamic_matrix column = generate({}, 30, 1), row = generate({}, 1, 30);
  CHECK(column.rows() == 30);
  CHECK(row.cols() == 30);
  CHECK(column.cwiseAbs().maxCoeff() <= 1);
  CHECK(column.norm() > 1);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    input_generator make(seed);
    const wf::dynamic_matrix positive = make({"c", 1, 1, true, wf::positive});
    CHECK(positive(0, 0) >= 0.5);
    CHECK(positive(0, 0) <= 1.5);
    CHECK(make({"c", 1, 1, true, {}}).cwiseAbs()(0, 0) >= 0.5);
  }
}

TEST_CASE("the same seed makes the same operands, another one others") {
  problem p;
  p.inputs = {{"A", 5, 5, false, wf::spd}, {"x", 5, 1, false, {}}, {"c", 1, 1, true, {}}};
  const auto first = make_inputs(p, 3), again = make_inputs(p, 3), other = make_inputs(p, 4);
  CHECK(first.size() == 3);
  for (const auto& [name, m] : first) {
    CHECK(again.at(name) == m);
    CHECK(other.at(name) != m);
  }
}
