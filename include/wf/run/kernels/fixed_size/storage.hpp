// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <Eigen/Core>

// Extents that are known while compiling, and uninitialised matrices that never use the heap then.
namespace wf::compute {

/// Matrices and workspaces of more bytes than this are in static storage of the thread instead of
/// on the stack.
inline constexpr std::size_t max_stack_matrix = 32 * 1024;

namespace detail {

template <class A>
inline constexpr bool is_fixed =
    A::RowsAtCompileTime != Eigen::Dynamic && A::ColsAtCompileTime != Eigen::Dynamic;

template <class A>
inline constexpr std::size_t fixed_bytes =
    is_fixed<A> ? sizeof(typename A::Scalar) * static_cast<std::size_t>(A::RowsAtCompileTime) *
                      static_cast<std::size_t>(A::ColsAtCompileTime)
                : 0;
template <class A>
inline constexpr bool is_large = fixed_bytes<A> > max_stack_matrix;

template <class A, class B>
inline constexpr bool same_size = int(A::RowsAtCompileTime) == int(B::RowsAtCompileTime) &&
                                  int(A::ColsAtCompileTime) == int(B::ColsAtCompileTime);

// An uninitialised matrix: on the stack, or in a buffer per thread, type and slot if it is large.
template <class Matrix, int Slot>
auto scratch(Eigen::Index rows, Eigen::Index columns) {
  if constexpr (is_large<Matrix>) {
    alignas(64) static thread_local std::byte buffer[fixed_bytes<Matrix>];
    return Eigen::Map<Matrix, Eigen::Aligned64>(reinterpret_cast<typename Matrix::Scalar*>(buffer));
  } else {
    return Matrix(rows, columns);
  }
}

}  // namespace detail

}  // namespace wf::compute
