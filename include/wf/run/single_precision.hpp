// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

#include <wf/run/dynamic.hpp>

// The run-time executor in single precision: elements are stored, moved and computed as floats, in
// half the memory and, if arithmetic dominates, half the time. For workflows whose floating
// elements are f32 or narrower; those of f64 are refused. f16 and bf16 are rounded to their type
// after each operator. Integers below 2^24 in magnitude are exact; others are failures.
// Operators of the user's own take part if the registry has `executable_kernels<code, float>`.
namespace wf {

/// Matrix of floats, sized at run time.
using dynamic_matrix_f32 = basic_dynamic_matrix<float>;
/// Matrices of floats by name.
using named_matrices_f32 = basic_named_matrices<float>;
/// Matrix of floats of the caller that a run reads in place.
using input_matrix_f32 = basic_input_matrix<float>;
/// Matrix of floats of the caller that a run writes in place.
using output_matrix_f32 = basic_output_matrix<float>;
/// Static workflow executed in single precision.
using executable_graph_f32 = basic_executable_graph<float>;
/// `executable_graph_f32` bound to fixed inputs and outputs.
using bound_graph_f32 = basic_bound_graph<float>;

/// Runs any workflow in single precision, as `run_dynamic` does in double precision, with its
/// errors; `not_executable` also for a value of type f64.
template <std::same_as<float> Element = float>
result<basic_named_matrices<Element>> run_dynamic_f32(
    const graph_view& workflow, const basic_named_matrices<Element>& arguments) {
  return run_dynamic<Element>(workflow, arguments);
}

}  // namespace wf
