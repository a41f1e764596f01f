# SPDX-License-Identifier: BSL-1.0
#
# Common settings of tests, examples and benchmarks; consumers of wf do not include this file.

# Warnings are set by a target that is linked privately.
add_library(wf_warnings INTERFACE)
target_compile_options(wf_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Werror)

# The compiled planner and executors are then part of the project and must be optimised to be
# useful. Under sanitizers this pays off for the planner, in which tests search, but not for the
# operators, whose optimisation takes longer than it saves.
option(WF_TEST_OPTIMISE "Optimise the tests of the rooms that search or execute" ON)
foreach(library IN ITEMS wf_compiled wf_compiled_elements)
  target_link_libraries(${library} PRIVATE wf_warnings)
  if(WF_TEST_OPTIMISE)
    target_compile_options(${library} PRIVATE $<$<CONFIG:Debug>:-Og>)
  endif()
endforeach()
set_source_files_properties("${CMAKE_CURRENT_BINARY_DIR}/wf_compiled.cpp"
                            PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Debug>:-Og>)
# Makes an allocation by Eigen a failed assertion in tests of the executors.
if(WF_BUILD_TESTS)
  target_compile_definitions(wf_compiled PUBLIC $<$<CONFIG:Debug>:EIGEN_RUNTIME_NO_MALLOC>)
endif()

# In template-heavy files g++ spends a tenth of its time in garbage collection: let it begin at 0.5
# GB, and again whenever the heap has grown fourfold. The largest file takes 6 GB.
add_compile_options("$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>"
                    "$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=300>")

# Test names begin with the name of the build tree, so that one ctest can run several trees.
get_filename_component(configuration "${PROJECT_BINARY_DIR}" NAME)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Registers a command as a test that runs in the root of the source tree: wf_add_test(name
# [PROCESSORS n] [TIMEOUT s] [LABELS l…] COMMAND …).
function(wf_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROCESSORS;TIMEOUT" "LABELS;COMMAND")
  add_test(NAME ${configuration}.${name} COMMAND ${arg_COMMAND}
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  set_tests_properties(
    ${configuration}.${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS}
    LABELS "${arg_LABELS}"
    ENVIRONMENT "WF_BINARY_DIR=${PROJECT_BINARY_DIR};CXX=${CMAKE_CXX_COMPILER}")
endfunction()

# Registers a test that cannot run here, so that ctest reports it as skipped: wf_skip_test(name
# why).
function(wf_skip_test name why)
  wf_add_test(${name} LABELS unit COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${why}")
  set_tests_properties(${configuration}.${name} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
endfunction()

# Registers a program as a test on a number of processes of MPI: wf_add_mpi_test(name ranks
# [LABELS l…] COMMAND target). There may be more processes than processors, and root may start them.
function(wf_add_mpi_test name ranks)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LABELS;COMMAND")
  wf_add_test(${name} PROCESSORS 2 TIMEOUT 120 LABELS ${arg_LABELS} mpi
              COMMAND ${MPIEXEC_EXECUTABLE} -np ${ranks} --oversubscribe --bind-to none
                      --mca mpi_yield_when_idle 1 $<TARGET_FILE:${arg_COMMAND}>)
  set_property(TEST ${configuration}.${name} APPEND PROPERTY
               ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
  set_tests_properties(${configuration}.${name} PROPERTIES DEPENDS ${configuration}.build)
endfunction()

# Registers a program as a test on a number of processes that find each other over TCP:
# wf_add_processes_test(name count [LABELS l…] COMMAND target).
function(wf_add_processes_test name count)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LABELS;COMMAND")
  wf_add_test(${name} PROCESSORS 2 TIMEOUT 120 LABELS ${arg_LABELS} caf
              COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/processes.py" ${count}
                      $<TARGET_FILE:${arg_COMMAND}>)
  set_tests_properties(${configuration}.${name} PROPERTIES DEPENDS ${configuration}.build)
endfunction()
