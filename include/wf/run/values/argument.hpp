// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <wf/core/text/fixed_string.hpp>

namespace wf {

/// An argument bound to a name, as made by `"A"_arg = a`. Holds a reference, so it must not outlive
/// the call.
template <fixed_string Name, class T>
struct argument {
  /// Name of the input or output that it is for.
  static constexpr text_view name() { return Name.view(); }
  /// Type of the object, const if the object is.
  using type = T;
  /// The bound object, owned by the caller.
  T& value;
};

/// A name that awaits its argument: `"A"_arg`.
template <fixed_string Name>
struct argument_name {
  /// Binds an input (const) or an output (mutable).
  template <class T>
  constexpr argument<Name, T> operator=(T& value) const {
    return {value};
  }
  /// Binds a temporary input, which lives to the end of the call.
  template <class T>
  constexpr argument<Name, const T> operator=(const T&& value) const {
    return {value};
  }
};

namespace literals {

/// The name of an argument: `"A"_arg = a`.
template <fixed_string Name>
constexpr argument_name<Name> operator""_arg() {
  return {};
}

}  // namespace literals

namespace detail {

// Index of the argument with that name, or the number of arguments.
template <class... Arguments>
constexpr std::size_t position_of(text_view name) {
  constexpr std::size_t count = sizeof...(Arguments);
  const text_view names[count + 1] = {Arguments::name()..., text_view()};
  std::size_t i = 0;
  while (i < count && !(names[i] == name)) ++i;
  return i;
}

}  // namespace detail

}  // namespace wf
