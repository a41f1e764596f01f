// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <wf/run/operators/linalg.hpp>

#include "../../apply.hpp"

// Applies operators of linear algebra to tensors of doubles.
namespace applied {

namespace compute = wf::compute;
using apply::integer, apply::tensor;
using wf::dtype, wf::shape;

inline apply::outcome run(wf::text_view op, const std::vector<tensor>& in,
                          const std::vector<wf::value_type>& out,
                          const apply::attributes& with = {},
                          const std::vector<wf::properties>& known = {}) {
  return apply::run(compute::linalg_operators<double>(), op, in, out, with, known);
}

inline std::size_t at(int row, int column, int columns) {
  return static_cast<std::size_t>(row * columns + column);
}

inline bool is_near(const tensor& found, const tensor& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < found.elements.size(); ++i)
    worst = std::max(worst, std::abs(found.elements[i] - expected.elements[i]));
  return found.dims == expected.dims && worst < 1e-12;
}

}  // namespace applied
