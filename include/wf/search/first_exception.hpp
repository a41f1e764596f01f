// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <exception>
#include <utility>

namespace wf::detail {

/// Keeps, among the exceptions of concurrent tasks, that of the task with the smallest number, so
/// that the exception an executor rethrows does not depend on which task failed first. Not
/// synchronised: its owner calls it under a mutex, or when all tasks are done.
class first_exception {
 public:
  /// Keeps the exception of a task, unless a task with a smaller number has thrown.
  void note(std::size_t task, std::exception_ptr thrown) {
    if (thrown_ && task >= task_) return;
    thrown_ = std::move(thrown);
    task_ = task;
  }
  /// Rethrows what is kept, if anything is, and forgets it.
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  std::exception_ptr thrown_;
  std::size_t task_ = 0;
};

}  // namespace wf::detail
