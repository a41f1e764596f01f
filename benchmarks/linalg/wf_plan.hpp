// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/graph/graph.hpp>
#include <wf/run/values/named_matrices.hpp>

namespace linalg_benchmark {

/// A plan on certain inputs, and where its outputs go.
struct bound_program {
  std::function<wf::result<wf::nothing>()> run;
  std::shared_ptr<std::vector<wf::dynamic_matrix>> outputs;  ///< in the order of the formula's
};

/// What wf makes of a formula.
struct wf_plan {
  wf::graph chosen;
  /// Makes a run on inputs, which must outlive it, into matrices of its own: see `bound_program`.
  std::function<bound_program(const wf::named_matrices&)> bind;
  bool proven = false;
  double planning_seconds = 0;  ///< CPU time of growth, selection and preparation
};

/// A workflow as it is, ready to run.
wf::result<wf_plan> prepare_plan(wf::graph chosen);

/// Plans a captured formula by the built-in transforms and prepares it. The search stops after
/// `seconds` with the best plan so far.
wf::result<wf_plan> plan_formula(const wf::graph_view& captured, double seconds);

/// The plan, one line a node: "S = matmul(H, P) f64[3x6]  108 flops  0.010 ms".
std::string plan_text(const wf::graph_view& g, const wf::named_matrices& inputs);

}  // namespace linalg_benchmark
