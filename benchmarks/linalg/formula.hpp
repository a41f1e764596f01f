// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/type/properties.hpp>

namespace linalg_benchmark {

/// A factor of a product: a matrix, perhaps inverted, perhaps transposed.
struct factor {
  std::uint32_t matrix = 0;
  bool transposed = false;
  bool inverted = false;
  friend bool operator==(const factor&, const factor&) = default;
};

/// A scalar times a product of factors, evaluated from the left as C++ parses it.
struct term {
  std::uint32_t scalar = 0;
  std::vector<factor> factors;
};

/// The computation of a matrix: a sum of at least one term.
struct matrix_step {
  std::uint32_t result = 0;
  std::vector<term> terms;
  std::vector<std::uint32_t> last_uses;  ///< matrices that no later step reads
};

enum class scalar_operation : std::uint8_t { constant, add, subtract, multiply, divide };

/// The computation of a scalar.
struct scalar_step {
  scalar_operation operation = scalar_operation::constant;
  std::uint32_t result = 0, left = 0, right = 0;
  double value = 0;  ///< the value of `constant`
};

struct scalar_value {
  std::string input;  ///< its name if it is an input, else empty
  bool positive = false;
};

struct matrix_value {
  std::int64_t rows = 0, columns = 0;
  std::string input;     ///< its name if it is an input, else empty
  wf::properties known;  ///< the declared properties of an input; else those read off the formula
                         ///< (see there)
  std::uint32_t uses = 0;
  bool inverted_only = false;  ///< every use inverts it
};

struct formula_output {
  std::string name;
  std::uint32_t matrix = 0;
};

/// A formula as a programmer would write it: a sequence of matrices computed from products and
/// sums, with transposes and scalars as part of the operation that reads them. Repeated expressions
/// are computed once or each time (see `repetitions`). A computed matrix is known to be
/// semidefinite only where it is evident: products like trans(X)*S*X, and sums of them. Scalar 0 is
/// 1.
struct formula {
  std::vector<scalar_value> scalars;
  std::vector<matrix_value> matrices;
  std::vector<scalar_step> scalar_steps;
  std::vector<matrix_step> steps;
  std::vector<formula_output> outputs;
};

/// The treatment of inverses.
enum class inverses : std::uint8_t {
  computed,  ///< every inverse is a matrix of its own
  single,    ///< inverses used once become factors of products
  factors,   ///< all inverses in products become factors
};

/// The treatment of expressions that occur several times.
enum class repetitions : std::uint8_t {
  computed_once,
  /// computed at each occurrence, like C++ statements; except the left sides of equations, which
  /// are variables
  as_written,
};

}  // namespace linalg_benchmark
