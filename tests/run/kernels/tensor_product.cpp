// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/tensor_product.hpp>

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace wf::compute;

namespace {

wf::shape shape_of(const std::string& letters) {
  wf::shape out = wf::shape::of();
  // Every letter has an extent of its own.
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
      {"ghij", "hgjk", "kghi"}};
  for (const auto& [a, b, out] : equations)
    for (const bool by_columns : {false, true}) {
      CAPTURE(a);
      CAPTURE(b);
      CAPTURE(out);
      CHECK(error_of(a, b, out, by_columns) < 1e-11);
    }
}
