// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/place/mapping_space.hpp>

namespace wf {

/// List scheduling: completes a partial mapping without search. Among the ready operators the one
/// with the earliest start comes next, ties broken by the longest tail. Of the candidate rectangles
/// it takes the smallest one that finishes at most `slack_eighths`/8 of the operator's fastest time
/// after the earliest finish, so larger slack leaves room for others. False, with `out`
/// unspecified, if memory runs short or the space has to stop. O(operators · ready operators ·
/// candidates).
template <class Space>
constexpr bool construct(Space& space, const partial_mapping& from, view<rectangle> candidates,
                         std::int64_t slack_eighths, partial_mapping& out) {
  struct choice {
    rectangle where;
    std::uint32_t op = 0;
    std::uint32_t how = 0;
    std::int64_t start = unbounded;
    std::int64_t finish = unbounded;
  };
  out = from;
  const prepared_workload& w = space.work();
  const auto best_of = [&](std::uint32_t op) {
    choice best;
    std::int64_t earliest = unbounded;
    // Two passes: the earliest finish, then the smallest rectangle within the slack.
    for (int pass = 0; pass < 2; ++pass) {
      const std::int64_t within =
          pass == 0 ? 0 : saturating_add(earliest, w.operators[op].fastest / 8 * slack_eighths);
      for (const rectangle& r : candidates) {
        if (!space.go_on(2)) return choice();
        const tiling_choice ways = space.ways(out, op, r);
        for (const range& t : {ways.in_place, ways.apart})
          for (std::uint32_t k = 0; k < t.count; ++k) {
            const std::int64_t start = space.earliest(out, op, r, t.first + k);
            if (start == unbounded) continue;
            const std::int64_t finish = start + w.tilings[t.first + k].cycles;
            if (pass == 0) {
              earliest = detail::lesser(earliest, finish);
            } else if (finish <= within &&
                       (best.start == unbounded || r.area() < best.where.area() ||
                        (r.area() == best.where.area() && finish < best.finish))) {
              best = {r, op, t.first + k, start, finish};
            }
            if (!w.memory_matters) break;
          }
      }
      if (earliest == unbounded) break;
    }
    return best;
  };
  space.look(out);
  while (out.sequence.size() < out.spots.size()) {
    choice next;
    for (std::uint32_t op : space.ready()) {
      const choice c = best_of(op);
      if (c.start == unbounded) continue;
      if (next.start == unbounded || c.start < next.start ||
          (c.start == next.start && w.operators[c.op].tail > w.operators[next.op].tail))
        next = c;
    }
    if (next.start == unbounded || space.stopped()) return false;
    space.put(out, next.op, next.where, next.how, next.start);
    space.follow(out);
  }
  out.bound = out.makespan;
  return true;
}

/// Candidate rectangles for `construct`: the whole array and its repeated halves in both
/// directions, each at the multiples of its size, without those that cover dead PEs. At most 4 ·
/// PEs. If no larger one is usable, single PEs still are.
constexpr table<rectangle> halved_rectangles(const pe_array& a) {
  table<rectangle> out;
  for (std::int32_t r = a.rows;; r = (r + 1) / 2) {
    for (std::int32_t c = a.columns;; c = (c + 1) / 2) {
      for (std::int32_t y = 0; y + r <= a.rows; y += r)
        for (std::int32_t x = 0; x + c <= a.columns; x += c)
          if (a.usable({y, x, r, c})) out.push_back({y, x, r, c});
      if (c == 1) break;
    }
    if (r == 1) break;
  }
  return out;
}

}  // namespace wf
