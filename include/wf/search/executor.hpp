// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>

namespace wf {

/// Runs independent tasks: `executor(count, task)` calls `task(0)` to `task(count - 1)`, in any
/// order or concurrently, and returns when all are done. No outcome of a search depends on the
/// executor.
template <class E>
concept task_executor =
    requires(E& executor, void (&task)(std::size_t)) { executor(std::size_t{}, task); };

/// The sequential executor. For threads see <wf/search/threads.hpp>.
struct in_turn {
  /// Runs the tasks in the order of their numbers.
  template <class Task>
  constexpr void operator()(std::size_t count, Task&& task) const {
    for (std::size_t i = 0; i < count; ++i) task(i);
  }
};

}  // namespace wf
