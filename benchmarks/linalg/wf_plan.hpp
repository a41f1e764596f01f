// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <string>

#include <wf/ir/graph.hpp>
#include <wf/run/named_matrices.hpp>

namespace linalg_benchmark {

/// What wf makes of a formula.
struct wf_plan {
  wf::graph chosen;
  std::function<wf::result<wf::named_matrices>(const wf::named_matrices&)> program;
  bool proven = false;
  double planning_seconds = 0;  ///< CPU time of growth, selection and preparation
};

/// Plans a captured formula by the built-in transforms and prepares it. The search stops after
/// `seconds` with the best plan so far.
wf::result<wf_plan> plan_formula(const wf::graph_view& captured, double seconds);

/// The plan, one line a node: "S = matmul(H, P) f64[3x6]  108 flops  0.010 ms".
std::string plan_text(const wf::graph_view& g, const wf::named_matrices& inputs);

}  // namespace linalg_benchmark
