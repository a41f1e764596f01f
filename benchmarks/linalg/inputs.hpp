// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include <Eigen/Core>

#include <wf/ir/type/properties.hpp>
#include <wf/run/values/named_matrices.hpp>

#include <linalg/problem.hpp>

namespace linalg_benchmark {

/// Makes random, well-conditioned operands with the declared properties: those of full rank are
/// near the identity, with singular values within about 0.5 to 1.5, so that sums, products and
/// inverses of a few of them are well-conditioned too. Unless definiteness is declared, signs of
/// diagonals are random, so that a method that needs definiteness cannot pass by luck. The same
/// seed gives the same operands.
class input_generator {
 public:
  explicit input_generator(std::uint64_t seed) : random_(seed) {}

  wf::dynamic_matrix operator()(const operand& o) {
    const bool definite = o.declared.has(wf::spd) || o.declared.has(wf::psd);
    const bool is_positive = definite || o.declared.has(wf::positive);
    if (o.scalar) return wf::dynamic_matrix::Constant(1, 1, diagonal_element(is_positive));
    if (o.declared.has(wf::identity)) return wf::dynamic_matrix::Identity(o.rows, o.columns);
    if (o.declared.has(wf::permutation)) return permutation_of(o.rows);
    if (o.declared.has(wf::orthogonal)) return orthogonal(o);
    if (o.columns == 1 || o.rows == 1) return uniform(o.rows, o.columns);
    if (o.declared.has(wf::diagonal)) return diagonal_of(o.rows, o.columns, is_positive);
    if (o.declared.has(wf::symmetric)) {
      const wf::dynamic_matrix half = perturbation(o.rows, o.columns);
      return diagonal_of(o.rows, o.columns, is_positive) + 0.5 * (half + half.transpose());
    }
    const bool lower = o.declared.has(wf::lower_triangular);
    if (lower || o.declared.has(wf::upper_triangular)) {
      wf::dynamic_matrix out = perturbation(o.rows, o.columns);
      if (lower)
        out.triangularView<Eigen::Upper>().setZero();
      else
        out.triangularView<Eigen::Lower>().setZero();
      return out + diagonal_of(o.rows, o.columns, is_positive);
    }
    return wf::dynamic_matrix::Identity(o.rows, o.columns) + perturbation(o.rows, o.columns);
  }

 private:
  double uniform() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  /// An element with a magnitude from 0.5 to 1.5.
  double diagonal_element(bool is_positive) {
    const double magnitude = 1 + 0.5 * uniform();
    return is_positive || uniform() > 0 ? magnitude : -magnitude;
  }
  wf::dynamic_matrix uniform(Eigen::Index rows, Eigen::Index columns) {
    return wf::dynamic_matrix::NullaryExpr(rows, columns, [&] { return uniform(); });
  }
  /// A dense matrix of spectral norm about 0.4: that of m x n independent elements of variance 1/3
  /// is about sqrt(m/3) + sqrt(n/3).
  wf::dynamic_matrix perturbation(Eigen::Index rows, Eigen::Index columns) {
    const double norm =
        std::sqrt(static_cast<double>(rows) / 3) + std::sqrt(static_cast<double>(columns) / 3);
    return 0.4 / norm * uniform(rows, columns);
  }
  wf::dynamic_matrix diagonal_of(Eigen::Index rows, Eigen::Index columns, bool is_positive) {
    wf::dynamic_matrix out = wf::dynamic_matrix::Zero(rows, columns);
    for (double& x : out.diagonal()) x = diagonal_element(is_positive);
    return out;
  }
  wf::dynamic_matrix permutation_of(Eigen::Index size) {
    Eigen::PermutationMatrix<Eigen::Dynamic> p(size);
    p.setIdentity();
    std::shuffle(p.indices().begin(), p.indices().end(), random_);
    return p;
  }
  /// A permutation reflected at three random planes; a diagonal one has random signs only.
  wf::dynamic_matrix orthogonal(const operand& o) {
    if (o.declared.has(wf::diagonal)) return diagonal_of(o.rows, o.columns, false).cwiseSign();
    wf::dynamic_matrix out = permutation_of(o.rows);
    for (int k = 0; k < 3; ++k) {
      const Eigen::VectorXd v = uniform(o.rows, 1).col(0).normalized();
      out -= 2 * v * (v.transpose() * out).eval();
    }
    return out;
  }

  std::mt19937_64 random_;
};

/// The inputs of a problem.
inline wf::named_matrices make_inputs(const problem& p, std::uint64_t seed) {
  input_generator generate(seed);
  wf::named_matrices out;
  for (const operand& o : p.inputs) out[o.name] = generate(o);
  return out;
}

}  // namespace linalg_benchmark
