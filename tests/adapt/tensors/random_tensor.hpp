// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <random>

#include <wf/adapt/tensors/dense_tensor.hpp>

namespace wf_test {

// A tensor of at most four axes, of which one may have no positions.
inline wf::tensors::dense_tensor random_tensor(std::mt19937& random, bool boolean) {
  wf::tensors::dense_tensor out;
  out.boolean = boolean;
  const auto rank = random() % 5;
  for (unsigned c = 0; c < rank; ++c)
    out.extents.push_back(random() % 16 == 0 ? 0 : static_cast<std::int64_t>(random() % 5 + 1));
  out.values.resize(*wf::tensors::element_count(out.extents));
  for (double& value : out.values)
    value = boolean || random() % 4 == 0 ? static_cast<double>(random() % 2)
                                         : (static_cast<double>(random()) - 2e9) / 3;
  return out;
}

}  // namespace wf_test
