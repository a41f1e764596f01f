// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <complex>
#include <concepts>

#include <wf/run/dynamic.hpp>

// The run-time executor in complex numbers, of two doubles or of two floats, for workflows with
// c128 (c64) elements. Real values, integers and booleans of the same workflow are stored with a
// zero imaginary part; an argument of such a type with a nonzero imaginary part is refused.
// Products, solutions, inverses and factors of LU and of symmetric matrices (A = Aᵀ, not Aᴴ) are
// complex; Cholesky and QR factors, least squares, norms and ordering operators need real values.
// Operators of the user's own take part if the registry has
// `executable_kernels<code, std::complex<double>>`.
namespace wf {

/// Complex number in double precision, 16 bytes.
using complex128 = std::complex<double>;
/// Complex number in single precision, 8 bytes.
using complex64 = std::complex<float>;

/// Complex matrix in double precision, sized at run time.
using dynamic_matrix_c128 = basic_dynamic_matrix<complex128>;
/// Complex double-precision matrices by name.
using named_matrices_c128 = basic_named_matrices<complex128>;
/// Complex double-precision matrix of the caller that a run reads in place.
using input_matrix_c128 = basic_input_matrix<complex128>;
/// Complex double-precision matrix of the caller that a run writes in place.
using output_matrix_c128 = basic_output_matrix<complex128>;
/// Static workflow executed in double-precision complex numbers.
using executable_graph_c128 = basic_executable_graph<complex128>;
/// `executable_graph_c128` bound to fixed inputs and outputs.
using bound_graph_c128 = basic_bound_graph<complex128>;

/// Complex matrix in single precision, sized at run time.
using dynamic_matrix_c64 = basic_dynamic_matrix<complex64>;
/// Complex single-precision matrices by name.
using named_matrices_c64 = basic_named_matrices<complex64>;
/// Complex single-precision matrix of the caller that a run reads in place.
using input_matrix_c64 = basic_input_matrix<complex64>;
/// Complex single-precision matrix of the caller that a run writes in place.
using output_matrix_c64 = basic_output_matrix<complex64>;
/// Static workflow executed in single-precision complex numbers.
using executable_graph_c64 = basic_executable_graph<complex64>;
/// `executable_graph_c64` bound to fixed inputs and outputs.
using bound_graph_c64 = basic_bound_graph<complex64>;

/// Runs any workflow in complex numbers, as `run_dynamic` does in real ones, with its errors;
/// `numerical_failure` also for an argument or a result of a real type with a nonzero imaginary
/// part.
template <std::same_as<complex128> Element = complex128>
result<basic_named_matrices<Element>> run_dynamic_c128(
    const graph_view& workflow, const basic_named_matrices<Element>& arguments) {
  return run_dynamic<Element>(workflow, arguments);
}

}  // namespace wf
