// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/pack.hpp>
#include <wf/formula/nearest.hpp>
#include <wf/pass/step.hpp>

namespace wf {

/// One step of a toolchain, for reports.
struct step_description {
  /// Where it is: "translate", "back/translate".
  text_view path;
  /// The stage it takes.
  text_view in;
  /// The stage it returns.
  text_view out;
  /// How many steps it is inside of.
  std::uint32_t depth = 0;
  /// True if it may fail.
  bool fallible = false;
};

namespace detail {

constexpr text_view head_of(text_view path) { return path.part(0, path.find('/')); }
constexpr text_view tail_of(text_view path) { return path.part(path.find('/') + 1); }

// The first name of a path, "back" of "back/translate", and what follows it.
template <fixed_string Path>
inline constexpr auto path_head = fix<head_of(Path.view()).size() + 1>(head_of(Path.view()));
template <fixed_string Path>
inline constexpr auto path_tail = fix<tail_of(Path.view()).size() + 1>(tail_of(Path.view()));
template <fixed_string Path>
inline constexpr bool is_nested_path = tail_of(Path.view()).size() != 0;

// A path one name longer.
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

// True if one of the steps from number `first` up to but without `last` may fail.
template <class... Steps>
constexpr bool any_fallible(std::size_t first, std::size_t last) {
  const bool may_fail[] = {Steps::fallible...};
  for (std::size_t i = first; i < last; ++i)
    if (may_fail[i]) return true;
  return false;
}

// What steps in a row demand of each other; the first fault.
template <class List, std::size_t... Index>
constexpr error adjacency_error(std::index_sequence<Index...>) {
  const bool fits[] = {step_converts<typename pack_element<Index, List>::out,
                                     typename pack_element<Index + 1, List>::in>...,
                       true};
  const text_view names[] = {pack_element<0, List>::name(),
                             pack_element<Index + 1, List>::name()...};
  const text_view outs[] = {stage_name<typename pack_element<Index, List>::out>..., text_view()};
  const text_view ins[] = {stage_name<typename pack_element<Index + 1, List>::in>..., text_view()};
  for (std::size_t i = 0; i < sizeof...(Index); ++i)
    if (!fits[i])
      return make_error(errc::step_mismatch, names[i],
                        (text() << "step '" << names[i] << "' returns " << outs[i] << " but step '"
                                << names[i + 1] << "' takes " << ins[i])
                            .view());
  return {};
}

template <class... Steps>
constexpr error name_error() {
  const text_view names[] = {Steps::name()...};
  for (std::size_t i = 0; i < sizeof...(Steps); ++i) {
    if (names[i].empty() || names[i].find('/') != names[i].size())
      return make_error(errc::invalid_name, names[i],
                        "a step, a toolchain inside of another one too, has a name without '/'");
    for (std::size_t k = 0; k < i; ++k)
      if (names[i] == names[k])
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
    error e = name_error<Steps...>();
    if (e.code != errc::none) return e;
    return adjacency_error<pack<Steps...>>(std::make_index_sequence<sizeof...(Steps) - 1>{});
  }
}

// Instantiated for a toolchain that is ill-formed.
template <bool Ok, class... Steps>
struct composition_check {};
template <class... Steps>
struct composition_check<false, Steps...> : report<diagnose<&composition_error<Steps...>>> {};

constexpr error unknown_step_error(text_view wanted, view<text_view> known) {
  return make_error(errc::unknown_step, wanted, unknown_name_message("step", wanted, known).view());
}

}  // namespace detail

}  // namespace wf
