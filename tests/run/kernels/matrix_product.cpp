// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/matrix_product.hpp>

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

TEST_CASE("products of matrices in all orders") {
  std::mt19937_64 random(52);
  struct sizes {
    Index m, k, n;
  };
  for (const sizes s :
       {sizes{0, 2, 3}, {2, 0, 3}, {1, 1, 1}, {7, 3, 1}, {1, 9, 8}, {40, 30, 35}, {9, 131, 5}})
    for_all_orders([&](const orders& o) {
      owned a(s.m, s.k, o.a, o.apart, random), b(s.k, s.n, o.b, o.apart, random);
      owned c(s.m, s.n, o.c, o.apart, random), before = c;
      compute::add_product(c.ref(), -2, a.view(), b.view());
      for (Index i = 0; i < s.m; ++i)
        for (Index j = 0; j < s.n; ++j)
          CHECK(c(i, j) == doctest::Approx(before(i, j) - 2 * product_at(a, b, i, j, s.k)));
      compute::multiply(c.ref(), a.view(), b.view());
      for (Index i = 0; i < s.m; ++i)
        for (Index j = 0; j < s.n; ++j)
          CHECK(c(i, j) == doctest::Approx(product_at(a, b, i, j, s.k)));
      CHECK(c.is_clean());
    });
}

TEST_CASE("large products use scratch storage") {
  std::mt19937_64 random(56);
  struct sizes {
    Index m, k, n;
  };
  for (const sizes s : {sizes{120, 120, 120},
                        {100, 350, 50},
                        {50, 400, 90},
                        {300, 97, 61},
                        {48, 700, 49},
                        {330, 24, 310},
                        {30, 190, 900},
                        {20, 190, 300},
                        {300, 190, 20}})
    for_all_orders([&](const orders& o) {
      owned a(s.m, s.k, o.a, o.apart, random), b(s.k, s.n, o.b, o.apart, random);
      owned c(s.m, s.n, o.c, o.apart, random), before = c, product(s.m, s.n, o.c, 1, random);
      REQUIRE(compute::product_scratch<double>(s.m, s.n, s.k) > 0);
      storage scratch(compute::product_scratch<double>(s.m, s.n, s.k));
      compute::add_product(c.ref(), -2, a.view(), b.view(), scratch.get());
      compute::multiply(product.ref(), a.view(), b.view(), scratch.get());
      double error = 0;
      for (Index i = 0; i < s.m; ++i)
        for (Index j = 0; j < s.n; ++j) {
          const double exact = product_at(a, b, i, j, s.k);
          error = std::max({error, std::abs(product(i, j) - exact),
                            std::abs(c(i, j) - before(i, j) + 2 * exact)});
        }
      CHECK(error < 1e-12);
      CHECK(c.is_clean());
      CHECK(product.is_clean());
      // Adds to another matrix in either order, and to itself in place.
      owned base(s.m, s.n, (random() & 1) != 0, 2, random), onto = base, sum = c;
      compute::multiply_onto(sum.ref(), base.view(), 3, a.view(), b.view(), scratch.get());
      compute::multiply_onto(onto.ref(), onto.view(), 3, a.view(), b.view(), scratch.get());
      error = 0;
      for (Index i = 0; i < s.m; ++i)
        for (Index j = 0; j < s.n; ++j) {
          const double exact = base(i, j) + 3 * product_at(a, b, i, j, s.k);
          error = std::max({error, std::abs(sum(i, j) - exact), std::abs(onto(i, j) - exact)});
        }
      CHECK(error < 1e-12);
      CHECK(sum.is_clean());
    });
}

TEST_CASE("several threads multiply by a vector to the same bits as one") {
  std::mt19937_64 random(57);
  for (const bool by_columns : {false, true})
    for (const Index apart : {0, 3})
      for (const auto& [rows, columns] :
           {std::pair<Index, Index>{700, 401}, {5003, 60}, {61, 5003}}) {
        owned a(rows, columns, by_columns, apart, random), x(columns, 1, true, 0, random);
        owned before(rows, 1, true, 0, random);
        wf_test::same_on_teams([&] {
          owned y = before;
          compute::add_product(y.ref(), -0.7, a.view(), x.view());
          CHECK(y.is_clean());
          std::vector<double> out;
          for (Index i = 0; i < rows; ++i) out.push_back(y(i, 0));
          return out;
        });
      }
}

TEST_CASE("several threads multiply a few rows by a large matrix to the same bits as one") {
  std::mt19937_64 random(58);
  constexpr Index few = 20, depth = 200, many = 701;
  for_all_orders([&](const orders& o) {
    owned a(few, depth, o.a, o.apart, random), b(depth, many, o.b, o.apart, random);
    const owned empty(few, many, o.c, o.apart, random);
    wf_test::same_on_teams([&] {
      owned c = empty;
      storage scratch(compute::product_scratch<double>(few, many, depth));
      compute::multiply(c.ref(), a.view(), b.view(), scratch.get());
      CHECK(c.is_clean());
      std::vector<double> out;
      for (Index i = 0; i < few; ++i)
        for (Index j = 0; j < many; ++j) out.push_back(c(i, j));
      return out;
    });
  });
}
