// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

#include <wf/cache/store/store.hpp>
#include <wf/toolchain/step.hpp>

namespace wf {

namespace detail {

// A computation that other threads may wait for.
struct flight_state {
  std::thread::id owner = std::this_thread::get_id();  // the computing thread
  std::atomic<bool> done = false;
};

// The wait-for graph of the threads, over all stores of the process: threads that wait for each
// other in a cycle would never end. Only a step that needs its own result causes such a cycle.
class wait_registry {
 public:
  static wait_registry& instance() {
    static wait_registry registry;
    return registry;
  }
  // False if waiting for `flight` would close a cycle.
  bool begin(const flight_state& flight) {
    const auto me = std::this_thread::get_id();
    const std::lock_guard lock(mutex_);
    for (const flight_state* at = &flight; !at->done;) {
      if (at->owner == me) return false;
      const auto next = waiting_.find(at->owner);
      if (next == waiting_.end()) break;
      at = next->second;
    }
    waiting_[me] = &flight;
    return true;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    waiting_.erase(std::this_thread::get_id());
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::thread::id, const flight_state*> waiting_;
};

// An exception for several threads. Each gets its own copy of a `step_exception`, since steps
// extend its path as it propagates.
class shared_exception {
 public:
  shared_exception() = default;
  // Captures the exception being handled.
  static shared_exception current() {
    shared_exception out;
    try {
      throw;
    } catch (const step_exception& e) {
      out.path_ = e.path();
      if (const auto* nested = dynamic_cast<const std::nested_exception*>(&e))
        out.cause_ = nested->nested_ptr();
      out.is_step_ = true;
    } catch (...) {
      out.cause_ = std::current_exception();
    }
    return out;
  }
  explicit operator bool() const { return is_step_ || cause_ != nullptr; }
  [[noreturn]] void rethrow() const {
    if (!is_step_) std::rethrow_exception(cause_);
    if (cause_ == nullptr) throw step_exception(path_.view());
    try {
      std::rethrow_exception(cause_);
    } catch (...) {
      std::throw_with_nested(step_exception(path_.view()));
    }
  }

 private:
  std::exception_ptr cause_;
  text path_;
  bool is_step_ = false;
};

}  // namespace detail

/// Merges concurrent computations of one key: the first thread computes, the others wait and share
/// the outcome, a stage, an error or an exception. Nothing is kept afterwards.
template <class T>
class single_flight {
 public:
  /// A stage, or the error that prevented it.
  using outcome = result<std::shared_ptr<const T>>;

  /// The result of `compute()`, or of the same computation in another thread; then `waited` is set.
  /// Errors: its own, and `cache_failed` if the computation needs its own result, in this thread or
  /// through a cycle of waiting threads. A computation deadlocks if it starts threads that need its
  /// result, and waits for them. Throws the exceptions of `compute`.
  template <class Compute>
  outcome run(const digest128& key, Compute&& compute, bool& waited) {
    auto mine = std::make_shared<flight>();
    std::shared_ptr<flight> other;
    {
      const std::lock_guard lock(mutex_);
      const auto [place, added] = flights_.try_emplace(key, mine);
      if (!added) other = place->second;
    }
    waited = other != nullptr && detail::wait_registry::instance().begin(*other);
    if (waited) return wait_for(*other);
    if (other != nullptr)
      return make_error(errc::cache_failed, "",
                        "a cached step needs its own result: it would wait for itself");
    try {
      mine->out = compute();
    } catch (...) {
      mine->exception = detail::shared_exception::current();
      finish(key, *mine);
      throw;
    }
    finish(key, *mine);
    return mine->out;
  }

  /// Number of threads that are waiting for others.
  std::size_t waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  struct flight : detail::flight_state {
    std::condition_variable ended;
    outcome out;
    detail::shared_exception exception;
  };

  outcome wait_for(flight& other) {
    {
      std::unique_lock lock(mutex_);
      ++waiting_;
      other.ended.wait(lock, [&] { return other.done.load(); });
      --waiting_;
    }
    detail::wait_registry::instance().end();
    if (other.exception) other.exception.rethrow();
    return other.out;
  }
  void finish(const digest128& key, flight& mine) {
    {
      const std::lock_guard lock(mutex_);
      mine.done = true;
      flights_.erase(key);
    }
    mine.ended.notify_all();
  }

  mutable std::mutex mutex_;
  std::unordered_map<digest128, std::shared_ptr<flight>, digest_hash> flights_;
  std::size_t waiting_ = 0;
};

}  // namespace wf
