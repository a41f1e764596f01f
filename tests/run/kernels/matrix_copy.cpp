// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/matrix_copy.hpp>

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

TEST_CASE("copies between all orders") {
  std::mt19937_64 random(51);
  for (const auto& [m, n] : {std::pair<Index, Index>{0, 3}, {1, 1}, {1, 7}, {5, 1}, {33, 70}})
    for_all_orders([&, rows = m, columns = n](const orders& o) {
      owned from(rows, columns, o.a, o.apart, random), to(rows, columns, o.b, o.c ? 2 : 0, random);
      compute::copy(to.ref(), from.view());
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) REQUIRE(to(i, j) == from(i, j));
      CHECK(to.is_clean());
      compute::fill(to.ref(), 2);
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) REQUIRE(to(i, j) == 2);
      CHECK(to.is_clean());
    });
}

TEST_CASE("copies of lower triangles") {
  std::mt19937_64 random(62);
  for (const Index n : {0, 1, 9, 40})
    for_all_orders([&](const orders& o) {
      owned from(n, n, o.a, o.apart, random), to(n, n, true, o.c ? 2 : 0, random);
      compute::copy_lower(to.ref(), from.view());
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) REQUIRE(to(i, j) == from(i, j));
      CHECK(to.is_clean());
    });
}

TEST_CASE("a lower triangle is mirrored across the edges of blocks") {
  std::mt19937_64 random(63);
  for (const Index n : {0, 1, 2, 63, 64, 65, 130})
    for_all_orders([&](const orders& o) {
      owned m(n, n, o.a, o.apart, random), before = m;
      compute::mirror_lower(m.ref());
      bool alike = true;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j)
          alike = alike && m(i, j) == before(i, j) && m(j, i) == before(i, j);
      CHECK(alike);
      CHECK(m.is_clean());
    });
}

TEST_CASE("several threads copy, fill and mirror what one does") {
  std::mt19937_64 random(91);
  const auto elements_of = [](owned& m) {
    std::vector<double> out;
    for (Index i = 0; i < m.view().rows; ++i)
      for (Index j = 0; j < m.view().columns; ++j) out.push_back(m(i, j));
    return out;
  };
  for (const auto& [rows, columns] : {std::pair<Index, Index>{601, 601}, {70, 4001}, {4001, 70}})
    for_all_orders([&](const orders& o) {
      if (o.c) return;
      owned from(rows, columns, o.a, o.apart, random), before(rows, columns, o.b, o.apart, random);
      const auto copied = wf_test::same_on_teams([&] {
        owned to = before;
        compute::copy(to.ref(), from.view());
        CHECK(to.is_clean());
        return elements_of(to);
      });
      CHECK(copied == elements_of(from));
      const auto filled = wf_test::same_on_teams([&] {
        owned to = before;
        compute::fill(to.ref(), 3.0);
        CHECK(to.is_clean());
        return elements_of(to);
      });
      CHECK(filled == std::vector<double>(filled.size(), 3.0));
      if (rows != columns) return;
      wf_test::same_on_teams([&] {
        owned m = from;
        compute::mirror_lower(m.ref());
        CHECK(m.is_clean());
        for (Index i = 0; i < rows; i += 37)
          for (Index j = 0; j < i; ++j) CHECK(m(j, i) == m(i, j));
        return elements_of(m);
      });
    });
}
