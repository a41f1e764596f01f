// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/pass/step_list.hpp>

namespace wf {

namespace detail {

template <class Recording, class Stage>
constexpr error no_stage_failure() {
  return make_error(errc::foreign_stage, "recording",
                    (text() << "no step, or more than one, returns " << stage_name<Stage>).view());
}
template <class Recording, fixed_string Name>
constexpr error no_recorded_step_failure() {
  return unknown_step_error(Name.view(), Recording::names());
}

template <bool Ok, auto Failure>
struct recording_check {};
template <auto Failure>
struct recording_check<false, Failure> : report<diagnose<Failure>> {};

}  // namespace detail

/// Every stage of one run of a toolchain: what `toolchain::record` returns. After a failure the
/// stages from the failing step on are missing.
template <class In, class... Steps>
class recording {
 public:
  /// A run that begins with this stage.
  constexpr explicit recording(const In& input) : input_(input) {}

  /// The names of the steps.
  static constexpr view<text_view> names() { return name_list; }
  /// The stage that the run began with.
  constexpr const In& input() const { return input_; }
  /// How many steps came to an end; all of them unless one failed.
  constexpr std::size_t completed() const { return completed_; }
  /// The error of the step that failed; its code is `errc::none` if none did.
  constexpr const wf::error& error() const { return error_; }
  /// True if no step failed.
  constexpr explicit operator bool() const { return error_.code == errc::none; }

  /// The stage that a step returned; it must have come to an end. Compile errors: WF803.
  template <fixed_string Name>
  constexpr const auto& get() const {
    constexpr std::size_t i = find(Name.view());
    constexpr bool ok = i != sizeof...(Steps);
    (void)sizeof(detail::recording_check<ok, &detail::no_recorded_step_failure<recording, Name>>);
    return pack_at<ok ? i : 0>(stages_);
  }
  /// The stage of that type; exactly one step returns it, and it must have come to an end. Compile
  /// errors: WF805.
  template <class Stage>
  constexpr const Stage& get() const {
    constexpr std::size_t matches = (std::size_t{std::same_as<Stage, typename Steps::out>} + ...);
    (void)sizeof(detail::recording_check < matches == 1, &detail::no_stage_failure < recording,
                 Stage >>);
    return pack_at<find_type<Stage>()>(stages_);
  }
  /// The stage of step number `I`.
  template <std::size_t I>
  constexpr const auto& stage() const {
    return pack_at<I>(stages_);
  }

  /// Keeps the stage that step number `I` returned.
  template <std::size_t I, class Stage>
  constexpr void put(Stage&& made) {
    pack_at<I>(stages_) = static_cast<Stage&&>(made);
    completed_ = I + 1;
  }
  /// Keeps the error of the step that failed.
  constexpr void fail(const wf::error& e) { error_ = e; }

 private:
  static constexpr text_view name_list[sizeof...(Steps)] = {Steps::name()...};
  static constexpr std::size_t find(text_view wanted) {
    std::size_t i = 0;
    while (i < sizeof...(Steps) && name_list[i] != wanted) ++i;
    return i;
  }
  template <class Stage>
  static constexpr std::size_t find_type() {
    const bool matches[] = {std::same_as<Stage, typename Steps::out>...};
    std::size_t i = 0;
    while (i + 1 < sizeof...(Steps) && !matches[i]) ++i;
    return i;
  }

  In input_;
  pack<typename Steps::out...> stages_;
  std::size_t completed_ = 0;
  wf::error error_;
};

}  // namespace wf
