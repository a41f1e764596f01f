# SPDX-License-Identifier: BSL-1.0
#
# One target per component, because components differ in what they depend on:
#   wf::core    the compile-time tier, <wf/static.hpp>: Boost headers (Mp11)
#   wf::engine  and everything in <wf/wf.hpp>: range-v3
#   wf::run     and the executors and bridges: Eigen
#   wf::yaml    and <wf/adapt/yaml.hpp>: yaml-cpp, which need not be there to build or install wf
# wf::wf is all of them but wf::yaml; wf::compiled is wf::run with the run-time planner compiled. A
# new header joins its component by lying in its room.

set(wf_core_rooms core formula ir registry storage cost order contraction capture)
set(wf_engine_rooms rewrite lint types toolchain cache search choice select map simulate compile
    report)
set(wf_run_rooms run calibrate adapt)
set(wf_yaml_rooms)
set(wf_core_umbrella static.hpp capture.hpp)
set(wf_engine_umbrella wf.hpp select.hpp map.hpp simulate.hpp toolchain.hpp report.hpp)
set(wf_run_umbrella run.hpp)
set(wf_yaml_umbrella adapt/yaml.hpp)

find_package(Boost REQUIRED)
find_package(range-v3 REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(yaml-cpp QUIET)

foreach(component IN ITEMS core engine run yaml)
  set(headers ${wf_${component}_umbrella})
  list(TRANSFORM headers PREPEND "${PROJECT_SOURCE_DIR}/include/wf/")
  foreach(room IN LISTS wf_${component}_rooms)
    file(GLOB_RECURSE room_headers CONFIGURE_DEPENDS
         "${PROJECT_SOURCE_DIR}/include/wf/${room}/*.hpp")
    list(APPEND headers ${room_headers})
  endforeach()
  if(component STREQUAL run)
    list(REMOVE_ITEM headers "${PROJECT_SOURCE_DIR}/include/wf/adapt/yaml.hpp")
  endif()

  add_library(wf_${component} INTERFACE)
  add_library(wf::${component} ALIAS wf_${component})
  set_target_properties(wf_${component} PROPERTIES EXPORT_NAME ${component})
  target_compile_features(wf_${component} INTERFACE cxx_std_20)
  target_sources(wf_${component} INTERFACE
                 FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${headers})
endforeach()

target_link_libraries(wf_core INTERFACE Boost::headers)
target_link_libraries(wf_engine INTERFACE wf_core range-v3::range-v3)
target_link_libraries(wf_run INTERFACE wf_engine Eigen3::Eigen)
target_link_libraries(wf_yaml INTERFACE wf_engine yaml-cpp)
if(NOT yaml-cpp_FOUND)
  message(STATUS "wf: there is no yaml-cpp: what needs wf::yaml is not built")
  set_target_properties(wf_yaml PROPERTIES VERIFY_INTERFACE_HEADER_SETS OFF)
endif()

add_library(wf INTERFACE)
add_library(wf::wf ALIAS wf)
target_link_libraries(wf INTERFACE wf_run)

include("${CMAKE_CURRENT_LIST_DIR}/wf-compiled.cmake")
