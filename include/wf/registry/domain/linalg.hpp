// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/domain/linalg/diagonal.hpp>
#include <wf/registry/domain/linalg/factorisation.hpp>
#include <wf/registry/domain/linalg/given_factors.hpp>
#include <wf/registry/domain/linalg/inverse.hpp>
#include <wf/registry/domain/linalg/orthogonal.hpp>
#include <wf/registry/domain/linalg/product.hpp>
#include <wf/registry/domain/linalg/solve.hpp>
#include <wf/registry/domain/linalg/structured_product.hpp>
#include <wf/registry/domain/linalg/transpose.hpp>
#include <wf/registry/domain/linalg/vector.hpp>

namespace wf::kernels {

/// Every kernel of the domain.
inline constexpr const kernel_spec* linalg_domain[] = {&matmul,
                                                       &matmul_add,
                                                       &matmul_subtract,
                                                       &gemmt,
                                                       &syr2k,
                                                       &matmul_half,
                                                       &matmul_symmetric,
                                                       &matmul_triangular,
                                                       &matmul_diagonal,
                                                       &matmul_permutation,
                                                       &matvec_permutation,
                                                       &matvec,
                                                       &matvec_symmetric,
                                                       &transpose,
                                                       &inverse,
                                                       &inverse_cholesky,
                                                       &inverse_symmetric,
                                                       &inverse_triangular,
                                                       &inverse_diagonal,
                                                       &solve,
                                                       &solve_cholesky,
                                                       &solve_symmetric,
                                                       &solve_right,
                                                       &solve_right_cholesky,
                                                       &matmul_strassen,
                                                       &dot,
                                                       &outer,
                                                       &axpy,
                                                       &norm,
                                                       &trace,
                                                       &diagonal,
                                                       &product_diagonal,
                                                       &identity_like,
                                                       &cholesky,
                                                       &lu,
                                                       &lu_factor,
                                                       &solve_lu,
                                                       &solve_lu_transposed,
                                                       &ldl_factor,
                                                       &solve_ldl,
                                                       &qr,
                                                       &least_squares,
                                                       &solve_triangular,
                                                       &solve_diagonal};

}  // namespace wf::kernels
