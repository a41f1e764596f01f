// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/tensor_product.hpp>

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../apply.hpp"

using namespace wf::compute;

namespace {

wf::shape shape_of(const std::string& letters) {
  wf::shape out = wf::shape::of();
  // Every letter has a distinct extent.
  for (const char c : letters) out.push_back(wf::extent(3 + (c - 'a') * 2));
  return out;
}

double error_of(const std::string& a, const std::string& b, const std::string& out,
                bool by_columns) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const wf::shape shapes[] = {shape_of(out), shape_of(a), shape_of(b)};
  std::vector<double> elements[3];
  for (int t = 0; t < 3; ++t) {
    elements[t].resize(static_cast<std::size_t>(shapes[t].elements()));
    for (double& x : elements[t]) x = uniform(random);
  }
  std::vector<double> expected = elements[0];
  const std::string equation = a + "," + b + "->" + out;
  const wf::text_view text(equation.data(), equation.size());
  const auto turned = [&](int t) { return by_columns && shapes[t].rank == 2; };
  const tensor_view<double> left{shapes[1], elements[1].data(), turned(1)};
  const tensor_view<double> right{shapes[2], elements[2].data(), turned(2)};
  tensor_einsum<double>({shapes[0], expected.data(), turned(0)}, left, right, text);
  std::vector<double> scratch(
      static_cast<std::size_t>(contract_scratch<double>(text, shapes[0], shapes[1], shapes[2])) + 1,
      0.5);
  scratch.back() = 77;
  contract<double>({shapes[0], elements[0].data(), turned(0)}, left, right, text, scratch.data());
  CHECK(scratch.back() == 77);
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    largest = std::max(largest, std::abs(expected[i] - elements[0][i]));
  return largest;
}

}  // namespace

TEST_CASE("contractions are what their definition says, wherever the letters stand") {
  const char* const equations[][3] = {
      {"ij", "jk", "ik"},       {"ji", "kj", "ik"},     {"ij", "jk", "ki"},
      {"aij", "ajk", "aik"},    {"iaj", "jka", "kai"},  {"abcd", "cdef", "abef"},
      {"abcd", "efdc", "ebfa"}, {"acbd", "dce", "eab"}, {"aij", "jk", "ika"},
      {"iij", "jk", "ik"},      {"ij", "jkk", "ki"},    {"ijl", "jk", "ik"},
      {"ij", "kjl", "ki"},      {"ij", "ij", "ij"},     {"ij", "kl", "ikjl"},
      {"ab", "b", "a"},         {"j", "jk", "k"},       {"hij", "hij", "h"},
      {"ghij", "hgjk", "kghi"}, {"ij", "jkl", "ikl"},   {"ij", "klj", "ikl"},
      {"ikl", "jkl", "ij"},     {"iak", "jak", "aij"},  {"aij", "jak", "iak"},
      {"ikl", "jlk", "ij"},     {"akl", "kl", "a"},     {"ijk", "jl", "ikl"}};
  for (const auto& [a, b, out] : equations)
    for (const bool by_columns : {false, true}) {
      CAPTURE(a);
      CAPTURE(b);
      CAPTURE(out);
      CHECK(error_of(a, b, out, by_columns) < 1e-11);
    }
}

TEST_CASE("products of stacks against the definition") {
  std::mt19937_64 random(42);
  const wf::shape lefts[] = {wf::shape::of(2, 3, 4, 5), wf::shape::of(3, 4, 5), wf::shape::of(4, 5),
                             wf::shape::of(2, 1, 4, 5)};
  const wf::shape rights[] = {wf::shape::of(2, 3, 5, 2), wf::shape::of(5, 2),
                              wf::shape::of(1, 5, 2)};
  for (const wf::shape& l : lefts)
    for (const wf::shape& r : rights) {
      if (l.rank < 4 && r.rank < 4) continue;
      if (l.rank == 4 && l[1] == wf::extent(1) && r.rank < 4) continue;
      const apply::tensor a = apply::random_tensor(l, random), b = apply::random_tensor(r, random);
      apply::tensor out(wf::shape::of(2, 3, 4, 2));
      tensor_matmul(out.ref(), a.view(), b.view());
      apply::for_each_index(out.dims, [&](auto i) {
        double sum = 0;
        for (std::int64_t k = 0; k < 5; ++k)
          sum += a.at({i[0], i[1], i[2], k}) * b.at({i[0], i[1], k, i[3]});
        CHECK(out.at(i) == doctest::Approx(sum));
      });
    }
}

TEST_CASE("stacks of products broadcast, by the definition") {
  std::mt19937_64 random(75);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> a(3 * 2 * 4), b(1 * 4 * 5), out(3 * 2 * 5);
  for (double& x : a) x = uniform(random);
  for (double& x : b) x = uniform(random);
  tensor_matmul<double>({wf::shape::of(3, 2, 5), out.data()}, {wf::shape::of(3, 2, 4), a.data()},
                        {wf::shape::of(1, 4, 5), b.data()});
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k) sum += a[(s * 2 + i) * 4 + k] * b[k * 5 + j];
        CHECK(out[(s * 2 + i) * 5 + j] == doctest::Approx(sum));
      }
}
