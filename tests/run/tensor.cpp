// SPDX-License-Identifier: BSL-1.0
#include <wf/run/tensor.hpp>

#include <functional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::shape;
namespace compute = wf::compute;

struct tensor {
  wf::shape dims;
  std::vector<double> elements;

  explicit tensor(const wf::shape& s)
      : dims(s), elements(static_cast<std::size_t>(s.elements()), -7.0) {}
  compute::tensor_view view() const { return {dims, elements.data()}; }
  compute::tensor_ref ref() { return {dims, elements.data()}; }

  // The element at an index of `rank` dimensions, as broadcasting finds it.
  double at(const std::vector<std::int64_t>& index) const {
    std::int64_t offset = 0;
    for (std::uint32_t d = 0; d < dims.rank; ++d) {
      const std::int64_t i = index[index.size() - dims.rank + d];
      offset = offset * dims[d].size() + (dims[d].size() == 1 ? 0 : i);
    }
    return elements[static_cast<std::size_t>(offset)];
  }
};

tensor random_tensor(const wf::shape& s, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  tensor t(s);
  for (double& x : t.elements) x = uniform(random);
  return t;
}

// Calls f with every index of a shape.
template <class F>
void for_each_index(const wf::shape& s, F f) {
  std::vector<std::int64_t> index(s.rank, 0);
  for (std::int64_t i = 0; i < s.elements(); ++i) {
    std::int64_t rest = i;
    for (std::uint32_t d = s.rank; d-- > 0; rest /= s[d].size()) index[d] = rest % s[d].size();
    f(index);
  }
}

}  // namespace

TEST_CASE("elementwise operations broadcast") {
  std::mt19937_64 random(41);
  const shape result = shape::of(2, 3, 4);
  for (const shape& s : {shape::of(2, 3, 4), shape::of(3, 4), shape::of(4), shape::of(1, 3, 1),
                         shape::of(2, 1, 4), shape::of()}) {
    const tensor a = random_tensor(result, random), b = random_tensor(s, random);
    tensor out(result), flipped(result);
    compute::tensor_elementwise(out.ref(), a.view(), b.view(), std::minus<>());
    compute::tensor_elementwise(flipped.ref(), b.view(), a.view(), std::minus<>());
    for_each_index(result, [&](const auto& i) {
      CHECK(out.at(i) == a.at(i) - b.at(i));
      CHECK(flipped.at(i) == b.at(i) - a.at(i));
    });
  }
}

TEST_CASE("products of stacks against the definition") {
  std::mt19937_64 random(42);
  const shape lefts[] = {shape::of(2, 3, 4, 5), shape::of(3, 4, 5), shape::of(4, 5),
                         shape::of(2, 1, 4, 5)};
  const shape rights[] = {shape::of(2, 3, 5, 2), shape::of(5, 2), shape::of(1, 5, 2)};
  for (const shape& l : lefts)
    for (const shape& r : rights) {
      if (l.rank < 4 && r.rank < 4) continue;
      if (l.rank == 4 && l[1] == wf::extent(1) && r.rank < 4) continue;
      const tensor a = random_tensor(l, random), b = random_tensor(r, random);
      tensor out(shape::of(2, 3, 4, 2));
      compute::tensor_matmul(out.ref(), a.view(), b.view());
      for_each_index(out.dims, [&](auto i) {
        double sum = 0;
        for (std::int64_t k = 0; k < 5; ++k)
          sum += a.at({i[0], i[1], i[2], k}) * b.at({i[0], i[1], k, i[3]});
        CHECK(out.at(i) == doctest::Approx(sum));
      });
    }
}

TEST_CASE("transpose, softmax and map") {
  std::mt19937_64 random(43);
  const tensor a = random_tensor(shape::of(2, 3, 4), random);
  tensor t(shape::of(2, 4, 3)), soft(a.dims), negated(a.dims);
  compute::tensor_transpose(t.ref(), a.view());
  compute::tensor_softmax(soft.ref(), a.view());
  compute::tensor_map(negated.ref(), a.view(), std::negate<>());
  for_each_index(a.dims, [&](const auto& i) {
    CHECK(t.at({i[0], i[2], i[1]}) == a.at(i));
    CHECK(negated.at(i) == -a.at(i));
    double sum = 0;
    for (std::int64_t k = 0; k < 4; ++k) sum += std::exp(a.at({i[0], i[1], k}));
    CHECK(soft.at(i) == doctest::Approx(std::exp(a.at(i)) / sum));
  });
}

