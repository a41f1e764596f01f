// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/compile/before_arguments.hpp>
#include <wf/compile/calls.hpp>

namespace wf {

/// Binds the known arguments into the workflow: the first step of a back end whose transforms take
/// a graph.
inline constexpr auto bind_step = step<"bind">([](const program_definition& d) -> result<graph> {
  return bind_arguments(d.data.view(), d.args);
});

namespace detail {

// True if the transforms begin with a definition and its argument types themselves.
template <class Transforms>
inline constexpr bool begins_itself = without_arguments<typename Transforms::in>::has;

template <class Steps>
constexpr error beginning_failure() {
  constexpr text_view first = Steps::names()[0];
  return make_error(errc::step_mismatch, first,
                    (text() << "a back end begins with a definition and its argument types, step '"
                            << first << "' takes " << stage_name<typename Steps::in>)
                        .view());
}
template <class Backend, class Native>
constexpr error native_arguments_failure() {
  return make_error(
      errc::step_mismatch, "unwrap",
      (text() << "step 'unwrap' returns " << stage_name<Native> << " but the programs of back end '"
              << Backend::name() << "' do not take it")
          .view());
}
template <class Steps>
struct names_with_calls {
  static constexpr text_view call_names[] = {"unwrap", "run", "wrap"};
  static constexpr text_view shared() {
    for (const text_view name : call_names)
      if (find_step(Steps::names(), name) != Steps::size()) return name;
    return {};
  }
};
template <class Steps>
constexpr error call_name_failure() {
  constexpr text_view name = names_with_calls<Steps>::shared();
  return make_error(
      errc::duplicate_step, name,
      (text() << "two steps are named '" << name << "': one that compiles, and one of "
              << "every call")
          .view());
}

// Requests the stage from the signature of the callable.
struct of_signature {};

}  // namespace detail

/// The default storage: programs allocate their results themselves.
struct default_storage {};

/// The predictor of a back end without a model.
struct no_prediction {};

/// A back end turns definitions into executables: `transforms` bring a definition into the form
/// from which `executor` makes an artifact. A definition is a graph, or the type that the first
/// step takes beside the types of arguments. An artifact is a value without live state: it can be
/// compared, stored and loaded elsewhere; `load(storage)` makes a callable of it, whose results lie
/// in memory from `storage`. `predict(artifact)` gives the nanoseconds of one run by the back end's
/// own model, so that back ends can be compared. `calls` converts the arguments and results of
/// every call; see `with_arguments`. Made by `make_backend`; a variant of a back end is a new
/// value.
template <fixed_string Name, class Steps, class Predict, class Storage, class Calls = native_calls>
class backend {
 public:
  /// The input of its first step: a definition with the known arguments.
  using in = typename Steps::in;
  /// The definition it compiles: the graph of a workflow, or another type.
  using definition = detail::data_of<in>;
  /// The result of its steps, from which executables are loaded.
  using artifact = typename Steps::out;
  /// The back end's name.
  static constexpr text_view name() { return Name.view(); }

  /// Combines the parts; see `make_backend`. Compile errors: WF801 if the steps do not begin with a
  /// definition and its argument types, WF802 if one has the name of a step of every call.
  constexpr backend(Steps steps, Predict predict, Storage storage, Calls calls = {})
      : steps_(static_cast<Steps&&>(steps)),
        predict_(static_cast<Predict&&>(predict)),
        storage_(static_cast<Storage&&>(storage)),
        calls_(static_cast<Calls&&>(calls)) {
    (void)sizeof(
        detail::step_check<detail::begins_itself<Steps>, &detail::beginning_failure<Steps>>);
    constexpr bool apart =
        std::same_as<Calls, native_calls> || detail::names_with_calls<Steps>::shared().empty();
    (void)sizeof(detail::step_check<apart, &detail::call_name_failure<Steps>>);
  }

  /// Its steps as a toolchain: those of the transforms and of the executor, after "bind" if they
  /// take a graph.
  constexpr const Steps& steps() const { return steps_; }
  /// The storage for the results of its programs.
  constexpr const Storage& storage() const { return storage_; }
  /// The conversions of arguments and results of every call.
  constexpr const Calls& calls() const { return calls_; }

