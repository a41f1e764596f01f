# SPDX-License-Identifier: BSL-1.0
#
# CMAKE_PROJECT_INCLUDE of a test: pretends that the compiler is too old for wf.
set(CMAKE_CXX_COMPILER_VERSION 11.4)
