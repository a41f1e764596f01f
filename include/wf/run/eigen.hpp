// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <wf/run/plan/implement.hpp>
#include <wf/run/static/run_checks.hpp>
#include <wf/run/static/static_run.hpp>
#include <wf/run/static/static_value.hpp>
#include <wf/run/values/argument.hpp>
#include <wf/run/values/argument_tuple.hpp>

namespace wf {

namespace detail {

template <const auto& Source, const auto& Code, class... Arguments>
run_status run_checked(Arguments... arguments) {
  constexpr std::size_t bytes = workspace_plan<Source>::value.bytes;
  const std::tuple<Arguments...> list(arguments...);
  if constexpr (bytes <= max_stack_bytes) {
    alignas(64) std::byte workspace[bytes];
    return static_run<Source, Code, Arguments...>(workspace, list).run();
  } else {
    alignas(64) static thread_local std::byte workspace[bytes];
    return static_run<Source, Code, Arguments...>(workspace, list).run();
  }
}

// An output that the caller did not pass: an argument that refers into the result.
template <const auto& Source, std::size_t Output>
struct returned_output {
  static constexpr text_view name() {
    return Source.graph().text_of(Source.graph().outputs[Output].name);
  }
  using type = typename value_traits<Source, Source.graph().outputs[Output].source>::matrix;
  type& value;
};

}  // namespace detail

/// The status of a run and the outputs that were not passed as arguments:
/// `const auto results = wf::run<plan>("P"_arg = P, ...); if (results) use(results["K"_arg]);`
template <const auto& Source, const auto& Code, std::size_t... Output>
class run_results : public run_status {
 public:
  /// Runs with checked arguments; called by `run`.
  template <class... Arguments>
  explicit run_results(std::in_place_t, Arguments... arguments) {
    run_into(std::index_sequence_for<typename detail::returned_output<Source, Output>::type...>{},
             arguments...);
  }
  /// A returned output by its name, as a fixed-size matrix; unspecified if the run failed. Compile
  /// error: WF702 if the run returned no such output.
  template <fixed_string Name>
  const auto& operator[](argument_name<Name>) const {
    constexpr std::size_t at =
        detail::position_of<detail::returned_output<Source, Output>...>(Name.view());
    static_assert(at < sizeof...(Output), "WF702: the run returned no output of this name");
    return std::get<at>(values_);
  }

 private:
  template <std::size_t... Index, class... Arguments>
  void run_into(std::index_sequence<Index...>, Arguments... arguments) {
    static_cast<run_status&>(*this) = detail::run_checked<Source, Code>(
        arguments..., detail::returned_output<Source, Output>{std::get<Index>(values_)}...);
  }

  std::tuple<typename detail::returned_output<Source, Output>::type...> values_;
};

namespace detail {

// The outputs that a run returns: those that are not among its arguments.
template <const auto& Source, const auto& Code, class... Arguments>
struct returned {
  static constexpr std::size_t find(std::size_t wanted) {
    const graph_view g = Source.graph();
    std::size_t seen = 0;
    for (std::size_t i = 0; i < g.outputs.size(); ++i)
      if (position_of<Arguments...>(g.text_of(g.outputs[i].name)) == sizeof...(Arguments) &&
          seen++ == wanted)
        return i;
    return seen;  // the number of returned outputs, for a `wanted` beyond the last
  }
  static constexpr std::size_t count = find(static_cast<std::size_t>(-1));
  template <std::size_t... Index>
  static run_results<Source, Code, find(Index)...> list(std::index_sequence<Index...>);
  using type = decltype(list(std::make_index_sequence<count>{}));
};

// Runs with arguments that are not tuples.
template <const auto& Source, const auto& Code, class... Arguments>
auto run_plain(Arguments... arguments) {
  using checks = run_checks<Source, Code, Arguments...>;
  (void)sizeof(checks);
  (void)(sizeof(argument_check<Source, Arguments>) + ... + std::size_t{0});
  if constexpr (!checks::ok) {
    return run_status{errc::argument_shape, node_id::none};
  } else if constexpr (returned<Source, Code, Arguments...>::count == 0) {
    return run_checked<Source, Code>(arguments...);
  } else {
    return typename returned<Source, Code, Arguments...>::type(std::in_place, arguments...);
  }
}

}  // namespace detail

/// Runs a static workflow or plan on fixed-size Eigen matrices:
/// `wf::run<plan>("P"_arg = P, "H"_arg = H, "R"_arg = R, "K"_arg = K)`. Inputs are read, outputs
/// written; an output must not share storage with an input or another output. A vector is a column,
/// a scalar 1x1, and a tuple stands for its components: `"p"_arg = std::tie(a, b)` is "p.0" and
/// "p.1". `Source` has a constant `graph()` of static shapes. `Code` implements operators of the
/// user's own, or replaces built-in implementations: see `implementations`. The code is
/// straight-line, instantiated from the graph; nothing is allocated on the heap.
///
/// Returns a `run_status`, or a `run_results` with the outputs that were not passed, if any. After
/// a `numerical_failure` (a singular matrix, or one that is not positive definite) outputs are
/// unspecified. Compile errors: WF701 for a missing argument, WF702 for an unknown or repeated one,
/// WF703 for one of another shape or element type, WF704 for an operator without implementation,
/// WF707 for a function of the user's own that cannot implement its operator.
template <const auto& Source, const auto& Code, class... Arguments>
auto run(Arguments... arguments) {
  if constexpr ((detail::is_spread<Arguments> || ...)) {
    return std::apply([](auto... each) { return run<Source, Code>(each...); },
                      std::tuple_cat(detail::spread(arguments)...));
  } else {
    return detail::run_plain<Source, Code>(arguments...);
  }
}
/// The same for a workflow of built-in operators only.
template <const auto& Source, class... Arguments>
auto run(Arguments... arguments) {
  return run<Source, built_in_only>(arguments...);
}

}  // namespace wf
