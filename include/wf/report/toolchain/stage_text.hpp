// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

#include <wf/core/text/character.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/ir/graph/graph.hpp>
#include <wf/toolchain/adapter.hpp>

namespace wf {

namespace detail {

// Restricts the call to argument-dependent lookup, so that wf's own functions do not apply to user
// types by conversion.
namespace stage_lookup {
void to_text();
template <class T>
concept has_to_text = requires(const T& stage) {
  { to_text(stage) } -> std::convertible_to<text_view>;
};
template <class T>
constexpr text call_to_text(const T& stage) {
  return text(text_view(to_text(stage)));
}
}  // namespace stage_lookup

template <class T>
inline constexpr bool is_pair_of_stages = false;
template <class First, class Second>
inline constexpr bool is_pair_of_stages<both<First, Second>> = true;
template <class T>
inline constexpr bool is_stage_with_arguments = false;
template <class Data, class Args>
inline constexpr bool is_stage_with_arguments<concrete<Data, Args>> = true;

template <class First, class Second>
constexpr text stage_parts(text_view name, const First& first, text_view other,
                           const Second& second);

}  // namespace detail

/// A stage as text, for reading and for comparison. A type uses the function `to_text(stage)`
/// declared beside it before the first use. Characters (also of `std::string`) stand for
/// themselves, a graph has its text form, numbers are exact, truth values are words; each part of a
/// `both` or a `concrete` has a heading. For any other type the text is just its `stage_name`.
template <class T>
constexpr text stage_text(const T& stage) {
  if constexpr (std::same_as<T, text> || std::same_as<T, text_view>) {
    return text(text_view(stage));
  } else if constexpr (std::same_as<T, graph> || std::same_as<T, graph_view>) {
    return to_text(graph_view(stage));
  } else if constexpr (detail::is_pair_of_stages<T>) {
    return detail::stage_parts("first", stage.first, "second", stage.second);
  } else if constexpr (detail::is_stage_with_arguments<T>) {
    return detail::stage_parts("data", stage.data, "arguments", stage.args);
  } else if constexpr (detail::stage_lookup::has_to_text<T>) {
    return detail::stage_lookup::call_to_text(stage);
  } else if constexpr (std::convertible_to<const T&, text_view>) {
    return text(text_view(stage));
  } else if constexpr (std::same_as<T, bool>) {
    return stage ? "true" : "false";
  } else if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
    return real_text(static_cast<double>(stage));
  } else if constexpr (std::integral<T> || std::same_as<T, int128> || std::same_as<T, uint128>) {
    return text() << stage;
  } else {
    return text() << stage_name<T> << "\n(there is no to_text for a stage of this type)\n";
  }
}

namespace detail {

template <class First, class Second>
constexpr text stage_parts(text_view name, const First& first, text_view other,
                           const Second& second) {
  text out;
  out << "--- " << name << " ---\n" << stage_text(first).view();
  if (out[out.size() - 1] != '\n') out << '\n';
  return out << "--- " << other << " ---\n" << stage_text(second).view();
}

// The content of a stage's file: the text with its last line ended.
template <class T>
constexpr text stage_file_content(const T& stage) {
  text content = stage_text(stage);
  if (!content.empty() && content[content.size() - 1] != '\n') content << '\n';
  return content;
}

}  // namespace detail

/// The file name for the result of a step: the step's path with '.' for '/', and with every
/// character except ASCII letters, digits, '-' and '_' as '%' and two hexadecimal digits, so that
/// different paths have different names: "back.translate".
constexpr text stage_file_name(text_view path) {
  constexpr text_view digits = "0123456789ABCDEF";
  text out;
  for (const char c : path) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '/')
      out << '.';
    else if (detail::is_letter(c) || detail::is_digit(c) || c == '-')
      out << c;
    else
      out << '%' << digits[code >> 4] << digits[code & 15];
  }
  return out;
}

}  // namespace wf
