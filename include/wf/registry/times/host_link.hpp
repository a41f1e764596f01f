// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace wf {

/// What it takes until a value that one process has computed is there in another one, as
/// `wf-calibrate` measures it between two processes: a latency and a time for each byte, which
/// include what both do to send, receive and copy it. `task_link`, `machine_link` and `sim_link`
/// are made of it.
struct host_link {
  std::int64_t latency_ns = 0;        ///< of a value without bytes, in nanoseconds
  std::int64_t bytes_per_second = 0;  ///< bandwidth; 0: bytes take no time

  friend constexpr bool operator==(const host_link&, const host_link&) = default;
};

}  // namespace wf
