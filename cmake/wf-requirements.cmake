# SPDX-License-Identifier: BSL-1.0
#
# The requirements of wf in one place, for its own build, wf-config.cmake and conanfile.py. Each
# range begins with the oldest tested version. Eigen's ends with the tested series: the internals of
# its kernels on which wf relies differ between series. So does CAF's: 0.18 has another interface.
set(wf_boost_versions 1.74)
set(wf_range_v3_versions 0.12)
set(wf_eigen_versions 3.4...<3.5)
set(wf_yaml_cpp_versions 0.7)
set(wf_zlib_versions 1.2.13)
set(wf_tbb_versions 2021...<2023)
set(wf_mpi_versions 3.0)
set(wf_caf_versions 0.17...<0.18)
set(wf_oldest_gcc 12)
set(wf_oldest_clang 19)

# The reason why the compiler is refused, as in <wf/core/version.hpp>; empty if it is accepted.
set(wf_refusal)
if(MSVC OR (CMAKE_CXX_COMPILER_ID STREQUAL GNU
            AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS wf_oldest_gcc)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL Clang
       AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS wf_oldest_clang))
  string(CONCAT wf_refusal
         "wf needs g++ ${wf_oldest_gcc}, clang ${wf_oldest_clang} or a later version of either: "
         "this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
endif()

# The reason why the range-v3 that was found is refused; empty if it is accepted. Its package
# accepts no version but its own, so that a range cannot be requested.
macro(wf_examine_range_v3)
  if(range-v3_VERSION VERSION_LESS wf_range_v3_versions)
    set(wf_refusal
        "wf needs range-v3 ${wf_range_v3_versions} or later: this is ${range-v3_VERSION}")
  endif()
endmacro()
