// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/sums.hpp>

#include <doctest/doctest.h>

#include "rewriting.hpp"

namespace {

constexpr rewriting rewritings[] = {
    // Scalars leave products.
    {"input A : f64[20,30]; input B : f64[30,16]; input c : f64[]; Y = (c*A)*B; export Y",
     "multiply", "axpy"},
    // A thin factor reaches into a sum of products.
    {"input A : f64[40,40]; input X : f64[40,40]; input S : f64[40,16];"
     "Y = (A*X*A - A)*S; export Y",
     "subtract"}};

}  // namespace

TEST_CASE("scalars leave products, and thin factors reach into sums") {
  for (const rewriting& r : rewritings) check_rewriting(r);
}
