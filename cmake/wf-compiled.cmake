# SPDX-License-Identifier: BSL-1.0
#
# wf::compiled: wf::run, and what <wf/run/executable_plan.hpp> declares, compiled once in the
# project that links it and with its flags, so that both see the same Eigen.
if(NOT TARGET wf::compiled)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/wf_compiled.cpp"
       CONTENT "#include <wf/run/definitions.hpp>\n")
  add_library(wf_compiled STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/wf_compiled.cpp")
  add_library(wf::compiled ALIAS wf_compiled)
  target_link_libraries(wf_compiled PUBLIC wf::run)
endif()
