// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/ill_formed.hpp>

// A path names a step: "lower", or inside of a nested toolchain "back/translate".
namespace wf::detail {

constexpr text_view head_of(text_view path) { return path.part(0, path.find('/')); }
constexpr text_view tail_of(text_view path) { return path.part(path.find('/') + 1); }

// The first name of a path, "back" of "back/translate", and the rest.
template <fixed_string Path>
inline constexpr auto path_head = fix<head_of(Path.view()).size() + 1>(head_of(Path.view()));
template <fixed_string Path>
inline constexpr auto path_tail = fix<tail_of(Path.view()).size() + 1>(tail_of(Path.view()));
template <fixed_string Path>
inline constexpr bool is_nested_path = tail_of(Path.view()).size() != 0;

// Appends a name to a path.
template <fixed_string Path, fixed_string Name>
constexpr auto join_path() {
  constexpr std::size_t first = Path.size() == 0 ? 0 : Path.size() + 1;
  fixed_string<first + Name.size() + 1> out;
  for (std::size_t i = 0; i < Path.size(); ++i) out.characters[i] = Path.characters[i];
  if constexpr (first != 0) out.characters[first - 1] = '/';
  for (std::size_t i = 0; i <= Name.size(); ++i) out.characters[first + i] = Name.characters[i];
  return out;
}
template <fixed_string Path, fixed_string Name>
inline constexpr auto joined_path = join_path<Path, Name>();
template <class S>
inline constexpr auto fixed_name = fix<S::name().size() + 1>(S::name());

}  // namespace wf::detail
