# SPDX-License-Identifier: BSL-1.0
#
# The rivals of wf in benchmarks/linalg: Eigen, and if installed Armadillo on OpenBLAS
# (benchmarks/linalg/run installs them). Armadillo calls OpenBLAS directly, which includes LAPACK.

find_path(WF_ARMADILLO_FOLDER armadillo)
find_library(WF_OPENBLAS_LIBRARY openblas)
if(NOT WF_ARMADILLO_FOLDER OR NOT WF_OPENBLAS_LIBRARY)
  message(STATUS "wf: there is no Armadillo or OpenBLAS: nothing is compared with them")
endif()

# Links a program with the rivals.
function(wf_add_linalg_rivals target)
  set(rivals eigen_naive eigen_exact eigen_recommended eigen_library eigen_hand_regression
      eigen_hand_filters eigen_hand_inversion armadillo_absent)
  if(WF_ARMADILLO_FOLDER AND WF_OPENBLAS_LIBRARY)
    list(REMOVE_ITEM rivals armadillo_absent)
    list(APPEND rivals armadillo_rivals armadillo_library)
    target_include_directories(${target} SYSTEM PRIVATE "${WF_ARMADILLO_FOLDER}")
    target_link_libraries(${target} PRIVATE "${WF_OPENBLAS_LIBRARY}")
    # Armadillo's stable sort uses a function that libstdc++ 12 itself deprecates: clang warns.
    set_source_files_properties(
      "${PROJECT_SOURCE_DIR}/benchmarks/linalg/armadillo_rivals.cpp"
      "${PROJECT_SOURCE_DIR}/benchmarks/linalg/armadillo_library.cpp" PROPERTIES COMPILE_DEFINITIONS
      "ARMA_DONT_USE_WRAPPER;ARMA_DONT_USE_ARPACK;ARMA_DONT_USE_SUPERLU;ARMA_DONT_USE_HDF5"
      COMPILE_OPTIONS -Wno-deprecated-declarations)
  endif()
  list(TRANSFORM rivals PREPEND "${PROJECT_SOURCE_DIR}/benchmarks/linalg/")
  list(TRANSFORM rivals APPEND .cpp)
  target_sources(${target} PRIVATE ${rivals})
endfunction()
