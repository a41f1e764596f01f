// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory_resource>

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
};

}  // namespace wf
