// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/permutation.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("permutations move rows, of every size and however they lie, and others are refused") {
  std::mt19937_64 random(37);
  for (const auto& [m, n] : {std::pair{0, 3}, {1, 1}, {3, 70}, {16, 16}, {65, 1}, {65, 130}}) {
    CAPTURE(m);
    CAPTURE(n);
    std::vector<int> places(static_cast<std::size_t>(m));
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), random);
    tensor p(shape::of(m, m), std::vector<double>(at(m, 0, m), 0.0));
    for (int i = 0; i < m; ++i) p.elements[at(i, places[at(i, 0, 1)], m)] = 1;
    const tensor b = apply::random_tensor(shape::of(m, n), random);
    for (unsigned bits = 0; bits < 16; ++bits) {
      const apply::layout lies{bits % 8, bits < 8 ? 0 : 5};
      const auto apply_to = [&](const tensor& matrix) {
        return apply::run(compute::linalg_operators<double>(), "matmul_permutation", {matrix, b},
                          {apply::f64(m, n)}, {}, {}, lies);
      };
      const auto made = apply_to(p);
      REQUIRE(made.why == "");
      bool same = true;
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
          same = same && (*made).elements[at(i, j, n)] == b.elements[at(places[at(i, 0, 1)], j, n)];
      CHECK(same);
      // A wrong number at any position, or a 1 repeated in a row or a column.
      for (const double wrong : {0.0, 1.0, 2.0, -1.0, std::nan("")})
        for (int round = 0; round < 4 && m > 0; ++round) {
          tensor other = p;
          double& e = other.elements[static_cast<std::size_t>(random()) % other.elements.size()];
          if (e == wrong) continue;
          e = wrong;
          CHECK(apply_to(other).why == "the matrix is no permutation");
        }
      if (m < 2) continue;
      tensor doubled = p;
      for (int j = 0; j < m; ++j) doubled.elements[at(0, j, m)] = doubled.elements[at(1, j, m)];
      CHECK(apply_to(doubled).why == "the matrix is no permutation");
    }
  }
}
