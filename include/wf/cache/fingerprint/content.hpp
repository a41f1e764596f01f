// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <utility>

#include <wf/cache/fingerprint/members.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/core/text/type_name.hpp>

namespace wf {

class fingerprinter;
struct graph_view;

/// A member that is excluded from the fingerprint of its class: a cache, a path, a debugging aid.
template <class T>
struct not_fingerprinted {
  /// The excluded value.
  T value{};

  /// Converts to `value`, so that users need not unwrap it.
  constexpr operator const T&() const { return value; }
  friend constexpr bool operator==(const not_fingerprinted&, const not_fingerprinted&) = default;
};

namespace detail {

// The ways to find the content of a type; the first that applies is used.
enum class content_kind {
  custom,      // by a function fingerprint(fingerprinter&, const T&)
  excluded,    // `not_fingerprinted`: no content
  number,      // arithmetic types except long double, enumerations, std::nullptr_t
  characters,  // types convertible to text_view, arrays of char
  unordered,   // a range with a key_type: its elements in any order
  sequence,    // any other range: its elements in order
  expected,    // a value or an error
  optional,    // a value or nothing
  pointer,     // a smart pointer: its object, or nothing
  variant,     // the index and the alternative
  complex,     // real and imaginary part
  product,     // tuples, aggregates and empty classes: their members
  none,        // no fingerprint
};

template <class T>
concept has_fingerprint_function = requires(fingerprinter& f, const T& x) { fingerprint(f, x); };

template <class T>
inline constexpr bool is_excluded = false;
template <class T>
inline constexpr bool is_excluded<not_fingerprinted<T>> = true;

template <class T>
concept number_content =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) || std::is_enum_v<T> ||
    std::is_null_pointer_v<T> || std::is_same_v<T, int128> || std::is_same_v<T, uint128>;

template <class T>
inline constexpr bool is_char_array = false;
template <std::size_t N>
inline constexpr bool is_char_array<char[N]> = true;

template <class T>
concept characters_content = character_range<T> || std::is_same_v<T, const char*> ||
                             std::is_same_v<T, char*> || is_char_array<T>;

// The iterators of a range, found as by a range-based for.
template <class T>
  requires requires(const T& x) { x.begin(), x.end(); }
constexpr auto begin_of(const T& x) {
  return x.begin();
}
template <class T, std::size_t N>
constexpr const T* begin_of(const T (&x)[N]) {
  return x;
}
template <class T>
  requires(!requires(const T& x) { x.begin(), x.end(); }) &&
          requires(const T& x) { begin(x), end(x); }
constexpr auto begin_of(const T& x) {
  return begin(x);
}
template <class T>
concept range_content = requires(const T& x) { *begin_of(x); };
template <class T>
using element_reference = decltype(*begin_of(std::declval<const T&>()));
template <class T>
using element_of = std::remove_cvref_t<element_reference<T>>;

template <class T>
concept optional_content = requires(const T& x) {
  { x.has_value() } -> std::convertible_to<bool>;
  *x;
};
template <class T>
concept expected_content = optional_content<T> && requires(const T& x) { x.error(); };
template <class T>
concept pointer_content = requires(const T& x) {
  typename T::element_type;
  { x.get() } -> std::convertible_to<const typename T::element_type*>;
  *x;
};
template <class T>
concept complex_content = requires(const T& x) {
  { x.real() } -> std::same_as<typename T::value_type>;
  { x.imag() } -> std::same_as<typename T::value_type>;
};
template <class T>
concept tuple_content = requires { std::tuple_size<T>::value; };

template <class T>
inline constexpr bool is_variant = false;
template <template <class...> class V, class... Alternative>
  requires requires(const V<Alternative...>& x) { x.valueless_by_exception(), x.index(); }
inline constexpr bool is_variant<V<Alternative...>> = true;

// Graphs and their holders: the layout of the text pool is not content. Their function is in
// cache/fingerprint/graph.hpp.
template <class T>
concept graph_content = std::same_as<T, graph_view> || requires(const T& x) {
  requires std::same_as<decltype(x.view()), graph_view>;
};

template <class T>
constexpr content_kind kind_of() {
  using enum content_kind;
  if constexpr (is_excluded<T>)
    return excluded;
  else if constexpr (has_fingerprint_function<T>)
    return custom;
  else if constexpr (graph_content<T>)
    return none;
  else if constexpr (number_content<T>)
    return number;
  else if constexpr (characters_content<T>)
    return characters;
  else if constexpr (range_content<T>) {
    if constexpr (std::is_same_v<element_of<T>, T>)
      return none;  // a range of itself, such as std::filesystem::path, does not end
    else if constexpr (requires { typename T::key_type; })
      return unordered;
    else
      return sequence;
  } else if constexpr (expected_content<T>)
    return expected;
  else if constexpr (optional_content<T>)
    return optional;
  else if constexpr (pointer_content<T>)
    return pointer;
  else if constexpr (is_variant<T>)
    return variant;
  else if constexpr (complex_content<T>)
    return complex;
  else if constexpr (tuple_content<T> || std::is_empty_v<T> || member_count<T> != no_members)
    return product;
  else
    return none;
}

// The types that make up the content of a type.
template <class T, content_kind = kind_of<T>()>
struct content_parts {
  using types = type_list<>;
};
template <class T>
struct content_parts<T, content_kind::unordered> {
  using types = type_list<element_of<T>>;
};
template <class T>
struct content_parts<T, content_kind::sequence> {
  using types = type_list<element_of<T>>;
};
template <class T>
struct content_parts<T, content_kind::expected> {
  using types = type_list<std::remove_cvref_t<decltype(*std::declval<const T&>())>,
                          std::remove_cvref_t<decltype(std::declval<const T&>().error())>>;
};
template <class T>
struct content_parts<T, content_kind::optional> {
  using types = type_list<std::remove_cvref_t<decltype(*std::declval<const T&>())>>;
};
template <class T>
struct content_parts<T, content_kind::pointer> {
  using types = type_list<std::remove_cv_t<typename T::element_type>>;
};
template <template <class...> class V, class... Alternative>
struct content_parts<V<Alternative...>, content_kind::variant> {
  using types = type_list<std::remove_cv_t<Alternative>...>;
};
template <class T>
struct content_parts<T, content_kind::complex> {
  using types = type_list<typename T::value_type>;
};
template <class T, std::size_t... I>
type_list<std::remove_cvref_t<std::tuple_element_t<I, T>>...> element_types(
    std::index_sequence<I...>);
template <class T>
struct content_parts<T, content_kind::product> {
  static constexpr auto list() {
    if constexpr (tuple_content<T>)
      return decltype(element_types<T>(std::make_index_sequence<std::tuple_size<T>::value>{})){};
    else if constexpr (std::is_empty_v<T>)
      return type_list<>{};
    else
      return member_types<T>{};
  }
  using types = decltype(list());
};

// Flags of the types within the content of a type.
inline constexpr unsigned content_cycle = 1;    // a type that contains itself
inline constexpr unsigned content_custom = 2;   // a type with its own function
inline constexpr unsigned content_unknown = 4;  // a type without a fingerprint

template <class T, class... Path>
constexpr unsigned content_flags();
template <class... Path, class... Part>
constexpr unsigned content_flags_of(type_list<Part...>) {
  return (0U | ... | content_flags<Part, Path...>());
}
// Path: the types that enclose T.
template <class T, class... Path>
constexpr unsigned content_flags() {
  if constexpr ((std::is_same_v<T, Path> || ...))
    return content_cycle;
  else if constexpr (kind_of<T>() == content_kind::custom)
    return content_custom;
  else if constexpr (kind_of<T>() == content_kind::none)
    return content_unknown;
  else
    return content_flags_of<T, Path...>(typename content_parts<T>::types{});
}

// True if the content of a type has a fixed depth and involves no user functions.
template <class T>
inline constexpr bool is_flat = content_flags<T>() == 0;

// True if the content of From contains Wanted, ignoring types on Path.
template <class Wanted, class From, class... Path>
constexpr bool content_reaches();
template <class Wanted, class... Path, class... Part>
constexpr bool any_content_reaches(type_list<Part...>) {
  return (false || ... ||
          (std::is_same_v<Wanted, Part> || content_reaches<Wanted, Part, Path...>()));
}
template <class Wanted, class From, class... Path>
constexpr bool content_reaches() {
  if constexpr ((std::is_same_v<From, Path> || ...))
    return false;
  else
    return any_content_reaches<Wanted, From, Path...>(typename content_parts<From>::types{});
}

// True for types that contain themselves. Recursive ranges, pointers and the like have such types
// as elements, and it suffices to stop at those.
template <class T>
constexpr bool is_recursive() {
  if constexpr (kind_of<T>() == content_kind::product || kind_of<T>() == content_kind::variant) {
    if constexpr ((content_flags<T>() & content_cycle) != 0)
      return content_reaches<T, T>();
    else
      return false;
  } else {
    return false;
  }
}

// A type without a fingerprint, for the error message.
struct unknown_type {
  text_view name = {};
  bool is_pointer = false;
  bool is_graph = false;
};
template <class T, class... Path>
constexpr unknown_type unknown_content();
template <class... Path, class... Part>
constexpr unknown_type first_unknown_content(type_list<Part...>) {
  unknown_type found;
  ((found.name.empty() ? void(found = unknown_content<Part, Path...>()) : void()), ...);
  return found;
}
// The first type without a fingerprint.
template <class T, class... Path>
constexpr unknown_type unknown_content() {
  if constexpr ((std::is_same_v<T, Path> || ...))
    return {};
  else if constexpr (kind_of<T>() == content_kind::none)
    return {type_name<T>(), std::is_pointer_v<T>, graph_content<T>};
  else
    return first_unknown_content<T, Path...>(typename content_parts<T>::types{});
}

}  // namespace detail

/// True if the content of a type is known; `fingerprint_of` (cache/fingerprint/fingerprint.hpp)
/// lists the supported types.
template <class T>
concept fingerprintable =
    (detail::content_flags<std::remove_cv_t<T>>() & detail::content_unknown) == 0;

}  // namespace wf
