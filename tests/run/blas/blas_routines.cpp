// SPDX-License-Identifier: BSL-1.0
#include <wf/run/blas/blas_routines.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/run/operators/linalg/own_routines.hpp>

#include "../parallel/on_teams.hpp"

namespace {

namespace compute = wf::compute;
using elements = std::vector<double>;

elements some(Eigen::Index count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  elements out(static_cast<std::size_t>(count));
  for (double& x : out) x = uniform(random);
  return out;
}
// True if all elements differ by at most `bound`.
bool near(const elements& a, const elements& b, double bound) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return a.size() == b.size() && worst <= bound;
}

}  // namespace

TEST_CASE("large results are computed in panels, with the same bits on any number of threads") {
  std::mt19937_64 random(20261129);
  struct extents {
    Eigen::Index m, n, k;
  };
  for (const extents& e : {extents{20, 700, 30}, extents{700, 20, 30}, extents{520, 513, 9}}) {
    const elements a = some(e.m * e.k, random), b = some(e.k * e.n, random);
    const elements t = some(e.m * e.m, random), x = some(e.m * e.n, random);
    for (const bool by_columns : {false, true}) {
      const auto at = [&](auto* from, Eigen::Index rows, Eigen::Index columns) {
        return by_columns ? compute::columns_at(from, rows, columns)
                          : compute::rows_at(from, rows, columns);
      };
      elements scaled = t;
      for (Eigen::Index i = 0; i < e.m; ++i)
        scaled[static_cast<std::size_t>(i * e.m + i)] = 2.0 * static_cast<double>(e.m);
      const auto with = [&](auto routines) {
        elements product(x.size()), onto = x, triangle(x.size()), solved = x, symmetric(x.size());
        using by = decltype(routines);
        elements scratch(1 << 21);
        by::template multiply<double>(at(product.data(), e.m, e.n), at(a.data(), e.m, e.k),
                                      at(b.data(), e.k, e.n), scratch.data());
        by::template multiply_onto<double>(at(onto.data(), e.m, e.n), at(x.data(), e.m, e.n), -1,
                                           at(a.data(), e.m, e.k), at(b.data(), e.k, e.n),
                                           scratch.data());
        const auto kind = compute::triangle::unit_upper;
        by::template multiply_triangle<double>(at(triangle.data(), e.m, e.n),
                                               compute::triangle::lower, at(t.data(), e.m, e.m),
                                               at(x.data(), e.m, e.n), scratch.data());
        elements small = scaled;
        for (double& each : small) each /= 4.0 * static_cast<double>(e.m);
        by::template solve_triangle<double>(kind, at(small.data(), e.m, e.m),
                                            at(solved.data(), e.m, e.n), scratch.data());
        elements mirrored = t;
        for (Eigen::Index i = 0; i < e.m; ++i)
          for (Eigen::Index j = 0; j < i; ++j)
            mirrored[static_cast<std::size_t>(i * e.m + j)] =
                mirrored[static_cast<std::size_t>(j * e.m + i)];
        by::template multiply_by_symmetric<double>(at(symmetric.data(), e.m, e.n),
                                                   at(mirrored.data(), e.m, e.m),
                                                   at(x.data(), e.m, e.n), scratch.data());
        elements all;
        for (const elements* part : {&product, &onto, &triangle, &solved, &symmetric})
          all.insert(all.end(), part->begin(), part->end());
        return all;
      };
      const elements library =
          wf_test::same_on_teams([&] { return with(compute::blas_routines()); });
      // Elements below 1, sums of at most 700: (k + 4)·ε·k for each of both.
      CHECK(near(library, with(compute::own_routines()), 2.0 * 704 * 704 * 2.3e-16));
    }
  }
}

TEST_CASE("a matrix times its own transpose, in its own storage, and times another matrix") {
  std::mt19937_64 random(6);
  for (const Eigen::Index m : {1, 5, 40, 300})
    for (const Eigen::Index k : {0, 1, 30})
      for (const bool by_columns : {false, true}) {
        CAPTURE(m);
        CAPTURE(k);
        const Eigen::Index apart = 3;
        const elements a = some((m + apart) * (k + apart), random);
        const compute::matrix_view<double> left{a.data(), m, k, (by_columns ? m : k) + apart,
                                                by_columns};
        // The same elements at another distance: only its own transpose is.
        compute::matrix_view<double> other = left.transposed();
        other.stride -= apart;
        for (const compute::matrix_view<double>& right : {left.transposed(), other}) {
          elements own(static_cast<std::size_t>(m * m)), library = own, scratch(1 << 18);
          const bool is_own = right.stride == left.stride;
          const auto all = compute::columns_at(own.data(), m, m);
          compute::own_routines::multiply<double>(all, left, right, scratch.data());
          compute::blas_routines::multiply_symmetric<double>(
              compute::columns_at(library.data(), m, m), left, right);
          // Of other products the lower triangle is mirrored.
          if (!is_own) compute::mirror_lower(all);
          CHECK(near(own, library, 1e-12));
        }
      }
}

TEST_CASE("exchanges of rows take the place of the library's integers") {
  std::mt19937_64 random(2);
  for (const Eigen::Index n : {1, 2, 3, 9, 40}) {
    const elements a = some(n * n, random);
    elements own = a, library = a, rows(static_cast<std::size_t>(n)), others = rows;
    compute::own_routines::factorise_lu<double>(compute::columns_at(own.data(), n, n), rows.data(),
                                                nullptr);
    compute::blas_routines::factorise_lu<double>(compute::columns_at(library.data(), n, n),
                                                 others.data());
    CHECK(rows == others);
    CHECK(near(own, library, 1e-10));
    std::vector<float> single(a.begin(), a.end()), places(static_cast<std::size_t>(n));
    compute::blas_routines::factorise_lu<float>(compute::columns_at(single.data(), n, n),
                                                places.data());
    CHECK(std::equal(places.begin(), places.end(), rows.begin()));
  }
}

TEST_CASE("what fits the integers of Fortran") {
  using compute::detail::fits_fortran, compute::detail::leading_dimension;
  constexpr Eigen::Index many = Eigen::Index{1} << 31;
  using view = compute::matrix_view<double>;
  CHECK(fits_fortran(view{nullptr, 3, 4, many - 1, true}));
  CHECK_FALSE(fits_fortran(view{nullptr, 3, 4, many, true}));
  CHECK(fits_fortran(view{nullptr, 3, 1, many, true}));  // one column: its distance is not used
  CHECK_FALSE(fits_fortran(view{nullptr, many, 1, many, true}));
  CHECK(leading_dimension(view{nullptr, 3, 1, many, true}) == 3);
  CHECK(leading_dimension(view{nullptr, 3, 4, 5, true}) == 5);
  CHECK(leading_dimension(view{nullptr, 0, 0, 0, true}) == 1);
}
