// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/structure.hpp>

#include <string>

#include <doctest/doctest.h>

#include "rewriting.hpp"

namespace {

constexpr rewriting rewritings[] = {
    // One product and its transpose.
    {"input A : f64[20,30]; input B : f64[30,16]; Y = A*B; Z = trans(B)*trans(A); export Y, Z",
     "transpose"},
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
    {"input D : f64[20,20] {diagonal, nonsingular}; Y = inv(D); export Y", "inverse_diagonal"}};

}  // namespace

TEST_CASE("triangles, diagonals and transposes save work") {
  for (const rewriting& r : rewritings) check_rewriting(r);
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
