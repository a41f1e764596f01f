// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/linalg/added_products.hpp>

#include <doctest/doctest.h>

#include "../../rewriting.hpp"

namespace {

constexpr rewriting rewritings[] = {
    // Products absorb the sum, also inside of nested sums.
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[20,16]; Y = A*B + C; export Y",
     "matmul_add", "add"},
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[20,16]; Y = C - A*B; export Y",
     "matmul_subtract", "subtract"},
    // A summand moves into a sum of products.
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[20,16]; input E : f64[20,24];"
     "input F : f64[24,16]; Y = C - (A*B - E*F); export Y",
     "matmul_subtract", "matmul"},
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[16,20]; input D : f64[16,20];"
     "input E : f64[20,24]; input F : f64[24,16]; input G : f64[20,18]; input H : f64[18,16];"
     "Y = A*B - E*F - G*H + (trans(C) + trans(D)); export Y",
     "matmul_subtract", "matmul"},
    // The same for transposed products.
    {"input A : f64[40,16]; input B : f64[16,50]; input D : f64[50,40];"
     "Z = D + trans(A*B); export Z",
     "matmul_add", "add"},
    // Products with a common factor are collected, on either side,
    {"input X : f64[40,16]; input Z : f64[40,16]; input V : f64[50,16]; input C : f64[40,50];"
     "Y = X*trans(V) + C + Z*trans(V); export Y",
     "matmul_add", "matmul"},
    {"input X : f64[40,16]; input Z : f64[40,16]; input V : f64[50,16]; input C : f64[50,40];"
     "Y = (C - V*trans(X)) - V*trans(Z); export Y",
     "matmul_subtract", "matmul"},
    // also if transposed and far apart,
    {"input X : f64[40,16]; input Z : f64[40,16]; input V : f64[50,16]; input C : f64[40,50];"
     "input D : f64[40,50]; Y = trans(V*trans(X)) - (C - (D - Z*trans(V))); export Y",
     "matmul_add", "matmul"},
    // or if the product is the result of a chain.
    {"input I : f64[40,40] {identity}; input A : f64[40,40] {spd}; input S : f64[40,16] "
     "{full_rank}; input X : f64[40,40] {symmetric};"
     "Y = S*inv(trans(S)*A*S)*trans(S) + (I - S*inv(trans(S)*A*S)*trans(S)*A)*X"
     "*(I - A*S*inv(trans(S)*A*S)*trans(S)); export Y",
     "matmul_subtract"}};

// The flops of the cheapest plan.
std::int64_t flops_of(const char* text) {
  const auto plan = wf::optimise(formula(text).view(), wf::minimise(wf::flops));
  REQUIRE(plan);
  CHECK(plan->proven_optimal);
  return plan->value;
}

}  // namespace

TEST_CASE("products are added where the sum is, and collected where they share a factor") {
  for (const rewriting& r : rewritings) check_rewriting(r);
}

TEST_CASE("a factor that four products share is multiplied once") {
  // Three sums of 40x16 for W - X + Y - Z; then one product of 40x16 and 16x50 added to C.
  CHECK(flops_of("input W : f64[40,16]; input X : f64[40,16]; input Y : f64[40,16];"
                 "input Z : f64[40,16]; input V : f64[50,16]; input C : f64[40,50];"
                 "R = W*trans(V) - trans(V*trans(X)) + C + Y*trans(V) - Z*trans(V); export R") ==
        3 * 40 * 16 + 2 * 40 * 50 * 16);
  // The same with subtraction only.
  CHECK(flops_of("input X : f64[40,16]; input Z : f64[40,16]; input V : f64[50,16];"
                 "input C : f64[40,50]; R = C - X*trans(V) - Z*trans(V); export R") ==
        40 * 16 + 2 * 40 * 50 * 16);
}

TEST_CASE("thick products with a factor in common stay what they are") {
  // Only outer products are collected, so square matrices are left.
  const wf::graph g = formula(
      "input A : f64[20,20]; input B : f64[20,20]; input C : f64[20,20]; Y = A*C + B*C; export Y");
  const auto grown = wf::grow(g.view(), wf::transforms::linalg_transforms);
  REQUIRE(grown);
  for (const wf::node& n : grown->view().nodes) {
    const auto op = grown->view().op_name(n);
    CHECK((op == "matmul" || op == "matmul_add" || op == "add"));
  }
  CHECK(grown->size() == 5);
}
