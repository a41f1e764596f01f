// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>

#include <wf/registry/literal.hpp>
#include <wf/run/application.hpp>
#include <wf/run/scalar.hpp>

// Operators that compute each element of their result from the elements at the same place of their
// operands. Integers and booleans lie in doubles: their sums, differences and products are exact,
// and the executor refuses those that do not fit their type.
namespace wf::compute {

namespace detail {

template <class Real>
Real logistic(Real x) {
  return Real(1) / (Real(1) + std::exp(-x));
}

// Source: Hendrycks, Gimpel, Gaussian error linear units, arXiv:1606.08415, section 2.
template <class Real>
Real gaussian_unit(Real x) {
  const Real slope = as_element<Real>(0.7978845608028654);  // √(2/π)
  return Real(0.5) * x *
         (Real(1) + std::tanh(slope * (x + as_element<Real>(0.044715) * x * x * x)));
}

template <class Real, tile_kernel<Real> Kernel>
text computed(const application<Real>& a) {
  run_tile(a.out(), {&a.in(), a.operands()}, Kernel);
  return {};
}

// Of numbers and of Eigen's arrays.
inline constexpr auto plus = [](const auto& x, const auto& y) { return x + y; };
inline constexpr auto minus = [](const auto& x, const auto& y) { return x - y; };
inline constexpr auto times = [](const auto& x, const auto& y) { return x * y; };
inline constexpr auto quotient = [](const auto& x, const auto& y) { return x / y; };
inline constexpr auto negative = [](const auto& x) { return -x; };

// Quotients of integers are cut off. Those that do not exist become infinite, which no integer is.
template <class Real>
text divided(const application<Real>& a) {
  constexpr auto whole = [](Real x, Real y) { return Real(std::trunc(real_part(x / y))); };
  return is_integer(a.result_type()) ? computed<Real, &tile_of<whole, 2, Real>>(a)
                                     : computed<Real, &array_tile_of<quotient, 2, Real>>(a);
}
template <class Real>
text constant(const application<Real>& a) {
  *a.out().elements = as_element<Real>(a.real("value", 0));
  return {};
}

// The elements of a literal, in row-major order.
template <class Real>
void read_literal(const graph_view& g, const node& n, Real* out) {
  const value_type& t = g[graph_view::output_of(n)].type;
  const attribute* const elements = g.find_attribute(n, "elements");
  const text_view all = g.text_of(elements->characters);
  const std::size_t each = characters_of_element(t.type);
  for (std::int64_t i = 0; i < t.shape.elements(); ++i) {
    const char* const at = all.data() + static_cast<std::size_t>(i) * each;
    with_held_type(t.type, [&](auto held) {
      using kept = decltype(held);
      const auto part = [&](std::size_t k) {
        return static_cast<magnitude_of<Real>>(element_from<kept>(at + k * 2 * sizeof(kept)));
      };
      if constexpr (is_complex_scalar<Real>)
        out[i] = Real(part(0), is_complex(t.type) ? part(1) : 0);
      else
        out[i] = part(0);
    });
  }
}
template <class Real>
text literal(const application<Real>& a) {
  const tensor_view<Real> all{a.out().shape, a.constants()};
  copy(matrix(a.out()), matrix(all));
  return {};
}
template <class Real>
constexpr executable_operator<Real> literal_row() {
  using enum storage_order;
  executable_operator<Real> row =
      executable_operator<Real>{"literal", &literal<Real>, &wf::detail::literal_fault}.in_order(
          either, either);
  row.constants = &read_literal<Real>;
  return row;
}

// Rows of the table.
template <class Real, tile_kernel<Real> Kernel>
constexpr executable_operator<Real> elementwise(text_view name,
                                                implementation<Real> run = &computed<Real, Kernel>,
                                                tile_role role = tile_role::other) {
  using enum storage_order;
  return {name, run, nullptr, nullptr, either, either, Kernel, role, ~0u};
}
template <class Real, tile_kernel<Real> Kernel>
constexpr executable_operator<Real> of_sums(text_view name, tile_role role) {
  return elementwise<Real, Kernel>(name, &computed<Real, Kernel>, role);
}
template <class Real, auto F>
constexpr executable_operator<Real> unary(text_view name) {
  return elementwise<Real, &tile_of<F, 1, Real>>(name);
}
template <class Real, auto F>
constexpr executable_operator<Real> binary(text_view name) {
  return elementwise<Real, &tile_of<F, 2, Real>>(name);
}

}  // namespace detail

/// The elementwise operators. Where a number has no result (the logarithm of a negative one) it is
/// not a number, as in C++; of maximum and minimum, then, the first operand.
template <class Real>
view<executable_operator<Real>> elementwise_operators() {
  using namespace detail;
  static constexpr executable_operator<Real> all[] = {
      of_sums<Real, &array_tile_of<plus, 2, Real>>("add", tile_role::sum),
      of_sums<Real, &array_tile_of<minus, 2, Real>>("subtract", tile_role::gap),
      of_sums<Real, &array_tile_of<times, 2, Real>>("multiply", tile_role::product),
      elementwise<Real, &array_tile_of<quotient, 2, Real>>("divide", &divided<Real>),
      binary<Real, [](Real x, Real y) { return std::pow(x, y); }>("power"),
      binary<Real, [](Real x, Real y) { return real_part(x) < real_part(y) ? y : x; }>("maximum"),
      binary<Real, [](Real x, Real y) { return real_part(y) < real_part(x) ? y : x; }>("minimum"),
      of_sums<Real, &array_tile_of<negative, 1, Real>>("negate", tile_role::opposite),
      unary<Real, [](Real x) { return Real(std::abs(x)); }>("abs"),
      unary<Real, [](Real x) { return Real(1) / x; }>("reciprocal"),
      unary<Real, [](Real x) { return x * x; }>("square"),
      unary<Real, [](Real x) { return std::sqrt(x); }>("sqrt"),
      unary<Real, [](Real x) { return std::exp(x); }>("exp"),
      unary<Real, [](Real x) { return std::log(x); }>("log"),
      unary<Real, [](Real x) { return std::sin(x); }>("sin"),
      unary<Real, [](Real x) { return std::cos(x); }>("cos"),
      unary<Real, [](Real x) { return std::tanh(x); }>("tanh"),
      unary<Real, [](Real x) { return logistic(x); }>("sigmoid"),
      binary<Real, [](Real x, Real y) { return x == y ? Real(1) : Real(0); }>("equal"),
      binary<Real, [](Real x, Real y) { return real_part(x) < real_part(y) ? Real(1) : Real(0); }>(
          "less"),
      elementwise<Real, &array_tile_of<times, 2, Real>>("logical_and"),
      binary<Real, [](Real x, Real y) { return 0 < real_part(x + y) ? Real(1) : Real(0); }>(
          "logical_or"),
      unary<Real, [](Real x) { return Real(1) - x; }>("logical_not"),
      {"constant", &constant<Real>},
      literal_row<Real>(),
      elementwise<Real,
                  &tile_of<[](Real p, Real x, Real y) { return p != Real(0) ? x : y; }, 3, Real>>(
          "select"),
      unary<Real, [](Real x) { return 0 < real_part(x) ? x : Real(0); }>("relu"),
      unary<Real, [](Real x) { return gaussian_unit(x); }>("gelu"),
      unary<Real, [](Real x) { return x * logistic(x); }>("silu"),
  };
  return all;
}

}  // namespace wf::compute
