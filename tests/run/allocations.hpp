// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace wf_test {

// How often this thread asked for memory: the operator new of the program, in eigen.cpp, counts.
inline thread_local std::size_t allocations = 0;

}  // namespace wf_test
