// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/compile/arguments.hpp>
#include <wf/compile/stages.hpp>
#include <wf/pass/adapter.hpp>
#include <wf/pass/toolchain.hpp>

namespace wf {

/// What back ends compile: a workflow, and what is known of its arguments. Nothing behind the first
/// step sees more of the arguments than this.
using program_definition = concrete<graph, type_args>;

template <>
inline constexpr text_view stage_name<type_args> = "argument types";
template <>
inline constexpr text_view stage_name<program_definition> = "graph with argument types";

/// Puts what is known of the arguments into the workflow: the first step of every back end.
inline constexpr auto bind_step = step<"bind">([](const program_definition& d) -> result<graph> {
  return bind_arguments(d.data.view(), d.args);
});

namespace detail {

// The first step of the name "lint" that takes a graph, and the first from which a graph reaches
// it.
template <class Steps>
struct eager_lint {
  static constexpr auto steps = Steps::describe();
  static constexpr std::size_t count = Steps::rows();

  static constexpr text_view name_of(text_view path) {
    while (tail_of(path).size() != 0) path = tail_of(path);
    return path;
  }
  static constexpr bool takes_graph(std::size_t row) {
    return steps.records[row].in == stage_name<graph>;
  }
  static constexpr std::size_t lint_row = [] {
    std::size_t row = 0;
    while (row < count && !(takes_graph(row) && name_of(steps.records[row].path) == "lint")) ++row;
    return row;
  }();
  static constexpr std::size_t first_row = [] {
    std::size_t row = 0;
    while (row < count && !takes_graph(row)) ++row;
    return row;
  }();
  static constexpr bool exists = lint_row < count;

  template <std::size_t Row>
  static constexpr text_view path_at = steps.records[Row < count ? Row : 0].path;
  static constexpr auto first = fix<path_at<first_row>.size() + 1>(path_at<first_row>);
  static constexpr auto last = fix<path_at<lint_row>.size() + 1>(path_at<lint_row>);
};

}  // namespace detail

/// The storage of a back end that leaves it to its programs.
struct default_storage {};

/// A back end that predicts nothing.
struct no_prediction {};

/// How workflows become something that runs: `transforms` bring a graph into the form that
/// `executor` makes an artifact of. An artifact is a value without live state: it can be compared,
/// stored and loaded elsewhere; `load(storage)` makes a callable of it, whose results lie in memory
/// from `storage`. `predict(artifact)` says how many nanoseconds one run takes, by the back end's
/// own model, so that back ends can be compared. `make_backend` makes one; a variant of it is a new
/// value.
template <fixed_string Name, class Steps, class Predict, class Storage>
class backend {
 public:
  /// What it compiles.
  using in = program_definition;
  /// What it makes.
  using artifact = typename Steps::out;
  /// The name of the back end.
  static constexpr text_view name() { return Name.view(); }

  /// Of its parts; see `make_backend`.
  constexpr backend(Steps steps, Predict predict, Storage storage)
      : steps_(static_cast<Steps&&>(steps)),
        predict_(static_cast<Predict&&>(predict)),
        storage_(static_cast<Storage&&>(storage)) {}

  /// Its steps, a toolchain: "bind", then the transforms' and the executor's.
  constexpr const Steps& steps() const { return steps_; }
  /// Where the results of its programs lie.
  constexpr const Storage& storage() const { return storage_; }

  /// The artifact of a workflow for arguments of which this is known. Errors: those of
  /// `validate_references`; those of the steps, with their paths.
  template <class Tracer = no_tracer>
  constexpr result<artifact> compile(const graph_view& g, const type_args& args = {},
                                     Tracer&& tracer = {}) const {
    if (auto fine = validate_references(g); !fine) return fine.error();
    return steps_(program_definition{graph(g), args}, tracer);
  }
  /// What runs an artifact.
  constexpr auto load(const artifact& made) const {
    if constexpr (requires { made.load(storage_); })
      return made.load(storage_);
    else
      return made.load();
  }
  /// The nanoseconds that one run of an artifact takes, as the back end's model predicts. Errors:
  /// those of the model; `unknown_cost` if there is none.
  constexpr result<std::int64_t> predict(const artifact& made) const {
    if constexpr (std::same_as<Predict, no_prediction>)
      return make_error(errc::unknown_cost, name(), "the back end predicts nothing");
    else
      return predict_(made);
  }
  /// Runs the steps up to the first one of the name "lint", wherever it stands, if there is one
  /// that looks at graphs: what is wrong with a workflow whatever its arguments. Errors: those of
  /// `validate_references`, those of the steps.
  constexpr error check(const graph_view& g) const {
    if (auto fine = validate_references(g); !fine) return fine.error();
    using lint = detail::eager_lint<Steps>;
    if constexpr (lint::exists)
      return steps_.template between<lint::first, lint::last>(graph(g)).error();
    else
      return {};
  }

  /// The back end with another step in the place of one; see `toolchain::replace`.
  template <fixed_string Path, class F>
  constexpr auto replace(F f) const {
    return with_steps(steps_.template replace<Path>(static_cast<F&&>(f)));
  }
  /// The back end without a step that does not change its stage's type.
  template <fixed_string Path>
  constexpr auto drop() const {
    return with_steps(steps_.template drop<Path>());
  }
  /// The back end with a step in what an adapter makes of it; see `toolchain::wrap`.
  template <fixed_string Path, class Adapter>
  constexpr auto wrap(Adapter adapter) const {
    return with_steps(steps_.template wrap<Path>(static_cast<Adapter&&>(adapter)));
  }
  /// The back end with all of its steps, a toolchain named "compile", in what an adapter makes of
  /// it: `b.wrap_all([&](auto s) { return cached(s, store, 1); })`.
  template <class Adapter>
  constexpr auto wrap_all(Adapter adapter) const {
    return with_steps(workflow(adapter(steps_.template named<"compile">())));
  }
  /// The back end with other steps, from a `program_definition` on.
  template <class Other>
  constexpr backend<Name, Other, Predict, Storage> with_steps(Other steps) const {
    return {static_cast<Other&&>(steps), predict_, storage_};
  }
  /// The back end with other storage.
  template <class Other>
  constexpr backend<Name, Steps, Predict, Other> with_storage(Other storage) const {
    return {steps_, predict_, static_cast<Other&&>(storage)};
  }
  /// The back end with another model.
  template <class Other>
  constexpr backend<Name, Steps, Other, Storage> with_prediction(Other predict) const {
    return {steps_, static_cast<Other&&>(predict), storage_};
  }

 private:
  [[no_unique_address]] Steps steps_;
  [[no_unique_address]] Predict predict_;
  [[no_unique_address]] Storage storage_;
};

/// A back end: `transforms` take a graph, `executor` takes what they return and returns the
/// artifact. Compile errors: WF801 if they do not fit.
template <fixed_string Name, step_type Transforms, step_type Executor,
          class Predict = no_prediction, class Storage = default_storage>
constexpr auto make_backend(Transforms transforms, Executor executor, Predict predict = {},
                            Storage storage = {}) {
  auto steps =
      workflow(bind_step, static_cast<Transforms&&>(transforms), static_cast<Executor&&>(executor));
  return backend<Name, decltype(steps), Predict, Storage>(static_cast<decltype(steps)&&>(steps),
                                                          static_cast<Predict&&>(predict),
                                                          static_cast<Storage&&>(storage));
}

}  // namespace wf
