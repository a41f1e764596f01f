// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/map/array/cost_model.hpp>
#include <wf/simulate/sharing/fifo_link.hpp>

namespace wf {

/// The directed links of a two-dimensional mesh, each occupied by one transfer at a time. A
/// transfer between two rectangles uses as many disjoint lanes as the cycle model counts links;
/// each lane is routed along its row first and then along its column, and all its links are
/// occupied for the whole duration.
class mesh_links {
 public:
  constexpr mesh_links() = default;
  /// The links of an array, all free from time 0 on.
  constexpr explicit mesh_links(const pe_array& a)
      : columns_(a.columns), free_from_(static_cast<std::size_t>(a.elements()) * 4) {}

  /// Schedules a transfer of length `duration` at the earliest time at or after `now` at which all
  /// its links are free. A transfer without displacement or duration occupies no link.
  constexpr transit send(std::int64_t now, const rectangle& from, const rectangle& to,
                         std::int64_t duration) {
    if (from == to || duration == 0) return {now, now + duration};
    std::int64_t begin = now;
    const table<std::size_t> held = links_of(from, to);
    for (std::size_t link : held) begin = detail::larger(begin, free_from_[link]);
    for (std::size_t link : held) free_from_[link] = begin + duration;
    return {begin, begin + duration};
  }

 private:
  constexpr table<std::size_t> links_of(const rectangle& from, const rectangle& to) const {
    table<std::size_t> out;
    const detail::displacement d = detail::displacement_of(from, to);
    // A lane joins the corners that move farthest: the near corners, or the far ones if those stay.
    const bool far_row = from.row == to.row, far_column = from.column == to.column;
    for (std::int32_t lane = 0; lane < d.links; ++lane) {
      const std::int32_t down = d.across == 0 ? 0 : lane, right = d.down == 0 ? 0 : lane;
      walk(corner(from.row, from.rows, far_row, down),
           corner(from.column, from.columns, far_column, right),
           corner(to.row, to.rows, far_row, down), corner(to.column, to.columns, far_column, right),
           out);
    }
    return out;
  }
  static constexpr std::int32_t corner(std::int32_t first, std::int32_t count, bool far,
                                       std::int32_t step) {
    return far ? first + count - 1 - step : first + step;
  }
  constexpr void walk(std::int32_t y, std::int32_t x, std::int32_t to_y, std::int32_t to_x,
                      table<std::size_t>& out) const {
    for (; x != to_x; x += x < to_x ? 1 : -1) out.push_back(link(y, x, x < to_x ? 0 : 1));
    for (; y != to_y; y += y < to_y ? 1 : -1) out.push_back(link(y, x, y < to_y ? 2 : 3));
  }
  constexpr std::size_t link(std::int32_t y, std::int32_t x, int direction) const {
    return static_cast<std::size_t>(y * columns_ + x) * 4 + static_cast<std::size_t>(direction);
  }

  std::int32_t columns_ = 0;
  table<std::int64_t> free_from_;
};

}  // namespace wf
