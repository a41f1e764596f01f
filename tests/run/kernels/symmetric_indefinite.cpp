// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/symmetric_indefinite.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include "../matrices.hpp"

namespace {

namespace compute = wf::compute;
using compute::matrix_ref;
using Eigen::Index;
using matrices::matrix;

constexpr double eps = std::numeric_limits<double>::epsilon();

matrix symmetric(Index n, std::mt19937_64& random) {
  matrix a = matrices::random(n, n, random);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < j; ++i) a(i, j) = a(j, i);
  return a;
}

// A matrix factorised in storage with space between its columns; only its triangle is read.
struct factorised {
  Index n, stride;
  std::vector<double> memory, exchanges, place;

  factorised(const matrix& a, Index apart)
      : n(a.rows()),
        stride(n + apart),
        memory(static_cast<std::size_t>(stride * n + 1), 12345.0),
        exchanges(static_cast<std::size_t>(n)),
        place(static_cast<std::size_t>(n)) {
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        of()(i, j) = i < j ? std::numeric_limits<double>::quiet_NaN() : a(i, j);
    std::vector<double> scratch(
        static_cast<std::size_t>(compute::factorise_symmetric_scratch<double>(n)));
    compute::factorise_symmetric(of(), exchanges.data(), scratch.data());
    for (Index k = 0; k < n; ++k) place[at(k)] = static_cast<double>(k);
    for (Index k = 0; k < n; ++k) std::swap(place[at(k)], place[at(exchanged(k))]);
  }
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  matrix_ref<double> of() { return {memory.data(), n, n, stride, true}; }
  Index exchanged(Index k) const { return static_cast<Index>(exchanges[at(k)]); }
  Index row(Index k) const { return static_cast<Index>(place[at(k)]); }
  double beside(Index k) { return k + 1 < n && k >= 0 ? of()(k, k + 1) : 0; }

  // An element of L·D, or of L·D·L'.
  long double times(Index i, Index j) {
    const auto l = [&](Index r, Index c) -> long double {
      return r == c ? 1 : r < c ? 0 : of()(r, c);
    };
    long double sum = l(i, j) * of()(j, j);
    if (j > 0) sum += l(i, j - 1) * beside(j - 1);
    if (j + 1 < n) sum += l(i, j + 1) * beside(j);
    return sum;
  }
  // The largest element of L·D·L' - P·A·P', in rounding units of the largest sum of magnitudes that
  // contributes to an element.
  double error(const matrix& a) {
    std::vector<long double> ld(at(n * n));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) ld[at(j * n + i)] = times(i, j);
    long double worst = 0, scale = 0;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j <= i; ++j) {
        long double sum = ld[at(j * n + i)], size = std::abs(sum);
        for (Index k = 0; k < j; ++k) {
          const long double each = ld[at(k * n + i)] * of()(j, k);
          sum += each, size += std::abs(each);
        }
        worst = std::max(worst, std::abs(sum - a(row(i), row(j))));
        scale = std::max(scale, size);
      }
    return scale == 0 ? 0 : static_cast<double>(worst / scale) / eps;
  }
  bool is_clean() {
    if (memory.back() != 12345.0) return false;
    for (Index j = 0; j < n; ++j)
      for (Index i = n; i < stride; ++i)
        if (memory[at(j * stride + i)] != 12345.0) return false;
    return true;
  }
  // Exchanges refer to later rows; blocks have one row, or two with a negative determinant.
  bool is_well_formed(Index& pairs) {
    pairs = 0;
    for (Index k = 0; k < n; ++k) {
      if (exchanged(k) < k || exchanged(k) >= n) return false;
      if (beside(k) == 0) continue;
      const double first = of()(k, k), second = of()(k + 1, k + 1);
      if (beside(k - 1) != 0 || beside(k + 1) != 0 || of()(k + 1, k) != 0) return false;
      if (!(first * second < beside(k) * beside(k))) return false;
      ++pairs;
    }
    return true;
  }
};

double check(const matrix& a, Index apart, Index& pairs) {
  factorised f(a, apart);
  CHECK(f.is_well_formed(pairs));
  CHECK(f.is_clean());
  const double error = f.error(a);
  CHECK(error <= 4 + static_cast<double>(a.rows()));
  return error;
}

}  // namespace

