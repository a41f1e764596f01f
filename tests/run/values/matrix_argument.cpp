// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/matrix_argument.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using row_major = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class M, class Argument>
constexpr bool makes = std::constructible_from<Argument, M>;

static_assert(makes<const MatrixXd&, wf::input_matrix>);
static_assert(makes<const Eigen::Matrix3d&, wf::input_matrix>);
static_assert(makes<Eigen::Ref<const MatrixXd>, wf::input_matrix>);
static_assert(makes<Eigen::Map<const MatrixXd, 0, Eigen::OuterStride<>>, wf::input_matrix>);
static_assert(makes<Eigen::Block<MatrixXd>, wf::output_matrix>);
static_assert(makes<Eigen::VectorXd&, wf::output_matrix>);
// Row order, strides, other elements and expressions are rejected; so are constant outputs.
static_assert(!makes<const row_major&, wf::input_matrix>);
static_assert(!makes<Eigen::Map<MatrixXd, 0, Eigen::InnerStride<>>, wf::input_matrix>);
static_assert(!makes<Eigen::Diagonal<MatrixXd>, wf::input_matrix>);
static_assert(!makes<const Eigen::MatrixXf&, wf::input_matrix>);
static_assert(!makes<decltype(MatrixXd() + MatrixXd()), wf::input_matrix>);
static_assert(!makes<const MatrixXd&, wf::output_matrix>);
static_assert(!makes<Eigen::Ref<const MatrixXd>, wf::output_matrix>);

}  // namespace

TEST_CASE("arguments refer to matrices, parts, rows and columns") {
  MatrixXd m(4, 3);
  const auto refers = [&](const wf::compute::matrix_view<double>& v, Index i, Index j) {
    for (Index r = 0; r < v.rows; ++r)
      for (Index c = 0; c < v.columns; ++c)
        if (&v(r, c) != &m(i + r, j + c)) return false;
    return v.by_columns;
  };
  CHECK(refers(wf::input_matrix(m).where(), 0, 0));
  CHECK(refers(wf::output_matrix(m.block(1, 1, 2, 2)).where(), 1, 1));
  CHECK(wf::output_matrix(m.block(1, 1, 2, 2)).where().rows == 2);
  CHECK(refers(wf::output_matrix(m.row(2)).where(), 2, 0));
  CHECK(wf::output_matrix(m.row(2)).where().columns == 3);
  CHECK(refers(wf::input_matrix(m.col(1)).where(), 0, 1));
  CHECK(refers(wf::input_matrix(m.col(1).tail(2)).where(), 2, 1));
  CHECK(refers(wf::input_matrix(&m(0, 1), 2, 2, 4).where(), 0, 1));
  CHECK(refers(wf::output_matrix(&m(0, 1), 2, 2, 4).where(), 0, 1));
}

TEST_CASE("overlapping matrices are found") {
  std::mt19937_64 random(61);
  const auto below = [&](Index n) {
    return static_cast<Index>(random() % static_cast<std::uint64_t>(n));
  };
  std::vector<double> memory(200);
  int shared = 0, apart = 0;
  for (int round = 0; round < 20000; ++round) {
    const Index stride = 3 + below(6);
    const auto part = [&](Index step) {
      const Index rows = below(step + 1), columns = below(5);
      return wf::compute::matrix_view<double>{memory.data() + below(100), rows, columns, step,
                                              true};
    };
    const bool alike = random() % 4 != 0;
    const auto a = part(stride), b = part(alike ? stride : 3 + below(6));
    std::vector<const double*> of_a;
    for (Index i = 0; i < a.rows; ++i)
      for (Index j = 0; j < a.columns; ++j) of_a.push_back(&a(i, j));
    bool expected = false;
    for (Index i = 0; i < b.rows; ++i)
      for (Index j = 0; j < b.columns; ++j)
        expected = expected || std::find(of_a.begin(), of_a.end(), &b(i, j)) != of_a.end();
    CHECK(wf::detail::overlap(a, b) == wf::detail::overlap(b, a));
    const bool single =
        (a.columns == 1 && a.rows <= b.stride) || (b.columns == 1 && b.rows <= a.stride);
    if (alike || single)
      CHECK(wf::detail::overlap(a, b) == expected);
    else if (expected)
      CHECK(wf::detail::overlap(a, b));
    (expected ? shared : apart) += 1;
  }
  CHECK(shared > 1000);
  CHECK(apart > 1000);
}
