# SPDX-License-Identifier: BSL-1.0
#
# Headers and instantiations of wf dominate the compile time of tests: therefore several test files
# form one translation unit, each in a namespace of its own (unite.py).

set(WF_TEST_UNITED 24 CACHE STRING
    "How many test files are compiled together; 1 while one of them is edited")
# Those of the executors instantiate Eigen: g++ takes 3 GB for half as many.
set(wf_large_tests "^(blas|kernels|run)")

# Exceptions: they define members of outer namespaces, refer to their own namespace, or define
# macros; or they test which headers their translation unit includes; or they are large enough.
set(wf_tests_alone adapt/hana cache/fingerprint/content core/text/type_name core/version
    formula/number/function report/toolchain/stage_text rewrite/dead rewrite/rewrite run/eigen
    run/integers run/plan/placed_executable select/static_plan storage/plan toolchain/step)

# Sets `out` to the translation units of the test files <room>/<subject>.cpp that follow; `name` is
# the prefix of their names, unique in this folder.
function(wf_unite out name)
  set(units)
  set(united)
  foreach(test IN LISTS ARGN)
    if(test IN_LIST wf_tests_alone OR WF_TEST_UNITED LESS 2)
      list(APPEND units "${PROJECT_SOURCE_DIR}/tests/${test}.cpp")
    else()
      list(APPEND united "${PROJECT_SOURCE_DIR}/tests/${test}.cpp")
    endif()
  endforeach()
  # As few as possible, of nearly equal size.
  set(most ${WF_TEST_UNITED})
  if(name MATCHES "${wf_large_tests}")
    math(EXPR most "(${most} + 1) / 2")
  endif()
  list(LENGTH united count)
  math(EXPR parts "(${count} + ${most} - 1) / ${most}")
  set(part 0)
  set(end 0)
  while(part LESS parts)
    set(begin ${end})
    math(EXPR part "${part} + 1")
    math(EXPR end "${count} * ${part} / ${parts}")
    math(EXPR size "${end} - ${begin}")
    list(SUBLIST united ${begin} ${size} files)
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/united/${name}_${part}.cpp")
    add_custom_command(
      OUTPUT "${unit}"
      COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/unite.py" "${unit}" ${files}
      DEPENDS "${PROJECT_SOURCE_DIR}/tests/unite.py" ${files} VERBATIM)
    list(APPEND units "${unit}")
  endwhile()
  set(${out} ${units} PARENT_SCOPE)
endfunction()

# As wf_unite, and optimises those of wf_optimised_tests.
function(wf_unite_and_optimise out name)
  set(others ${ARGN})
  list(REMOVE_ITEM others ${wf_optimised_tests})
  set(optimised ${ARGN})
  list(REMOVE_ITEM optimised ${others})
  # Optimised files first: of a function in several files, the linker takes the first definition.
  wf_unite(units ${name}_optimised ${optimised})
  set_source_files_properties(${units} PROPERTIES COMPILE_OPTIONS -Og)
  wf_unite(more ${name} ${others})
  set(${out} ${units} ${more} PARENT_SCOPE)
endfunction()
