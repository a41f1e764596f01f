// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/tensor/contractions.hpp>
#include <wf/contraction/exact_search.hpp>
#include <wf/contraction/large/search.hpp>

namespace wf::transforms {

namespace detail {

// Searches an order for more tensors than exact planning handles.
struct searching_planner {
  static std::size_t fewest(const choice_graph& c) { return exact_planner::most(c) + 1; }
  static std::size_t most(const choice_graph&) { return 63; }  // the width of a set
  result<contraction_order> operator()(const tensor_network& n) const {
    contraction_limits limits;
    limits.rounds = 1;
    limits.sweeps = 1000;
    return search_contraction(n, limits);
  }
};

}  // namespace detail

/// `reorder_contraction` for 17 to 63 tensors, at run time: the order that `search_contraction`
/// finds in one round of 1,000 sweeps, which is deterministic, unless an intermediate tensor has
/// too many dimensions. Not a built-in transform: add it to them (`transform_registry`).
inline constexpr transform reorder_large_contraction{
    "tensor", "reorder_large_contraction", "an order of the contraction that a search found",
    &detail::reorder_contraction<detail::searching_planner>, false};

}  // namespace wf::transforms
