// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/run/elementwise.hpp>
#include <wf/run/linalg.hpp>
#include <wf/run/movement.hpp>
#include <wf/run/neural.hpp>
#include <wf/run/reduction.hpp>

namespace wf::compute {

/// The operator of that name that the run-time executor knows, or null. O(operators).
inline const executable_operator* find_operator(text_view name) {
  for (const view<executable_operator>& family :
       {elementwise_operators(), linalg_operators(), movement_operators(), neural_operators(),
        reduction_operators()})
    for (const executable_operator& o : family)
      if (o.name == name) return &o;
  return nullptr;
}

}  // namespace wf::compute
