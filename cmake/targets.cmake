# SPDX-License-Identifier: BSL-1.0
#
# One target per component, because components have different dependencies:
#   wf::core    the compile-time tier, <wf/static.hpp>: nothing
#   wf::engine  and all that its umbrellas have, <wf/wf.hpp> among them, and
#               <wf/adapt/wfformat.hpp>: nothing
#   wf::run     and the executors and bridges: Eigen, Boost headers (Mp11, Hana), range-v3
#   wf::yaml    wf::engine and <wf/adapt/yaml.hpp>: yaml-cpp
#   wf::tensors  wf::engine and <wf/adapt/tensors.hpp>: zlib
#   wf::tbb     wf::engine and <wf/adapt/tbb.hpp>: TBB
#   wf::parallel  wf::run, wf::tbb and <wf/adapt/parallel.hpp>
#   wf::mpi     wf::run and the room run/mpi: MPI
#   wf::caf     wf::run and the room run/caf: the C++ Actor Framework
# wf::wf is wf::run, and wf::parallel where WF_WITH_TBB is on; wf::compiled is wf::run with the
# run-time planner compiled. A header belongs to the component of its room without further entry.
#
# Dependencies may be missing when wf is installed or a component without them is linked.

include("${CMAKE_CURRENT_LIST_DIR}/wf-requirements.cmake")
if(wf_refusal)
  message(FATAL_ERROR "${wf_refusal}")
endif()

set(wf_core_rooms core formula ir registry storage cost order contraction capture)
set(wf_engine_rooms rewrite lint types toolchain cache search choice select map simulate compile
    partition logic report adapt/wfformat)
set(wf_run_rooms run calibrate adapt)
set(wf_yaml_rooms adapt/yaml)
set(wf_tensors_rooms adapt/tensors)
set(wf_mpi_rooms run/mpi)
set(wf_caf_rooms run/caf)
set(wf_core_umbrella static.hpp capture.hpp)
set(wf_engine_umbrella wf.hpp select.hpp map.hpp simulate.hpp toolchain.hpp partition.hpp logic.hpp
    report.hpp adapt/wfformat.hpp)
set(wf_run_umbrella run.hpp)
set(wf_yaml_umbrella adapt/yaml.hpp)
set(wf_tensors_umbrella adapt/tensors.hpp)
set(wf_tbb_umbrella adapt/tbb.hpp)
set(wf_parallel_umbrella adapt/parallel.hpp)

# Links a dependency to a component: wf_require(component target name versions needed). It is
# searched for unless the project already has its target, and must exist if `needed`. If it is
# missing, the component can still be installed.
macro(wf_require component target name versions needed)
  if(NOT TARGET ${target} AND ${needed})
    find_package(${name} ${versions} REQUIRED)
  elseif(NOT TARGET ${target})
    find_package(${name} ${versions} QUIET)
  endif()
  target_link_libraries(wf_${component} INTERFACE $<INSTALL_INTERFACE:${target}>)
  if(TARGET ${target})
    target_link_libraries(wf_${component} INTERFACE $<BUILD_INTERFACE:${target}>)
  else()
    message(STATUS "wf: there is no ${name} that fits: what needs wf::${component} is not built")
  endif()
endmacro()

foreach(component IN ITEMS core engine run yaml tensors tbb parallel mpi caf)
  set(headers ${wf_${component}_umbrella})
  list(TRANSFORM headers PREPEND "${PROJECT_SOURCE_DIR}/include/wf/")
  foreach(room IN LISTS wf_${component}_rooms)
    file(GLOB_RECURSE room_headers CONFIGURE_DEPENDS
         "${PROJECT_SOURCE_DIR}/include/wf/${room}/*.hpp")
    list(APPEND headers ${room_headers})
  endforeach()
  if(component STREQUAL run)
    foreach(bridge IN ITEMS yaml tensors tbb parallel)
      list(REMOVE_ITEM headers "${PROJECT_SOURCE_DIR}/include/wf/${wf_${bridge}_umbrella}")
      list(FILTER headers EXCLUDE REGEX "/include/wf/adapt/${bridge}/")
    endforeach()
    list(FILTER headers EXCLUDE REGEX "/include/wf/run/(mpi|caf)/")
    # A bridge without a dependency: part of wf::engine.
    list(FILTER headers EXCLUDE REGEX "/include/wf/adapt/wfformat[./]")
  endif()

  add_library(wf_${component} INTERFACE)
  add_library(wf::${component} ALIAS wf_${component})
  set_target_properties(wf_${component} PROPERTIES EXPORT_NAME ${component})
  target_compile_features(wf_${component} INTERFACE cxx_std_20)
  target_sources(wf_${component} INTERFACE
                 FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${headers})
endforeach()

set(wf_builds OFF)
if(WF_BUILD_TESTS OR WF_BUILD_EXAMPLES OR WF_BUILD_BENCHMARKS)
  set(wf_builds ON)
endif()
wf_require(run Boost::headers Boost "${wf_boost_versions}" wf_builds)
wf_require(run range-v3::range-v3 range-v3 "" wf_builds)
wf_require(run Eigen3::Eigen Eigen3 "${wf_eigen_versions}" wf_builds)
wf_require(yaml yaml-cpp yaml-cpp "${wf_yaml_cpp_versions}" OFF)
wf_require(tensors ZLIB::ZLIB ZLIB "${wf_zlib_versions}" OFF)
wf_require(tbb TBB::tbb TBB "${wf_tbb_versions}" WF_WITH_TBB)
set(MPI_CXX_SKIP_MPICXX ON)  # MPI's interface for C++ is withdrawn
wf_require(mpi MPI::MPI_CXX MPI "${wf_mpi_versions}" OFF)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")  # FindCAF.cmake
wf_require(caf CAF::io CAF "${wf_caf_versions}" OFF)
list(POP_BACK CMAKE_MODULE_PATH)
if(range-v3_FOUND)
  wf_examine_range_v3()
  if(wf_refusal)
    message(FATAL_ERROR "${wf_refusal}")
  endif()
endif()

target_link_libraries(wf_engine INTERFACE wf_core)
foreach(component IN ITEMS run yaml tensors tbb)
  target_link_libraries(wf_${component} INTERFACE wf_engine)
endforeach()
target_link_libraries(wf_parallel INTERFACE wf_run wf_tbb)
target_link_libraries(wf_mpi INTERFACE wf_run)
target_link_libraries(wf_caf INTERFACE wf_run)

# Not part of an installed target: wf-config.cmake finds the user's LAPACK and its BLAS.
if(WF_WITH_BLAS)
  find_package(LAPACK REQUIRED)
  target_compile_definitions(wf_run INTERFACE $<BUILD_INTERFACE:WF_WITH_BLAS>)
  target_link_libraries(wf_run INTERFACE $<BUILD_INTERFACE:LAPACK::LAPACK>)
endif()

add_library(wf INTERFACE)
add_library(wf::wf ALIAS wf)
target_link_libraries(wf INTERFACE wf_run $<$<BOOL:${WF_WITH_TBB}>:wf_parallel>)

include("${CMAKE_CURRENT_LIST_DIR}/wf-compiled.cmake")
