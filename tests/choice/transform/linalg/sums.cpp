// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/linalg/sums.hpp>

#include <doctest/doctest.h>

#include "../../rewriting.hpp"

namespace {

constexpr rewriting rewritings[] = {
    // Scalars move out of products.
    {"input A : f64[20,30]; input B : f64[30,16]; input c : f64[]; Y = (c*A)*B; export Y",
     "multiply", "axpy"},
    // Signs do too, and become differences.
    {"input A : f64[40,40] {nonsingular}; input B : f64[40,16]; Y = -inv(A)*B; export Y", "solve"},
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[20,16]; Y = (-A)*B + C; export Y",
     "matmul_subtract", "negate"},
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[20,16]; Y = C - A*(-B); export Y",
     "matmul_add", "negate"},
    {"input A : f64[20,30]; input b : f64[30]; input c : f64[20]; y = c + (-A)*b; export y",
     "subtract", "negate"},
    // Signs anywhere, and of both operands.
    {"input A : f64[20,30]; input B : f64[20,30]; Y = (-A) + (-B); export Y", "subtract"},
    {"input A : f64[20,30]; input B : f64[20,30]; Y = (-A) + B; export Y", "subtract", "negate"},
    {"input A : f64[20,30]; input B : f64[20,30]; Y = A - (-B); export Y", "add", "negate"},
    // A thin factor is distributed over a sum of products.
    {"input A : f64[40,40]; input X : f64[40,40]; input S : f64[40,16];"
     "Y = (A*X*A - A)*S; export Y",
     "subtract"}};

}  // namespace

TEST_CASE("scalars leave products, and thin factors reach into sums") {
  for (const rewriting& r : rewritings) check_rewriting(r);
}
