// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/transform.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/times/host_link.hpp>
#include <wf/rewrite/call_patterns.hpp>

namespace wf {

/// The contents of a kernel file and the texts that its kernels and transforms view: it must
/// outlive the registries into which it was loaded. Moving it does not move the texts.
class kernel_file {
 public:
  kernel_file() = default;
  kernel_file(kernel_file&&) = default;
  kernel_file& operator=(kernel_file&&) = default;

  /// The kernels as stated in the file, in its order.
  view<kernel_spec> kernels() const { return kernels_; }
  /// The transforms, in the order of the file.
  view<transform> transforms() const { return transforms_; }
  /// The call patterns for `map_calls`, in the order of the file.
  view<call_pattern> calls() const { return calls_; }
  /// Caches of the machine whose times the file states; defaults where it states none.
  const host_caches& caches() const { return caches_; }
  /// Number of cores that were busy when the times of the file were measured; 1 where it states
  /// none.
  std::uint32_t cores() const { return cores_; }
  /// The link between two processes of that machine; without latency and unlimited where the file
  /// states none.
  const host_link& link() const { return link_; }

 private:
  friend class kernel_file_reader;

  table<text> texts_;
  table<kernel_spec> kernels_;
  table<transform> transforms_;
  table<call_pattern> calls_;
  host_caches caches_;
  std::uint32_t cores_ = 1;
  host_link link_;
};

/// Maximum length of a kernel file, in characters.
inline constexpr std::size_t max_kernel_file_size = 1 << 22;

}  // namespace wf
