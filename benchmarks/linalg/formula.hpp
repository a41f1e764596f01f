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

/// A scalar times a product of factors, as C++ parses it: from the left.
struct term {
  std::uint32_t scalar = 0;
  std::vector<factor> factors;
};

/// A matrix that is computed: the sum of terms, at least one.
struct matrix_step {
  std::uint32_t result = 0;
  std::vector<term> terms;
  std::vector<std::uint32_t> last_uses;  ///< matrices that no later step needs
};

enum class scalar_operation : std::uint8_t { constant, add, subtract, multiply, divide };

/// A scalar that is computed.
struct scalar_step {
  scalar_operation operation = scalar_operation::constant;
  std::uint32_t result = 0, left = 0, right = 0;
  double value = 0;  ///< of a constant
};

struct scalar_value {
  std::string input;  ///< the name, if it is an input
  bool positive = false;
};

struct matrix_value {
  std::int64_t rows = 0, columns = 0;
  std::string input;     ///< the name, if it is an input
  wf::properties known;  ///< declared of an input; of others what is seen at once (see formula)
  std::uint32_t uses = 0;
  bool inverted_only = false;  ///< all that uses it inverts it
};

struct formula_output {
  std::string name;
  std::uint32_t matrix = 0;
};

/// A formula as those who program it by hand see it: matrices that are computed one after the other
/// from products and sums, where transposes and scalars are part of the operation that reads them.
/// What occurs twice is computed once or twice (see `repetitions`). Of what is computed those
/// matrices are known to be semidefinite of which everybody sees it: products like trans(X)*S*X,
/// and sums of such ones. Scalar 0 is 1.
struct formula {
  std::vector<scalar_value> scalars;
  std::vector<matrix_value> matrices;
  std::vector<scalar_step> scalar_steps;
  std::vector<matrix_step> steps;
  std::vector<formula_output> outputs;
};

/// What becomes of inverses.
enum class inverses : std::uint8_t {
  computed,  ///< each is a matrix of its own
  single,    ///< those that are used once are factors of products
  factors,   ///< all are factors of products where they stand in one
};

/// What becomes of an expression that occurs several times.
enum class repetitions : std::uint8_t {
  computed_once,
  /// each time, as C++ does what is written; but for the left sides of equations, which are
  /// variables
  as_written,
};

}  // namespace linalg_benchmark
