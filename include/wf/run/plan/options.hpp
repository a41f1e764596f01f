// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include <wf/run/parallel/cores.hpp>

namespace wf {

class registry;

/// Options for the repeated execution of a workflow.
struct execution_options {
  /// Memory resource of the values; it must outlive the execution.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
  /// True if values with disjoint live ranges share storage, and results may be written over
  /// operands (`storage_rule`); false: each stored value has its own.
  bool share_buffers = true;
  /// Operators and their implementations: built-in ones and those of `executable_kernels`; null:
  /// built-in ones only. Read only while the workflow is prepared.
  const registry* kernels = nullptr;
  /// Threads that execute the workflow, `wf::parallel`; by default the caller's alone. Results have
  /// the same bits for every number of threads for which the same nodes go to a library
  /// (`implementation_times`), if there is one. Functions of the user's own operators are then
  /// called by several threads at a time.
  core_pool cores = {};
  /// With several threads, values of steps that may run at the same time share no storage, so a
  /// workspace may be larger than `peak_memory` states. If that takes more than this, in bytes, the
  /// workspace is that of one thread, and steps wait for storage.
  std::size_t most_bytes = SIZE_MAX;
  /// A workflow whose steps take less than this on one core, by estimate, in nanoseconds, runs on
  /// the caller's thread: others would begin too late to help.
  std::int64_t least_shared_ns = 20'000;
};

}  // namespace wf
