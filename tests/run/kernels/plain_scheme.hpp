// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/run/kernels/bilinear_scheme.hpp>

// The product by definition as a scheme: one product for each triple of block indices.
constexpr wf::compute::bilinear_scheme plain_scheme(std::uint32_t m, std::uint32_t k,
                                                    std::uint32_t n) {
  wf::compute::bilinear_scheme out{m, k, n, m * k * n, {}, {}, {}};
  for (std::uint32_t i = 0; i < m; ++i)
    for (std::uint32_t p = 0; p < k; ++p)
      for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t x = 0; x < m * k; ++x) out.left.push_back(x == i * k + p);
        for (std::uint32_t y = 0; y < k * n; ++y) out.right.push_back(y == p * n + j);
        for (std::uint32_t z = 0; z < m * n; ++z) out.result.push_back(z == i * n + j);
      }
  return out;
}
