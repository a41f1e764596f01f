// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/nesting.hpp>
#include <wf/toolchain/step.hpp>
#include <wf/toolchain/step_path.hpp>

namespace wf {

/// One step of a toolchain, for reports.
struct step_description {
  /// The path from the outermost toolchain: "translate", "back/translate".
  text_view path;
  /// The stage it takes, by `stage_name`.
  text_view in;
  /// The stage it returns, by `stage_name`.
  text_view out;
  /// Number of enclosing steps.
  std::uint32_t depth = 0;
  /// True if the step may fail.
  bool fallible = false;
};

namespace detail {

template <class S>
constexpr std::size_t rows_of() {
  if constexpr (is_toolchain<unwrapped_type<S>>)
    return 1 + unwrapped_type<S>::rows();
  else
    return 1;
}
template <fixed_string Prefix, class S>
constexpr void describe_step(step_description* list, std::size_t& row, std::uint32_t depth) {
  constexpr auto& path = joined_path<Prefix, fixed_name<S>>;
  list[row++] = {path.view(), stage_name<typename S::in>, stage_name<typename S::out>, depth,
                 S::fallible};
  if constexpr (is_toolchain<unwrapped_type<S>>)
    unwrapped_type<S>::template describe_into<path>(list, row, depth + 1);
}

}  // namespace detail
}  // namespace wf
