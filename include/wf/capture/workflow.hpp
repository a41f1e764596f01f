// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/functions/functions.hpp>
#include <wf/ir/graph/frozen.hpp>

namespace wf {

/// Captures a workflow at run time or in constant evaluation: runs `body` on a scope. Errors: the
/// first error of the capture, `no_output`, `duplicate_name`.
template <class Body>
  requires std::invocable<Body&, scope&>
constexpr result<graph> capture(text_view name, Body&& body) {
  scope s(name);
  body(s);
  return s.finish();
}

namespace detail {

struct capture_outcome {
  bool ok = false;
  graph_sizes sizes;
};

constexpr capture_outcome outcome_of_capture(const result<wf::graph>& captured) {
  return captured ? capture_outcome{true, sizes_of(captured->view())} : capture_outcome{};
}

// No local variable holds the captured graph: clang would evaluate its initialiser once more.
template <fixed_string Name, class Body>
constexpr capture_outcome try_capture() {
  return outcome_of_capture(capture(Name.view(), Body{}));
}

template <fixed_string Name, class Body>
constexpr error capture_failure() {
  auto captured = capture(Name.view(), Body{});
  error e = captured.error();
  if (e.subject.empty()) e.subject = text(Name.view());
  append_position(e.message, e.where);
  return e;
}

// Two evaluations, since memory allocated in one cannot reach the other: the first gives the sizes,
// the second the content.
template <fixed_string Name, class Body>
struct captured_graph {
  static constexpr capture_outcome outcome = try_capture<Name, Body>();
  static constexpr auto make() {
    if constexpr (outcome.ok) {
      return freeze<outcome.sizes>((*capture(Name.view(), Body{})).view());
    } else {
      return frozen_graph<graph_sizes{
          .nodes = 0 * sizeof(report<diagnose<&capture_failure<Name, Body>>>)}>{};
    }
  }
  static constexpr auto graph = make();
};

}  // namespace detail

/// A workflow captured at compile time: an empty value whose type holds the frozen graph. Made by
/// `workflow`; the argument of `cost`, `optimise`, `run` and every other compile-time decision.
template <fixed_string Name, class Body>
struct static_workflow {
  /// The workflow's name.
  static constexpr text_view name() { return Name.view(); }
  /// The graph, captured at compile time; the view has static lifetime.
  static constexpr graph_view graph() { return detail::captured_graph<Name, Body>::graph.view(); }
  /// The graph, so that a workflow can be passed to any algorithm.
  constexpr operator graph_view() const { return graph(); }
  /// Applies the workflow to operands within another one: see capture/subworkflow.hpp.
  template <operand... Operand>
  constexpr auto operator()(const Operand&... operands) const;
};

/// True for workflows captured at compile time.
template <class T>
concept static_workflow_type = requires {
  { T::graph() } -> std::same_as<graph_view>;
  { T::name() } -> std::same_as<text_view>;
};

/// Captures a workflow at compile time: `constexpr auto kalman =
/// wf::workflow<"kalman">([](wf::scope& s) { ... });`. The body must not capture variables (WF109);
/// `capture` accepts one that does, at run time. Compile errors: those of the body at the user's
/// line (WF101 to WF108).
template <fixed_string Name, class Body>
  requires std::invocable<Body&, scope&>
constexpr static_workflow<Name, Body> workflow(Body) {
  static_assert(
      std::is_empty_v<Body>,
      "WF109: the body of a compile-time workflow captures no variables; use wf::capture");
  static_assert(detail::captured_graph<Name, Body>::outcome.ok ||
                sizeof(detail::captured_graph<Name, Body>::graph) != 0);
  return {};
}

}  // namespace wf
