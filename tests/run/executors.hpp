// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <complex>

#include <wf/run/operators.hpp>

// What the operators of the executors compute is compiled once for each type of elements, by the
// test named here: it is most of what an executor costs compilers.
namespace wf::compute::detail {

extern template const executable_operator<double>* find_builtin(text_view);  // executable.cpp
extern template const executable_operator<float>* find_builtin(text_view);   // single_precision.cpp
extern template const executable_operator<std::complex<double>>* find_builtin(
    text_view);  // complex.cpp

}  // namespace wf::compute::detail
