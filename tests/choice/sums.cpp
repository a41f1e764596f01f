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
     "subtract"},
    // Products are added where the sum is, also those further inside.
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[20,16]; Y = A*B + C; export Y",
     "matmul_add", "add"},
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[20,16]; Y = C - A*B; export Y",
     "matmul_subtract", "subtract"},
    // What is added to a sum of products goes inside it.
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[20,16]; input E : f64[20,24];"
     "input F : f64[24,16]; Y = C - (A*B - E*F); export Y",
     "matmul_subtract", "matmul"},
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[16,20]; input D : f64[16,20];"
     "input E : f64[20,24]; input F : f64[24,16]; input G : f64[20,18]; input H : f64[18,16];"
     "Y = A*B - E*F - G*H + (trans(C) + trans(D)); export Y",
     "matmul_subtract", "matmul"}};

}  // namespace

TEST_CASE("scalars leave products, and thin factors reach into sums") {
  for (const rewriting& r : rewritings) check_rewriting(r);
}
