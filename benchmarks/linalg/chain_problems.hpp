// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>

#include <linalg/problem.hpp>
#include <linalg/read_chains.hpp>

namespace linalg_benchmark {

/// Y = A0 A1 A2 ...
inline problem problem_of(const chain& c) {
  problem out;
  out.name = c.name;
  std::string product;
  for (std::size_t i = 0; i + 1 < c.extents.size(); ++i) {
    const std::string name = "A" + std::to_string(i);
    out.inputs.push_back({name, c.extents[i], c.extents[i + 1], false, {}});
    out.text += "input " + name + " : f64[" + std::to_string(c.extents[i]) + ", " +
                std::to_string(c.extents[i + 1]) + "]\n";
    product += " " + name;
  }
  out.text += "Y =" + product + "\nexport Y\n";
  out.outputs = {"Y"};
  return out;
}

}  // namespace linalg_benchmark
