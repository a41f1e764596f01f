// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tuple>

#include <wf/compile/arguments.hpp>
#include <wf/run/values/argument_tuple.hpp>

namespace wf {

namespace detail {

template <fixed_string Name, translatable T>
constexpr void add_type(type_args& out, const argument<Name, T>& a) {
  out.types.push_back({text(Name.view()), type_of_object(a.value)});
}

}  // namespace detail

/// The types of arguments, without their values:
/// `types_of("A"_arg = a, "p"_arg = std::tuple(b, 0.5))`. An argument is an object whose C++ type
/// has a `translation`, or a tuple of such, whose components are arguments named "p.0", "p.1", ...
/// O(arguments).
template <class... Arguments>
constexpr type_args types_of(const Arguments&... arguments) {
  type_args out;
  std::apply([&out](const auto&... each) { (detail::add_type(out, each), ...); },
             std::tuple_cat(detail::spread(arguments)...));
  return out;
}

}  // namespace wf
