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

/// A plan bound to certain inputs, with storage for its outputs.
struct bound_program {
  std::function<wf::result<wf::nothing>()> run;
  std::shared_ptr<std::vector<wf::dynamic_matrix>> outputs;  ///< in the order of the formula's
                                                             ///< outputs
};

/// A prepared plan of a formula.
struct wf_plan {
  wf::graph chosen;
  /// Binds the plan to inputs, which must outlive the result, and to storage of its own.
  std::function<bound_program(const wf::named_matrices&)> bind;
  bool proven = false;
  double planning_seconds = 0;  ///< CPU time of growth, selection and preparation
};

/// Prepares a workflow to run as it is.
wf::result<wf_plan> prepare_plan(wf::graph chosen);

/// Plans a captured formula with the built-in transforms and prepares it. The search stops after
/// `seconds` with the best plan found.
wf::result<wf_plan> plan_formula(const wf::graph_view& captured, double seconds);

/// The plan with one line per node: "S = matmul(H, P) f64[3x6]  108 flops  0.010 ms".
std::string plan_text(const wf::graph_view& g, const wf::named_matrices& inputs);

}  // namespace linalg_benchmark