TEST_CASE("symmetric matrices of every size are the product of their factors") {
  std::mt19937_64 random(11);
  Index pairs = 0, all = 0;
  for (Index n = 0; n <= 130; ++n) {
    CAPTURE(n);
    const matrix a = symmetric(n, random);
    check(a, n % 3, pairs);
    all += pairs;
    // With a zero diagonal the first pivot has two rows.
    matrix hollow = a;
    for (Index i = 0; i < n; ++i) hollow(i, i) = 0;
    check(hollow, 0, pairs);
    CHECK((pairs > 0) == (n > 1));
    // A matrix with a dominant diagonal keeps 1x1 pivots.
    matrix dominant = a;
    for (Index i = 0; i < n; ++i) dominant(i, i) = i % 2 == 0 ? 200.0 : -200.0;
    check(dominant, 1, pairs);
    CHECK(pairs == 0);
  }
  CHECK(all > 1000);
}

TEST_CASE("equations of constraints, whose half of the diagonal is zero") {
  std::mt19937_64 random(12);
  for (const Index n : {10, 32, 33, 64, 90, 200}) {
    CAPTURE(n);
    matrix a = symmetric(n, random);
    for (Index j = n / 2; j < n; ++j)
      for (Index i = n / 2; i < n; ++i) a(i, j) = 0;
    Index pairs = 0;
    check(a, 0, pairs);
    CHECK(pairs > 0);
  }
}

TEST_CASE("matrices of several panels and of any width of them") {
  std::mt19937_64 random(13);
  for (const Index n : {256, 300, 601, 640}) {
    CAPTURE(n);
    Index pairs = 0;
    check(symmetric(n, random), n == 300 ? 4 : 0, pairs);
    CHECK(pairs > n / 10);
  }
}

TEST_CASE("the blocks have as many eigenvalues of each sign as the matrix") {
  std::mt19937_64 random(14);
  for (const Index n : {1, 2, 3, 17, 40, 100}) {
    CAPTURE(n);
    const matrix a = symmetric(n, random);
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
    Index positive = 0, expected = 0;
    for (Index i = 0; i < n; ++i) expected += values(i) > 0 ? 1 : 0;
    factorised f(a, 0);
    for (Index k = 0; k < n; ++k) {
      if (f.beside(k) == 0)
        positive += f.of()(k, k) > 0 ? 1 : 0;
      else
        ++positive, ++k;  // one eigenvalue of each sign
    }
    CHECK(positive == expected);
  }
}

TEST_CASE("matrices of low rank have factors, but no inverse blocks") {
  std::mt19937_64 random(15);
  for (const Index n : {2, 3, 9, 40, 100}) {
    for (const Index rank : {Index{0}, Index{1}, Index{2}, n / 2}) {
      if (rank >= n) continue;
      CAPTURE(n);
      CAPTURE(rank);
      matrix a = matrices::filled(n, n, 0);
      for (Index r = 0; r < rank; ++r) {
        const matrix x = matrices::random(n, 1, random);
        for (Index j = 0; j < n; ++j)
          for (Index i = 0; i < n; ++i) a(i, j) += (r % 2 == 0 ? 1 : -1) * x(i) * x(j);
      }
      factorised f(a, 0);
      CHECK(f.error(a) <= 4 + static_cast<double>(n));
      std::vector<double> magnitudes(f.place.size()), diagonal(magnitudes), beside(magnitudes);
      compute::symmetric_magnitudes(magnitudes.data(), compute::columns_at(a.data(), n, n));
      CHECK_FALSE(compute::invert_blocks(f.of(), f.place.data(), magnitudes.data(), diagonal.data(),
                                         beside.data()));
    }
  }
}

