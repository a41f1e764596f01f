// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/static_cost.hpp>
#include <wf/ir/frozen.hpp>
#include <wf/select/optimise.hpp>

namespace wf {

namespace detail {

struct grown_sizes {
  bool ok = false;
  graph_sizes graph;
  std::uint32_t classes = 0;
};

template <class Source>
constexpr grown_sizes try_grow() {
  const auto grown = grow_choices(Source::graph());
  if (!grown) return {};
  return {true, sizes_of(grown->choices.view()), grown->classes.count};
}

// How large a plan of the workflow can be: the alternatives bound every choice among them.
template <class Source>
struct grown {
  static constexpr grown_sizes sizes = try_grow<Source>();
};

}  // namespace detail

/// The outcome of an optimisation while compiling: a literal value that holds the chosen graph, its
/// proof, and nothing on the heap. `Capacity` bounds the graph's tables.
template <class Source, graph_sizes Capacity>
class static_plan {
 public:
  constexpr static_plan() = default;
  /// Freezes a plan.
  constexpr explicit static_plan(const plan& p)
      : proven_optimal(p.proven_optimal),
        value(p.value),
        bound(p.bound),
        search_nodes(p.selected.counters.nodes),
        used_(sizes_of(p.chosen.view())) {
    const graph_view g = p.chosen.view();
    storage_.name = g.name;
    copy(g.characters, storage_.characters);
    copy(g.operations, storage_.operations);
    copy(g.nodes, storage_.nodes);
    copy(g.values, storage_.values);
    copy(g.operands, storage_.operands);
    copy(g.attributes, storage_.attributes);
    copy(g.costs, storage_.costs);
    copy(g.edges, storage_.edges);
    copy(g.outputs, storage_.outputs);
    copy(g.derived, storage_.derived);
  }
  /// A plan that could not be made.
  constexpr explicit static_plan(errc failure) : failure_(failure) {}

  /// True if no plan within the limits is better.
  bool proven_optimal = false;
  /// The objective's value.
  std::int64_t value = 0;
  /// The proven lower bound of the objective.
  std::int64_t bound = 0;
  /// How many states the search expanded.
  std::uint64_t search_nodes = 0;

  /// The workflow that was optimised.
  using source = Source;
  /// `errc::none`, or why there is no plan (`infeasible`, `search_limit`, ...).
  constexpr errc failure() const { return failure_; }
  /// The chosen graph; the view is valid as long as this object.
  constexpr graph_view graph() const {
    const auto& s = storage_;
    return {{s.characters.data(), used_.characters}, s.name,
            {s.operations.data(), used_.operations}, {s.nodes.data(), used_.nodes},
            {s.values.data(), used_.values},         {s.operands.data(), used_.operands},
            {s.attributes.data(), used_.attributes}, {s.costs.data(), used_.costs},
            {s.edges.data(), used_.edges},           {s.outputs.data(), used_.outputs},
            {s.derived.data(), used_.derived}};
  }
  /// The chosen graph, so that a plan can be handed to any algorithm.
  constexpr operator graph_view() const { return graph(); }

 private:
  template <class T, std::size_t N>
  static constexpr void copy(view<T> from, frozen_table<T, N>& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to.records[i] = from[i];
  }

  frozen_graph<Capacity> storage_;
  graph_sizes used_;
  errc failure_ = errc::none;
};

namespace detail {

// A plan's texts are copies of those of its alternatives, each at most once for every use.
constexpr graph_sizes plan_capacity(graph_sizes s) {
  s.characters = 4 * s.characters + 64;
  return s;
}

}  // namespace detail

/// Optimises a static workflow while compiling, with the built-in transforms and kernels:
/// `constexpr auto plan = wf::optimise<kalman>(wf::minimise(wf::flops), wf::peak_memory <= 8_KiB);`
/// `plan.proven_optimal` says whether the search proved its choice; `plan.failure()` why there is
/// none. Compile errors: WF109 for symbolic shapes, WF502 when the workflow is too large for
/// constant evaluation.
template <const auto& Workflow, class... Limit>
  requires static_graph<std::remove_cvref_t<decltype(Workflow)>> &&
           (std::same_as<Limit, limit> && ...)
constexpr auto optimise(const objective& o, const Limit&... limits) {
  using source = std::remove_cvref_t<decltype(Workflow)>;
  static_assert(
      source::graph().is_static(),
      "WF109: optimise<...> needs static shapes; bind the symbols, or optimise at run time");
  using planned = static_plan<source, detail::plan_capacity(detail::grown<source>::sizes.graph)>;
  const limit list[] = {limits..., limit{}};
  const auto made = optimise(source::graph(), o, {list, sizeof...(Limit)}, builtin_registry());
  return made ? planned(*made) : planned(made.error().code);
}

}  // namespace wf
