// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/select/stage.hpp>

namespace enumerated {

// The engine's result for an objective of one level, including reduction.
template <class Measure = wf::no_measure>
wf::detail::stage_outcome solve_stage_of(const wf::selection_problem& p, Measure measure = {}) {
  const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
  const auto reduced = wf::detail::reduce(p, stage);
  const wf::keep_going going_on;
  const wf::progress_callback_to<const wf::keep_going> callback(going_on);
  return wf::detail::solve_stage(p, stage, reduced, nullptr,
                                 wf::detail::measure_to<Measure>(measure).get(), callback,
                                 wf::search_limits{}.resolved());
}

}  // namespace enumerated
