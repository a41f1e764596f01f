// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <wf/run/dynamic.hpp>

// The run-time executors of integers, of 32 and of 64 bits, and of booleans: elements are stored,
// moved and computed in their own type, exactly. What does not fit its type is a failure that names
// the node, never another number: sums, products and contractions fail if their result does not
// fit, elementwise operators if theirs does not. Booleans among integers are 0 and 1. In integers
// of 32 bits those of i64 (positions, say) take part as far as they fit 32 bits. Operators that
// need real numbers are none of theirs: a workflow that has one has values of a floating type, and
// is refused. Operators of the user's own take part if the registry has
// `executable_kernels<code, std::int32_t>`, or `std::int64_t`, or `bool`.
namespace wf {

/// A matrix of integers of 32 bits, of any size.
using dynamic_matrix_i32 = basic_dynamic_matrix<std::int32_t>;
/// Matrices of integers of 32 bits by name.
using named_matrices_i32 = basic_named_matrices<std::int32_t>;
/// A matrix of integers of 32 bits that a run reads.
using input_matrix_i32 = basic_input_matrix<std::int32_t>;
/// A matrix of integers of 32 bits that a run writes.
using output_matrix_i32 = basic_output_matrix<std::int32_t>;
/// A workflow that is executed in integers of 32 bits.
using executable_graph_i32 = basic_executable_graph<std::int32_t>;
/// The same on certain inputs and outputs.
using bound_graph_i32 = basic_bound_graph<std::int32_t>;

/// A matrix of integers of 64 bits, of any size.
using dynamic_matrix_i64 = basic_dynamic_matrix<std::int64_t>;
/// Matrices of integers of 64 bits by name.
using named_matrices_i64 = basic_named_matrices<std::int64_t>;
/// A matrix of integers of 64 bits that a run reads.
using input_matrix_i64 = basic_input_matrix<std::int64_t>;
/// A matrix of integers of 64 bits that a run writes.
using output_matrix_i64 = basic_output_matrix<std::int64_t>;
/// A workflow that is executed in integers of 64 bits.
using executable_graph_i64 = basic_executable_graph<std::int64_t>;
/// The same on certain inputs and outputs.
using bound_graph_i64 = basic_bound_graph<std::int64_t>;

/// A matrix of booleans, of any size.
using dynamic_matrix_bool = basic_dynamic_matrix<bool>;
/// Matrices of booleans by name.
using named_matrices_bool = basic_named_matrices<bool>;
/// A matrix of booleans that a run reads.
using input_matrix_bool = basic_input_matrix<bool>;
/// A matrix of booleans that a run writes.
using output_matrix_bool = basic_output_matrix<bool>;
/// A workflow of booleans alone, each in a byte.
using executable_graph_bool = basic_executable_graph<bool>;
/// The same on certain inputs and outputs.
using bound_graph_bool = basic_bound_graph<bool>;

/// Runs any workflow of integers and booleans in integers of 32 bits, as `run_dynamic` does in
/// doubles, with its errors; `not_executable` also for a value that is neither,
/// `numerical_failure` naming the node for a result that its type, or 32 bits, do not hold.
template <std::same_as<std::int32_t> Element = std::int32_t>
result<basic_named_matrices<Element>> run_dynamic_i32(
    const graph_view& workflow, const basic_named_matrices<Element>& arguments) {
  return run_dynamic<Element>(workflow, arguments);
}
/// The same in integers of 64 bits.
template <std::same_as<std::int64_t> Element = std::int64_t>
result<basic_named_matrices<Element>> run_dynamic_i64(
    const graph_view& workflow, const basic_named_matrices<Element>& arguments) {
  return run_dynamic<Element>(workflow, arguments);
}
/// Runs any workflow of booleans, as `run_dynamic` does in doubles, with its errors;
/// `not_executable` also for a value that is none, `numerical_failure` naming the node for a sum
/// that is more than 1.
template <std::same_as<bool> Element = bool>
result<basic_named_matrices<Element>> run_dynamic_bool(
    const graph_view& workflow, const basic_named_matrices<Element>& arguments) {
  return run_dynamic<Element>(workflow, arguments);
}

}  // namespace wf
