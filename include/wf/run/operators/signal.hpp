// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include <wf/run/operators/application.hpp>
#include <wf/run/operators/elementwise.hpp>
#include <wf/run/operators/movement.hpp>
#include <wf/run/values/scalar.hpp>

// Conjugates, and Fourier transforms of the last dimension, in complex numbers.
namespace wf::compute {

namespace detail {

// Without the treatment of infinities in C++, which costs a call.
template <class Complex>
Complex product_of(const Complex& x, const Complex& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

// The first half of the n-th roots of unity, each computed independently: exp(-2πik/n), or its
// conjugate.
template <class Complex>
void find_roots(Complex* roots, Eigen::Index n, bool conjugate) {
  using real = magnitude_of<Complex>;
  const double turn = (conjugate ? 2 : -2) * std::numbers::pi / static_cast<double>(n);
  for (Eigen::Index k = 0; k < n / 2; ++k) {
    const double angle = turn * static_cast<double>(k);
    roots[k] = Complex(static_cast<real>(std::cos(angle)), static_cast<real>(std::sin(angle)));
  }
}

// The elements of one signal, at stride `step`.
template <class Complex>
struct signal {
  Complex* elements;
  Eigen::Index step;

  Complex& operator[](Eigen::Index i) const { return elements[i * step]; }
};

// Combines pairs of transforms of `half` elements into transforms of 2·half elements, in place.
// Source: Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992, section 1.4.
template <class Complex>
void join_halves(const signal<Complex>& x, Eigen::Index n, Eigen::Index half,
                 const Complex* roots) {
  const Eigen::Index step = n / (2 * half);
  for (Eigen::Index first = 0; first < n; first += 2 * half)
    for (Eigen::Index k = first; k < first + half; ++k) {
      const Complex low = x[k], high = product_of(roots[(k - first) * step], x[k + half]);
      x[k] = low + high;
      x[k + half] = low - high;
    }
}

// Calls use(signal) for each row of the result.
template <class Complex, class Use>
void for_each_signal(const application<Complex>& a, Use use) {
  const tensor_ref<Complex>& out = a.out();
  const std::uint32_t last = a.in().shape.rank - 1;
  const Eigen::Index n = a.in().extent(last), step = step_along(out.view(), last);
  const Eigen::Index down = last == 1 ? step_along(out.view(), 0) : n;
  for (Eigen::Index row = 0; row < a.in().size() / n; ++row)
    use(signal<Complex>{out.elements + row * down, step});
}

template <class Complex, bool Inverse>
text transformed(const application<Complex>& a) {
  if (a.in().size() == 0) return {};
  if (text why = bit_reversed(a); !why.empty()) return why;
  const Eigen::Index n = a.in().extent(a.in().shape.rank - 1);
  find_roots(a.scratch(), n, Inverse);
  for_each_signal(a, [&](const signal<Complex>& x) {
    for (Eigen::Index half = 1; half < n; half *= 2) join_halves(x, n, half, a.scratch());
    if (Inverse)
      for (Eigen::Index i = 0; i < n; ++i) x[i] /= static_cast<magnitude_of<Complex>>(n);
  });
  return {};
}

template <class Complex>
text one_stage(const application<Complex>& a) {
  if (a.in().size() == 0) return {};
  tensor_copy(a.out(), a.in());
  const Eigen::Index n = a.in().extent(a.in().shape.rank - 1);
  const Eigen::Index half = Eigen::Index{1} << a.integer("stage", 0);
  find_roots(a.scratch(), n, false);
  for_each_signal(a, [&](const signal<Complex>& x) { join_halves(x, n, half, a.scratch()); });
  return {};
}

inline text_view stage_fault(const graph_view& g, const node& n) {
  if (text_view why = bit_reversal_fault(g, n); !why.empty()) return why;
  const shape& s = g[g.inputs_of(n)[0]].type.shape;
  const std::int64_t stage = g.integer_attribute(n, "stage", 0);
  const bool exists =
      stage >= 0 && stage < 62 && (std::int64_t{2} << stage) <= s[s.rank - 1].size();
  return exists || s.elements() == 0 ? "" : "there is no such stage of a transform of this extent";
}

// Elements for the roots of unity.
inline std::int64_t signal_scratch(const graph_view& g, const node& n) {
  const shape& s = g[g.inputs_of(n)[0]].type.shape;
  return s[s.rank - 1].size() / 2;
}

}  // namespace detail

/// The operators of complex elements only: conjugates and Fourier transforms. Transforms work in
/// place if result and operand share storage; the roots of unity lie in scratch storage, half as
/// many elements as the extent of the transform.
template <class Complex>
view<operator_implementation<Complex>> signal_operators() {
  using detail::unary;
  static constexpr operator_implementation<Complex> all[] = {
      {"fft", &detail::transformed<Complex, false>, &detail::bit_reversal_fault,
       &detail::signal_scratch},
      {"inverse_fft", &detail::transformed<Complex, true>, &detail::bit_reversal_fault,
       &detail::signal_scratch},
      unary<Complex, [](const Complex& x) { return Eigen::numext::conj(x); }>("conjugate"),
      {"butterflies", &detail::one_stage<Complex>, &detail::stage_fault, &detail::signal_scratch},
  };
  return all;
}

}  // namespace wf::compute