  /// The artifact of a definition for known arguments. Errors: for a graph those of
  /// `validate_references`; those of the steps, with their paths.
  template <class Tracer = no_tracer>
  constexpr result<artifact> compile(const definition_view<definition>& d,
                                     const type_args& args = {}, Tracer&& tracer = {}) const {
    if (error e = fault_of(d); e.code != errc::none) return e;
    return steps_(in{definition(d), args}, tracer);
  }
  /// The executable of an artifact, with the conversions of every call.
  constexpr auto load(const artifact& made) const {
    if constexpr (std::same_as<Calls, native_calls>)
      return load_native(made);
    else
      return converted_program<decltype(load_native(made)), Calls>(load_native(made), calls_);
  }
  /// The executable of an artifact without conversions: it takes the arguments of the artifact
  /// itself.
  constexpr auto load_native(const artifact& made) const {
    if constexpr (requires { made.load(storage_); })
      return made.load(storage_);
    else
      return made.load();
  }
  /// Predicted duration of one run of an artifact, in nanoseconds, without the conversions. Errors:
  /// those of the model; `unknown_cost` if there is none.
  constexpr result<std::int64_t> predict(const artifact& made) const {
    if constexpr (std::same_as<Predict, no_prediction>)
      return make_error(errc::unknown_cost, name(), "the back end predicts nothing");
    else
      return predict_(made);
  }
  /// Runs the steps up to the first one named "lint", at any depth, if the definition reaches it
  /// before its arguments are known: finds the errors that do not depend on arguments. Steps that
  /// look at arguments are skipped (see `ignores_arguments`), and the definition continues with the
  /// next step that takes it alone. For graphs, only a lint of graphs counts. Errors: for a graph
  /// those of `validate_references`; those of the steps.
  constexpr error check(const definition_view<definition>& d) const {
    if (error e = fault_of(d); e.code != errc::none) return e;
    return reach<detail::goal_lint<definition>>(d).fault;
  }
  /// True if the steps make a graph of the definition before they look at arguments.
  static constexpr bool has_graph = [] {
    if constexpr (std::same_as<definition, graph>)
      return true;
    else
      return detail::reaches<detail::goal_graph, Steps, definition>;
  }();
  /// The graph that describes the inputs of a definition. Errors: those of `check`.
  constexpr result<graph> graph_of(const definition_view<definition>& d) const
    requires has_graph
  {
    if (error e = fault_of(d); e.code != errc::none) return e;
    if constexpr (std::same_as<definition, graph>) {
      return graph(d);
    } else {
      auto made = reach<detail::goal_graph>(d);
      if (made.fault.code != errc::none) return made.fault;
      return *static_cast<decltype(made)&&>(made).data;
    }
  }

