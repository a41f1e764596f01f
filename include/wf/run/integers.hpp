// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <wf/run/dynamic.hpp>

// The run-time executors of 32-bit integers, of 64-bit integers and of booleans: elements are
// stored, moved and computed in their own type, exactly. Overflow never wraps: it is a failure that
// names the node: of sums, products and contractions if their result does not fit, of elementwise
// operators if theirs does not. Booleans among integers are 0 and 1. The 32-bit executor takes i64
// values (positions, say) as far as they fit 32 bits. It has no operators on real numbers: a
// workflow with one has values of a floating type, and is refused. Operators of the user's own take
// part if the registry has `executable_kernels<code, std::int32_t>`, or `std::int64_t`, or `bool`.
namespace wf {

/// Matrix of 32-bit integers, sized at run time.
using dynamic_matrix_i32 = basic_dynamic_matrix<std::int32_t>;
/// Matrices of 32-bit integers by name.
using named_matrices_i32 = basic_named_matrices<std::int32_t>;
/// Matrix of 32-bit integers of the caller that a run reads in place.
using input_matrix_i32 = basic_input_matrix<std::int32_t>;
/// Matrix of 32-bit integers of the caller that a run writes in place.
using output_matrix_i32 = basic_output_matrix<std::int32_t>;
/// Static workflow executed in 32-bit integers.
using executable_graph_i32 = basic_executable_graph<std::int32_t>;
/// `executable_graph_i32` bound to fixed inputs and outputs.
using bound_graph_i32 = basic_bound_graph<std::int32_t>;

/// Matrix of 64-bit integers, sized at run time.
using dynamic_matrix_i64 = basic_dynamic_matrix<std::int64_t>;
/// Matrices of 64-bit integers by name.
using named_matrices_i64 = basic_named_matrices<std::int64_t>;
/// Matrix of 64-bit integers of the caller that a run reads in place.
using input_matrix_i64 = basic_input_matrix<std::int64_t>;
/// Matrix of 64-bit integers of the caller that a run writes in place.
using output_matrix_i64 = basic_output_matrix<std::int64_t>;
/// Static workflow executed in 64-bit integers.
using executable_graph_i64 = basic_executable_graph<std::int64_t>;
/// `executable_graph_i64` bound to fixed inputs and outputs.
using bound_graph_i64 = basic_bound_graph<std::int64_t>;

/// Matrix of booleans, sized at run time, one byte each.
using dynamic_matrix_bool = basic_dynamic_matrix<bool>;
/// Matrices of booleans by name.
using named_matrices_bool = basic_named_matrices<bool>;
/// Matrix of booleans of the caller that a run reads in place.
using input_matrix_bool = basic_input_matrix<bool>;
/// Matrix of booleans of the caller that a run writes in place.
using output_matrix_bool = basic_output_matrix<bool>;
/// Static workflow of booleans alone, one byte each.
using executable_graph_bool = basic_executable_graph<bool>;
/// `executable_graph_bool` bound to fixed inputs and outputs.
using bound_graph_bool = basic_bound_graph<bool>;

/// Runs any workflow of integers and booleans in 32-bit integers, as `run_dynamic` does in doubles,
/// with its errors; `not_executable` also for a value of another type, `numerical_failure` naming
/// the node for a result that does not fit its type or 32 bits.
template <std::same_as<std::int32_t> Element = std::int32_t>
result<basic_named_matrices<Element>> run_dynamic_i32(
    const graph_view& workflow, const basic_named_matrices<Element>& arguments) {
  return run_dynamic<Element>(workflow, arguments);
}
/// The same in 64-bit integers.
template <std::same_as<std::int64_t> Element = std::int64_t>
result<basic_named_matrices<Element>> run_dynamic_i64(
    const graph_view& workflow, const basic_named_matrices<Element>& arguments) {
  return run_dynamic<Element>(workflow, arguments);
}
/// Runs any workflow of booleans, as `run_dynamic` does in doubles, with its errors;
/// `not_executable` also for a value of another type, `numerical_failure` naming the node for a sum
/// greater than 1.
template <std::same_as<bool> Element = bool>
result<basic_named_matrices<Element>> run_dynamic_bool(
    const graph_view& workflow, const basic_named_matrices<Element>& arguments) {
  return run_dynamic<Element>(workflow, arguments);
}

}  // namespace wf
