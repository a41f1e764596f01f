// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

// The routines of BLAS and LAPACK that wf calls, by their Fortran interfaces with 32-bit integers,
// for real elements of both precisions. Source: the reference BLAS and LAPACK 3.11,
// https://netlib.org/lapack/explore-html.
//
// They have names of wf's own, by their labels in object files, because other headers of a program
// (cblas.h, lapacke.h, those of Eigen) declare the same names with other types. Fortran compilers
// append the lengths of character arguments, so these are passed, too.
namespace wf::compute::fortran {

/// Sizes, leading dimensions, row exchanges and statuses.
using integer = int;
/// The length of a character argument.
using length = std::size_t;

/// C = alpha·op(A)·op(B) + beta·C: transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc.
template <class Real>
using gemm_routine = void(const char*, const char*, const integer*, const integer*, const integer*,
                          const Real*, const Real*, const integer*, const Real*, const integer*,
                          const Real*, Real*, const integer*, length, length);
/// One triangle of C = alpha·op(A)·op(A)ᵀ + beta·C: uplo, trans, n, k, alpha, a, lda, beta, c, ldc.
template <class Real>
using syrk_routine = void(const char*, const char*, const integer*, const integer*, const Real*,
                          const Real*, const integer*, const Real*, Real*, const integer*, length,
                          length);
/// C = alpha·A·B + beta·C or alpha·B·A + beta·C for a symmetric A, of which one triangle is read:
/// side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc.
template <class Real>
using symm_routine = void(const char*, const char*, const integer*, const integer*, const Real*,
                          const Real*, const integer*, const Real*, const integer*, const Real*,
                          Real*, const integer*, length, length);
/// B = alpha·op(A)·B or alpha·B·op(A) for a triangle A (trmm), or with its inverse (trsm): side,
/// uplo, transa, diag, m, n, alpha, a, lda, b, ldb.
template <class Real>
using triangle_routine = void(const char*, const char*, const char*, const char*, const integer*,
                              const integer*, const Real*, const Real*, const integer*, Real*,
                              const integer*, length, length, length, length);
/// The Cholesky factor, in place: uplo, n, a, lda, info.
template <class Real>
using potrf_routine = void(const char*, const integer*, Real*, const integer*, integer*, length);
/// The LU factors, in place: m, n, a, lda, ipiv, info.
template <class Real>
using getrf_routine = void(const integer*, const integer*, Real*, const integer*, integer*,
                           integer*);
/// The QR factors, in place: m, n, a, lda, tau, work, lwork, info.
template <class Real>
using geqrf_routine = void(const integer*, const integer*, Real*, const integer*, Real*, Real*,
                           const integer*, integer*);
/// The orthogonal matrix of reflections, in place: m, n, k, a, lda, tau, work, lwork, info.
template <class Real>
using orgqr_routine = void(const integer*, const integer*, const integer*, Real*, const integer*,
                           const Real*, Real*, const integer*, integer*);

namespace detail {

extern "C" {
gemm_routine<float> wf_fortran_sgemm __asm__("sgemm_");
gemm_routine<double> wf_fortran_dgemm __asm__("dgemm_");
syrk_routine<float> wf_fortran_ssyrk __asm__("ssyrk_");
syrk_routine<double> wf_fortran_dsyrk __asm__("dsyrk_");
symm_routine<float> wf_fortran_ssymm __asm__("ssymm_");
symm_routine<double> wf_fortran_dsymm __asm__("dsymm_");
triangle_routine<float> wf_fortran_strmm __asm__("strmm_");
triangle_routine<double> wf_fortran_dtrmm __asm__("dtrmm_");
triangle_routine<float> wf_fortran_strsm __asm__("strsm_");
triangle_routine<double> wf_fortran_dtrsm __asm__("dtrsm_");
potrf_routine<float> wf_fortran_spotrf __asm__("spotrf_");
potrf_routine<double> wf_fortran_dpotrf __asm__("dpotrf_");
getrf_routine<float> wf_fortran_sgetrf __asm__("sgetrf_");
getrf_routine<double> wf_fortran_dgetrf __asm__("dgetrf_");
geqrf_routine<float> wf_fortran_sgeqrf __asm__("sgeqrf_");
geqrf_routine<double> wf_fortran_dgeqrf __asm__("dgeqrf_");
orgqr_routine<float> wf_fortran_sorgqr __asm__("sorgqr_");
orgqr_routine<double> wf_fortran_dorgqr __asm__("dorgqr_");
}

}  // namespace detail

/// The routines for an element type: float or double.
template <class Real>
struct routines;
/// The routines in single precision.
template <>
struct routines<float> {
  static constexpr gemm_routine<float>* gemm = &detail::wf_fortran_sgemm;      ///< products
  static constexpr syrk_routine<float>* syrk = &detail::wf_fortran_ssyrk;      ///< products A·Aᵀ
  static constexpr symm_routine<float>* symm = &detail::wf_fortran_ssymm;      ///< with symmetric A
  static constexpr triangle_routine<float>* trmm = &detail::wf_fortran_strmm;  ///< with a triangle
  static constexpr triangle_routine<float>* trsm = &detail::wf_fortran_strsm;  ///< with its inverse
  static constexpr potrf_routine<float>* potrf = &detail::wf_fortran_spotrf;   ///< Cholesky factors
  static constexpr getrf_routine<float>* getrf = &detail::wf_fortran_sgetrf;   ///< LU factors
  static constexpr geqrf_routine<float>* geqrf = &detail::wf_fortran_sgeqrf;   ///< QR factors
  static constexpr orgqr_routine<float>* orgqr = &detail::wf_fortran_sorgqr;   ///< Q of these
};
/// The routines in double precision.
template <>
struct routines<double> {
  static constexpr gemm_routine<double>* gemm = &detail::wf_fortran_dgemm;  ///< products
  static constexpr syrk_routine<double>* syrk = &detail::wf_fortran_dsyrk;  ///< products A·Aᵀ
  static constexpr symm_routine<double>* symm = &detail::wf_fortran_dsymm;  ///< with symmetric A
  static constexpr triangle_routine<double>* trmm = &detail::wf_fortran_dtrmm;  ///< with a triangle
  static constexpr triangle_routine<double>* trsm =
      &detail::wf_fortran_dtrsm;                                               ///< with its inverse
  static constexpr potrf_routine<double>* potrf = &detail::wf_fortran_dpotrf;  ///< Cholesky factors
  static constexpr getrf_routine<double>* getrf = &detail::wf_fortran_dgetrf;  ///< LU factors
  static constexpr geqrf_routine<double>* geqrf = &detail::wf_fortran_dgeqrf;  ///< QR factors
  static constexpr orgqr_routine<double>* orgqr = &detail::wf_fortran_dorgqr;  ///< Q of these
};

}  // namespace wf::compute::fortran
