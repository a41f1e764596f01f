# SPDX-License-Identifier: BSL-1.0
#
# Finds the C++ Actor Framework, whose packages before 0.18 have no files for CMake: CAF_FOUND,
# CAF_VERSION, and the targets CAF::core and CAF::io, as later ones name them. CAF_ROOT is where to
# look first.
find_path(CAF_INCLUDE_DIR caf/config.hpp)
find_library(CAF_CORE_LIBRARY caf_core)
find_library(CAF_IO_LIBRARY caf_io)
mark_as_advanced(CAF_INCLUDE_DIR CAF_CORE_LIBRARY CAF_IO_LIBRARY)

unset(CAF_VERSION)
if(CAF_INCLUDE_DIR)
  file(STRINGS "${CAF_INCLUDE_DIR}/caf/config.hpp" caf_version REGEX "^#define CAF_VERSION [0-9]+$")
  if(caf_version MATCHES "([0-9]+)$")
    # Two digits each for major, minor and patch.
    math(EXPR caf_major "${CMAKE_MATCH_1} / 10000")
    math(EXPR caf_minor "${CMAKE_MATCH_1} / 100 % 100")
    math(EXPR caf_patch "${CMAKE_MATCH_1} % 100")
    set(CAF_VERSION ${caf_major}.${caf_minor}.${caf_patch})
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  CAF REQUIRED_VARS CAF_IO_LIBRARY CAF_CORE_LIBRARY CAF_INCLUDE_DIR VERSION_VAR CAF_VERSION
  HANDLE_VERSION_RANGE)

if(CAF_FOUND AND NOT TARGET CAF::io)
  find_package(Threads REQUIRED)
  add_library(CAF::core INTERFACE IMPORTED)
  target_include_directories(CAF::core INTERFACE "${CAF_INCLUDE_DIR}")
  target_link_libraries(CAF::core INTERFACE "${CAF_CORE_LIBRARY}" Threads::Threads)
  add_library(CAF::io INTERFACE IMPORTED)
  target_link_libraries(CAF::io INTERFACE "${CAF_IO_LIBRARY}" CAF::core)
endif()
