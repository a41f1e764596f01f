// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cache/store/codec.hpp>
#include <wf/compile/choose.hpp>
#include <wf/compile/host_time.hpp>
#include <wf/compile/program.hpp>
#include <wf/compile/toolchain.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/run/plan/executable.hpp>

// Functions that prepare or execute a graph are templates, so that the operators are compiled where
// a back end is used, not where this header is included.
namespace wf {

/// An executable for this processor: maps `basic_named_matrices<Real>` to the same.
template <class Real>
class basic_host_executable {
 public:
  /// An empty executable, which must not be called.
  basic_host_executable() = default;
  /// Wraps a prepared workflow, or the error of its preparation, which every call returns.
  explicit basic_host_executable(result<basic_executable_graph<Real>> made)
      : made_(static_cast<result<basic_executable_graph<Real>>&&>(made)) {}

  /// Computes the outputs. Errors: those of `executable_graph`, and of its preparation.
  result<basic_named_matrices<Real>> operator()(const basic_named_matrices<Real>& arguments) const {
    if (!made_) return made_.error();
    return (*made_)(arguments);
  }

  /// The argument types, and the values of the scalar inputs that are compiled in; see `program`.
  /// Errors: those of `validate_references`, `missing_argument`, `unknown_argument`,
  /// `argument_shape`.
  static result<type_args> types_of(const graph_view& g, const named_matrices& arguments,
                                    const table<text>& static_inputs) {
    if (auto fine = validate_references(g); !fine) return fine.error();
    return detail::argument_types(g, arguments, static_inputs);
  }
  /// Removes the arguments that are compiled in; the others are passed to the executable.
  static named_matrices without(named_matrices arguments, const table<text>& static_inputs) {
    for (const text& name : static_inputs) arguments.erase(static_cast<std::string>(name.view()));
    return arguments;
  }

 private:
  result<basic_executable_graph<Real>> made_;
};
/// `basic_host_executable` of doubles.
using host_executable = basic_host_executable<double>;

/// The settings that executables of this processor are loaded with.
struct host_storage {
  /// Memory resource and sharing of storage; its `kernels` is ignored.
  execution_options values;
  /// The operators and their implementations.
  registry kernels = builtin_registry();
};

/// The artifact of back ends that compute on this processor: the chosen workflow. A value that can
/// be stored and loaded elsewhere.
struct host_artifact {
  /// The selected workflow, as it is executed.
  graph chosen;
  /// Predicted nanoseconds of one run; 0 if shapes are symbolic.
  std::int64_t nanoseconds = 0;

