// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/spelling.hpp>
#include <wf/toolchain/step_list.hpp>

// The compile-time checks of toolchains, and what they report.
namespace wf::detail {

// The second of two adjacent steps does not take the stage that the first one returns.
constexpr error mismatch_error(text_view first, text_view out, text_view second, text_view in) {
  return make_error(errc::step_mismatch, first,
                    (text() << "step '" << first << "' returns " << out << " but step '" << second
                            << "' takes " << in)
                        .view());
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
  return mismatch_error(names[i], outs[i], names[i + 1], ins[i + 1]);
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

template <class Chain, fixed_string Path>
constexpr error unknown_step_failure() {
  return unknown_step_error(Path.view(), Chain::names());
}
template <class Chain, class Stage>
constexpr error foreign_stage_failure() {
  return make_error(
      errc::foreign_stage, Chain::name().empty() ? text_view("toolchain") : Chain::name(),
      (text() << "no step takes " << stage_name<Stage> << ", and it is not the last stage, "
              << stage_name<typename Chain::out>)
          .view());
}
template <class Step>
constexpr error not_droppable_failure() {
  return make_error(
      errc::not_droppable, Step::name(),
      (text() << "step '" << Step::name() << "' cannot be left out: it makes "
              << stage_name<typename Step::out> << " of " << stage_name<typename Step::in>)
          .view());
}
template <class First, class Last>
constexpr error order_failure() {
  return make_error(
      errc::unknown_step, Last::name(),
      (text() << "step '" << Last::name() << "' comes before step '" << First::name() << "'")
          .view());
}

}  // namespace wf::detail
