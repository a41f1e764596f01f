// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/prices.hpp>
#include <wf/select/packing/simplex_basis.hpp>

namespace wf::detail {

/// A node on the path from the root to the current node of a depth-first search: the value that it
/// branches on, and what its second side starts from.
struct packing_frame {
  std::uint32_t value = packing_model::none;
  std::uint32_t mark = 0;  ///< of the propagator before the branching
  std::uint8_t first = 0;  ///< the side to try first: 0 takes the value, 1 drops it
  std::uint8_t tried = 0;
  std::uint8_t wait = 0;   ///< levels below it on which enumeration is not tried
  bool again = false;      ///< the node has to be visited again
  std::int64_t bound = 0;  ///< scaled
  double share = 0;        ///< the share of the value in the relaxation
  packing_prices prices;
  /// If recorded, the prices that prove the bound, possibly those of an earlier node.
  packing_prices proof;
  packing_basis basis;

  /// True if a side is left to visit.
  constexpr bool is_open() const { return tried < 2 || again; }
};

/// The least scaled bound of the open nodes of a path; `unbounded` if there is none.
constexpr std::int64_t least_open_bound(const table<packing_frame>& path) {
  std::int64_t least = unbounded;
  for (const packing_frame& f : path)
    if (f.is_open() && f.bound < least) least = f.bound;
  return least;
}

/// Index of the frame of least bound below `target` with an open side that does not contain the
/// current node: a subtree that another search may take over. The number of frames if there is
/// none.
constexpr std::size_t frame_to_give(const table<packing_frame>& path, std::int64_t target) {
  std::size_t best = path.size();
  std::int64_t least = target;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (path[i].tried != 1 || path[i].bound >= least) continue;
    least = path[i].bound;
    best = i;
  }
  return best;
}

}  // namespace wf::detail
