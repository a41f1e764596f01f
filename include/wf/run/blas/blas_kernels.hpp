// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <limits>

#include <wf/ir/graph/view.hpp>
#include <wf/registry/kernel.hpp>
#include <wf/run/blas/blas_routines.hpp>
#include <wf/run/blas/qr_factors.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg.hpp>
#include <wf/run/values/element.hpp>

// The operators of linear algebra by a BLAS and LAPACK: the functions of wf's own operators, which
// check the same operands and fail for the same reasons, with the routines of the library.
namespace wf {

namespace compute {

namespace detail {

// Nodes that a library computes: of floating elements, whose extents fit the integers of Fortran.
inline text_view library_fault(const graph_view& g, const node& n) {
  const auto is_refused = [&](value_id id) {
    const value_type& type = g[id].type;
    for (std::uint32_t d = 0; d < type.shape.rank; ++d)
      if (type.shape[d].size() > std::numeric_limits<fortran::integer>::max()) return true;
    return false;
  };
  bool is_fit = is_floating(g[graph_view::output_of(n)].type.type);
  for (const value_id operand : g.inputs_of(n)) is_fit = is_fit && !is_refused(operand);
  for (std::uint32_t k = 0; k < n.outputs.count; ++k)
    is_fit = is_fit && !is_refused(graph_view::output_of(n, k));
  return is_fit ? "" : "a library computes floating elements, with extents of at most 2^31 - 1";
}

// `Run`, unless a caller's matrix has a leading dimension that does not fit.
template <class Real, auto Run>
text run_in_library(const application<Real>& a) {
  bool fits = true;
  for (std::uint32_t k = 0; k < a.operands(); ++k) fits = fits && fits_fortran(matrix(a.in(k)));
  for (std::uint32_t k = 0; k < a.results(); ++k)
    fits = fits && fits_fortran(matrix(a.out(k).view()));
  return fits ? Run(a) : text("a leading dimension does not fit the integers of Fortran");
}

// An operator in a library, with the share of its time that wf's threads divide, as a formula.
template <class Real>
struct library_operator {
  operator_implementation<Real> code;
  const char* share = nullptr;  // null: nothing
};

// Panels of a product's result, or of right-hand sides: at least two (`library_panel`).
inline constexpr const char* share_of_product = "max(M, N) < 512 ? 0 : 0.95";
inline constexpr const char* share_of_columns = "N < 512 ? 0 : 0.9";

// Of scratch storage it asks for what wf's own operator does, at most.
template <class Real, auto Run>
constexpr library_operator<Real> in_library(text_view name, const char* share,
                                            std::int64_t (*scratch)(const graph_view&,
                                                                    const node&) = nullptr,
                                            storage_order results = storage_order::either) {
  return {operator_implementation<Real>{name, &run_in_library<Real, Run>, &library_fault, scratch}
              .in_order(storage_order::either, results),
          share};
}
template <class Real, int Sign>
constexpr library_operator<Real> onto_in_library(text_view name) {
  auto out = in_library<Real, &matmul_onto<Sign, blas_routines, Real>>(name, share_of_product);
  out.code.alike_operands = 1u << 2;
  return out;
}

template <class Real>
constexpr auto library_rows() {
  using by = blas_routines;
  using lu_by = by_lu<Real, by>;
  using cholesky_by = by_cholesky<Real, by>;
  constexpr storage_order columns = storage_order::columns;
  return std::to_array<library_operator<Real>>({
      in_library<Real, &matmul<by, Real>>("matmul", share_of_product),
      onto_in_library<Real, 1>("matmul_add"),
      onto_in_library<Real, -1>("matmul_subtract"),
      in_library<Real, &gemmt<by, Real>>("gemmt", nullptr),
      in_library<Real, &syr2k<by, Real>>("syr2k", "M < 512 ? 0 : 0.9"),
      in_library<Real, &matmul_symmetric<by, Real>>("matmul_symmetric", share_of_columns),
      in_library<Real, &matmul_triangular<by, Real>>("matmul_triangular", share_of_columns),
      in_library<Real, &solve_triangular<by, Real>>("solve_triangular", share_of_columns),
      in_library<Real, &cholesky<by, Real>>("cholesky", nullptr, &in_place_scratch<Real>, columns),
      in_library<Real, &lu<by, Real>>("lu", nullptr, &in_place_scratch<Real>, columns),
      in_library<Real, &lu_factor<by, Real>>("lu_factor", nullptr, &regular_scratch<Real>, columns),
      in_library<Real, &solved_by_factors<by, Real>>("solve_lu", share_of_columns,
                                                     &by_factors_scratch<Real>),
      in_library<Real, &solved_by_factors_transposed<by, Real>>(
          "solve_lu_transposed", share_of_columns, &by_factors_transposed_scratch<Real>),
      in_library<Real, &solved<lu_by, Real>>("solve", nullptr, &factors_scratch<factors<Real>, 0>),
      in_library<Real, &solved<cholesky_by, Real>>("solve_cholesky", nullptr,
                                                   &factors_scratch<factors<Real>, 0>),
      in_library<Real, &solved_right<lu_by, Real>>("solve_right", nullptr,
                                                   &factors_scratch<factors<Real>, 1>),
      in_library<Real, &solved_right<cholesky_by, Real>>("solve_right_cholesky", nullptr,
                                                         &factors_scratch<factors<Real>, 1>),
      in_library<Real, &qr_factors<Real>>("qr", nullptr, &qr_scratch<Real>, columns),
  });
}

}  // namespace detail

/// The operators of linear algebra by a BLAS and LAPACK, for float or double, with the results,
/// failures and scratch storage of `linalg_operators`; the factors of `qr` may differ in signs.
template <class Real>
inline constexpr auto blas_operators = [] {
  constexpr auto rows = detail::library_rows<Real>();
  std::array<operator_implementation<Real>, rows.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = rows[i].code;
  return out;
}();

}  // namespace compute

namespace detail {

inline constexpr auto blas_kernel_array = [] {
  constexpr auto rows = compute::detail::library_rows<double>();
  std::array<kernel_spec, rows.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].name = rows[i].code.name;
    out[i].overrides = true;
    out[i].library = kernel_implementations()
                         .with(compute::blas_operators<double>[i])
                         .with(compute::blas_operators<float>[i]);
    if (rows[i].share != nullptr) out[i].costs[0] = {"library_share", rows[i].share};
  }
  return out;
}();

}  // namespace detail

/// The kernels that a BLAS and LAPACK compute, too, in float and in double: each refines the
/// built-in one by `kernel_spec::library`. In a registry with them and with the library's times
/// (`load_times`) executors call the library at nodes where it takes less time. Programs that use
/// them link the library; with `WF_WITH_BLAS` plans have them without being told.
inline constexpr view<kernel_spec> blas_kernels(detail::blas_kernel_array.data(),
                                                detail::blas_kernel_array.size());

}  // namespace wf
