// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/map/array/mapping.hpp>
#include <wf/map/array/prepare.hpp>

namespace wf {

/// One step of a memory profile: from `time` on, `bytes` are in use in a PE.
struct memory_step {
  std::int64_t time = 0;   ///< first cycle of the step
  std::int64_t bytes = 0;  ///< bytes in use until the next step

  friend constexpr bool operator==(const memory_step&, const memory_step&) = default;
};

/// The memory use of one PE over time, as a step function: empty, or steps of rising times of which
/// the last one has 0 bytes. Neighbouring steps differ in bytes.
using memory_profile = table<memory_step>;

/// The memory profile of every PE of a mapping, by row · columns + column: working bytes while an
/// operator runs, results from its start until the last reader finishes, or starts if that
/// overwrites them. The maximum of a profile is the mapping's `high_water`. `w` is the (valid)
/// mapped workload. O(operators · PEs + steps log steps).
constexpr table<memory_profile> memory_profiles(const mapping& m, const workload& w) {
  prepared_workload p;
  detail::contraction(w, p).run();
  table<memory_profile> changes(m.busy.size());
  for (std::uint32_t v = 0; v < p.operators.size(); ++v) {
    const placement& at = m.operators[p.operators[v].source];
    std::int64_t until = at.finish;
    for (std::uint32_t r : p.readers_of(v)) {
      const placement& reader = m.operators[p.operators[r].source];
      const bool over = reader.overwrites == p.operators[v].source;
      until = detail::larger(until, over ? reader.start : reader.finish);
    }
    for (std::int32_t y = at.where.row; y < at.where.row + at.where.rows; ++y)
      for (std::int32_t x = at.where.column; x < at.where.column + at.where.columns; ++x) {
        memory_profile& c = changes[static_cast<std::size_t>(y * m.columns + x)];
        c.push_back({at.start, at.how.working_bytes + at.result_bytes});
        c.push_back({at.finish, -at.how.working_bytes});
        c.push_back({until, -at.result_bytes});
      }
  }
  table<memory_profile> out(changes.size());
  for (std::size_t e = 0; e < changes.size(); ++e) {
    detail::stable_sort(changes[e],
                        [](const memory_step& a, const memory_step& b) { return a.time < b.time; });
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < changes[e].size(); ++i) {
      bytes += changes[e][i].bytes;
      const bool more = i + 1 < changes[e].size() && changes[e][i + 1].time == changes[e][i].time;
      const std::int64_t before = out[e].empty() ? 0 : out[e].back().bytes;
      if (!more && bytes != before) out[e].push_back({changes[e][i].time, bytes});
    }
  }
  return out;
}

}  // namespace wf
