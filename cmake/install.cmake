# SPDX-License-Identifier: BSL-1.0
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Nothing here depends on the architecture, so all of it goes below share/.
set(wf_cmake_dir ${CMAKE_INSTALL_DATADIR}/cmake/wf)

foreach(component IN ITEMS core engine run yaml)
  install(TARGETS wf_${component} EXPORT wf-${component}-targets
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT wf-${component}-targets NAMESPACE wf:: DESTINATION ${wf_cmake_dir})
endforeach()

write_basic_package_version_file(${PROJECT_BINARY_DIR}/wf-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/wf-config.cmake
              ${PROJECT_SOURCE_DIR}/cmake/wf-compiled.cmake
              ${PROJECT_BINARY_DIR}/wf-config-version.cmake
        DESTINATION ${wf_cmake_dir})

configure_file(${PROJECT_SOURCE_DIR}/cmake/wf.pc.in ${PROJECT_BINARY_DIR}/wf.pc @ONLY)
# A program that is made for the machine on which it is run, by a compiler there.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/calibrate DESTINATION ${CMAKE_INSTALL_BINDIR}
        RENAME wf-calibrate)
install(FILES ${PROJECT_BINARY_DIR}/wf.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/wf)
