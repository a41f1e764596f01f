// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <wf/core/container/table.hpp>
#include <wf/run/kernels/bilinear_scheme.hpp>
#include <wf/run/kernels/fixed_size/product.hpp>
#include <wf/run/kernels/fixed_size/storage.hpp>

namespace wf::compute {

namespace detail {

// Quarter (i, j) of a matrix of even extents.
template <class A>
auto quarter(A& a, Eigen::Index i, Eigen::Index j) {
  constexpr auto half = [](int n) { return n == Eigen::Dynamic ? Eigen::Dynamic : n / 2; };
  constexpr int rows = half(A::RowsAtCompileTime), columns = half(A::ColsAtCompileTime);
  return Eigen::Block<A, rows, columns>(a, i * (a.rows() / 2), j * (a.cols() / 2), a.rows() / 2,
                                        a.cols() / 2);
}
template <class A>
using quarter_of = typename decltype(quarter(std::declval<const A&>(), 0, 0))::PlainObject;

// The terms of a linear combination of quarters, a positive one first, so that no quarter is
// negated on its own.
struct quarter_sum {
  std::size_t count = 0;
  std::uint32_t quarter[4] = {};
  bool negative[4] = {};
};
constexpr quarter_sum sum_of_quarters(const table<std::int8_t>& factors, std::uint32_t product) {
  quarter_sum out;
  for (const int sign : {1, -1})
    for (std::uint32_t q = 0; q < 4; ++q)
      if (factors[product * 4 + q] == sign) {
        out.quarter[out.count] = q;
        out.negative[out.count++] = sign < 0;
      }
  return out;
}
// `Factors`: the member of a scheme that holds those of the left or of the right matrix.
template <auto Scheme, auto Factors, std::uint32_t Product>
inline constexpr quarter_sum terms_of = sum_of_quarters(Scheme().*Factors, Product);

template <class A>
auto quarter(A& a, std::uint32_t number) {
  return quarter(a, number / 2, number % 2);
}

// sum plus the terms from number K on.
template <const quarter_sum& Terms, std::size_t K, class Sum, class A>
auto with_terms(const Sum& sum, A& a) {
  if constexpr (K == Terms.count)
    return sum;
  else if constexpr (Terms.negative[K])
    return with_terms<Terms, K + 1>(sum - quarter(a, Terms.quarter[K]), a);
  else
    return with_terms<Terms, K + 1>(sum + quarter(a, Terms.quarter[K]), a);
}
// A linear combination of quarters: the quarter itself, or their sum, in `storage`.
template <const quarter_sum& Terms, class A, class Storage>
decltype(auto) combine(A& a, Storage& storage) {
  static_assert(Terms.count > 0 && !Terms.negative[0]);
  if constexpr (Terms.count == 1) {
    return quarter(a, Terms.quarter[0]);
  } else {
    storage = with_terms<Terms, 1>(quarter(a, Terms.quarter[0]), a);
    return (storage);
  }
}

// Adds product number `Product` to a quarter of the result, or writes it there if it is the first.
template <auto Scheme, std::uint32_t Product, std::uint32_t Quarter, class Dst, class M>
void add_to_quarter(Dst& out, const M& m) {
  constexpr int factor = Scheme().result[Product * 4 + Quarter];
  constexpr bool is_first = [] {
    for (std::uint32_t p = 0; p < Product; ++p)
      if (Scheme().result[p * 4 + Quarter] != 0) return false;
    return true;
  }();
  static_assert(factor == 0 || factor == 1 || (factor == -1 && !is_first));
  if constexpr (factor != 0) {
    auto c = quarter(out, Quarter);
    if constexpr (is_first)
      c = m;
    else if constexpr (factor > 0)
      c += m;
    else
      c -= m;
  }
}

template <auto Scheme, std::uint32_t Product, class Dst, class A, class B, class S, class T,
          class M, class Multiply>
void multiply_quarters(Dst& out, const A& a, const B& b, S& s, T& t, M& m, Multiply& multiply) {
  multiply(m, combine<terms_of<Scheme, &bilinear_scheme::left, Product>>(a, s),
           combine<terms_of<Scheme, &bilinear_scheme::right, Product>>(b, t));
  [&]<std::uint32_t... Quarter>(std::integer_sequence<std::uint32_t, Quarter...>) {
    (add_to_quarter<Scheme, Product, Quarter>(out, m), ...);
  }(std::make_integer_sequence<std::uint32_t, 4>());
}

}  // namespace detail

/// out = a·b by one level of Strassen's scheme, `strassen_scheme`, unrolled; false if an extent is
/// odd. The three temporaries are quarters of a, b and out. `product(c, s, t)` writes the product
/// of two quarters to a third matrix.
template <class Dst, class A, class B, class Product>
bool strassen(Dst&& out, const A& a, const B& b, Product product) {
  if (a.rows() % 2 != 0 || a.cols() % 2 != 0 || b.cols() % 2 != 0) return false;
  using dst = std::remove_cvref_t<Dst>;
  auto s = detail::scratch<detail::quarter_of<A>, 1>(a.rows() / 2, a.cols() / 2);
  auto t = detail::scratch<detail::quarter_of<B>, 2>(b.rows() / 2, b.cols() / 2);
  auto m = detail::scratch<detail::quarter_of<dst>, 3>(out.rows() / 2, out.cols() / 2);
  [&]<std::uint32_t... Number>(std::integer_sequence<std::uint32_t, Number...>) {
    (detail::multiply_quarters<&strassen_scheme, Number>(out, a, b, s, t, m, product), ...);
  }(std::make_integer_sequence<std::uint32_t, strassen_scheme().rank>());
  return true;
}

/// The same with `product` of this header.
template <class Dst, class A, class B>
bool strassen(Dst&& out, const A& a, const B& b) {
  return strassen(out, a, b, [](auto& c, const auto& s, const auto& t) { product(c, s, t); });
}

}  // namespace wf::compute
