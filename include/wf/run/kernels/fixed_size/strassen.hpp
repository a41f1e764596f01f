// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>
#include <utility>

#include <Eigen/Core>

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

}  // namespace detail

/// out = a·b by one level of Strassen's scheme; false if an extent is odd. The three temporaries
/// are quarters of a, b and out. `product(c, s, t)` writes the product of two quarters to a third
/// matrix.
template <class Dst, class A, class B, class Product>
bool strassen(Dst&& out, const A& a, const B& b, Product product) {
  if (a.rows() % 2 != 0 || a.cols() % 2 != 0 || b.cols() % 2 != 0) return false;
  using detail::quarter;
  const auto a11 = quarter(a, 0, 0), a12 = quarter(a, 0, 1);
  const auto a21 = quarter(a, 1, 0), a22 = quarter(a, 1, 1);
  const auto b11 = quarter(b, 0, 0), b12 = quarter(b, 0, 1);
  const auto b21 = quarter(b, 1, 0), b22 = quarter(b, 1, 1);
  auto c11 = quarter(out, 0, 0), c12 = quarter(out, 0, 1);
  auto c21 = quarter(out, 1, 0), c22 = quarter(out, 1, 1);
  using dst = std::remove_cvref_t<Dst>;
  auto s = detail::scratch<detail::quarter_of<A>, 1>(a11.rows(), a11.cols());
  auto t = detail::scratch<detail::quarter_of<B>, 2>(b11.rows(), b11.cols());
  auto m = detail::scratch<detail::quarter_of<dst>, 3>(c11.rows(), c11.cols());
  s = a11 + a22, t = b11 + b22, product(m, s, t), c11 = m, c22 = m;
  s = a21 + a22, product(m, s, b11), c21 = m, c22 -= m;
  t = b12 - b22, product(m, a11, t), c12 = m, c22 += m;
  t = b21 - b11, product(m, a22, t), c11 += m, c21 += m;
  s = a11 + a12, product(m, s, b22), c11 -= m, c12 += m;
  s = a21 - a11, t = b11 + b12, product(m, s, t), c22 += m;
  s = a12 - a22, t = b21 + b22, product(m, s, t), c11 += m;
  return true;
}

/// The same with `product` of this header.
template <class Dst, class A, class B>
bool strassen(Dst&& out, const A& a, const B& b) {
  return strassen(out, a, b, [](auto& c, const auto& s, const auto& t) { product(c, s, t); });
}

}  // namespace wf::compute
