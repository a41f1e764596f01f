# SPDX-License-Identifier: BSL-1.0
#
# Libraries that are compiled in the project that links them with its flags, so that both use the
# same Eigen:
#   wf::compiled           wf::run, what <wf/run/plan/executable_plan.hpp> declares, and the
#                          operators of the executor of doubles
#   wf::compiled_elements  the same, and the operators of the executors of all other elements
if(NOT TARGET wf::compiled)
  # wf_compile_operators(target element...): compiles the operators for each element type as a
  # source file.
  function(wf_compile_operators target)
    foreach(element IN LISTS ARGN)
      string(MAKE_C_IDENTIFIER ${element} name)
      set(file "${CMAKE_CURRENT_BINARY_DIR}/wf_operators_${name}.cpp")
      file(CONFIGURE OUTPUT "${file}" CONTENT [[
#include <wf/run/operators/operators.hpp>
template const wf::compute::operator_implementation<@element@>*
    wf::compute::detail::find_builtin(wf::text_view);
]] @ONLY)
      target_sources(${target} PRIVATE "${file}")
    endforeach()
  endfunction()

  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/wf_compiled.cpp"
       CONTENT "#include <wf/run/static/definitions.hpp>\n")
  add_library(wf_compiled STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/wf_compiled.cpp")
  add_library(wf::compiled ALIAS wf_compiled)
  target_link_libraries(wf_compiled PUBLIC wf::run)
  target_compile_definitions(wf_compiled PUBLIC WF_COMPILED)
  wf_compile_operators(wf_compiled double)

  add_library(wf_compiled_elements STATIC EXCLUDE_FROM_ALL)
  add_library(wf::compiled_elements ALIAS wf_compiled_elements)
  target_link_libraries(wf_compiled_elements PUBLIC wf_compiled)
  target_compile_definitions(wf_compiled_elements PUBLIC WF_COMPILED_ELEMENTS)
  wf_compile_operators(wf_compiled_elements bool std::int32_t std::int64_t float
                       std::complex<float> std::complex<double>)
endif()
