// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/real.hpp>
#include <wf/registry/domain/elementwise.hpp>
#include <wf/registry/element_value.hpp>

namespace wf::logic {

namespace detail {

/// f(a, b) for an operator; NaN if it has no value.
/// At run time the operator's rule of elements is known to the compiler, which inlines it.
template <const kernel_spec& Operator>
constexpr double applied(double a, double b) {
  if constexpr (Operator.element != nullptr)
    if (!__builtin_is_constant_evaluated()) {
      const double operands[2] = {a, b};
      return Operator.element({operands, wf::detail::two_reals, dtype::f64});
    }
  constexpr double neutral = Operator.laws.neutral;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (neutral == infinite || neutral == -infinite) {  // rules of constants take finite elements
    if (a == neutral) return b;
    if (b == neutral) return a;
  }
  double out = std::numeric_limits<double>::quiet_NaN();
  (void)element_value(Operator, a, b, out);
  return out;
}

}  // namespace detail

/// A semiring of real numbers as a type: two operators with their laws. Sums of products of such
/// numbers do not depend on the order of their terms, and a product of sums is the sum of products.
/// What is absent is the zero, which changes no sum and makes every product absent.
template <const kernel_spec& Addition, const kernel_spec& Multiplication>
struct semiring {
  static_assert(Addition.laws.elementwise && Addition.laws.commutative &&
                    Addition.laws.associative && Addition.laws.has_neutral(),
                "WF113: the addition of a semiring is an elementwise operator that states the laws "
                "commutative, associative and neutral");
  static_assert(Multiplication.laws.elementwise && Multiplication.laws.associative &&
                    Multiplication.laws.has_neutral() &&
                    Multiplication.laws.distributes(Addition.name) &&
                    Multiplication.name != Addition.name,
                "WF113: the multiplication of a semiring is an elementwise operator that states "
                "the laws associative and neutral, and that it distributes over the addition");

  /// The operator of sums.
  static constexpr const kernel_spec& addition = Addition;
  /// The operator of products.
  static constexpr const kernel_spec& multiplication = Multiplication;
  /// a + 0 = a.
  static constexpr double zero = Addition.laws.neutral;
  /// a · 1 = a.
  static constexpr double one = Multiplication.laws.neutral;
  /// a + a = a: sums do not change by terms that they have.
  static constexpr bool is_idempotent = Addition.laws.idempotent;
  /// a + b is a or b: the better of the two.
  static constexpr bool is_selective = Addition.laws.selective;

  /// a + b.
  static constexpr double add(double a, double b) { return detail::applied<Addition>(a, b); }
  /// a · b.
  static constexpr double multiply(double a, double b) {
    return detail::applied<Multiplication>(a, b);
  }
};

/// The law of a semiring that does not hold for some samples, with the numbers: "a + (b + c) = (a +
/// b) + c does not hold for 1, 2, 3"; empty if all hold, up to a relative error. What an operator
/// states can so be checked, also in `static_assert`. O(samples^3).
template <class Semiring>
constexpr text broken_law(view<double> samples, double tolerance = 1e-12) {
  using s = Semiring;
  const auto near = [&](double a, double b) {
    const double gap = a < b ? b - a : a - b, size = a < 0 ? -a : a;
    return a == b || gap <= tolerance * (size < 1 ? 1 : size);
  };
  // Constant evaluation has no products of infinite numbers.
  const auto is_zero = [](double x) {
    return x == s::zero || (__builtin_is_constant_evaluated() && x != x);
  };
  text out;
  const auto check = [&](bool holds, text_view law, double a, double b, double c) {
    if (!holds && out.empty())
      out << law << " does not hold for " << real_text(a).view() << ", " << real_text(b).view()
          << ", " << real_text(c).view();
  };
  for (const double a : samples)
    for (const double b : samples)
      for (const double c : samples) {
        check(near(s::add(a, b), s::add(b, a)), "a + b = b + a", a, b, c);
        check(near(s::add(a, s::add(b, c)), s::add(s::add(a, b), c)), "a + (b + c) = (a + b) + c",
              a, b, c);
        check(near(s::multiply(a, s::multiply(b, c)), s::multiply(s::multiply(a, b), c)),
              "a (b c) = (a b) c", a, b, c);
        check(near(s::multiply(a, s::add(b, c)), s::add(s::multiply(a, b), s::multiply(a, c))),
              "a (b + c) = a b + a c", a, b, c);
        check(near(s::multiply(s::add(a, b), c), s::add(s::multiply(a, c), s::multiply(b, c))),
              "(a + b) c = a c + b c", a, b, c);
        check(s::add(a, s::zero) == a && s::add(s::zero, a) == a, "a + 0 = a", a, b, c);
        check(s::multiply(a, s::one) == a && s::multiply(s::one, a) == a, "a 1 = a", a, b, c);
        check(is_zero(s::multiply(a, s::zero)) && is_zero(s::multiply(s::zero, a)), "a 0 = 0", a, b,
              c);
        if (s::is_idempotent) check(s::add(a, a) == a, "a + a = a", a, b, c);
        const double sum = s::add(a, b);
        if (s::is_selective) check(sum == a || sum == b, "a + b is a or b", a, b, c);
      }
  return out;
}

/// Least sums, as of distances: absent is infinite.
using min_plus = semiring<kernels::minimum, kernels::add>;
/// Largest sums, as of critical paths.
using max_plus = semiring<kernels::maximum, kernels::add>;
/// The largest of least values, as of the widest path.
using max_min = semiring<kernels::maximum, kernels::minimum>;
/// The least of largest values, as of the lowest pass.
using min_max = semiring<kernels::minimum, kernels::maximum>;

}  // namespace wf::logic
