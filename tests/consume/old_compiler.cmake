# SPDX-License-Identifier: BSL-1.0
#
# CMAKE_PROJECT_INCLUDE of a test: the compiler passes for one that wf refuses.
set(CMAKE_CXX_COMPILER_VERSION 11.4)
