// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/compile/settings_fingerprint.hpp>
#include <wf/compile/stages.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/lint/lint.hpp>
#include <wf/map/place/map.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/rewrite/canonical/canonical.hpp>
#include <wf/rewrite/common.hpp>
#include <wf/rewrite/dead.hpp>
#include <wf/rewrite/fold.hpp>
#include <wf/rewrite/fusion.hpp>
#include <wf/rewrite/inline.hpp>
#include <wf/rewrite/views.hpp>
#include <wf/simulate/replay/mapping.hpp>
#include <wf/toolchain/toolchain.hpp>
#include <wf/toolchain/wrapper.hpp>
#include <wf/types/solve.hpp>

namespace wf {

/// Settings of a compilation; they configure the steps of the default toolchain.
struct compile_settings {
  /// The objective to minimise.
  objective goal = minimise(flops);
  /// Upper bounds on metrics, in the units of the metrics.
  table<limit> limits;
  /// The operators and their costs, execution times included.
  registry kernels = timed_registry();
  /// Assumptions about types that a graph leaves open.
  solve_options types;
  /// The rules and thresholds of the lint.
  lint_options lint;
  /// The laws that rewriting may use; by default only those exact to the last bit.
  algebra allowed = algebra::exact;
  /// The rules that add alternatives, and the limits of growth and search.
  optimise_options optimise;
  /// The PE array of toolchains that map plans.
  pe_array array;
  /// The limits of the search for a mapping.
  map_options mapping;
  /// The model of the replay of a mapping.
  simulate_options replay;
};

namespace detail {

struct capturing {
  constexpr result<graph> operator()(const workflow_definition& d) const {
    if (d.capture == nullptr)
      return make_error(errc::missing_argument, d.name, "the definition has no capture");
    return d.capture();
  }
};

// True if the type solver has nothing to find or to refuse.
struct knowing_types {
  constexpr bool operator()(const graph& g) const {
    return validate_references(g.view()) && has_complete_types(g.view());
  }
};

struct completing {
  registry kernels;
  solve_options options;
  constexpr result<graph> operator()(const graph& g) const {
    return complete_types(g.view(), kernels, options);
  }
};

struct validating {
  constexpr error operator()(const graph& g) const { return validated(g.view()).error(); }
};

struct linting {
  registry kernels;
  lint_options options;
  constexpr error operator()(const graph& g) const {
    return error_of(lint(g.view(), kernels, options));
  }
};

// A pass that needs the registry, as a step from graph to graph.
template <auto Pass>
struct passing {
  registry kernels;
  constexpr result<graph> operator()(const graph& g) const { return Pass(g.view(), kernels); }
};
// A pass that needs the registry and the permitted laws.
template <auto Pass>
struct rewriting {
  algebra allowed;
  registry kernels;
  constexpr result<graph> operator()(const graph& g) const {
    return Pass(g.view(), kernels, allowed);
  }
};
template <auto Pass>
struct plain_passing {
  constexpr result<graph> operator()(const graph& g) const { return Pass(g.view()); }
};

struct storing {
  registry kernels;
  constexpr result<both<graph, storage_plan>> operator()(graph g) const {
    const auto order = topological_order(g.view());
    if (!order) return order.error();
    auto planned = storage_along(g.view(), kernels, *order);
    if (!planned) return planned.error();
    return both<graph, storage_plan>{static_cast<graph&&>(g),
                                     *static_cast<decltype(planned)&&>(planned)};
  }
};
struct fusing {
  registry kernels;
  constexpr result<both<graph, fusion_plan>> operator()(graph g) const {
    auto grouped = group_fusion(g.view(), kernels);
    if (!grouped) return grouped.error();
    return both<graph, fusion_plan>{static_cast<graph&&>(g),
                                    *static_cast<decltype(grouped)&&>(grouped)};
  }
};

struct pricing {
  objective goal;
  table<limit> limits;
  registry kernels;
  constexpr result<priced_graph> operator()(graph g) const {
    auto costs = tabulate_costs(g.view(), metrics_of(goal, limits), kernels);
    if (!costs) return costs.error();
    return priced_graph{static_cast<graph&&>(g), *static_cast<result<cost_table>&&>(costs)};
  }
};

struct expanding {
  objective goal;
  table<limit> limits;
  registry kernels;
  optimise_options options;
  constexpr result<priced_choices> operator()(const priced_graph& p) const {
    optimise_options known = options;
    if (known.growth.beam.metric.name.empty()) known.growth.beam.metric = goal.metric;
    auto grown = grow_choices(p.workflow.view(), kernels, known);
    if (!grown) return grown;
    if (auto priced = price_choices(*grown, goal, limits, kernels); !priced) return priced.error();
    return grown;
  }
};

template <class Callback>
struct selecting {
  objective goal;
  table<limit> limits;
  registry kernels;
  search_limits search;
  Callback watch;
  constexpr result<plan> operator()(priced_choices c) const {
    return select_plan(static_cast<priced_choices&&>(c), goal, limits, kernels, search, watch);
  }
};

template <class Callback, class Predictor>
struct mapping_onto {
  registry kernels;
  pe_array array;
  map_options options;
  Callback watch;
  Predictor predictor;
  constexpr result<mapped_plan> operator()(plan p) const {
    auto work = workload_of(p.chosen.view(), kernels);
    if (!work) return work.error();
    auto placed = map(*work, array, options, watch, predictor);
    if (!placed) return placed.error();
    return mapped_plan{static_cast<plan&&>(p), *static_cast<decltype(work)&&>(work), array,
                       *static_cast<decltype(placed)&&>(placed)};
  }
};

template <class Predictor>
struct replaying {
  simulate_options options;
  Predictor predictor;
  constexpr result<simulated_plan> operator()(mapped_plan m) const {
    auto replay = simulate(m.work, m.array, m.placed, options, predictor);
    if (!replay) return replay.error();
    return simulated_plan{static_cast<mapped_plan&&>(m), *static_cast<decltype(replay)&&>(replay)};
  }
};

}  // namespace detail

/// Captures a definition: the first step of the default toolchain.
inline constexpr auto capture_step =
    step<"capture", workflow_definition, graph>(detail::capturing{});

/// Infers the element types and shapes that the graph leaves open, as far as operators determine
/// them; see `complete_types`.
constexpr auto types_step(const registry& kernels, const solve_options& options = {}) {
  return skip_if(detail::knowing_types{},
                 step<"types", graph, graph>(detail::completing{kernels, options}));
}

/// Refuses a graph that breaks an invariant; see `validate`.
inline constexpr auto validate_step =
    step<"validate", graph, graph>(detail::verifying<graph, detail::validating>{{}, "validate"});

/// Fails if the lint finds an error; otherwise passes the graph on. It can be dropped:
/// `drop<"plan/lint">()`.
constexpr auto lint_step(const registry& kernels, const lint_options& options = {}) {
  return step<"lint", graph, graph>(
      detail::verifying<graph, detail::linting>{{kernels, options}, "lint"});
}

/// Brings a graph into its canonical form, pass by pass: inlines calls, folds constants, simplifies
/// views and identities, merges common subexpressions and removes dead nodes.
template <std::same_as<registry> Kernels = registry>
constexpr auto canonical_toolchain(const Kernels& kernels, algebra allowed = algebra::exact) {
  using detail::passing, detail::plain_passing, detail::rewriting;
  return chain<"canonicalise">(
      step<"inline", graph, graph>(plain_passing<&inline_calls>{}),
      step<"fold", graph, graph>(passing<&fold_constants>{kernels}),
      step<"views", graph, graph>(passing<&eliminate_views>{kernels}),
      step<"algebra", graph, graph>(rewriting<&canonicalise>{allowed, kernels}),
      step<"common", graph, graph>(rewriting<&merge_common>{allowed, kernels}),
      step<"dead", graph, graph>(plain_passing<&drop_dead>{}));
}

/// Plans the storage of values; see `storage_along`. Returns the graph together with the plan.
constexpr auto storage_step(const registry& kernels) {
  return step<"storage", graph, both<graph, storage_plan>>(detail::storing{kernels});
}

/// Groups nodes that one kernel could compute; see `group_fusion`. Returns the graph together with
/// the groups.
constexpr auto fusion_step(const registry& kernels) {
  return step<"fuse", graph, both<graph, fusion_plan>>(detail::fusing{kernels});
}

/// Checks a graph independently of the target: types, validate, lint.
template <std::same_as<compile_settings> Settings = compile_settings>
constexpr auto checking_toolchain(const Settings& s) {
  return chain<"plan">(types_step(s.kernels, s.types), validate_step, lint_step(s.kernels, s.lint));
}

/// Compiles a graph to its cheapest plan: types, validate, lint, canonicalise, price, expand,
/// select. `watch` sees the search's incumbent and bound and may stop it. Errors: those of the
/// steps, with their paths.
template <class Callback = keep_going>
constexpr auto planning_toolchain(const compile_settings& s, Callback watch = {}) {
  return chain<"plan">(
      types_step(s.kernels, s.types), validate_step, lint_step(s.kernels, s.lint),
      canonical_toolchain(s.kernels, s.allowed),
      step<"price">(detail::pricing{s.goal, s.limits, s.kernels}),
      step<"expand">(detail::expanding{s.goal, s.limits, s.kernels, s.optimise}),
      step<"select">(detail::selecting<Callback>{s.goal, s.limits, s.kernels, s.optimise.search,
                                                 static_cast<Callback&&>(watch)}));
}

/// Maps a plan onto a PE array and replays it: map, simulate. `watch` sees the search's incumbent
/// and bound and may stop it; `Predictor` gives the duration of an operator.
template <class Callback = keep_going, cost_predictor Predictor = cycle_model>
constexpr auto placing_toolchain(const compile_settings& s, Callback watch = {}) {
  return chain<"place">(step<"map">(detail::mapping_onto<Callback, Predictor>{
                            s.kernels, s.array, s.mapping, static_cast<Callback&&>(watch), {}}),
                        step<"simulate">(detail::replaying<Predictor>{s.replay, {}}));
}

/// The complete toolchain, from the definition of a workflow to the replay of its mapping: capture,
/// then `planning_toolchain`, then `placing_toolchain`. Every step can be inspected, replaced,
/// cached and traced. With static shapes and few operators all of it runs in constant evaluation.
template <class Callback = keep_going>
constexpr auto default_toolchain(const compile_settings& s = {}, Callback watch = {}) {
  return chain(capture_step, planning_toolchain(s, watch), placing_toolchain(s, watch));
}

}  // namespace wf
