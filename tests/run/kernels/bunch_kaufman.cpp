// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/bunch_kaufman.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/run/kernels/row_exchange.hpp>

namespace {

namespace compute = wf::compute;
using Eigen::Index;
template <class Scalar>
using square = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class Scalar>
square<Scalar> symmetric(Index n, std::mt19937_64& random) {
  std::uniform_real_distribution<Scalar> uniform(-1, 1);
  square<Scalar> a(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) a(i, j) = a(j, i) = uniform(random);
  return a;
}

// Factorises a matrix as a single panel of all its columns.
template <class Scalar>
struct factorised {
  square<Scalar> of;
  std::vector<Scalar> rows, place, magnitudes, diagonal, beside;
  bool is_regular = false;

  explicit factorised(const square<Scalar>& a)
      : of(a), rows(at(a.rows())), place(rows), magnitudes(rows), diagonal(rows), beside(rows) {
    const Index n = a.rows();
    of.template triangularView<Eigen::StrictlyUpper>().setConstant(
        std::numeric_limits<Scalar>::quiet_NaN());
    square<Scalar> times(n, n);
    const auto f = compute::columns_at(of.data(), n, n);
    compute::symmetric_magnitudes(magnitudes.data(), f);
    const Index made = compute::detail::symmetric_panel<Scalar>(
                           f, compute::columns_at(times.data(), n, n), rows.data(), diagonal.data())
                           .run(n);
    CHECK(made == n);
    compute::follow_exchanges(place.data(), rows.data(), n);
    is_regular =
        compute::invert_blocks(f, place.data(), magnitudes.data(), diagonal.data(), beside.data());
  }
  // The largest element of L·D·L' - P·A·P'; `pairs` receives the number of 2x2 blocks.
  Scalar error(const square<Scalar>& a, Index& pairs) const {
    const Index n = a.rows();
    square<Scalar> l = of.template triangularView<Eigen::UnitLower>(),
                   d = of.diagonal().asDiagonal(), permuted(n, n);
    for (Index i = 0; i + 1 < n; ++i) {
      d(i, i + 1) = d(i + 1, i) = of(i, i + 1);
      pairs += of(i, i + 1) != 0 ? 1 : 0;
    }
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        permuted(i, j) = a(static_cast<Index>(place[at(i)]), static_cast<Index>(place[at(j)]));
    return (l * d * l.transpose() - permuted).cwiseAbs().maxCoeff();
  }
};

template <class Scalar>
void check_factors() {
  std::mt19937_64 random(31);
  constexpr Scalar eps = std::numeric_limits<Scalar>::epsilon();
  Index pairs = 0;
  for (Index n = 1; n <= 70; ++n) {
    CAPTURE(n);
    const square<Scalar> a = symmetric<Scalar>(n, random);
    const factorised<Scalar> f(a);
    CHECK(f.is_regular);
    CHECK(f.error(a, pairs) <= 40 * eps * static_cast<Scalar>(n));
    for (Index i = 0; i < n; ++i) CHECK(f.magnitudes[at(i)] == a.row(i).cwiseAbs().maxCoeff());
    // Two equal rows.
    if (n < 2) continue;
    square<Scalar> singular = a;
    singular.row(n - 1) = singular.row(0).eval();
    singular.col(n - 1) = singular.row(n - 1).transpose().eval();
    singular(n - 1, n - 1) = singular(0, n - 1) = singular(n - 1, 0) = singular(0, 0);
    CHECK_FALSE(factorised<Scalar>(singular).is_regular);
  }
  CHECK(pairs > 200);
}

// Checks x = D⁻¹·(D·x), and D⁻¹ against its definition.
template <class Scalar>
void check_blocks() {
  std::mt19937_64 random(32);
  constexpr Scalar eps = std::numeric_limits<Scalar>::epsilon();
  for (Index n = 1; n <= 60; ++n) {
    square<Scalar> d = square<Scalar>::Zero(n, n);
    std::uniform_real_distribution<Scalar> small(Scalar(-0.6), Scalar(0.6));
    for (Index i = 0; i < n; ++i) {
      d(i, i) = small(random) < 0 ? -1 : 2;
      if (i + 1 == n || small(random) < 0) continue;
      d(i, i) = small(random), d(i + 1, i + 1) = small(random), d(i, i + 1) = 1;
      ++i;
    }
    std::vector<Scalar> diagonal(at(n)), beside(at(n));
    const auto any = [](Scalar pivot, Index) { return pivot != 0; };
    REQUIRE(compute::invert_blocks(d, n, diagonal.data(), beside.data(), any));
    const square<Scalar> whole = square<Scalar>(d.template selfadjointView<Eigen::Upper>());
    for (const bool by_columns : {true, false}) {
      square<Scalar> x = whole;  // symmetric: row and column order coincide
      compute::multiply_blocks(compute::strided_matrix<Scalar>{x.data(), n, n, n, by_columns},
                               diagonal.data(), beside.data());
      CHECK((x - square<Scalar>::Identity(n, n)).cwiseAbs().maxCoeff() <= 16 * eps);
    }
    // No 1x1 pivot.
    const Index last = n - 1;
    const auto but_last = [&](Scalar, Index k) { return k != last; };
    CHECK_FALSE(compute::invert_blocks(d, n, diagonal.data(), beside.data(), but_last));
  }
  const square<Scalar> none = square<Scalar>::Ones(2, 2);
  Scalar diagonal[2], beside[2];
  const auto any = [](Scalar pivot, Index) { return pivot != 0; };
  CHECK_FALSE(compute::invert_blocks(none, 2, diagonal, beside, any));
}

template <class Scalar>
void check_subtraction() {
  std::mt19937_64 random(18);
  std::uniform_real_distribution<Scalar> uniform(-1, 1);
  std::vector<Scalar> m(8000), w(40), y(300);
  for (auto* of : {&m, &w, &y})
    for (Scalar& x : *of) x = uniform(random);
  for (Index rows = 0; rows <= 150; ++rows)
    for (const Index count : {0, 1, 5, 40})
      for (const Index from : {0, 1, 5, 8}) {
        const Index stride = rows + from;
        std::vector<Scalar> made = y;
        compute::detail::subtract_columns(made.data() + from, rows, m.data() + from, stride,
                                          w.data(), count);
        Scalar worst = 0;
        for (Index i = 0; i < static_cast<Index>(y.size()); ++i) {
          Scalar expected = y[at(i)];
          for (Index c = 0; c < count && i >= from && i < from + rows; ++c)
            expected -= m[at(c * stride + i)] * w[at(c)];
          worst = std::max(worst, std::abs(expected - made[at(i)]));
        }
        CHECK(worst < 450 * std::numeric_limits<Scalar>::epsilon());
      }
}

template <class Scalar>
void check_largest() {
  std::mt19937_64 random(19);
  for (Index count = 0; count <= 100; ++count)
    for (int round = 0; round < 5; ++round) {
      std::vector<Scalar> x(at(count));
      for (Scalar& e : x) e = static_cast<Scalar>(random() % (round == 0 ? 3 : 1000)) - 1;
      const auto found = compute::detail::find_largest(x.data(), count);
      Scalar largest = 0;
      for (const Scalar e : x) largest = std::max(largest, std::abs(e));
      CHECK(found.magnitude == largest);
      if (count == 0) {
        CHECK(found.at == 0);
        continue;
      }
      REQUIRE((found.at >= 0 && found.at < count));
      CHECK(std::abs(x[at(found.at)]) == largest);
    }
}

}  // namespace

TEST_CASE("a panel of all columns factorises a symmetric matrix of either type") {
  check_factors<double>();
  check_factors<float>();
}

TEST_CASE("blocks are inverted and multiplied, and pivots judged") {
  check_blocks<double>();
  check_blocks<float>();
}

TEST_CASE("columns times numbers are subtracted, wherever they lie") {
  check_subtraction<double>();
  check_subtraction<float>();
}

TEST_CASE("the largest magnitude and where it is") {
  check_largest<double>();
  check_largest<float>();
}
