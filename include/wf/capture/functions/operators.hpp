// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/expression.hpp>
#include <wf/registry/domain/linalg/inverse.hpp>
#include <wf/registry/domain/linalg/orthogonal.hpp>
#include <wf/registry/domain/linalg/product.hpp>
#include <wf/registry/domain/linalg/solve.hpp>
#include <wf/registry/domain/linalg/transpose.hpp>

namespace wf {

namespace detail {

// An operation without attributes whose kernel does not depend on the operands.
template <const kernel_spec& Spec>
struct plain_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<Spec>; }
  static constexpr std::size_t attributes(attribute_value*) { return 0; }
};

// a * b: elementwise with a scalar or between vectors, else the matrix product.
struct product_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type> t) {
    const std::uint32_t a = t[0].shape.rank, b = t[1].shape.rank;
    if (a == 0 || b == 0 || (a == 1 && b == 1)) return captured<kernels::multiply>;
    if (a == 2 && b == 1) return captured<kernels::matvec>;
    return captured<kernels::matmul>;
  }
  static constexpr std::size_t attributes(attribute_value*) { return 0; }
};

// inv(A): the reciprocal of a scalar, else the inverse.
struct inverse_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type> t) {
    return t[0].shape.rank == 0 ? captured<kernels::reciprocal> : captured<kernels::inverse>;
  }
  static constexpr std::size_t attributes(attribute_value*) { return 0; }
};

template <class T>
concept arithmetic = std::integral<T> || std::floating_point<T>;

template <class Operation, lazy_operand A, arithmetic B>
constexpr auto apply_number(const Operation& o, const A& a, B b) {
  return apply(o, a, scalar_literal<A::handle_type::type.type>{static_cast<double>(b)});
}
template <class Operation, arithmetic A, lazy_operand B>
constexpr auto apply_number(const Operation& o, A a, const B& b) {
  return apply(o, scalar_literal<B::handle_type::type.type>{static_cast<double>(a)}, b);
}

}  // namespace detail

/// a + b, elementwise with broadcasting. Compile errors: WF101 for shapes that do not fit, WF102
/// for different element types.
template <lazy_operand A, lazy_operand B>
constexpr auto operator+(const A& a, const B& b) {
  return apply(detail::plain_<kernels::add>{}, a, b);
}
/// a + number.
template <lazy_operand A, detail::arithmetic B>
constexpr auto operator+(const A& a, B b) {
  return detail::apply_number(detail::plain_<kernels::add>{}, a, b);
}
/// number + b.
template <detail::arithmetic A, lazy_operand B>
constexpr auto operator+(A a, const B& b) {
  return detail::apply_number(detail::plain_<kernels::add>{}, a, b);
}

/// a - b, elementwise with broadcasting. Compile errors as for `+`.
template <lazy_operand A, lazy_operand B>
constexpr auto operator-(const A& a, const B& b) {
  return apply(detail::plain_<kernels::subtract>{}, a, b);
}
/// a - number.
template <lazy_operand A, detail::arithmetic B>
constexpr auto operator-(const A& a, B b) {
  return detail::apply_number(detail::plain_<kernels::subtract>{}, a, b);
}
/// number - b.
template <detail::arithmetic A, lazy_operand B>
constexpr auto operator-(A a, const B& b) {
  return detail::apply_number(detail::plain_<kernels::subtract>{}, a, b);
}
/// -a.
template <lazy_operand A>
constexpr auto operator-(const A& a) {
  return apply(detail::plain_<kernels::negate>{}, a);
}

/// a * b: the matrix product (of stacks) of matrices, or matrix times vector; elementwise if one is
/// a scalar or both are vectors. `hadamard` is always elementwise, `matmul` never. Compile errors:
/// WF101, WF102.
template <lazy_operand A, lazy_operand B>
constexpr auto operator*(const A& a, const B& b) {
  return apply(detail::product_{}, a, b);
}
/// a * number.
template <lazy_operand A, detail::arithmetic B>
constexpr auto operator*(const A& a, B b) {
  return detail::apply_number(detail::plain_<kernels::multiply>{}, a, b);
}
/// number * b.
template <detail::arithmetic A, lazy_operand B>
constexpr auto operator*(A a, const B& b) {
  return detail::apply_number(detail::plain_<kernels::multiply>{}, a, b);
}

/// a / b, elementwise with broadcasting. Compile errors as for `+`.
template <lazy_operand A, lazy_operand B>
constexpr auto operator/(const A& a, const B& b) {
  return apply(detail::plain_<kernels::divide>{}, a, b);
}
/// a / number.
template <lazy_operand A, detail::arithmetic B>
constexpr auto operator/(const A& a, B b) {
  return detail::apply_number(detail::plain_<kernels::divide>{}, a, b);
}
/// number / b.
template <detail::arithmetic A, lazy_operand B>
constexpr auto operator/(A a, const B& b) {
  return detail::apply_number(detail::plain_<kernels::divide>{}, a, b);
}

/// The elementwise product, with broadcasting.
template <operand A, operand B>
constexpr auto hadamard(const A& a, const B& b,
                        const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::multiply>{}, a, b);
}

/// The matrix product [..., M, K] x [..., K, N] -> [..., M, N] of (stacks of) matrices.
template <operand A, operand B>
constexpr auto matmul(const A& a, const B& b,
                      const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::matmul>{}, a, b);
}

/// The transpose of the last two dimensions; costs nothing.
template <operand A>
constexpr auto trans(const A& a, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::transpose>{}, a);
}

/// The inverse of a square matrix; the reciprocal of a scalar. Transforms replace it by a solve or
/// a factorisation if that is cheaper.
template <operand A>
constexpr auto inv(const A& a, const source_location& where = source_location::current()) {
  return apply_at(where, detail::inverse_{}, a);
}

/// X with a·X = b, for a matrix or a vector b.
template <operand A, operand B>
constexpr auto solve(const A& a, const B& b,
                     const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::solve>{}, a, b);
}
/// X with the least norm of A·X - B, for a matrix A of full rank with at least as many rows as
/// columns; a vector B gives a vector X. By Householder QR, so that the loss of digits grows with
/// the condition of A, not with its square as for the normal equations.
template <operand A, operand B>
constexpr auto least_squares(const A& a, const B& b,
                             const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::least_squares>{}, a, b);
}

}  // namespace wf
