// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include <selection/instance.hpp>

namespace selection_benchmark {

inline std::string model_as_json(const instance&) { return {}; }

}  // namespace selection_benchmark
