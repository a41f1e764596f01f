// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/run/plan/executable.hpp>

namespace wf {

/// Runs any workflow, symbolic or static, of real numbers, integers and booleans: binds the symbols
/// to the sizes of the arguments, allocates every value, computes, and returns all outputs by name
/// or an error.
///
/// All elements are doubles (in `run_dynamic<Real>` numbers of that type; for integers and booleans
/// see <wf/run/integers.hpp>). Each operator reads elements of its operands' types, computes in
/// double precision and rounds to the type of its result: f32, f16 and bf16 as IEEE 754 does, to
/// the nearest, ties to even. Integers are exact: a result outside its type is a failure, and so is
/// one that reaches a magnitude of 2^53, itself or in a partial sum, and a division by zero.
/// Integer division truncates. Booleans are 0 and 1. Arguments are rounded to floating-point input
/// types, and must be elements of the others.
///
/// Errors: `missing_argument`, `unknown_argument`, `argument_shape` (also if one symbol would get
/// two sizes, or elements are not of the input's type), `not_executable` for an operator without
/// implementation, a rolled loop or values larger than memory, `numerical_failure` naming the node,
/// `shape_mismatch`, `dtype_mismatch` and others of `infer` for a graph whose operators do not fit
/// their operands, those of `bind_symbols` and `validate`.
template <class Real = double>
result<basic_named_matrices<Real>> run_dynamic(const graph_view& workflow,
                                               const basic_named_matrices<Real>& arguments) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  const auto sizes = detail::sizes_from(g, arguments);
  if (!sizes) return sizes.error();
  const auto bound = bind_symbols(g, *sizes);
  if (!bound) return bound.error();
  if (!bound->view().is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "a symbol occurs in no argument, so its size is unknown");
  table<symbol_size> none;
  if (error e = detail::tensor_sizes(bound->view(), arguments, none); e.code != errc::none)
    return e;
  execution_options once;
  once.share_buffers = false;
  const auto ready = basic_executable_graph<Real>::prepare(bound->view(), once);
  if (!ready) return ready.error();
  return (*ready)(arguments);
}

}  // namespace wf
