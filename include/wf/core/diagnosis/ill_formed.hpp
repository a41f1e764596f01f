// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <utility>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/fixed_string.hpp>

namespace wf {

/// A diagnostic as a type: `ill_formed<"conv2", "WF101: inner dimensions differ:", "3 vs 5">`.
/// C++20 has no formatted `static_assert` messages, but g++ and clang print the arguments of a
/// class template over fixed strings readably. The sentence is split into lines because clang
/// prints at most 36 characters of one string.
template <fixed_string Subject, fixed_string... Sentence>
struct ill_formed {};

/// The failing assertion of a compile-time error: both compilers print its instantiation context,
/// which contains the `ill_formed` type with the sentence.
template <class Diagnosis>
struct report {
  /// Always false; it depends on the parameter so that only an instantiation fails.
  static constexpr bool well_formed = sizeof(Diagnosis*) == 0;
  static_assert(well_formed, "the workflow is ill-formed: the ill_formed<...> above says why");
};

namespace detail {

/// Maximum length, in characters, of a line that clang prints in full.
inline constexpr std::size_t diagnostic_line = 34;

/// Line number `wanted` of a sentence broken at spaces; empty beyond the last.
constexpr text_view sentence_line(text_view sentence, std::size_t wanted) {
  for (std::size_t number = 0;; ++number) {
    std::size_t length = sentence.size();
    if (length > diagnostic_line) {
      length = diagnostic_line;
      while (length > 0 && sentence[length] != ' ') --length;
      if (length == 0) length = diagnostic_line;
    }
    if (number == wanted) return sentence.part(0, length);
    sentence = sentence.part(length);
    if (sentence.starts_with(" ")) sentence = sentence.part(1);
  }
}

constexpr std::size_t sentence_lines(text_view sentence) {
  std::size_t lines = 0;
  while (!sentence_line(sentence, lines).empty()) ++lines;
  return lines;
}

constexpr text code_and_message(const error& e) {
  text out;
  out << "WF" << static_cast<unsigned>(e.code) << ": " << e.message.view();
  return out;
}

// Converts characters to a template argument.
template <std::size_t N>
constexpr fixed_string<N> fix(text_view characters) {
  fixed_string<N> out;
  for (std::size_t i = 0; i < characters.size(); ++i) out.characters[i] = characters[i];
  // Written explicitly: clang prints an array as text only if its last element was.
  out.characters[N - 1] = '\0';
  return out;
}

template <auto Failure, std::size_t Line>
constexpr auto fixed_line() {
  constexpr std::size_t size = sentence_line(code_and_message(Failure()).view(), Line).size();
  return fix<size + 1>(sentence_line(code_and_message(Failure()).view(), Line));
}

template <auto Failure>
constexpr auto fixed_subject() {
  constexpr std::size_t size = Failure().subject.size();
  return fix<size + 1>(Failure().subject.view());
}

template <auto Failure, std::size_t... Line>
ill_formed<fixed_subject<Failure>(), fixed_line<Failure, Line>()...> diagnosis_of(
    std::index_sequence<Line...>);

}  // namespace detail

/// Turns an error computed while compiling into its diagnostic type. `Failure` is a captureless
/// callable that returns the `wf::error`. Instantiate it only on the failing path:
/// `if constexpr (!ok) report<diagnose<failure>>{};`.
template <auto Failure>
using diagnose =
    decltype(detail::diagnosis_of<Failure>(std::make_index_sequence<detail::sentence_lines(
                                               detail::code_and_message(Failure()).view())>{}));

}  // namespace wf
