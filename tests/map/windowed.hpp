// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/schedule/time_windows.hpp>

namespace wf_test {

/// A task graph with its time windows, as the searches by deadline take it.
struct windowed {
  wf::detail::project p;
  wf::detail::time_windows w;
};

/// The time windows by paths, with `rows` also by the limits of processors and resources.
constexpr windowed windows_of(const wf::task_graph& g, bool rows = true) {
  const auto p = wf::detail::project_of(wf::prepare(g), g.processors != 0, rows);
  const auto r = wf::detail::project_of(wf::prepare(g, true), g.processors != 0, rows);
  return {p, wf::detail::windows_of(p, r)};
}

}  // namespace wf_test
