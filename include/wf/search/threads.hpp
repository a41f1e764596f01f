// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <wf/search/first_exception.hpp>

namespace wf {

/// An executor (`task_executor`) with a pool of threads that lives as long as the object. The
/// calling thread works too, so `threads(1)` starts no thread. Only one thread may call it at a
/// time.
class threads {
 public:
  /// A pool of `count` threads, the caller's included; 0 means one for each processor.
  explicit threads(unsigned count = 0) {
    if (count == 0) count = std::thread::hardware_concurrency();
    for (unsigned i = 1; i < count; ++i) workers_.emplace_back([this] { serve(); });
  }
  threads(const threads&) = delete;
  threads& operator=(const threads&) = delete;
  ~threads() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    called_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  /// Number of working threads, the caller's included.
  std::size_t size() const { return workers_.size() + 1; }

  /// Calls `task(0)` to `task(count - 1)` and returns when all are done. Then it rethrows an
  /// exception of a task; if several tasks threw, that of the task with the smallest number.
  template <class Task>
  void operator()(std::size_t count, Task&& task) {
    using bare = std::remove_reference_t<Task>;
    std::unique_lock lock(mutex_);
    next_ = 0;
    count_ = left_ = count;
    subject_ = const_cast<std::remove_const_t<bare>*>(&task);
    call_ = [](void* subject, std::size_t i) { (*static_cast<bare*>(subject))(i); };
    if (count > 1) called_.notify_all();
    while (next_ < count_) work(lock);
    done_.wait(lock, [this] { return left_ == 0; });
    thrown_.rethrow();
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      called_.wait(lock, [this] { return closing_ || next_ < count_; });
      if (closing_) return;
      work(lock);
    }
  }

  /// Takes the next task and runs it with the mutex unlocked.
  void work(std::unique_lock<std::mutex>& lock) {
    const std::size_t i = next_++;
    void* const subject = subject_;
    const auto call = call_;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      call(subject, i);
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    if (thrown) thrown_.note(i, std::exchange(thrown, nullptr));
    if (--left_ == 0) done_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable called_, done_;
  void (*call_)(void*, std::size_t) = nullptr;
  void* subject_ = nullptr;
  std::size_t next_ = 0, count_ = 0, left_ = 0;
  detail::first_exception thrown_;
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace wf
