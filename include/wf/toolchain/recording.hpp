// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/step_list.hpp>

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

}  // namespace detail

/// Every stage of one run of a toolchain: what `toolchain::record` returns. After a failure the
/// stages from the failing step on are missing.
template <class In, class... Steps>
class recording {
 public:
  /// A run that begins with this stage.
  constexpr explicit recording(const In& input) : input_(input) {}

  /// The names of the steps.
  static constexpr view<text_view> names() { return detail::step_names<Steps...>; }
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
    constexpr std::size_t i = detail::find_step(names(), Name.view());
    constexpr bool ok = i != sizeof...(Steps);
    (void)sizeof(detail::step_check<ok, &detail::no_recorded_step_failure<recording, Name>>);
    return pack_at<ok ? i : 0>(stages_);
  }
  /// The stage of that type; exactly one step returns it, and it must have come to an end. Compile
  /// errors: WF805.
  template <class Stage>
  constexpr const Stage& get() const {
    constexpr bool ok = (std::size_t{std::same_as<Stage, typename Steps::out>} + ...) == 1;
    constexpr std::size_t i = detail::first_true({std::same_as<Stage, typename Steps::out>...});
    (void)sizeof(detail::step_check<ok, &detail::no_stage_failure<recording, Stage>>);
    return pack_at<ok ? i : 0>(stages_);
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
  In input_;
  pack<typename Steps::out...> stages_;
  std::size_t completed_ = 0;
  wf::error error_;
};

}  // namespace wf
