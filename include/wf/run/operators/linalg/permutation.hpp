// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/row_exchange.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/values/scalar.hpp>

// Permutations as numbers and as matrices.
namespace wf::compute {

namespace detail {

// Index of the only nonzero element of a run if it is 1, else -1.
template <class Real>
Eigen::Index find_one(const Real* run, Eigen::Index length) {
  constexpr Eigen::Index few = 32;
  Eigen::Index found = -1;
  for (Eigen::Index first = 0; first < length; first += few) {
    const Eigen::Index last = std::min(first + few, length);
    // Skips zeros, the common case, 32 at a time; only zeros have a magnitude sum of zero.
    if constexpr (is_field_scalar<Real>) {
      const Eigen::Map<const Eigen::Array<Real, few, 1>> next(run + first);
      if (last - first == few && next.abs().sum() == 0) continue;
    }
    for (Eigen::Index i = first; i < last; ++i) {
      if (run[i] == Real(0)) continue;
      if (run[i] != Real(1) || found >= 0) return -1;
      found = i;
    }
  }
  return found;
}
// place[p[i]] = i for a permutation p of 0 to count - 1; false if p is not a permutation.
template <class Real>
bool invert_permutation(Real* place, const given<Real>* p, Eigen::Index count) {
  std::fill_n(place, count, Real(-1));
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Index k = position_of(p[i], count);
    if (k < 0) return false;
    Real& at = place[k];
    if (real_part(at) >= 0) return false;
    at = as_element<Real>(i);
  }
  return true;
}

template <class Real>
text matmul_permutation(const application<Real>& a) {
  const matrix_view<Real> p = matrix(a.in(0));
  Real *const ones = a.scratch(), *const inverted = ones + p.rows;
  for (Eigen::Index r = 0; r < p.runs(); ++r)
    ones[r] = as_element<Real>(find_one(p.run(r), p.run_length()));
  if (!invert_permutation(inverted, ones, p.rows)) return "the matrix is no permutation";
  copy_rows(matrix(a.out()), matrix(a.in(1)), p.by_columns ? inverted : ones);
  return {};
}
inline std::int64_t permutation_scratch(const graph_view& g, const node& n) {
  return 2 * g[g.inputs_of(n)[0]].type.shape[0].size();
}

// Table row of a product with a permutation.
template <class Real>
constexpr operator_implementation<Real> permuted(text_view name) {
  using enum storage_order;
  operator_implementation<Real> out{name, &matmul_permutation<Real>, nullptr, &permutation_scratch};
  out.alike_operands = 1u << 1;
  return out.in_order(either, either);
}

}  // namespace detail

}  // namespace wf::compute
