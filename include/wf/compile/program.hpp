// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/compile/backend.hpp>
#include <wf/pass/graph_fingerprint.hpp>
#include <wf/pass/shared_store.hpp>

namespace wf {

/// The fingerprint of argument types: that of their text, which names everything that they say but
/// the elements of arrays, and of these.
constexpr void fingerprint(fingerprinter& f, const type_args& args) {
  f(to_text(args));
  for (const static_argument& a : args.fixed)
    if (a.is_array()) f(a.elements);
}

/// When a program compiles.
enum class compile_policy : std::uint8_t {
  on_demand,   ///< a call whose variant is not compiled compiles it
  ahead_only,  ///< such a call is an error: nothing but `compile` compiles
};

/// How a program treats its arguments.
struct program_options {
  /// When it compiles.
  compile_policy policy = compile_policy::on_demand;
  /// Scalar inputs whose values are compiled in: each value has a variant of its own.
  table<text> static_inputs;
};

/// The values that one name may have in programs compiled ahead of time; see
/// `program::compile_all`.
struct static_choices {
  /// The name of a symbol, or of a scalar input.
  text name;
  /// Its values, each with that name.
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

/// A workflow as a callable, compiled once for each set of static arguments: sizes of symbols, and
/// values of the inputs that are declared static. Two routes lead to the same variants: `compile`
/// ahead of time, and calls on demand. A handle: copies share their variants. Several threads may
/// call it at once; a variant is compiled by one of them.
///
/// What is loaded from an artifact says what arguments are, by static functions:
/// `types_of(graph, arguments, static_inputs)`, a `result<type_args>`, tells their types and the
/// values that are static, `without(arguments, static_inputs)` is what a variant is called with.
template <class Backend>
class program {
 public:
  /// What the back end makes.
  using artifact = typename Backend::artifact;
  /// What runs an artifact.
  using executable = decltype(std::declval<const Backend&>().load(std::declval<artifact>()));

  /// No program: it must not be used.
  program() = default;
  /// Of a workflow; `make_program` also checks it.
  program(Backend compiler, graph workflow, program_options options = {})
      : state_(std::make_shared<state>(static_cast<Backend&&>(compiler),
                                       static_cast<graph&&>(workflow),
                                       static_cast<program_options&&>(options))) {}

  /// Compiles the variant for arguments of which this is known, unless it is there. Errors: those
  /// of the back end.
  result<nothing> compile(const type_args& args) const {
    const auto made = variant_for(args, true);
    if (!made) return made.error();
    return nothing{};
  }
  /// Compiles the variants for all combinations of values. The first that fails ends it; those
  /// before it stay. Errors: those of the back end.
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
  /// The artifact of the variant for such arguments, compiled if the policy allows. Errors: those
  /// of the back end, `not_compiled`.
  result<std::shared_ptr<const artifact>> artifact_for(const type_args& args) const {
    auto made = variant_for(args, false);
    if (!made) return made.error();
    return std::shared_ptr<const artifact>(*made, &(*made)->made);
  }

  /// Runs the workflow. Errors: those of the arguments, of the back end and of the run;
  /// `not_compiled` if the variant is not compiled and may not be.
  template <class Arguments>
  auto operator()(const Arguments& arguments) const
      -> decltype(std::declval<const executable&>()(arguments)) {
    const auto& inputs = state_->options.static_inputs;
    const auto args = executable::types_of(state_->workflow.view(), arguments, inputs);
    if (!args) return args.error();
    const auto made = variant_for(*args, false);
    if (!made) return made.error();
    if (inputs.empty()) return (*made)->run(arguments);
    return (*made)->run(executable::without(arguments, inputs));
  }

  /// What every variant is compiled from.
  const graph& workflow() const { return state_->workflow; }
  /// The back end.
  const Backend& compiler() const { return state_->compiler; }
  /// The same workflow on another back end, with no variant yet.
  template <class Other>
  program<Other> with_backend(Other compiler) const {
    return {static_cast<Other&&>(compiler), state_->workflow, state_->options};
  }
  /// How often variants were found, compiled and waited for.
  store_counters counters() const { return state_->variants.counters(); }

 private:
  struct variant {
    artifact made;
    executable run;
  };
  struct state {
    state(Backend c, graph w, program_options o)
        : compiler(static_cast<Backend&&>(c)),
          workflow(static_cast<graph&&>(w)),
          options(static_cast<program_options&&>(o)) {}
    Backend compiler;
    graph workflow;
    program_options options;
    shared_store<memory_store<variant>> variants;
  };

  result<std::shared_ptr<const variant>> variant_for(const type_args& args, bool ahead) const {
    const auto known = resolve_arguments(state_->workflow.view(), args);
    if (!known) return known.error();
    return state_->variants.find_or_compute(
        fingerprint_of(*known), [&]() -> result<std::shared_ptr<const variant>> {
          if (!ahead && state_->options.policy == compile_policy::ahead_only)
            return make_error(
                errc::not_compiled, state_->workflow.text_of(state_->workflow.view().name),
                (text() << "no variant is compiled for " << to_text(*known).view()).view());
          auto made = state_->compiler.compile(state_->workflow.view(), *known);
          if (!made) return made.error();
          executable run = state_->compiler.load(*made);
          return std::make_shared<const variant>(
              variant{*static_cast<decltype(made)&&>(made), static_cast<executable&&>(run)});
        });
  }

  std::shared_ptr<state> state_;
};

/// A program of a workflow, after what can be said of the workflow before its arguments are known:
/// the back end's lint runs here, so that its errors show where the workflow is written. Errors:
/// those of the lint.
template <class Backend>
result<program<Backend>> make_program(Backend compiler, const graph_view& workflow,
                                      program_options options = {}) {
  if (error e = compiler.check(workflow); e.code != errc::none) return e;
  return program<Backend>(static_cast<Backend&&>(compiler), graph(workflow),
                          static_cast<program_options&&>(options));
}

}  // namespace wf
