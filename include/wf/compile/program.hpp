// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mutex>

#include <wf/cache/fingerprint/graph.hpp>
#include <wf/cache/store/shared.hpp>
#include <wf/compile/backend.hpp>

namespace wf {

/// Fingerprints argument types by their texts, which carry all of their content; an array by its
/// type and its elements.
constexpr void fingerprint(fingerprinter& f, const type_args& args) {
  f.word(args.types.size()).word(args.fixed.size());
  for (const argument_type& a : args.types) f(a.name, to_text(a.type));
  for (const static_argument& a : args.fixed)
    f(a.name, a.is_array() ? to_text(a.type) : to_text(a), a.elements);
}

/// The time at which a program compiles its variants.
enum class compile_policy : std::uint8_t {
  on_demand,   ///< a call compiles its variant if that is missing
  ahead_only,  ///< a call with a missing variant is an error: only `compile` compiles
};

/// The policy of compilation and the static inputs of a program.
struct program_options {
  /// The time of compilation; by default on demand.
  compile_policy policy = compile_policy::on_demand;
  /// Names of the inputs with compiled-in values: each value has its own variant.
  table<text> static_inputs;
};

/// The values of one name in programs compiled ahead of time; see `program::compile_all`.
struct static_choices {
  /// The name of a symbol or of an input.
  text name;
  /// The values, each with that name.
  table<static_argument> values;
};

/// The values of a symbol or of a scalar input: `choices_of("M", {64, 128})`, `choices_of("alpha",
/// {0.5, 0.25})`.
template <class Number>
  requires std::integral<Number> || std::same_as<Number, double>
constexpr static_choices choices_of(text_view name, std::initializer_list<Number> values) {
  static_choices out{text(name), {}};
  for (Number v : values) out.values.push_back(static_arg(name, v));
  return out;
}

namespace detail {

template <class Backend, class Artifact>
constexpr auto load_native(const Backend& b, const Artifact& made) {
  if constexpr (requires { b.load_native(made); })
    return b.load_native(made);
  else
    return b.load(made);
}
// The calling convention of a back end; direct calls by default.
inline constexpr native_calls plain_calls{};
template <class Backend>
constexpr const auto& calls_of(const Backend& b) {
  if constexpr (requires { b.calls(); })
    return b.calls();
  else
    return plain_calls;
}

// The graph of a definition of another kind, made on first use.
template <class Backend>
class graph_on_demand {
 public:
  template <class Definition>
  const result<graph>& of(const Backend& compiler, const Definition& d) {
    std::call_once(made_once_, [&] { made_ = compiler.graph_of(d); });
    return made_;
  }

 private:
  std::once_flag made_once_;
  result<graph> made_;
};

}  // namespace detail

/// A definition (the graph of a workflow or another definition of the back end) as a callable,
/// compiled once for each set of static arguments: sizes of symbols, and values of the inputs
/// declared static; for a definition that is no graph, types of arguments and values of those
/// inputs. Variants are compiled by `compile` ahead of time or by calls on demand. A handle: copies
/// share their variants. Several threads may call it at once; a variant is compiled by one of them.
///
/// The executable loaded from an artifact describes arguments by static functions:
/// `types_of(definition, arguments, static_inputs)`, a `result<type_args>`, gives their types and
/// static values, `without(arguments, static_inputs)` gives the arguments with which a variant is
/// called. A graph is passed as a `graph_view`. If `types_of` takes only a graph, while the back
/// end begins with another definition from which its steps make a graph before they look at
/// arguments (`backend::has_graph`), it gets that graph, which is made once.
///
/// Variants differ in the normal form of their arguments: for a graph, also one made by steps, that
/// of `resolve_arguments`; for other definitions that of their own `resolve_arguments` if their
/// namespace has one, else that of `sorted_arguments`.
template <class Backend>
class program {
 public:
  /// The type of the definition that variants are compiled from.
  using definition = detail::definition_of<Backend>;
  /// The type of the back end's artifacts.
  using artifact = typename Backend::artifact;
  /// The callable that is loaded from an artifact.
  using executable = decltype(std::declval<const Backend&>().load(std::declval<artifact>()));

