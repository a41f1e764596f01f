// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory_resource>

namespace wf {

class registry;

/// How a workflow is executed again and again.
struct execution_options {
  /// Where its values lie; it must outlive what is executed.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
  /// True if values share storage when they are not alive at the same time, and results may be
  /// written over operands (`storage_rule`); false: each value that is stored has its own.
  bool share_buffers = true;
  /// The operators and how they are computed: the built-in ones and those of the user's own that
  /// `executable_kernels` made; null: the built-in ones. Needed while the workflow is prepared.
  const registry* kernels = nullptr;
};

}  // namespace wf
