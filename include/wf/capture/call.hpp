// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/expression.hpp>

namespace wf {

/// An attribute known at compile time, made by `with`. Public members because template arguments
/// need them.
template <std::size_t N, class T>
struct constant_attribute {
  fixed_string<N> name;  ///< the attribute's name
  T value;               ///< an integer, a double, an extent or a string
};

/// `with("axis", 1)`: an integer attribute.
template <std::size_t N, std::integral T>
consteval constant_attribute<N, std::int64_t> with(const char (&name)[N], T value) {
  return {fixed_string<N>(name), static_cast<std::int64_t>(value)};
}
/// `with("lo", 0.5)`: a real attribute.
template <std::size_t N>
consteval constant_attribute<N, double> with(const char (&name)[N], double value) {
  return {fixed_string<N>(name), value};
}
/// `with("length", wf::extent("T"))`: an extent, which may be symbolic.
template <std::size_t N>
consteval constant_attribute<N, extent> with(const char (&name)[N], extent value) {
  return {fixed_string<N>(name), value};
}
/// `with("mode", "same")`: a string attribute.
template <std::size_t N, std::size_t M>
consteval constant_attribute<N, fixed_string<M>> with(const char (&name)[N],
                                                      const char (&value)[M]) {
  return {fixed_string<N>(name), fixed_string<M>(value)};
}

namespace detail {

constexpr attribute_value attribute_of(text_view name, std::int64_t v) {
  return attribute_value::integer(name, v);
}
constexpr attribute_value attribute_of(text_view name, double v) {
  return attribute_value::floating(name, v);
}
constexpr attribute_value attribute_of(text_view name, extent v) {
  return attribute_value::dimension(name, v);
}
template <std::size_t M>
constexpr attribute_value attribute_of(text_view name, const fixed_string<M>& v) {
  return attribute_value::string(name, v.view());
}

// A view of an attribute with static lifetime, since it is a template argument.
template <auto Attribute>
constexpr attribute_value static_attribute() {
  return attribute_of(Attribute.name.view(), Attribute.value);
}

template <const kernel_spec& Spec, auto... Attributes>
struct call_ {
  static_assert(sizeof...(Attributes) <= max_attributes, "WF107: at most 9 attributes");
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<Spec>; }
  static constexpr std::size_t attributes([[maybe_unused]] attribute_value* out) {
    std::size_t n = 0;
    ((out[n] = static_attribute<Attributes>(), ++n), ...);
    return n;
  }
};

}  // namespace detail

/// Attributes by value, for loops: `call<kernels::conv2d>(wf::attributes("stride", s), x, w)`.
class attributes {
 public:
  constexpr attributes() = default;
  /// One or several pairs of a name and an integer, a real or an extent; at most 9.
  template <class T, class... More>
  constexpr attributes(text_view name, const T& value, const More&... more) {
    static_assert(sizeof...(More) % 2 == 0 && sizeof...(More) / 2 < detail::max_attributes,
                  "WF107: attributes are at most 9 pairs of a name and a value");
    append(name, value, more...);
  }

 private:
  template <const kernel_spec& Spec>
  friend struct call_by_value_;

  constexpr void append() {}
  template <class T, class... More>
  constexpr void append(text_view name, const T& value, const More&... more) {
    if constexpr (std::integral<T>)
      list_[count_++] = detail::attribute_of(name, static_cast<std::int64_t>(value));
    else
      list_[count_++] = detail::attribute_of(name, value);
    append(more...);
  }

  attribute_value list_[detail::max_attributes];
  std::size_t count_ = 0;
};

/// The operation of `call` with attributes by value: the result's shape is known by value only.
template <const kernel_spec& Spec>
struct call_by_value_ {
  /// The attributes are not part of the type.
  static constexpr bool fixed = false;
  /// The attributes, at most 9.
  wf::attributes list;
  /// The kernel `Spec`, independent of the operands' types.
  static constexpr captured_kernel kernel(view<value_type>) { return detail::captured<Spec>; }
  /// Writes the attributes to `out`; returns their number.
  constexpr std::size_t attributes(attribute_value* out) const {
    for (std::size_t i = 0; i < list.count_; ++i) out[i] = list.list_[i];
    return list.count_;
  }
};

/// Applies any kernel, built-in or user-defined: `wf::call<kernels::clip, wf::with("lo", 0.0),
/// wf::with("hi", 6.0)>(x)`. The kernel's signature fixes the number of operands and the results;
/// `scope::let_each` binds several results. Compile errors: WF101 (shapes), WF102 (element types),
/// WF107 (attributes), naming the operator.
template <const kernel_spec& Spec, auto... Attributes, operand... Operand>
constexpr auto call(const Operand&... operands) {
  return apply(detail::call_<Spec, Attributes...>{}, operands...);
}

/// The same with attributes by value, for loops; the result's shape is known by value only.
template <const kernel_spec& Spec, operand... Operand>
constexpr auto call(const attributes& list, const Operand&... operands) {
  return apply(call_by_value_<Spec>{list}, operands...);
}

}  // namespace wf
