# SPDX-License-Identifier: BSL-1.0
#
# What wf requires, stated once: its own build, wf-config.cmake and conanfile.py read it here. Each
# begins with the oldest version that wf is tested with. Eigen ends with the series that is tested:
# what wf relies on of its kernels differs between series.
set(wf_boost_versions 1.74)
set(wf_range_v3_versions 0.12)
set(wf_eigen_versions 3.4...<3.5)
set(wf_yaml_cpp_versions 0.7)
set(wf_tbb_versions 2021...<2023)
set(wf_oldest_gcc 12)
set(wf_oldest_clang 19)

# Why the compiler is refused, in the words of <wf/core/version.hpp>; empty if it is not.
set(wf_refusal)
if(MSVC OR (CMAKE_CXX_COMPILER_ID STREQUAL GNU
            AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS wf_oldest_gcc)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL Clang
       AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS wf_oldest_clang))
  string(CONCAT wf_refusal
         "wf needs g++ ${wf_oldest_gcc}, clang ${wf_oldest_clang} or a later version of either: "
         "this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
endif()

# Why range-v3, once found, is refused; empty if it is not. Its package accepts no version but its
# own, so that none can be asked for.
macro(wf_examine_range_v3)
  if(range-v3_VERSION VERSION_LESS wf_range_v3_versions)
    set(wf_refusal
        "wf needs range-v3 ${wf_range_v3_versions} or later: this is ${range-v3_VERSION}")
  endif()
endmacro()
