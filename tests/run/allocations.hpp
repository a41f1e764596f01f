// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace wf_test {

// The number of allocations of this thread, counted by the operator new in eigen.cpp.
inline thread_local std::size_t allocations = 0;

}  // namespace wf_test
