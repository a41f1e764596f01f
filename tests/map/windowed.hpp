// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/schedule/time_windows.hpp>

namespace wf_test {

/// A task graph as the searches by deadline see it.
struct windowed {
  wf::detail::project p;
  wf::detail::time_windows w;
};

/// The windows of its tasks by paths, and with `rows` by what processors and resources allow.
constexpr windowed windows_of(const wf::task_graph& g, bool rows = true) {
  const auto p = wf::detail::project_of(wf::prepare(g), g.processors != 0, rows);
  const auto r = wf::detail::project_of(wf::prepare(g, true), g.processors != 0, rows);
  return {p, wf::detail::windows_of(p, r)};
}

}  // namespace wf_test
