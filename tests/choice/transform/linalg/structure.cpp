// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/linalg/structure.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/times/host_times.hpp>

#include "../../rewriting.hpp"

namespace {

constexpr rewriting rewritings[] = {
    // A product and its transpose share one computation.
    {"input A : f64[20,30]; input B : f64[30,16]; Y = A*B; Z = trans(B)*trans(A); export Y, Z",
     "transpose"},
    // A symmetric product within a longer one.
    {"input X : f64[50,40]; input B : f64[40,30]; Y = trans(X)*X*B; export Y", "gemmt"},
    {"input X : f64[50,40]; input S : f64[50,50] {symmetric}; input B : f64[40,45];"
     "Y = B*trans(B)*trans(X)*S*trans(trans(X)); export Y",
     "gemmt"},
    // Triangles and diagonals on either side, inverted, and solved with.
    {"input L : f64[20,20] {lower}; input A : f64[20,30]; Y = L*A; Z = trans(A)*L; export Y, Z",
     "matmul_triangular", "matmul"},
    {"input D : f64[20,20] {diagonal}; input A : f64[20,30]; Y = D*A; Z = trans(A)*D; export Y, Z",
     "matmul_diagonal", "matmul"},
    {"input L : f64[20,20] {lower, nonsingular}; input A : f64[20,30]; input b : f64[20];"
     "Y = inv(L)*A; Z = trans(A)*inv(trans(L)); y = inv(L)*b; export Y, Z, y",
     "solve_triangular", "matmul"},
    {"input D : f64[20,20] {diagonal, nonsingular}; input A : f64[20,30];"
     "Y = inv(D)*A; export Y",
     "solve_diagonal"},
    {"input L : f64[20,20] {lower, nonsingular}; Y = inv(L); Z = trans(inv(trans(L))); export Y, Z",
     "inverse_triangular"},
    {"input D : f64[20,20] {diagonal, nonsingular}; Y = inv(D); export Y", "inverse_diagonal"},
    // Permutations on either side, inverted, and solved with; orthogonal matrices.
    {"input P : f64[20,20] {permutation}; input A : f64[20,30]; input b : f64[20]; Y = P*A;"
     "Z = trans(A)*P; y = P*b; export Y, Z, y",
     "matvec_permutation", "matmul"},
    {"input P : f64[20,20] {permutation}; input A : f64[20,30]; input b : f64[20]; Y = inv(P)*A;"
     "Z = trans(A)*inv(trans(P)); y = inv(P)*b; export Y, Z, y",
     "matmul_permutation", "matmul"},
    {"input P : f64[20,20] {permutation}; input Q : f64[20,20] {permutation}; input A : f64[20,20];"
     "Y = P*A*inv(Q); Z = trans(P)*A*P; export Y, Z",
     "matmul_permutation", "matmul"},
    {"input P : f64[20,20] {permutation}; input A : f64[20,30]; input b : f64[20];"
     "Y = solve(P, A); y = solve(P, b); export Y, y",
     "matmul_permutation", "solve"},
    {"input Q : f64[20,20] {orthogonal}; input A : f64[20,30]; Y = solve(Q, A); export Y", "matmul",
     "solve"},
    // A congruence with half of its matrix; but not if the whole product is needed anyway.
    {"input P : f64[60,60] {symmetric}; input A : f64[60,20]; Y = trans(A)*P*A; export Y",
     "matmul_half", "matmul"},
    {"input P : f64[60,60] {symmetric}; input A : f64[20,60]; Y = A*P*trans(A); export Y", "syr2k",
     "matmul"},
    {"input P : f64[60,60] {symmetric}; input A : f64[60,20]; Y = trans(A)*P*A; Z = P*A;"
     "export Y, Z",
     "gemmt", "matmul_half"},
    {"input P : f64[60,60] {diagonal}; input A : f64[60,20]; Y = trans(A)*P*A; export Y",
     "matmul_diagonal", "matmul_half"},
    // Symmetric factors instead of LU, unless Cholesky or substitution applies.
    {"input S : f64[40,40] {symmetric, nonsingular}; input B : f64[40,9]; Y = inv(S)*B; export Y",
     "solve_symmetric", "solve"},
    {"input S : f64[40,40] {symmetric, nonsingular}; input B : f64[9,40]; Y = B*inv(S); export Y",
     "solve_symmetric", "solve_right"},
    {"input S : f64[40,40] {symmetric, nonsingular}; input b : f64[40]; Y = inv(S)*b; export Y",
     "solve_symmetric", "solve"},
    {"input S : f64[40,40] {symmetric, nonsingular}; Y = inv(S); export Y", "inverse_symmetric"},
    {"input A : f64[40,40]; input B : f64[40,5]; Y = inv(A + trans(A))*B; export Y",
     "solve_symmetric", "solve"},
    {"input S : f64[40,40] {spd}; input B : f64[40,9]; Y = inv(S)*B; export Y", "solve_cholesky",
     "solve_symmetric"},
    {"input D : f64[40,40] {diagonal, nonsingular}; input B : f64[40,9]; Y = inv(D)*B; export Y",
     "solve_diagonal", "solve_symmetric"},
    // The sum of a product and its transpose.
    {"input A : f64[20,30]; input B : f64[30,20]; Y = A*B + trans(B)*trans(A); export Y", "syr2k",
     "matmul"},
    {"input A : f64[20,30]; input B : f64[30,20]; Y = trans(A*B) + A*B; export Y", "syr2k",
     "matmul"}};

}  // namespace

TEST_CASE("triangles, diagonals and transposes save work") {
  for (const rewriting& r : rewritings) check_rewriting(r);
}

TEST_CASE("a symmetric matrix and a column: one triangle is read where that is faster") {
  for (const rewriting& r :
       {rewriting{"input P : f64[600,600] {symmetric}; input x : f64[600]; Y = P*x; export Y",
                  "matvec_symmetric", "matvec"},
        {"input P : f64[600,600] {symmetric}; input x : f64[600,1]; Y = P*x; export Y",
         "matmul_symmetric", "matmul"},
        {"input P : f64[600,600] {symmetric}; input x : f64[600,1]; Y = trans(x)*P; export Y",
         "matmul_symmetric", "matmul"}}) {
    CAPTURE(r.text);
    const wf::graph g = formula(r.text);
    const auto plan =
        wf::optimise(g.view(), wf::minimise(wf::execution_time), {}, wf::timed_registry());
    REQUIRE(plan);
    CHECK(computes(plan->chosen.view(), r.uses));
    CHECK_FALSE(computes(plan->chosen.view(), r.avoids));
  }
  for (const char* text : {"input P : f64[20,20] {symmetric}; input x : f64[20]; Y = P*x; export Y",
                           "input P : f64[20,20] {symmetric}; input x : f64[20,1];"
                           "Y = P*x; Z = trans(x)*P; export Y, Z"})
    check_growth(formula(text).view(), 4);
}

TEST_CASE("triangles and diagonals that are not square are multiplied as they are") {
  for (const char* known : {"upper", "lower", "diagonal"})
    for (const char* shape : {"20,21", "21,20"}) {
      const std::string declared =
          std::string("input R : f64[") + shape + "] {" + known + ", full_rank};";
      check_rewriting({(declared +
                        "input A : f64[21,21]; input B : f64[20,20];"
                        "Y = " +
                        (shape[1] == '0' ? "R*A; Z = B*R" : "R*B; Z = A*R") + "; export Y, Z")
                           .c_str(),
                       "matmul", "matmul_triangular"});
    }
}
