// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/triangular_product.hpp>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../parallel/on_teams.hpp"
#include "strided.hpp"

namespace {

namespace compute = wf::compute;
using namespace strided;

}  // namespace

TEST_CASE("products with triangles in all orders") {
  std::mt19937_64 random(61);
  using compute::triangle;
  for (const Index n : {0, 1, 7, 45, 130, 300})
    for (const Index columns : {1, 5, 70})
      for (const triangle kind : {triangle::lower, triangle::upper})
        for_all_orders([&](const orders& o) {
          if (n == 300 && o.apart != 0) return;
          const bool upper = kind == triangle::upper;
          owned t(n, n, o.a, o.apart, random), b(n, columns, o.b, o.apart, random);
          owned x(n, columns, o.c, o.apart, random);
          const double diagonal = o.apart == 0 ? 1 : 0.5;
          storage scratch(compute::multiply_triangle_scratch<double>(n, columns));
          compute::multiply_triangle(x.ref(), kind, t.view(), b.view(), scratch.get(), diagonal);
          double error = 0;
          for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < columns; ++j) {
              double sum = 0;
              for (Index k = upper ? i : 0; k < (upper ? n : i + 1); ++k)
                sum += (k == i ? diagonal : 1) * t(i, k) * b(k, j);
              error = std::max(error, std::abs(x(i, j) - sum));
            }
          CHECK(error < 1e-12);
          CHECK(x.is_clean());
        });
}

TEST_CASE("products of a triangle and its transpose skip its zeros") {
  std::mt19937_64 random(58);
  for (const Index n : {0, 1, 9, 40, 70, 140})
    for_all_orders([&](const orders& o) {
      double error = 0;
      // t'·(d·t) for a diagonal d.
      owned t(n, n, o.a, o.apart, random), scaled = t, made(n, n, o.b, o.apart, random);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
          if (i < j) t.ref()(i, j) = 0;
          scaled.ref()(i, j) = static_cast<double>(i % 3 - 1) * t(i, j);
        }
      storage more(o.c ? compute::product_scratch<double>(n, n, n) : 0);
      compute::multiply_transposed_lower(made.ref(), t.view(), scaled.view(), more.get());
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j) {
          double sum = 0;
          for (Index k = i; k < n; ++k) sum += t(k, i) * scaled(k, j);
          error = std::max(error, std::abs(sum - made(i, j)));
        }
      CHECK(error < 1e-12);
      CHECK(made.is_clean());
    });
}

TEST_CASE("several threads compute the same bits as one") {
  std::mt19937_64 random(62);
  const auto elements_of = [](owned& m) {
    std::vector<double> out;
    for (Index i = 0; i < m.view().rows; ++i)
      for (Index j = 0; j < m.view().columns; ++j) out.push_back(m(i, j));
    return out;
  };
  for (const Index n : {130, 260})
    for_all_orders([&](const orders& o) {
      if (o.apart != 0) return;
      owned t(n, n, o.a, o.apart, random), b(n, 170, o.b, o.apart, random);
      for (const compute::triangle kind : {compute::triangle::lower, compute::triangle::upper})
        wf_test::same_on_teams([&] {
          owned x(n, 170, o.c, o.apart, random);
          storage scratch(compute::multiply_triangle_scratch<double>(n, 170));
          compute::multiply_triangle(x.ref(), kind, t.view(), b.view(), scratch.get());
          CHECK(x.is_clean());
          return elements_of(x);
        });
      for (Index i = 0; i < n; ++i)
        for (Index j = i + 1; j < n; ++j) t.ref()(i, j) = 0;
      wf_test::same_on_teams([&] {
        owned x(n, n, o.b, o.apart, random);
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) x.ref()(i, j) = 0;
        storage scratch(compute::product_scratch<double>(n, n, n));
        compute::multiply_transposed_lower(x.ref(), t.view(), t.view(), scratch.get());
        for (Index i = 0; i < n; ++i)
          for (Index j = i + 1; j < n; ++j) x.ref()(i, j) = 0;
        return elements_of(x);
      });
    });
}
