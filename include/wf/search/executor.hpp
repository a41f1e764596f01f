// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>

namespace wf {

/// Runs independent tasks: `executor(count, task)` calls `task(0)` to `task(count - 1)`, in any
/// order or at once, and returns when all are done. What a search does never depends on which.
template <class E>
concept task_executor =
    requires(E& executor, void (&task)(std::size_t)) { executor(std::size_t{}, task); };

/// The executor without threads. Threads: <wf/search/threads.hpp>.
struct in_turn {
  /// Does the tasks in their order.
  template <class Task>
  constexpr void operator()(std::size_t count, Task&& task) const {
    for (std::size_t i = 0; i < count; ++i) task(i);
  }
};

}  // namespace wf
