// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <complex>
#include <concepts>

#include <wf/run/dynamic.hpp>

// The run-time executor in complex numbers, of two doubles or of two floats. For workflows with
// elements of c128 (c64): real values, integers and booleans of the same workflow take part as
// numbers without imaginary part, and an argument for one of them that has any is refused.
// Products, solutions, inverses and factors of LU and of symmetric matrices (A = Aᵀ, not Aᴴ) are
// complex; factors of Cholesky and QR, least squares, norms and what orders numbers are of real
// values. Operators of the user's own take part if the registry has
// `executable_kernels<code, std::complex<double>>`.
namespace wf {

/// A complex number of two doubles.
using complex128 = std::complex<double>;
/// A complex number of two floats.
using complex64 = std::complex<float>;

/// A matrix of complex numbers of any size.
using dynamic_matrix_c128 = basic_dynamic_matrix<complex128>;
/// Matrices of complex numbers by name.
using named_matrices_c128 = basic_named_matrices<complex128>;
/// A matrix of complex numbers that a run reads.
using input_matrix_c128 = basic_input_matrix<complex128>;
/// A matrix of complex numbers that a run writes.
using output_matrix_c128 = basic_output_matrix<complex128>;
/// A workflow that is executed in complex numbers.
using executable_graph_c128 = basic_executable_graph<complex128>;
/// The same on certain inputs and outputs.
using bound_graph_c128 = basic_bound_graph<complex128>;

/// A matrix of complex numbers of single precision, of any size.
using dynamic_matrix_c64 = basic_dynamic_matrix<complex64>;
/// Matrices of complex numbers of single precision by name.
using named_matrices_c64 = basic_named_matrices<complex64>;
/// A matrix of complex numbers of single precision that a run reads.
using input_matrix_c64 = basic_input_matrix<complex64>;
/// A matrix of complex numbers of single precision that a run writes.
using output_matrix_c64 = basic_output_matrix<complex64>;
/// A workflow that is executed in complex numbers of single precision.
using executable_graph_c64 = basic_executable_graph<complex64>;
/// The same on certain inputs and outputs.
using bound_graph_c64 = basic_bound_graph<complex64>;

/// Runs any workflow in complex numbers, as `run_dynamic` does in real ones, with its errors;
/// `numerical_failure` also for an argument or a result of a real type with an imaginary part.
template <std::same_as<complex128> Element = complex128>
result<basic_named_matrices<Element>> run_dynamic_c128(
    const graph_view& workflow, const basic_named_matrices<Element>& arguments) {
  return run_dynamic<Element>(workflow, arguments);
}

}  // namespace wf
