// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/compile/arguments.hpp>
#include <wf/compile/stages.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/toolchain/adapter.hpp>
#include <wf/toolchain/toolchain.hpp>

namespace wf {

/// The input of back ends: a workflow with the known types and values of its arguments. Steps after
/// the first see no more of the arguments. A back end may begin with any other definition `D`
/// instead of the graph, such as a source text, a callable or a `workflow_definition`: `concrete<D,
/// type_args>`.
using program_definition = concrete<graph, type_args>;

/// The type that functions take for a definition, by reference: a view for a graph, else the
/// definition itself.
template <class Definition>
using definition_view = std::conditional_t<std::same_as<Definition, graph>, graph_view, Definition>;

namespace detail {

template <class Definition>
inline constexpr text_view given_stage_name<concrete<Definition, type_args>> =
    extended_stage_name<Definition, " with argument types">.view();

}  // namespace detail

template <>
inline constexpr text_view stage_name<type_args> = "argument types";

/// The name of a definition, for messages and reports. A definition type provides its own by a
/// function of this name in its namespace; otherwise its `stage_name` is used.
constexpr text_view definition_name(const workflow_definition& d) { return d.name; }

namespace detail {

// The stage without the arguments that accompany it.
template <class Stage>
struct without_arguments {
  using type = Stage;
  static constexpr bool has = false;
};
template <class Data>
struct without_arguments<concrete<Data, type_args>> {
  using type = Data;
  static constexpr bool has = true;
};
template <class Stage>
using data_of = typename without_arguments<Stage>::type;

// The definition type of a back end; a graph by default.
template <class Backend>
struct begun_with {
  using type = graph;
};
template <class Backend>
  requires requires { typename Backend::definition; }
struct begun_with<Backend> {
  using type = typename Backend::definition;
};
template <class Backend>
using definition_of = typename begun_with<Backend>::type;

template <class Definition>
constexpr text_view name_of_definition(const Definition& d) {
  if constexpr (std::same_as<Definition, graph_view>)
    return d.text_of(d.name);
  else if constexpr (requires { text_view(definition_name(d)); })
    return definition_name(d);
  else
    return stage_name<Definition>;
}

constexpr error repeated_argument(text_view name) {
  return make_error(errc::unknown_argument, name, "it is given twice");
}

}  // namespace detail

/// Normalises arguments, for definitions whose back ends make no graph of them: types and values in
/// the order of their names. Arguments with equal normal forms share one compilation. A definition
/// type with a coarser equivalence, say that two types need the same code, provides its own
/// function in its namespace: `resolve_arguments(definition, args)`, a `result<type_args>`. Errors:
/// `unknown_argument` for a name that is given twice, as a type or as a value. O(n log n).
constexpr result<type_args> sorted_arguments(const type_args& args) {
  type_args out = args;
  const auto before = [](const auto& a, const auto& b) { return a.name.view() < b.name.view(); };
  detail::stable_sort(out.types, before);
  detail::stable_sort(out.fixed, before);
  std::size_t t = 0;
  for (std::size_t i = 0; i < out.fixed.size(); ++i) {
    const text& name = out.fixed[i].name;
    if (i > 0 && out.fixed[i - 1].name == name) return detail::repeated_argument(name.view());
    while (t < out.types.size() && out.types[t].name.view() < name.view()) ++t;
    if (t < out.types.size() && out.types[t].name == name)
      return make_error(errc::unknown_argument, name.view(), "its value is compiled in already");
  }
  for (std::size_t i = 1; i < out.types.size(); ++i)
    if (out.types[i - 1].name == out.types[i].name)
      return detail::repeated_argument(out.types[i].name.view());
  return out;
}

}  // namespace wf
