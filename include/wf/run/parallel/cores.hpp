// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <wf/run/parallel/step_graph.hpp>
#include <wf/run/parallel/team.hpp>

namespace wf {

/// One run of the steps of a graph by several threads.
struct step_walk {
  const step_graph* steps = nullptr;  ///< what runs, in which order
  /// By step: for how many others it still waits. The pool sets them.
  std::atomic<std::uint32_t>* waits = nullptr;
  void (*call)(void* what, std::uint32_t step) = nullptr;  ///< runs a step; must not throw
  void* what = nullptr;                                    ///< its first argument
};

/// The threads that execute workflows, as a handle that needs no header of their library:
/// `wf::parallel` (<wf/adapt/parallel.hpp>) converts to it. The pool must outlive all executables
/// that were prepared with the handle.
struct core_pool {
  void* pool = nullptr;                           ///< the pool, not owned; null: no threads
  std::size_t size = 1;                           ///< number of threads, the caller's included
  compute::team::split_function split = nullptr;  ///< shares the parts of one step
  void (*walk)(void* pool, const step_walk& run) = nullptr;  ///< runs steps, and waits for them

  /// The threads as those that help with one operator.
  compute::team as_team() const {
    return pool == nullptr ? compute::team() : compute::team(pool, size, split);
  }
  /// True if there are several threads.
  bool is_parallel() const { return pool != nullptr && size > 1; }
};

}  // namespace wf
