// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <wf/ir/type/properties.hpp>

namespace linalg_benchmark {

/// An operand of a formula: a matrix, of one column for a vector, of one cell for a scalar.
struct operand {
  std::string name;
  std::int64_t rows = 1, columns = 1;
  bool scalar = false;
  wf::properties declared;
};

/// A formula as a textbook prints it: a program of equations that wf reads (see `wf::equations`),
/// and what its names stand for.
struct problem {
  std::string name;
  std::string text;
  std::vector<operand> inputs;       ///< in the order of the text
  std::vector<std::string> outputs;  ///< likewise
};

}  // namespace linalg_benchmark
