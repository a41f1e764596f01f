// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/workflow.hpp>
#include <wf/rewrite/gradient.hpp>

namespace wf {

namespace detail {

template <static_workflow_type Source, fixed_string Output, fixed_string... Inputs>
constexpr result<wf::graph> gradient_while_compiling() {
  const text_view inputs[sizeof...(Inputs) + 1] = {Inputs.view()..., {}};
  return gradient(Source::graph(),
                  {.output = Output.view(), .inputs = {inputs, sizeof...(Inputs)}});
}

// Two evaluations, as for a capture.
template <static_workflow_type Source, fixed_string Output, fixed_string... Inputs>
struct gradient_graph {
  static constexpr capture_outcome outcome =
      outcome_of_capture(gradient_while_compiling<Source, Output, Inputs...>());
  static constexpr error failure() {
    return gradient_while_compiling<Source, Output, Inputs...>().error();
  }
  static constexpr auto make() {
    if constexpr (outcome.ok) {
      return freeze<outcome.sizes>((*gradient_while_compiling<Source, Output, Inputs...>()).view());
    } else {
      return frozen_graph<graph_sizes{
          .nodes = 0 * sizeof(report<diagnose<&gradient_graph::failure>>)}>{};
    }
  }
  static constexpr auto graph = make();
};

}  // namespace detail

/// A workflow with a gradient, made at compile time: an empty value whose type holds the frozen
/// graph. Made by `gradient<"loss">(workflow)`; takes part wherever a workflow does.
template <static_workflow_type Source, fixed_string Output, fixed_string... Inputs>
struct static_gradient {
  /// The name of the workflow that is differentiated.
  static constexpr text_view name() { return Source::name(); }
  /// The graph; the view has static lifetime.
  static constexpr graph_view graph() {
    return detail::gradient_graph<Source, Output, Inputs...>::graph.view();
  }
  /// The graph, so that it can be passed to any algorithm.
  constexpr operator graph_view() const { return graph(); }
};

/// The gradient of an output of a workflow at compile time, by the inputs with these names or by
/// all of real floating-point type: `constexpr auto step = wf::gradient<"loss", "W">(network);`.
/// By the built-in kernels. Compile errors: those of `gradient` at run time.
template <fixed_string Output, fixed_string... Inputs, static_workflow_type Source>
constexpr static_gradient<Source, Output, Inputs...> gradient(const Source&) {
  static_assert(detail::gradient_graph<Source, Output, Inputs...>::outcome.ok ||
                sizeof(detail::gradient_graph<Source, Output, Inputs...>::graph) != 0);
  return {};
}

}  // namespace wf
