// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/ir/graph/frozen.hpp>
#include <wf/select/optimise.hpp>

namespace wf {

/// The built-in transforms and some of the user's as a type, for plans made at compile time; see
/// `with_transforms`.
template <const transform&... Own>
struct transform_set {
  /// The built-in transforms, then the others in their order; a constant. O(1).
  static constexpr view<transform> transforms() { return {of_both.all, count}; }

 private:
  static constexpr std::size_t count = builtin_transforms().size() + sizeof...(Own);
  struct list {
    transform all[count];
    constexpr list() {
      std::size_t next = 0;
      for (const transform& t : builtin_transforms()) all[next++] = t;
      ((all[next++] = Own), ...);
    }
  };
  static constexpr list of_both{};
};

/// Adds the user's transforms, constants at namespace scope, to the built-in ones:
/// `wf::optimise<w>(wf::minimise(wf::flops), wf::with_kernels<domain>,
/// wf::with_transforms<spectral>)`.
template <const transform&... Own>
inline constexpr transform_set<Own...> with_transforms;

namespace detail {

// The kernels and transforms of a compile-time optimisation, if the user adds transforms. Otherwise
// the kernels stand alone, since this type makes the names of all that follows longer.
template <class Kernels, class Transforms>
struct making : Kernels, Transforms {};

template <class Making>
constexpr optimise_options making_options() {
  optimise_options out;
  if constexpr (requires { Making::transforms(); }) out.transforms = Making::transforms();
  return out;
}

struct grown_sizes {
  errc failure = errc::search_limit;  // the value if a compiler gives up
  graph_sizes graph;
};

// Copies a table and discards the copy.
template <class T>
constexpr void copy_once(view<T> from) {
  table<T> to(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
}

// The sizes of the grown alternatives. The workflow is a parameter, because clang evaluates the
// initialiser of a constant local variable at once, for the sake of its destructor, and growth is
// the expensive part. The copies take as much work as `freeze_choices`, so that a compiler that
// finishes here does not give up there.
template <class Making, class Graph>
constexpr grown_sizes try_grow(const Graph& workflow) {
  const auto grown = grow_choices(workflow, Making::registry(), making_options<Making>());
  if (!grown) return {grown.error().code, {}};
  const graph_view g = grown->choices.view();
  for (int i = 0; i < 2; ++i) {
    copy_once(g.characters);
    copy_once(g.operations);
    copy_once(g.nodes);
    copy_once(g.values);
    copy_once(g.operands);
    copy_once(g.attributes);
    copy_once(g.costs);
    copy_once(g.edges);
    copy_once(g.outputs);
    copy_once(g.derived);
    copy_once(view<value_id>(grown->classes.home));
  }
  return {errc::none, sizes_of(g)};
}

// The alternatives of a workflow, as a constant.
template <graph_sizes Sizes>
struct frozen_choices {
  frozen_graph<Sizes> candidates;
  frozen_table<value_id, Sizes.values> home;  // by value, as in `class_numbers`
};

template <class Making, graph_sizes Sizes, class Graph>
constexpr frozen_choices<Sizes> freeze_choices(const Graph& workflow) {
  const auto grown = grow_choices(workflow, Making::registry(), making_options<Making>());
  frozen_choices<Sizes> out;
  if (!grown) return out;
  out.candidates = freeze<Sizes>(grown->choices.view());
  copy_records(view<value_id>(grown->classes.home), out.home);
  return out;
}

// The alternatives, grown once for all plans of a workflow with the same kernels and transforms.
template <class Source, class Making, grown_sizes Sizes>
struct grown_as {
  static constexpr grown_sizes sizes = Sizes;
  static constexpr frozen_choices<Sizes.graph> choices =
      freeze_choices<Making, Sizes.graph>(Source::graph());
};
template <class Source, class Making, grown_sizes Sizes>
  requires(Sizes.failure != errc::none)
struct grown_as<Source, Making, Sizes> {
  static constexpr grown_sizes sizes = Sizes;
  static constexpr frozen_choices<Sizes.graph> choices{};
};

// If a compiler gives up the growth, substitution fails without an error and the second overload
// remains. The sizes are a template argument, because an expression in a signature is evaluated at
// each lookup.
template <class Source, class Making, grown_sizes Sizes = try_grow<Making>(Source::graph())>
auto grow_while_compiling(int) -> grown_as<Source, Making, Sizes>;
template <class Source, class Making>
auto grow_while_compiling(long) -> grown_as<Source, Making, grown_sizes{}>;

// The alternatives, which bound the size of a plan of the workflow.
template <class Source, class Making>
using grown = decltype(grow_while_compiling<Source, Making>(0));

// The search steps (see `search_limits::max_steps`) that a compiler has left beside pricing the
// alternatives of a workflow of `nodes` nodes, reducing the problem and reading off the choice: the
// limit of clang is 1,048,576 statements an evaluation, and that of g++ allows more. A third of the
// steps go to the explanation of rejected candidates. The factors lie above what workflows of 20 to
// 700 alternatives were observed to need.
constexpr std::uint64_t steps_while_compiling(const selection_problem& p, std::uint64_t nodes) {
  const std::uint64_t candidates = p.candidates.size(), children = p.children.size();
  const std::uint64_t metrics = p.metrics.size();
  const std::uint64_t pricing = metrics * (5'000 + 300 * candidates + 450 * children);
  const std::uint64_t reducing = (1'000 + 600 * metrics) * (candidates + children);
  const std::uint64_t reading = metrics * 800 * nodes;
  const std::uint64_t spent = pricing + reducing + reading, all = 950'000;
  // A step whose bound looks at live values takes more: 170 in the experiments, beside which the
  // plan of storage of the chosen graph and its copy want a reserve.
  std::uint64_t each = 150;
  for (const selection_metric& m : p.metrics)
    if (m.kind == aggregation::measured) each = 230;
  return spent < all ? least_steps(p) + (all - spent) / each : 0;
}

template <class Source>
constexpr auto subject_of() {
  return fix<Source::graph().name.count + 1>(Source::graph().text_of(Source::graph().name));
}

// Not constexpr: the call makes the constant expression fail, and compilers print the type.
template <class Diagnosis>
void no_plan() {}

// Fails a constant evaluation without a plan. The sentences are literals: a computed one would cost
// every call, although only a failing one prints it.
template <class Source>
constexpr void diagnose_failure(errc failure) {
  constexpr auto subject = subject_of<Source>();
  if (failure == errc::none || !std::is_constant_evaluated()) return;
  if (failure == errc::search_limit)
    no_plan<ill_formed<subject, "WF502: the budget of constant", "evaluation is exhausted;",
                       "move the selection to run time with", "wf::optimise(w.graph(), ...)">>();
  if (failure == errc::infeasible)
    no_plan<ill_formed<subject, "WF501: no plan meets the limits;", "raise them;",
                       "wf::optimise(w.graph(), ...) at run", "time names those at fault">>();
  if (failure == errc::unknown_operator)
    no_plan<ill_formed<subject, "WF301: an operator has no built-in", "kernel; pass a registry to",
                       "wf::optimise(w.graph(), ...) at run", "time">>();
  if (failure == errc::unknown_cost)
    no_plan<ill_formed<subject, "WF305: a cost is unknown;", "wf::cost(w)[metric] names it">>();
  no_plan<ill_formed<subject, "there is no plan;", "wf::optimise(w.graph(), ...) at run",
                     "time says why">>();
}

}  // namespace detail

/// The outcome of a compile-time optimisation: a literal value with the chosen graph and its proof,
/// and nothing on the heap. `Capacity` bounds the tables of the graph.
template <class Source, graph_sizes Capacity>
class static_plan {
 public:
  constexpr static_plan() = default;
  /// Freezes a chosen graph and the outcome of its selection.
  constexpr static_plan(const graph_view& g, const selection_result& selected)
      : proven_optimal(selected.proven()),
        value(selected.objective[0]),
        bound(selected.bound[0]),
        search_nodes(selected.counters.nodes),
        used_(sizes_of(g)) {
    storage_.name = g.name;
    storage_.was_valid = g.is_sealed();
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
  /// An empty plan, with the reason of the failure.
  constexpr explicit static_plan(errc failure) : failure_(failure) {}

  /// True if no plan within the limits is better.
  bool proven_optimal = false;
  /// The objective value of the plan, in the unit of the metric.
  std::int64_t value = 0;
  /// The proven lower bound of the objective, in the same unit.
  std::int64_t bound = 0;
  /// Number of states that the search expanded.
  std::uint64_t search_nodes = 0;

  /// The type of the workflow that was optimised.
  using source = Source;
  /// `errc::none`, or the reason why there is no plan (`infeasible`, `search_limit`, ...). See
  /// `try_optimise`.
  constexpr errc failure() const { return failure_; }
  /// The chosen graph; the view is valid as long as this object.
  constexpr graph_view graph() const {
    const auto& s = storage_;
    const graph_view g{{s.characters.data(), used_.characters}, s.name,
                       {s.operations.data(), used_.operations}, {s.nodes.data(), used_.nodes},
                       {s.values.data(), used_.values},         {s.operands.data(), used_.operands},
                       {s.attributes.data(), used_.attributes}, {s.costs.data(), used_.costs},
                       {s.edges.data(), used_.edges},           {s.outputs.data(), used_.outputs},
                       {s.derived.data(), used_.derived}};
    return s.was_valid ? g.sealed() : g;
  }
  /// Converts to the chosen graph, so that algorithms on graphs take a plan.
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

// The texts of a plan are copies of those of its alternatives, each at most once for every use.
constexpr graph_sizes plan_capacity(graph_sizes s) {
  s.characters = 4 * s.characters + 64;
  return s;
}

}  // namespace detail

namespace detail {

// The plan from frozen alternatives.
template <class Plan, class Choices>
constexpr Plan plan_among(const Choices& choices, const objective& o, view<limit> limits,
                          const registry& kernels) {
  const graph_view g = choices.candidates.view();
  const class_numbers classes = number_classes(g, view<value_id>(choices.home));
  const table<metric_spec> metrics = metrics_of(o, limits);
  const auto problem = price_candidates(g, classes, metrics, limits, kernels);
  if (!problem) return Plan(problem.error().code);
  search_limits search;
  if (std::is_constant_evaluated()) {
    search.max_steps = steps_while_compiling(*problem, Plan::source::graph().nodes.size());
    if (search.max_steps == 0) return Plan(errc::search_limit);
  }
  const auto selected = select_candidates(*problem, graph_measure{g, classes, kernels, metrics},
                                          search, keep_going{});
  if (!selected) return Plan(selected.error().code);
  const auto chosen = extract(g, classes, selected->best.chosen);
  return chosen ? Plan(chosen->view(), *selected) : Plan(chosen.error().code);
}

template <class Source, class Making, class... Limit>
constexpr auto optimise_source(const objective& o, const Limit&... limits) {
  static_assert(
      Source::graph().is_static(),
      "WF109: optimise<...> needs static shapes; bind the symbols, or optimise at run time");
  using grown = detail::grown<Source, Making>;
  using planned = static_plan<Source, plan_capacity(grown::sizes.graph)>;
  if (grown::sizes.failure != errc::none) return planned(grown::sizes.failure);
  const limit list[] = {limits..., limit{}};
  return plan_among<planned>(grown::choices, o, {list, sizeof...(Limit)}, Making::registry());
}

}  // namespace detail

/// Optimises a static workflow at compile time like `optimise`, but returns a reason where that one
/// fails to compile for want of a plan: `plan.failure()` is `infeasible`, `search_limit`, or
/// another code of `optimise` at run time. Compile errors: WF109 for symbolic shapes.
template <const auto& Workflow, class... Limit>
  requires static_graph<std::remove_cvref_t<decltype(Workflow)>> &&
           (std::same_as<Limit, limit> && ...)
constexpr auto try_optimise(const objective& o, const Limit&... limits) {
  using source = std::remove_cvref_t<decltype(Workflow)>;
  return detail::optimise_source<source, kernel_set<>>(o, limits...);
}

/// The same with the user's kernels besides the built-in ones.
template <const auto& Workflow, const auto&... Domain, class... Limit>
  requires static_graph<std::remove_cvref_t<decltype(Workflow)>> &&
           (std::same_as<Limit, limit> && ...)
constexpr auto try_optimise(const objective& o, kernel_set<Domain...>, const Limit&... limits) {
  using source = std::remove_cvref_t<decltype(Workflow)>;
  return detail::optimise_source<source, kernel_set<Domain...>>(o, limits...);
}

/// The same with the user's kernels and transforms besides the built-in ones.
template <const auto& Workflow, const auto&... Domain, const transform&... Own, class... Limit>
  requires static_graph<std::remove_cvref_t<decltype(Workflow)>> &&
           (std::same_as<Limit, limit> && ...)
constexpr auto try_optimise(const objective& o, kernel_set<Domain...>, transform_set<Own...>,
                            const Limit&... limits) {
  using source = std::remove_cvref_t<decltype(Workflow)>;
  using making = detail::making<kernel_set<Domain...>, transform_set<Own...>>;
  return detail::optimise_source<source, making>(o, limits...);
}

/// Optimises a static workflow at compile time, with the built-in transforms and kernels:
/// `constexpr auto plan = wf::optimise<kalman>(wf::minimise(wf::flops), wf::peak_memory <= 8_KiB);`
/// `plan.proven_optimal` tells whether the search proved its choice. Compile errors: WF109 for
/// symbolic shapes, WF501 if nothing meets the limits, WF502 if the workflow is too large for
/// constant evaluation, WF301 and WF305 if it has no price; all name the workflow. Evaluated at run
/// time, `plan.failure()` is the reason why there is no plan, as for `try_optimise` in both cases.
template <const auto& Workflow, class... Limit>
  requires static_graph<std::remove_cvref_t<decltype(Workflow)>> &&
           (std::same_as<Limit, limit> && ...)
constexpr auto optimise(const objective& o, const Limit&... limits) {
  using source = std::remove_cvref_t<decltype(Workflow)>;
  const auto made = try_optimise<Workflow>(o, limits...);
  detail::diagnose_failure<source>(made.failure());
  return made;
}

/// The same with the user's kernels besides the built-in ones:
/// `wf::optimise<w>(wf::minimise(messages), wf::with_kernels<my_domain>)`.
template <const auto& Workflow, const auto&... Domain, class... Limit>
  requires static_graph<std::remove_cvref_t<decltype(Workflow)>> &&
           (std::same_as<Limit, limit> && ...)
constexpr auto optimise(const objective& o, kernel_set<Domain...> kernels, const Limit&... limits) {
  using source = std::remove_cvref_t<decltype(Workflow)>;
  const auto made = try_optimise<Workflow>(o, kernels, limits...);
  detail::diagnose_failure<source>(made.failure());
  return made;
}

/// The same with the user's kernels and transforms besides the built-in ones:
/// `wf::optimise<w>(wf::minimise(wf::flops), wf::with_kernels<domain>,
/// wf::with_transforms<spectral>)`.
template <const auto& Workflow, const auto&... Domain, const transform&... Own, class... Limit>
  requires static_graph<std::remove_cvref_t<decltype(Workflow)>> &&
           (std::same_as<Limit, limit> && ...)
constexpr auto optimise(const objective& o, kernel_set<Domain...> kernels,
                        transform_set<Own...> transforms, const Limit&... limits) {
  using source = std::remove_cvref_t<decltype(Workflow)>;
  const auto made = try_optimise<Workflow>(o, kernels, transforms, limits...);
  detail::diagnose_failure<source>(made.failure());
  return made;
}

}  // namespace wf