TEST_CASE("reductions over each dimension and over all") {
  std::mt19937_64 random(44);
  const tensor a = random_tensor(shape::of(2, 3, 4), random);
  const shape results[] = {shape::of(3, 4), shape::of(2, 4), shape::of(2, 3)};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    tensor out(results[axis]);
    compute::tensor_reduce(out.ref(), a.view(), axis, 0.0, std::plus<>());
    for_each_index(results[axis], [&](const auto& i) {
      double sum = 0;
      for (std::int64_t k = 0; k < a.dims[axis].size(); ++k) {
        auto j = i;
        j.insert(j.begin() + axis, k);
        sum += a.at(j);
      }
      CHECK(out.at(i) == doctest::Approx(sum));
    });
  }
  tensor all(shape::of());
  compute::tensor_reduce(all.ref(), a.view(), -1, 0.0, std::plus<>());
  double sum = 0;
  for (double x : a.elements) sum += x;
  CHECK(all.elements[0] == doctest::Approx(sum));
}

TEST_CASE("convolution and pooling against the definition") {
  std::mt19937_64 random(45);
  for (std::int64_t stride : {1, 2, 3})
    for (std::int64_t padding : {0, 1, 2}) {
      const std::int64_t rows = (7 + 2 * padding - 3) / stride + 1;
      const std::int64_t columns = (6 + 2 * padding - 3) / stride + 1;
      const tensor x = random_tensor(shape::of(2, 3, 7, 6), random);
      const tensor k = random_tensor(shape::of(4, 3, 3, 3), random);
      tensor y(shape::of(2, 4, rows, columns)), pooled(shape::of(2, 3, rows, columns));
      compute::tensor_conv2d(y.ref(), x.view(), k.view(), stride, padding);
      compute::tensor_max_pool2d(pooled.ref(), x.view(), 3, stride, padding);
      const auto pixel = [&](std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t v,
                             double outside) {
        return h < 0 || h >= 7 || v < 0 || v >= 6 ? outside : x.at({n, c, h, v});
      };
      for_each_index(y.dims, [&](const auto& i) {
        double sum = 0;
        for_each_index(shape::of(3, 3, 3), [&](const auto& w) {
          sum += k.at({i[1], w[0], w[1], w[2]}) * pixel(i[0], w[0], i[2] * stride - padding + w[1],
                                                        i[3] * stride - padding + w[2], 0.0);
        });
        CHECK(y.at(i) == doctest::Approx(sum));
      });
      for_each_index(pooled.dims, [&](const auto& i) {
        double largest = -1e300;
        for_each_index(shape::of(3, 3), [&](const auto& w) {
          largest = std::max(largest, pixel(i[0], i[1], i[2] * stride - padding + w[0],
                                            i[3] * stride - padding + w[1], -1e300));
        });
        CHECK(pooled.at(i) == largest);
      });
    }
}

TEST_CASE("stacks of products broadcast, by the definition") {
  std::mt19937_64 random(75);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> a(3 * 2 * 4), b(1 * 4 * 5), out(3 * 2 * 5);
  for (double& x : a) x = uniform(random);
  for (double& x : b) x = uniform(random);
  wf::compute::tensor_matmul({wf::shape::of(3, 2, 5), out.data()},
                             {wf::shape::of(3, 2, 4), a.data()},
                             {wf::shape::of(1, 4, 5), b.data()});
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k) sum += a[(s * 2 + i) * 4 + k] * b[k * 5 + j];
        CHECK(out[(s * 2 + i) * 5 + j] == doctest::Approx(sum));
      }
}

TEST_CASE("the last two dimensions change places") {
  const std::vector<double> a{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<double> out(12);
  wf::compute::tensor_transpose({wf::shape::of(2, 3, 2), out.data()},
                                {wf::shape::of(2, 2, 3), a.data()});
  CHECK(out == std::vector<double>{1, 4, 2, 5, 3, 6, 7, 10, 8, 11, 9, 12});
}