  /// An empty program, which must not be used.
  program() = default;
  /// A program of a definition, unchecked; `make_program` also checks it.
  program(Backend compiler, definition source, program_options options = {})
      : state_(std::make_shared<state>(static_cast<Backend&&>(compiler),
                                       static_cast<definition&&>(source),
                                       static_cast<program_options&&>(options))) {}

  /// Compiles the variant for known arguments unless it exists. Errors: those of the back end,
  /// those of the arguments' normal form.
  result<nothing> compile(const type_args& args) const {
    const auto made = variant_for(args, true, no_tracer{});
    if (!made) return made.error();
    return nothing{};
  }
  /// Compiles the variants for all combinations of values; none if a name has no values. Stops at
  /// the first failure and keeps the earlier variants. Errors: those of `compile`.
  result<nothing> compile_all(view<static_choices> choices) const {
    for (const static_choices& c : choices)
      if (c.values.empty()) return nothing{};
    table<std::size_t> at(choices.size());
    for (;;) {
      type_args args;
      for (std::size_t i = 0; i < choices.size(); ++i)
        args.fixed.push_back(choices[i].values[at[i]]);
      if (auto made = compile(args); !made) return made;
      std::size_t i = choices.size();
      while (i > 0 && ++at[i - 1] == choices[i - 1].values.size()) at[--i] = 0;
      if (i == 0) return nothing{};
    }
  }
  /// The artifact of the variant for known arguments, compiled if the policy permits. Errors: those
  /// of the back end, `not_compiled`.
  result<std::shared_ptr<const artifact>> artifact_for(const type_args& args) const {
    auto made = variant_for(args, false, no_tracer{});
    if (!made) return made.error();
    return std::shared_ptr<const artifact>(*made, &(*made)->made);
  }

  /// The argument types and compiled-in values that select the variant of a call. Errors: those of
  /// the arguments.
  template <class Arguments>
  result<type_args> types_of(const Arguments& arguments) const {
    auto context = detail::untraced();
    const auto look = [this](const auto& native) { return this->native_types(native); };
    return calls().look(look, arguments, context);
  }

  /// Runs the program. Errors: those of the arguments, of the back end and of the run;
  /// `not_compiled` if the variant is missing and the policy forbids compiling it.
  template <class Arguments>
  auto operator()(const Arguments& arguments) const
      -> decltype(std::declval<const executable&>()(arguments)) {
    return (*this)(arguments, no_tracer{});
  }
  /// The same under a tracer, which sees the steps of a compilation in this call, and those that
  /// unwrap arguments and wrap results. Errors as above.
  template <class Arguments, class Tracer>
  auto operator()(const Arguments& arguments, Tracer&& tracer) const
      -> decltype(std::declval<const executable&>()(arguments)) {
    detail::step_context<std::remove_reference_t<Tracer>> context{tracer};
    const auto run = [&](const auto& native) { return this->run_native(native, tracer); };
    return calls().call(run, arguments, context);
  }

  /// The definition that every variant is compiled from.
  const definition& source() const { return state_->source; }
  /// The workflow that every variant is compiled from.
  const graph& workflow() const
    requires std::same_as<definition, graph>
  {
    return state_->source;
  }
  /// The back end that compiles the variants.
  const Backend& compiler() const { return state_->compiler; }
  /// The same definition and options on another back end, without variants.
  template <class Other>
    requires std::same_as<definition, detail::definition_of<Other>>
  program<Other> with_backend(Other compiler) const {
    return {static_cast<Other&&>(compiler), state_->source, state_->options};
  }
  /// Numbers of variants found, compiled and waited for.
  store_counters counters() const { return state_->variants.counters(); }

 private:
  using native_executable = decltype(detail::load_native(std::declval<const Backend&>(),
                                                         std::declval<const artifact&>()));
  // True if the arguments are described by a graph that steps make from the definition.
  static constexpr bool makes_graph = [] {
    if constexpr (std::same_as<definition, graph>)
      return false;
    else
      return Backend::has_graph;
  }();

