// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/graph.hpp>
#include <wf/toolchain/step.hpp>

namespace wf {

template <>
inline constexpr text_view stage_name<graph> = "graph";

}  // namespace wf