  /// Prepares the executable; its values lie in `storage.values.memory`. A failure shows when it is
  /// called.
  template <std::same_as<host_storage> Storage>
  host_executable load(const Storage& storage) const {
    execution_options how = storage.values;
    how.kernels = &storage.kernels;
    return host_executable(executable_graph::prepare(chosen.view(), how));
  }
  friend constexpr bool operator==(const host_artifact& a, const host_artifact& b) {
    return a.nanoseconds == b.nanoseconds && same(a.chosen.view(), b.chosen.view());
  }
};

/// The artifact as the text of a file: the nanoseconds, a newline, the graph's text form.
constexpr text encode_stage(const host_artifact& a) {
  return text() << a.nanoseconds << '\n' << to_text(a.chosen.view()).view();
}
/// Parses the text of `encode_stage`. Errors: those of `decode` for numbers and graphs.
constexpr result<host_artifact> decode_stage(text_view characters,
                                             std::type_identity<host_artifact>) {
  const std::size_t end = characters.find('\n');
  const auto nanoseconds = decode<std::int64_t>(characters.part(0, end));
  if (!nanoseconds) return nanoseconds.error();
  auto chosen = decode<graph>(characters.part(end + 1));
  if (!chosen) return chosen.error();
  return host_artifact{*static_cast<result<graph>&&>(chosen), *nanoseconds};
}

template <>
inline constexpr text_view stage_name<host_artifact> = "host artifact";

namespace detail {

// Checks that every node has an implementation before a time is promised.
template <std::same_as<registry> Registry>
result<host_artifact> host_artifact_of(const graph& chosen, const Registry& kernels) {
  if (auto valid = validated(chosen.view()); !valid) return valid.error();
  if (chosen.view().is_static()) {
    if (auto placed = placed_executable<double>::make(chosen, kernels, {.share_buffers = false});
        !placed)
      return placed.error();
  }
  const auto time = predict_nanoseconds(chosen.view(), kernels);
  if (!time && time.error().code != errc::workflow_not_static) return time.error();
  return host_artifact{chosen, time ? *time : 0};
}

struct host_prediction {
  result<std::int64_t> operator()(const host_artifact& a) const {
    if (!a.chosen.view().is_static())
      return make_error(errc::workflow_not_static, a.chosen.text_of(a.chosen.view().name),
                        "the time of symbolic shapes is not known: bind the symbols");
    return a.nanoseconds;
  }
};

template <class Stage>
struct host_packing {
  registry kernels;
  result<host_artifact> operator()(const Stage& s) const {
    if constexpr (std::same_as<Stage, graph>)
      return host_artifact_of(s, kernels);
    else
      return host_artifact_of(s.chosen, kernels);
  }
};

}  // namespace detail

/// Runs the proven plan of a workflow on this processor. Its prediction sums the `execution_time`
/// of the kernels of the settings, each of which must have a time. `watch` sees the search for the
/// plan and may stop it.
template <class Callback = keep_going>
constexpr auto host_backend(const compile_settings& s = {}, Callback watch = {}) {
  return make_backend<"host">(planning_toolchain(s, static_cast<Callback&&>(watch)),
                              step<"pack">(detail::host_packing<plan>{s.kernels}),
                              detail::host_prediction{}, host_storage{{}, s.kernels});
}

/// Runs a workflow on this processor as written: there is no search, so compilation is immediate.
/// It predicts as `host_backend` does.
template <std::same_as<compile_settings> Settings = compile_settings>
auto reference_backend(const Settings& s = {}) {
  return make_backend<"reference">(checking_toolchain(s),
                                   step<"pack">(detail::host_packing<graph>{s.kernels}),
                                   detail::host_prediction{}, host_storage{{}, s.kernels});
}

namespace detail {

struct array_packing {
  std::int64_t picoseconds_per_cycle = 1000;
  constexpr result<host_artifact> operator()(const simulated_plan& p) const {
    const graph& chosen = p.mapped.selected.chosen;
    std::int64_t time = 0;
    if (!checked_multiply(p.replay.makespan, picoseconds_per_cycle, time))
      return make_error(errc::overflow, chosen.text_of(chosen.view().name),
                        "the time does not fit 63 bits");
    return host_artifact{chosen, time / 1000 + (time % 1000 != 0 ? 1 : 0)};
  }
};

}  // namespace detail

/// Maps the proven plan of a workflow onto the PE array of the settings and simulates it there; the
/// makespan, in cycles of `picoseconds_per_cycle`, is the prediction, in nanoseconds rounded up.
/// The array is a model: results are computed on this processor. `watch` sees the searches and may
/// stop them.
template <class Callback = keep_going>
constexpr auto array_backend(const compile_settings& s, std::int64_t picoseconds_per_cycle = 1000,
                             Callback watch = {}) {
  return make_backend<"array">(planning_toolchain(s, watch),
                               placing_toolchain(s, watch).append(
                                   step<"pack">(detail::array_packing{picoseconds_per_cycle})),
                               detail::host_prediction{}, host_storage{{}, s.kernels});
}

/// A workflow compiled for this processor, on named matrices; see `compile`.
using compiled_matrices = compiled_workflow<named_matrices, named_matrices>;

/// Compiles a workflow on the back end with the shortest predicted time, among those given or, if
/// none is given, `host_backend` and `reference_backend`. `explain()` of the result states the
/// reason. Errors: `no_backend`.
template <class... Backends>
result<compiled_matrices> compile(const graph_view& g, const type_args& args,
                                  const Backends&... backends) {
  if constexpr (sizeof...(Backends) == 0)
    return compile_for<named_matrices, named_matrices>(g, args, host_backend(),
                                                       reference_backend());
  else
    return compile_for<named_matrices, named_matrices>(g, args, backends...);
}
/// The same without argument types: only the workflow's own types are known. Errors: `no_backend`.
template <class... Backends>
  requires(!(std::same_as<Backends, type_args> || ...))
result<compiled_matrices> compile(const graph_view& g, const Backends&... backends) {
  return compile(g, type_args{}, backends...);
}

}  // namespace wf
