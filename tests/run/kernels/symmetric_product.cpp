// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/symmetric_product.hpp>

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

#include <wf/run/kernels/matrix_copy.hpp>

#include "../parallel/on_teams.hpp"
#include "strided.hpp"

namespace {

namespace compute = wf::compute;
using namespace strided;

}  // namespace

TEST_CASE("products that are symmetric, in all orders") {
  std::mt19937_64 random(57);
  for (const Index n : {0, 1, 9, 40, 70, 260})
    for (const Index depth : {0, 3, 90, 140})
      for (const bool scratched : {false, true})
        for_all_orders([&](const orders& o) {
          if (!o.c) return;  // the result is stored by columns
          owned a(n, depth, o.a, o.apart, random), b(depth, n, o.b, o.apart, random);
          compute::copy(b.ref(), a.view().transposed());
          owned c(n, n, true, o.apart, random);
          storage scratch(scratched ? compute::product_scratch<double>(n, n, depth) : 0);
          compute::multiply_symmetric(c.ref(), a.view(), b.view(), scratch.get());
          double error = 0;
          bool alike = true;
          for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) {
              error = std::max(error, std::abs(c(i, j) - product_at(a, b, i, j, depth)));
              alike = alike && c(i, j) == c(j, i);
            }
          CHECK(error < 1e-12);
          CHECK(alike);
          CHECK(c.is_clean());
        });
}

TEST_CASE("symmetric products that are subtracted") {
  std::mt19937_64 random(58);
  for (const Index n : {0, 1, 9, 40, 70, 140})
    for (const Index depth : {0, 3, 33})
      for_all_orders([&](const orders& o) {
        owned a(n, depth, o.a, o.apart, random), b(depth, n, o.b, o.apart, random);
        compute::copy(b.ref(), a.view().transposed());
        owned c(n, n, true, o.apart, random), before = c;
        storage scratch(o.c ? compute::multiply_fused_scratch<double>(n, n, depth) : 0);
        compute::subtract_symmetric(c.ref(), a.view(), b.view(), scratch.get());
        double error = 0;
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j <= i; ++j)
            error =
                std::max(error, std::abs(before(i, j) - product_at(a, b, i, j, depth) - c(i, j)));
        CHECK(error < 1e-12);
        CHECK(c.is_clean());
      });
}

TEST_CASE(
    "products with a symmetric matrix read one triangle, and sums with a transpose are symmetric") {
  std::mt19937_64 random(64);
  for (const Index n : {1, 2, 9, 70})
    for_all_orders([&](const orders& o) {
      owned a(n, n, o.a, o.apart, random), b(n, 3, true, o.apart, random);
      owned x(n, 3, true, o.c ? 2 : 0, random);
      compute::mirror_lower(a.ref());
      compute::multiply_symmetric_columns(x.ref(), a.view(), b.view());
      double error = 0;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < 3; ++j)
          error = std::max(error, std::abs(x(i, j) - product_at(a, b, i, j, n)));
      CHECK(error < 1e-12);
      CHECK(x.is_clean());
      owned m(n, n, o.b, o.apart, random), before = m;
      compute::add_transposed(m.ref());
      bool added = true;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          added = added && m(i, j) == before(i, j) + before(j, i) && m(i, j) == m(j, i);
      CHECK(added);
      CHECK(m.is_clean());
    });
}

TEST_CASE("several threads add the transpose as one does") {
  std::mt19937_64 random(92);
  owned before(570, 570, true, 3, random);
  wf_test::same_on_teams([&] {
    owned m = before;
    compute::add_transposed(m.ref());
    CHECK(m.is_clean());
    std::vector<double> out;
    for (Index i = 0; i < 570; ++i)
      for (Index j = 0; j < 570; ++j) out.push_back(m(i, j));
    CHECK(m(5, 400) == before(5, 400) + before(400, 5));
    return out;
  });
}
