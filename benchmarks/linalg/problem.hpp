// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <wf/ir/type/properties.hpp>

namespace linalg_benchmark {

/// An operand of a formula: a matrix; a vector has one column, a scalar one row and one column.
struct operand {
  std::string name;
  std::int64_t rows = 1, columns = 1;
  bool scalar = false;
  wf::properties declared;
};

/// A formula as in a textbook: a program of equations that wf reads (see `wf::equations`), and the
/// declarations of its names.
struct problem {
  std::string name;
  std::string text;
  std::vector<operand> inputs;       ///< in the order of the text
  std::vector<std::string> outputs;  ///< in the order of the text
};

}  // namespace linalg_benchmark
