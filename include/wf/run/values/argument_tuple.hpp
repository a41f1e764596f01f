// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tuple>
#include <utility>

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/ir/graph/translation.hpp>
#include <wf/run/values/argument.hpp>

// An argument that is a tuple stands for several arguments.
namespace wf::detail {

// Name of a component, as a constant: "p.1" for component 1 of "p".
template <fixed_string Name, std::size_t Index>
inline constexpr auto component_of = [] {
  constexpr std::size_t size = component_name(Name.view(), Index).size();
  return wf::detail::fix<size + 1>(component_name(Name.view(), Index).view());
}();

template <class Argument>
inline constexpr bool is_spread = is_tuple<std::remove_const_t<typename Argument::type>>;

template <fixed_string Name, class T>
constexpr auto spread(const argument<Name, T>& a);

template <fixed_string Name, class T, std::size_t... Index>
constexpr auto spread_each(const argument<Name, T>& a, std::index_sequence<Index...>) {
  using std::get;
  return std::tuple_cat(spread(
      argument<component_of<Name, Index>, std::remove_reference_t<decltype(get<Index>(a.value))>>{
          get<Index>(a.value)})...);
}
// Flattens an argument into a tuple of arguments that are not tuples.
template <fixed_string Name, class T>
constexpr auto spread(const argument<Name, T>& a) {
  if constexpr (is_spread<argument<Name, T>>)
    return spread_each(a,
                       std::make_index_sequence<std::tuple_size<std::remove_const_t<T>>::value>());
  else
    return std::tuple<argument<Name, T>>(a);
}

}  // namespace wf::detail
