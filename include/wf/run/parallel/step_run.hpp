// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <wf/core/diagnosis/result.hpp>
#include <wf/run/parallel/cores.hpp>

// Runs of the steps of an execution, by one thread or several, with the same outcome.
namespace wf::detail {

// What ended a run early: the failure of the step with the smallest number, as in a serial run,
// whichever step failed first.
class step_failure {
 public:
  // True if a step need not run, since one before it has failed.
  bool is_beyond(std::uint32_t step) const { return step > first_.load(std::memory_order_relaxed); }
  void note(std::uint32_t step, error e, std::exception_ptr thrown = nullptr) {
    const std::lock_guard lock(mutex_);
    if (is_found_ && step >= first_.load(std::memory_order_relaxed)) return;
    is_found_ = true;
    first_.store(step, std::memory_order_relaxed);
    error_ = std::move(e);
    thrown_ = std::move(thrown);
  }
  // The failure, or none. Rethrows an exception. Call it when no step runs.
  error take() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    return std::move(error_);
  }

 private:
  std::atomic<std::uint32_t> first_ = UINT32_MAX;
  std::mutex mutex_;
  bool is_found_ = false;
  error error_;
  std::exception_ptr thrown_;
};

inline error stopped_error(text_view workflow) {
  return make_error(errc::execution_stopped, workflow, "a stop was requested");
}

// Calls `error step(number)` for all steps, each after those that it waits for, on the threads of a
// pool; `waits` has a counter for each step. After a failure the steps before the failed one still
// run. A stop is seen between steps: then no further one begins.
template <class Step>
error walk_steps(const step_graph& steps, const core_pool& cores, std::atomic<std::uint32_t>* waits,
                 const std::stop_token& stop, text_view workflow, Step&& step) {
  struct state {
    std::remove_reference_t<Step>& step;
    const std::stop_token& stop;
    step_failure failure;
    std::atomic<bool> stopped = false;
  } all{step, stop, {}, {}};
  const step_walk walk{&steps, waits,
                       [](void* what, std::uint32_t number) {
                         state& s = *static_cast<state*>(what);
                         if (s.failure.is_beyond(number)) return;
                         if (s.stop.stop_requested()) {
                           s.stopped.store(true, std::memory_order_relaxed);
                           return;
                         }
                         try {
                           error e = s.step(number);
                           if (e.code != errc::none) s.failure.note(number, std::move(e));
                         } catch (...) {
                           s.failure.note(number, {}, std::current_exception());
                         }
                       },
                       &all};
  cores.walk(cores.pool, walk);
  if (all.stopped.load(std::memory_order_relaxed)) return stopped_error(workflow);
  return all.failure.take();
}

}  // namespace wf::detail
