// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/pack.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/toolchain/step.hpp>

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

template <class... Steps>
inline constexpr text_view step_names[sizeof...(Steps)] = {Steps::name()...};

// The index of the step with a name; the number of steps if there is none.
constexpr std::size_t find_step(view<text_view> names, text_view wanted) {
  std::size_t i = 0;
  while (i < names.size() && names[i] != wanted) ++i;
  return i;
}
// The index of the first true entry; the number of entries if there is none.
template <std::size_t N>
constexpr std::size_t first_true(const bool (&facts)[N]) {
  std::size_t i = 0;
  while (i < N && !facts[i]) ++i;
  return i;
}

// True if a step in [first, last) may fail.
template <class... Steps>
constexpr bool any_fallible(std::size_t first, std::size_t last) {
  const bool may_fail[] = {Steps::fallible...};
  for (std::size_t i = first; i < last; ++i)
    if (may_fail[i]) return true;
  return false;
}

// The first pair of adjacent steps whose stages do not fit.
template <class... Steps, std::size_t... Index>
constexpr error adjacency_error(std::index_sequence<Index...>) {
  using list = pack<Steps...>;
  constexpr auto& names = step_names<Steps...>;
  const bool misfits[] = {!step_converts<typename pack_element<Index, list>::out,
                                         typename pack_element<Index + 1, list>::in>...,
                          true};
  const text_view outs[] = {stage_name<typename Steps::out>...};
  const text_view ins[] = {stage_name<typename Steps::in>...};
  const std::size_t i = first_true(misfits);
  if (i == sizeof...(Index)) return {};
  return make_error(errc::step_mismatch, names[i],
                    (text() << "step '" << names[i] << "' returns " << outs[i] << " but step '"
                            << names[i + 1] << "' takes " << ins[i + 1])
                        .view());
}

constexpr error name_error(view<text_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || names[i].find('/') != names[i].size())
      return make_error(errc::invalid_name, names[i],
                        "a step, a toolchain inside of another one too, has a name without '/'");
    if (find_step(names, names[i]) != i)
      return make_error(errc::duplicate_step, names[i],
                        (text() << "two steps are named '" << names[i] << "'").view());
  }
  return {};
}

template <class... Steps>
constexpr error composition_error() {
  if constexpr (sizeof...(Steps) == 0) {
    return make_error(errc::empty_toolchain, "toolchain", "a toolchain has at least one step");
  } else {
    error e = name_error(step_names<Steps...>);
    if (e.code != errc::none) return e;
    return adjacency_error<Steps...>(std::make_index_sequence<sizeof...(Steps) - 1>{});
  }
}

// A compile-time check of steps: ill-formed, with a message, if it fails.
template <bool Ok, auto Failure>
struct step_check {};
template <auto Failure>
struct step_check<false, Failure> : report<diagnose<Failure>> {};

constexpr error unknown_step_error(text_view wanted, view<text_view> known) {
  return make_error(errc::unknown_step, wanted, unknown_name_message("step", wanted, known).view());
}

}  // namespace detail

}  // namespace wf
