// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/checks.hpp>

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

/// Every stage of one run of a toolchain, as returned by `toolchain::record`. After a failure the
/// stages from the failing step on are missing.
template <class In, class... Steps>
class recording {
 public:
  /// Starts a recording with the input of the run.
  constexpr explicit recording(const In& input) : input_(input) {}

  /// The names of the steps, in order.
  static constexpr view<text_view> names() { return detail::step_names<Steps...>; }
  /// The input of the run.
  constexpr const In& input() const { return input_; }
  /// Number of completed steps; all of them unless one failed.
  constexpr std::size_t completed() const { return completed_; }
  /// The error of the failed step; its code is `errc::none` if none failed.
  constexpr const wf::error& error() const { return error_; }
  /// True if no step failed.
  constexpr explicit operator bool() const { return error_.code == errc::none; }

  /// The stage that the named step returned; the step must have completed. Compile errors: WF803.
  template <fixed_string Name>
  constexpr const auto& get() const {
    constexpr std::size_t i = detail::find_step(names(), Name.view());
    constexpr bool ok = i != sizeof...(Steps);
    (void)sizeof(detail::step_check<ok, &detail::no_recorded_step_failure<recording, Name>>);
    return pack_at<ok ? i : 0>(stages_);
  }
  /// The stage of a type that exactly one step returns; the step must have completed. Compile
  /// errors: WF805.
  template <class Stage>
  constexpr const Stage& get() const {
    constexpr bool ok = (std::size_t{std::same_as<Stage, typename Steps::out>} + ...) == 1;
    constexpr std::size_t i = detail::first_true({std::same_as<Stage, typename Steps::out>...});
    (void)sizeof(detail::step_check<ok, &detail::no_stage_failure<recording, Stage>>);
    return pack_at<ok ? i : 0>(stages_);
  }
  /// The stage of step `I`, counted from 0; the step must have completed.
  template <std::size_t I>
  constexpr const auto& stage() const {
    return pack_at<I>(stages_);
  }

  /// Records the stage that step `I` returned.
  template <std::size_t I, class Stage>
  constexpr void put(Stage&& made) {
    pack_at<I>(stages_) = static_cast<Stage&&>(made);
    completed_ = I + 1;
  }
  /// Records the error of the failed step.
  constexpr void fail(const wf::error& e) { error_ = e; }

 private:
  In input_;
  pack<typename Steps::out...> stages_;
  std::size_t completed_ = 0;
  wf::error error_;
};

}  // namespace wf
