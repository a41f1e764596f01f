// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <wf/run/values/strided_matrix.hpp>

// Matrices in every storage order, in memory that reveals writes outside of them.
namespace strided {

using Eigen::Index;
using wf::compute::matrix_ref, wf::compute::matrix_view;

// A matrix in its own storage, in which no other element may be written.
class owned {
 public:
  owned(Index rows, Index columns, bool by_columns, Index apart, std::mt19937_64& random)
      : lies_{nullptr, rows, columns, (by_columns ? rows : columns) + apart, by_columns} {
    memory_.assign(static_cast<std::size_t>(lies_.stride * lies_.runs() + 1), untouched);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j) ref()(i, j) = uniform(random);
  }
  matrix_ref<double> ref() {
    lies_.elements = memory_.data();
    return lies_;
  }
  matrix_view<double> view() { return ref(); }
  double operator()(Index i, Index j) { return ref()(i, j); }
  bool is_clean() {
    std::size_t count = 0;
    for (double x : memory_) count += x == untouched ? 1 : 0;
    return count == memory_.size() - static_cast<std::size_t>(lies_.rows * lies_.columns);
  }

 private:
  static constexpr double untouched = 12345;
  matrix_ref<double> lies_;
  std::vector<double> memory_;
};

struct orders {
  bool a, b, c;
  Index apart;
};
template <class F>
void for_all_orders(F f) {
  for (int bits = 0; bits < 16; ++bits)
    f(orders{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, bits < 8 ? 0 : 3});
}

// Scratch storage that may be written; none for size 0.
class storage {
 public:
  explicit storage(std::int64_t size) : elements_(static_cast<std::size_t>(size)) {}
  double* get() { return elements_.empty() ? nullptr : elements_.data(); }

 private:
  std::vector<double> elements_;
};

inline double product_at(owned& a, owned& b, Index i, Index j, Index depth) {
  double sum = 0;
  for (Index k = 0; k < depth; ++k) sum += a(i, k) * b(k, j);
  return sum;
}

// An element of b·b'.
inline double product_at_transposed(owned& b, Index i, Index j, Index depth) {
  double sum = 0;
  for (Index k = 0; k < depth; ++k) sum += b(i, k) * b(j, k);
  return sum;
}

}  // namespace strided
