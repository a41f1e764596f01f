// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/tensor.hpp>

#include <functional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../apply.hpp"

namespace {

using apply::for_each_index;
using apply::random_tensor;
using apply::tensor;
using wf::shape;
namespace compute = wf::compute;

}  // namespace

TEST_CASE("elements are mapped and copied") {
  std::mt19937_64 random(43);
  const tensor a = random_tensor(shape::of(2, 3, 4), random);
  tensor negated(a.dims), copied(a.dims);
  compute::tensor_map(negated.ref(), a.view(), std::negate<>());
  compute::tensor_copy(copied.ref(), a.view());
  for_each_index(a.dims, [&](const auto& i) { CHECK(negated.at(i) == -a.at(i)); });
  CHECK(copied.elements == a.elements);
}

TEST_CASE("matrices of every size are transposed") {
  for (const Eigen::Index rows : {0, 1, 3, 4, 5, 8, 130, 257})
    for (const Eigen::Index columns : {0, 1, 2, 4, 7, 129, 260}) {
      std::vector<double> a(static_cast<std::size_t>(rows * columns)), out(a.size(), -1.0);
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i);
      compute::detail::transpose_matrix(out.data(), rows, a.data(), columns, rows, columns);
      bool same = true;
      for (Eigen::Index i = 0; i < rows; ++i)
        for (Eigen::Index j = 0; j < columns; ++j)
          same = same && out[static_cast<std::size_t>(j * rows + i)] ==
                             a[static_cast<std::size_t>(i * columns + j)];
      CHECK(same);
    }
}

TEST_CASE("contractions add up, rearrangements do not") {
  const std::vector<double> a{1, 2, 3, 4, 5, 6}, b{1, 10, 100};
  std::vector<double> out(2), diagonal(2);
  compute::tensor_einsum<double>({shape::of(2), out.data()}, {shape::of(2, 3), a.data()},
                                 {shape::of(3), b.data()}, "ij,j->i");
  CHECK(out == std::vector<double>{321, 654});
  compute::tensor_rearrange<double>({shape::of(2), diagonal.data()}, {shape::of(2, 2), a.data()},
                                    "ii->i");
  CHECK(diagonal == std::vector<double>{1, 4});
}

TEST_CASE("the last two dimensions change places") {
  const std::vector<double> a{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<double> out(12);
  wf::compute::tensor_transpose<double>({wf::shape::of(2, 3, 2), out.data()},
                                        {wf::shape::of(2, 2, 3), a.data()});
  CHECK(out == std::vector<double>{1, 4, 2, 5, 3, 6, 7, 10, 8, 11, 9, 12});
}
