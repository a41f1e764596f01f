# SPDX-License-Identifier: BSL-1.0
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Nothing depends on the architecture, so that everything is installed below share/.
set(wf_cmake_dir ${CMAKE_INSTALL_DATADIR}/cmake/wf)

foreach(component IN ITEMS core engine run yaml tensors tbb parallel mpi caf)
  install(TARGETS wf_${component} EXPORT wf-${component}-targets
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT wf-${component}-targets NAMESPACE wf:: DESTINATION ${wf_cmake_dir})
endforeach()

write_basic_package_version_file(${PROJECT_BINARY_DIR}/wf-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_file(${PROJECT_SOURCE_DIR}/cmake/wf-config.cmake.in ${PROJECT_BINARY_DIR}/wf-config.cmake
               @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wf-config.cmake
              ${PROJECT_SOURCE_DIR}/cmake/wf-requirements.cmake
              ${PROJECT_SOURCE_DIR}/cmake/wf-compiled.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindCAF.cmake
              ${PROJECT_BINARY_DIR}/wf-config-version.cmake
        DESTINATION ${wf_cmake_dir})

# In pkg-config, wf requires the dependencies of wf::run that have modules; wf-engine requires none.
string(REGEX REPLACE "(.*)\\.\\.\\.<(.*)" "eigen3 >= \\1, eigen3 < \\2" wf_pc_requires
                     "${wf_eigen_versions}")
foreach(wf_pc_name IN ITEMS wf wf-engine)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/wf.pc.in ${PROJECT_BINARY_DIR}/${wf_pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${wf_pc_name}.pc
          DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
  set(wf_pc_requires)
endforeach()

# These programs are compiled and run on the user's machine.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/calibrate DESTINATION ${CMAKE_INSTALL_BINDIR}
        RENAME wf-calibrate)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/logic DESTINATION ${CMAKE_INSTALL_BINDIR}
        RENAME wf-logic)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/wf)
