// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/builtin.hpp>

namespace wf {

/// The built-in transforms whose results the run-time executor can run as they are: all but
/// `gaussian_elimination`, whose loop has to be unrolled first. O(transforms).
constexpr table<transform> executable_transforms() {
  table<transform> out;
  for (const transform& t : builtin_transforms())
    if (!(t.name == "gaussian_elimination")) out.push_back(t);
  return out;
}

}  // namespace wf
