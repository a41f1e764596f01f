// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include <Eigen/Core>

// Elementary functions of several numbers at once, in the host's vectors. The value for a number
// does not depend on its position: all elements of a block take the same path, and a tail is padded
// to a block.
namespace wf::compute {

/// Elements that elementary functions process at once: whole vectors on every host.
inline constexpr Eigen::Index block_length = 16;
/// A block of `block_length` numbers, as an Eigen array.
template <class Real>
using block = Eigen::Array<Real, block_length, 1>;

namespace detail {

// Applies `fast` to elements within the bounds, and `exact` to the few others and to NaN: outside,
// Eigen's functions saturate, and handle neither denormal results nor infinity.
template <class Real, class Fast, class Exact>
block<Real> within(const block<Real>& x, double low, double high, Fast fast, Exact exact) {
  const Real least = static_cast<Real>(low), most = static_cast<Real>(high);
  block<Real> y = fast(x);
  // Vectorised test; a NaN or infinity makes the sum a NaN or infinity, which differs from 0.
  const Real outside = (x - x.min(most).max(least)).abs().sum();
  if (!(outside == 0))
    for (Eigen::Index i = 0; i < block_length; ++i)
      if (!(least <= x[i] && x[i] <= most)) y[i] = exact(x[i]);
  return y;
}

template <class Real>
inline constexpr bool is_single = std::is_same_v<Real, float>;
template <class Real>
inline constexpr double greatest = static_cast<double>(std::numeric_limits<Real>::max());

}  // namespace detail

/// eˣ, within 4 units in the last place; 2 for doubles.
template <class Real>
block<Real> exponential(const block<Real>& x) {
  // Between the smallest normal result and the largest finite one.
  const double low = detail::is_single<Real> ? -87 : -708,
               high = detail::is_single<Real> ? 88 : 709;
  return detail::within(
      x, low, high, [](const auto& v) { return v.exp(); }, [](Real v) { return std::exp(v); });
}
/// eˣ for a single number or a type without vectors, as in C++.
template <class Number>
Number exponential(const Number& x) {
  return std::exp(x);
}

/// ln x, within 2 units in the last place.
template <class Real>
block<Real> logarithm(const block<Real>& x) {
  return detail::within(
      x, static_cast<double>(std::numeric_limits<Real>::min()), detail::greatest<Real>,
      [](const auto& v) { return v.log(); }, [](Real v) { return std::log(v); });
}
/// ln x for a single number or a type without vectors, as in C++.
template <class Number>
Number logarithm(const Number& x) {
  return std::log(x);
}

namespace detail {

// sin or cos: Eigen has vectors for floats only.
template <class Real, class Fast, class Exact>
block<Real> periodic(const block<Real>& x, Fast fast, Exact exact) {
  if constexpr (is_single<Real>)
    return within(x, -1e4, 1e4, fast, exact);
  else
    return x.unaryExpr(exact);
}

}  // namespace detail

/// sin x, within 3 units in the last place; as in C++ for doubles.
template <class Real>
block<Real> sine(const block<Real>& x) {
  return detail::periodic(
      x, [](const auto& v) { return v.sin(); }, [](Real v) { return std::sin(v); });
}
/// sin x for a single number or a type without vectors, as in C++.
template <class Number>
Number sine(const Number& x) {
  return std::sin(x);
}

/// cos x, within 3 units in the last place; as in C++ for doubles.
template <class Real>
block<Real> cosine(const block<Real>& x) {
  return detail::periodic(
      x, [](const auto& v) { return v.cos(); }, [](Real v) { return std::cos(v); });
}
/// cos x for a single number or a type without vectors, as in C++.
template <class Number>
Number cosine(const Number& x) {
  return std::cos(x);
}

namespace detail {

// For doubles: near 0 the ninth convergent of Lambert's continued fraction x/(1 + x²/(3 + x²/(5 +
// ...))), whose error is below 2^-66 there; else 1 - 2/(e²ˣ + 1). Source: J. H. Lambert, Mémoire
// sur quelques propriétés remarquables des quantités transcendantes, 1768.
template <class Real>
block<Real> tangent(const block<Real>& x) {
  if constexpr (is_single<Real>) {
    return x.tanh();
  } else {
    const block<Real> z = x * x;
    const block<Real> above = (((z + 990) * z + 135135) * z + 4729725) * z + 34459425;
    const block<Real> below = (((45 * z + 13860) * z + 945945) * z + 16216200) * z + 34459425;
    const block<Real> near = x * (above / below);
    const block<Real> far = 1 - 2 / ((2 * x.abs().min(20.0)).exp() + 1);
    block<Real> y;
    for (Eigen::Index i = 0; i < block_length; ++i)
      y[i] = std::abs(x[i]) < 0.625 ? near[i] : std::copysign(far[i], x[i]);
    return y;
  }
}

}  // namespace detail

/// tanh x, within 5 units in the last place; 3 for doubles.
template <class Real>
block<Real> hyperbolic_tangent(const block<Real>& x) {
  return detail::within(
      x, -detail::greatest<Real>, detail::greatest<Real>,
      [](const block<Real>& v) { return detail::tangent(v); }, [](Real v) { return std::tanh(v); });
}
/// tanh x for a single number or a type without vectors, as in C++.
template <class Number>
Number hyperbolic_tangent(const Number& x) {
  return std::tanh(x);
}

}  // namespace wf::compute