  /// The back end with one step replaced; see `toolchain::replace`. "unwrap" and "wrap" are steps
  /// of every call, if it has them: see `with_arguments`.
  template <fixed_string Path, class F>
  constexpr auto replace(F f) const {
    if constexpr (Calls::template has<Path>())
      return with_calls(calls_.template replace<Path>(static_cast<F&&>(f)));
    else
      return with_steps(steps_.template replace<Path>(static_cast<F&&>(f)));
  }
  /// The back end without a step that preserves its stage's type. Compile errors: WF804 for a step
  /// of every call, and otherwise those of `toolchain::drop`.
  template <fixed_string Path>
  constexpr auto drop() const {
    if constexpr (Calls::template has<Path>()) {
      using kept = std::remove_cvref_t<decltype(calls_.template get<Path>())>;
      (void)sizeof(detail::step_check<false, &detail::not_droppable_failure<kept>>);
      return *this;
    } else {
      return with_steps(steps_.template drop<Path>());
    }
  }
  /// The back end with one step wrapped by an adapter; see `toolchain::wrap`.
  template <fixed_string Path, class Adapter>
  constexpr auto wrap(Adapter adapter) const {
    if constexpr (Calls::template has<Path>())
      return replace<Path>(adapter(calls_.template get<Path>()));
    else
      return with_steps(steps_.template wrap<Path>(static_cast<Adapter&&>(adapter)));
  }
  /// The back end with all of its steps, as one toolchain named "compile", wrapped by an adapter:
  /// `b.wrap_all([&](auto s) { return cached(s, store, 1); })`.
  template <class Adapter>
  constexpr auto wrap_all(Adapter adapter) const {
    return with_steps(chain(adapter(steps_.template named<"compile">())));
  }
  /// The back end with a step before its own: the step makes the current definition from a new type
  /// of definition. `host_backend().prepend(on_data<type_args>(capture_step))` begins with a
  /// `workflow_definition`. Compile errors: WF801, WF802.
  template <step_type S>
  constexpr auto prepend(S first) const {
    return with_steps(steps_.prepend(static_cast<S&&>(first)));
  }
  /// The back end with other steps; they take a definition and its argument types.
  template <class Other>
  constexpr backend<Name, Other, Predict, Storage, Calls> with_steps(Other steps) const {
    return {static_cast<Other&&>(steps), predict_, storage_, calls_};
  }
  /// The back end with other storage.
  template <class Other>
  constexpr backend<Name, Steps, Predict, Other, Calls> with_storage(Other storage) const {
    return {steps_, predict_, static_cast<Other&&>(storage), calls_};
  }
  /// The back end with another model.
  template <class Other>
  constexpr backend<Name, Steps, Other, Storage, Calls> with_prediction(Other predict) const {
    return {steps_, static_cast<Other&&>(predict), storage_, calls_};
  }
  /// The back end whose programs take and return other containers. Every call has three steps:
  /// "unwrap" converts the given arguments to those of the current programs, "run" is the program,
  /// and "wrap" converts its results. `unwrap(const Foreign&)` and `wrap(results, const Foreign&)`,
  /// which also sees the given arguments, return a value or a `result`; they are parts of the back
  /// end and may have state, but several threads call them at once. Steps are accepted too
  /// (`converted`). `Foreign` must be named if `unwrap` has several signatures. Argument types and
  /// static inputs are taken from the unwrapped arguments. The paths of errors name the step;
  /// tracers, passed to the call, see it; `replace<"unwrap">(f)` and `wrap<"wrap">(adapter)` change
  /// it. Nests: the inner steps are "run/unwrap" and "run/wrap". Compile errors: WF801 if the
  /// programs do not take the result of `unwrap`, or `wrap` not theirs; WF802.
  template <class Foreign = detail::of_signature, class Unwrap, class Wrap>
  constexpr auto with_arguments(Unwrap unwrap, Wrap wrap) const {
    using from = typename std::conditional_t<std::same_as<Foreign, detail::of_signature>,
                                             detail::unwrapped_stage<Unwrap>,
                                             detail::signature_of<void (*)(Foreign)>>::in;
    using first = decltype(detail::unwrap_step<from>(static_cast<Unwrap&&>(unwrap)));
    using native = typename first::out;
    using program = decltype(load(std::declval<const artifact&>()));
    constexpr bool enters = std::invocable<const program&, const native&>;
    (void)sizeof(detail::step_check<enters, &detail::native_arguments_failure<backend, native>>);
    if constexpr (!enters) {
      return *this;
    } else {
      using made = detail::plain_of<std::invoke_result_t<const program&, const native&>>;
      constexpr bool leaves = detail::makes_wrap_step<Wrap, made, from>;
      (void)sizeof(detail::step_check<leaves, &detail::unwrapped_failure<made, from>>);
      if constexpr (!leaves) {
        return *this;
      } else {
        using last = decltype(detail::wrap_step<made, from>(static_cast<Wrap&&>(wrap)));
        return with_calls(converted_calls<Calls, first, last>(
            calls_, detail::unwrap_step<from>(static_cast<Unwrap&&>(unwrap)),
            detail::wrap_step<made, from>(static_cast<Wrap&&>(wrap))));
      }
    }
  }

 private:
  template <class Other>
  constexpr backend<Name, Steps, Predict, Storage, Other> with_calls(Other calls) const {
    return {steps_, predict_, storage_, static_cast<Other&&>(calls)};
  }
  static constexpr error fault_of(const definition_view<definition>& d) {
    if constexpr (std::same_as<definition, graph>)
      return validate_references(d).error();
    else
      return {};
  }
  // Advances a definition to a goal that it reaches before its arguments are known.
  template <class Goal>
  constexpr auto reach(const definition_view<definition>& d) const {
    using start = detail::on_its_way<definition>;
    if constexpr (detail::reaches<Goal, Steps, definition>)
      return detail::advance<Goal, start>(steps_, {definition(d), {}});
    else
      return detail::progress<nothing>{};
  }

  [[no_unique_address]] Steps steps_;
  [[no_unique_address]] Predict predict_;
  [[no_unique_address]] Storage storage_;
  [[no_unique_address]] Calls calls_;
};

/// Makes a back end: `transforms` take a graph, or another definition with the types of its
/// arguments, a `concrete<D, type_args>`; `executor` takes their result and returns the artifact.
/// Transforms that take a graph are preceded by the step "bind", which binds the known arguments
/// into it; other transforms are not, and there is no graph unless one of them makes it. Compile
/// errors: WF801 if they do not fit.
template <fixed_string Name, step_type Transforms, step_type Executor,
          class Predict = no_prediction, class Storage = default_storage>
constexpr auto make_backend(Transforms transforms, Executor executor, Predict predict = {},
                            Storage storage = {}) {
  auto steps = [&] {
    if constexpr (detail::begins_itself<Transforms>)
      return chain(static_cast<Transforms&&>(transforms), static_cast<Executor&&>(executor));
    else
      return chain(bind_step, static_cast<Transforms&&>(transforms),
                   static_cast<Executor&&>(executor));
  }();
  return backend<Name, decltype(steps), Predict, Storage>(static_cast<decltype(steps)&&>(steps),
                                                          static_cast<Predict&&>(predict),
                                                          static_cast<Storage&&>(storage));
}

}  // namespace wf
