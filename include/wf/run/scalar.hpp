// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Core>

// What kernels ask of the type of an element, so that each is written once for real and for complex
// numbers.
namespace wf::compute {

/// True for complex numbers.
template <class Scalar>
inline constexpr bool is_complex_scalar = Eigen::NumTraits<Scalar>::IsComplex != 0;

/// The type of the magnitude of an element: itself if it is real.
template <class Scalar>
using magnitude_of = typename Eigen::NumTraits<Scalar>::Real;

/// The real part of an element: what it is compared by, where it is an index, an integer or a
/// boolean.
template <class Scalar>
magnitude_of<Scalar> real_part(const Scalar& x) {
  return Eigen::numext::real(x);
}

/// The index that an element holds.
template <class Scalar>
Eigen::Index index_of(const Scalar& x) {
  return static_cast<Eigen::Index>(real_part(x));
}

/// The element nearest to a number.
template <class Scalar, class Number>
Scalar as_element(Number x) {
  return static_cast<magnitude_of<Scalar>>(x);
}

/// The position that an element names, or -1 if it is none of `count`.
template <class Scalar>
Eigen::Index position_of(const Scalar& index, Eigen::Index count) {
  const auto x = real_part(index);
  return x >= 0 && x < static_cast<magnitude_of<Scalar>>(count) ? static_cast<Eigen::Index>(x) : -1;
}

}  // namespace wf::compute
