# SPDX-License-Identifier: BSL-1.0
#
# find_package(wf [COMPONENTS core | engine | run] [yaml]): each component includes the ones before
# it; all of these three are found if none is named. wf::wf stands for what was asked for. `yaml`,
# which includes engine, is asked for by name. With `run` comes wf::compiled, the run-time planner
# as a library of the project that links it.
include(CMakeFindDependencyMacro)

set(wf_wanted ${wf_FIND_COMPONENTS})
if(NOT wf_wanted)
  set(wf_wanted run)
endif()

foreach(wf_component IN LISTS wf_wanted)
  if(NOT wf_component MATCHES "^(core|engine|run|yaml)$")
    set(wf_${wf_component}_FOUND FALSE)
    if(wf_FIND_REQUIRED_${wf_component} OR NOT wf_FIND_COMPONENTS)
      set(wf_FOUND FALSE)
      set(wf_NOT_FOUND_MESSAGE
          "wf has no component '${wf_component}': it has core, engine, run and yaml")
      return()
    endif()
  endif()
endforeach()

find_dependency(Boost)
include(${CMAKE_CURRENT_LIST_DIR}/wf-core-targets.cmake)
set(wf_core_FOUND TRUE)
set(wf_last core)

if("engine" IN_LIST wf_wanted OR "run" IN_LIST wf_wanted OR "yaml" IN_LIST wf_wanted)
  find_dependency(range-v3)
  include(${CMAKE_CURRENT_LIST_DIR}/wf-engine-targets.cmake)
  set(wf_engine_FOUND TRUE)
  set(wf_last engine)
endif()

if("run" IN_LIST wf_wanted)
  find_dependency(Eigen3)
  include(${CMAKE_CURRENT_LIST_DIR}/wf-run-targets.cmake)
  include(${CMAKE_CURRENT_LIST_DIR}/wf-compiled.cmake)
  set(wf_run_FOUND TRUE)
  set(wf_last run)
endif()

set(wf_bridges)
if("yaml" IN_LIST wf_wanted)
  find_dependency(yaml-cpp)
  if(NOT TARGET yaml-cpp AND TARGET yaml-cpp::yaml-cpp)
    add_library(yaml-cpp INTERFACE IMPORTED)  # its name before version 0.8
    target_link_libraries(yaml-cpp INTERFACE yaml-cpp::yaml-cpp)
  endif()
  include(${CMAKE_CURRENT_LIST_DIR}/wf-yaml-targets.cmake)
  set(wf_yaml_FOUND TRUE)
  set(wf_bridges wf::yaml)
endif()

if(NOT TARGET wf::wf)
  add_library(wf::wf INTERFACE IMPORTED)
endif()
target_link_libraries(wf::wf INTERFACE wf::${wf_last} ${wf_bridges})

unset(wf_wanted)
unset(wf_component)
unset(wf_last)
unset(wf_bridges)
