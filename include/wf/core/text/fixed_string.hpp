// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <wf/core/text/view.hpp>

namespace wf {

/// A string usable as a template argument: `workflow<"kalman">`. Both compilers print the text
/// readably in diagnostics. `N` counts the terminating null character.
template <std::size_t N>
struct fixed_string {
  /// The characters with the terminating null; public because template arguments must be
  /// structural.
  char characters[N]{};

  constexpr fixed_string() = default;
  /// Copies a string literal.
  constexpr fixed_string(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) characters[i] = literal[i];
  }
  /// A view of the text, valid as long as this object (for a template argument: always).
  constexpr text_view view() const { return {characters, N - 1}; }
  /// Number of characters without the terminating null.
  static constexpr std::size_t size() { return N - 1; }
};

}  // namespace wf
