// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <wf/search/executor.hpp>
#include <wf/search/first_exception.hpp>

namespace wf {

/// An executor (`task_executor`) on the threads of TBB, for a program that has them already:
/// `wf::threads` would start as many again. Unlike those, it may be called by several threads at a
/// time, and by a task.
class tbb_threads {
 public:
  /// Uses at most `count` threads, the caller's included, of those that TBB has; by default all.
  explicit tbb_threads(int count = oneapi::tbb::task_arena::automatic) : arena_(count) {}

  /// Number of threads that may work at a time, the caller's included.
  std::size_t size() const { return static_cast<std::size_t>(arena_.max_concurrency()); }

  /// Calls `task(0)` to `task(count - 1)` and returns when all are done. Then it rethrows an
  /// exception of a task; if several tasks threw, that of the task with the smallest number.
  template <class Task>
  void operator()(std::size_t count, Task&& task) {
    std::mutex mutex;
    detail::first_exception thrown;
    const auto call = [&](std::size_t i) {
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        thrown.note(i, std::current_exception());
      }
    };
    // TBB would cancel what has not begun when a task throws; and it would join several tasks,
    // which are few and long here, unless it is told not to.
    arena_.execute([&] {
      oneapi::tbb::parallel_for(std::size_t{0}, count, call, oneapi::tbb::simple_partitioner());
    });
    thrown.rethrow();
  }

 private:
  oneapi::tbb::task_arena arena_;
};

static_assert(task_executor<tbb_threads>);

}  // namespace wf