TEST_CASE("what is no number leads nowhere else") {
  std::mt19937_64 random(16);
  for (const double odd :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const Index n : {1, 2, 5, 40, 70})
      for (int round = 0; round < 4; ++round) {
        matrix a = symmetric(n, random);
        const auto some = [&] { return static_cast<Index>(random() % static_cast<unsigned>(n)); };
        const Index i = some(), j = round == 0 ? i : some();
        a(i, j) = a(j, i) = odd;
        factorised f(a, 2);
        CHECK(f.is_clean());
        for (Index k = 0; k < n; ++k) CHECK((f.exchanged(k) >= k && f.exchanged(k) < n));
        std::vector<double> magnitudes(f.place.size()), diagonal(magnitudes), beside(magnitudes);
        compute::symmetric_magnitudes(magnitudes.data(), compute::columns_at(a.data(), n, n));
        CHECK_FALSE(compute::invert_blocks(f.of(), f.place.data(), magnitudes.data(),
                                           diagonal.data(), beside.data()));
      }
}

TEST_CASE("the inverse of the blocks, times rows however they lie") {
  std::mt19937_64 random(17);
  for (const Index n : {1, 2, 3, 8, 41})
    for (const Index columns : {1, 2, 9}) {
      CAPTURE(n);
      CAPTURE(columns);
      const matrix a = symmetric(n, random);
      factorised f(a, 0);
      std::vector<double> magnitudes(f.place.size()), diagonal(magnitudes), beside(magnitudes);
      compute::symmetric_magnitudes(magnitudes.data(), compute::columns_at(a.data(), n, n));
      for (Index i = 0; i < n; ++i) {
        double largest = 0;
        for (Index j = 0; j < n; ++j) largest = std::max(largest, std::abs(a(i, j)));
        CHECK(magnitudes[factorised::at(i)] == largest);
      }
      REQUIRE(compute::invert_blocks(f.of(), f.place.data(), magnitudes.data(), diagonal.data(),
                                     beside.data()));
      const matrix b = matrices::random(n, columns, random);
      for (const bool by_columns : {true, false}) {
        std::vector<double> memory(static_cast<std::size_t>((n + 2) * (columns + 2)));
        const matrix_ref<double> x{memory.data(), n, columns, (by_columns ? n : columns) + 2,
                                   by_columns};
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < columns; ++j) x(i, j) = b(i, j);
        compute::multiply_blocks(x, diagonal.data(), beside.data());
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < columns; ++j) {  // compares with D·x
            double sum = f.of()(i, i) * x(i, j), size = std::abs(sum);
            if (i > 0) sum += f.beside(i - 1) * x(i - 1, j), size += std::abs(x(i - 1, j));
            if (i + 1 < n) sum += f.beside(i) * x(i + 1, j), size += std::abs(x(i + 1, j));
            CHECK(std::abs(sum - b(i, j)) <= 50 * eps * (size + 1));
          }
      }
    }
}

TEST_CASE("columns are solved for by the factors, wherever they lie") {
  std::mt19937_64 random(21);
  for (const Index n : {1, 2, 5, 33, 80})
    for (const Index columns : {1, 7})
      for (const bool by_columns : {true, false}) {
        CAPTURE(n);
        const matrix a = symmetric(n, random), b = matrices::random(n, columns, random);
        factorised f(a, 1);
        std::vector<double> magnitudes(f.place.size()), diagonal(magnitudes), beside(magnitudes);
        compute::symmetric_magnitudes(magnitudes.data(), compute::columns_at(a.data(), n, n));
        REQUIRE(compute::invert_blocks(f.of(), f.place.data(), magnitudes.data(), diagonal.data(),
                                       beside.data()));
        const compute::symmetric_substitution<double> by{f.of(), f.place.data(), f.exchanges.data(),
                                                         diagonal.data(), beside.data()};
        std::vector<double> memory(factorised::at(n * columns)),
            scratch(factorised::at(compute::solve_scratch<double>(n, columns)));
        const matrix_ref<double> x = by_columns ? compute::columns_at(memory.data(), n, columns)
                                                : compute::rows_at(memory.data(), n, columns);
        by.solve(x, compute::columns_at(b.data(), n, columns), scratch.data());
        double worst = 0, largest = 0;
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < columns; ++j) {
            long double sum = -b(i, j);
            for (Index k = 0; k < n; ++k) sum += static_cast<long double>(a(i, k)) * x(k, j);
            worst = std::max(worst, std::abs(static_cast<double>(sum)));
            largest = std::max(largest, std::abs(x(i, j)));
          }
        CHECK(worst <= 1e-14 * static_cast<double>(n) * largest);
      }
}