  struct variant {
    artifact made;
    native_executable run;
  };
  struct state {
    state(Backend c, definition d, program_options o)
        : compiler(static_cast<Backend&&>(c)),
          source(static_cast<definition&&>(d)),
          options(static_cast<program_options&&>(o)) {}
    Backend compiler;
    definition source;
    program_options options;
    shared_store<memory_store<variant>> variants;
    [[no_unique_address]] std::conditional_t<makes_graph, detail::graph_on_demand<Backend>, nothing>
        seen;
  };

  const auto& calls() const { return detail::calls_of(state_->compiler); }
  decltype(auto) seen_source() const {
    if constexpr (std::same_as<definition, graph>)
      return state_->source.view();
    else
      return static_cast<const definition&>(state_->source);
  }
  const result<graph>& made_graph() const {
    return state_->seen.of(state_->compiler, state_->source);
  }

  template <class Native>
  result<type_args> native_types(const Native& arguments) const {
    const auto& inputs = state_->options.static_inputs;
    constexpr bool direct =
        requires { native_executable::types_of(seen_source(), arguments, inputs); };
    if constexpr (direct || !makes_graph) {
      return native_executable::types_of(seen_source(), arguments, inputs);
    } else {
      const result<graph>& made = made_graph();
      if (!made) return made.error();
      return native_executable::types_of(made->view(), arguments, inputs);
    }
  }
  result<type_args> form_of(const type_args& args) const {
    if constexpr (requires { resolve_arguments(seen_source(), args); }) {
      return resolve_arguments(seen_source(), args);
    } else if constexpr (makes_graph) {
      const result<graph>& made = made_graph();
      if (!made) return made.error();
      return resolve_arguments(made->view(), args);
    } else {
      return sorted_arguments(args);
    }
  }

  template <class Native, class Tracer>
  auto run_native(const Native& arguments, Tracer& tracer) const
      -> decltype(std::declval<const native_executable&>()(arguments)) {
    const auto args = native_types(arguments);
    if (!args) return args.error();
    const auto made = variant_for(*args, false, tracer);
    if (!made) return made.error();
    const auto& inputs = state_->options.static_inputs;
    if (inputs.empty()) return (*made)->run(arguments);
    return (*made)->run(native_executable::without(arguments, inputs));
  }

  template <class Tracer>
  auto compiled(const type_args& known, Tracer& tracer) const {
    if constexpr (std::same_as<std::remove_cvref_t<Tracer>, no_tracer>)
      return state_->compiler.compile(seen_source(), known);
    else
      return state_->compiler.compile(seen_source(), known, tracer);
  }
  template <class Tracer>
  result<std::shared_ptr<const variant>> variant_for(const type_args& args, bool ahead,
                                                     Tracer&& tracer) const {
    const auto known = form_of(args);
    if (!known) return known.error();
    return state_->variants.find_or_compute(
        fingerprint_of(*known), [&]() -> result<std::shared_ptr<const variant>> {
          if (!ahead && state_->options.policy == compile_policy::ahead_only)
            return make_error(
                errc::not_compiled, detail::name_of_definition(seen_source()),
                (text() << "no variant is compiled for " << to_text(*known).view()).view());
          auto made = compiled(*known, tracer);
          if (!made) return made.error();
          native_executable run = detail::load_native(state_->compiler, *made);
          return std::make_shared<const variant>(
              variant{*static_cast<decltype(made)&&>(made), static_cast<native_executable&&>(run)});
        });
  }

  std::shared_ptr<state> state_;
};

/// A program of a definition after the checks that need no arguments: the back end's lint runs
/// here, so that its errors appear where the workflow is written. Errors: those of
/// `backend::check`.
template <class Backend>
result<program<Backend>> make_program(Backend compiler,
                                      const definition_view<detail::definition_of<Backend>>& source,
                                      program_options options = {}) {
  if (error e = compiler.check(source); e.code != errc::none) return e;
  return program<Backend>(static_cast<Backend&&>(compiler), detail::definition_of<Backend>(source),
                          static_cast<program_options&&>(options));
}

}  // namespace wf
