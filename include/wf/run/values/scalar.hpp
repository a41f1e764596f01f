// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

// Traits of element types, so that each kernel is written once for real and complex numbers, for
// integers and for booleans.
namespace wf::compute {

/// True for complex numbers.
template <class Scalar>
inline constexpr bool is_complex_scalar = Eigen::NumTraits<Scalar>::IsComplex != 0;

/// True for fields, real or complex: division has no remainder.
template <class Scalar>
inline constexpr bool is_field_scalar =
    std::is_floating_point_v<Scalar> || is_complex_scalar<Scalar>;

/// True for element types that stand for integers in a proof (`remainder`, `truth`): their products
/// are computed by plain loops.
template <class Scalar>
inline constexpr bool is_symbolic_scalar = requires(const Scalar& x) { x.representative(); };

/// Type of the magnitude of an element: the element type itself if it is real.
template <class Scalar>
using magnitude_of = typename Eigen::NumTraits<Scalar>::Real;

/// Real part of an element, used for comparisons and wherever it is an index, an integer or a
/// boolean.
template <class Scalar>
auto real_part(const Scalar& x) {
  if constexpr (is_symbolic_scalar<Scalar>)
    return x.representative();
  else
    return static_cast<magnitude_of<Scalar>>(Eigen::numext::real(x));
}

/// The element converted to an index.
template <class Scalar>
Eigen::Index index_of(const Scalar& x) {
  return static_cast<Eigen::Index>(real_part(x));
}

/// The number converted to an element, rounded; an integer type needs an integral number.
template <class Scalar, class Number>
Scalar as_element(Number x) {
  return static_cast<magnitude_of<Scalar>>(x);
}

/// The element as an index into `count` positions, or -1 if out of range.
template <class Scalar>
Eigen::Index position_of(const Scalar& index, Eigen::Index count) {
  const auto x = real_part(index);
  if constexpr (std::is_same_v<decltype(x), const bool>)
    return x < count ? static_cast<Eigen::Index>(x) : -1;
  else if constexpr (std::is_integral_v<decltype(x)>)
    return x >= 0 && static_cast<Eigen::Index>(x) < count ? static_cast<Eigen::Index>(x) : -1;
  else
    return x >= 0 && x < static_cast<magnitude_of<Scalar>>(count) ? static_cast<Eigen::Index>(x)
                                                                  : -1;
}

}  // namespace wf::compute
