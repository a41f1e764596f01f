// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/linalg/parts.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/times/host_times.hpp>

#include "../../rewriting.hpp"

namespace {

constexpr rewriting rewritings[] = {
    // Slices of products: a column, a row, an element.
    {"input A : f64[20,30]; input B : f64[30,16];"
     "Y = slice(A*B, axis=1, start=2, length=1); export Y",
     "slice", "diagonal"},
    {"input A : f64[20,30]; input B : f64[30,16]; input C : f64[16,20];"
     "Y = slice(A*B*C, axis=0, start=2, length=1); export Y",
     "slice", "diagonal"},
    {"input A : f64[20,30]; input B : f64[30,16];"
     "Y = slice(slice(A*B, axis=1, start=1, length=1), axis=0, start=1, length=1); export Y",
     "matmul", "diagonal"},
    // Slices of sums, differences, scaled and transposed matrices, and of solutions.
    {"input A : f64[6,5]; input B : f64[6,5]; input D : f64[5,6]; input c : f64[];"
     "Y = slice(c*(A + trans(D)) - B, axis=1, start=2, length=2); export Y",
     "slice", "diagonal"},
    {"input A : f64[20,20] {nonsingular}; input B : f64[20,12];"
     "Y = slice(inv(A)*B, axis=1, start=3, length=2); export Y",
     "solve"},
    {"input A : f64[20,20] {nonsingular}; input B : f64[20,12];"
     "Y = slice(solve(A, B), axis=1, start=3, length=2); export Y",
     "solve"},
    // Slices of slices and of concatenations.
    {"input A : f64[9,5]; input B : f64[4,5];"
     "Y = slice(slice(concat(A, B), start=2, length=9), start=7, length=2); "
     "Z = slice(concat(A, B), start=0, length=9); export Y, Z",
     "slice", "concat"},
    // Diagonal and trace of products and sums.
    {"input A : f64[12,20]; input B : f64[20,12]; Y = diagonal(A*B); export Y", "product_diagonal",
     "matmul"},
    {"input A : f64[12,20]; input B : f64[20,12]; input C : f64[12,12]; input c : f64[];"
     "Y = diagonal(c*trans(A*B) - C); export Y",
     "product_diagonal", "matmul"},
    {"input A : f64[12,20]; input B : f64[20,12]; Y = trace(A*B); export Y", "product_diagonal",
     "matmul"},
    // Products of single columns or rows become one product.
    {"input A : f64[6,7]; input B : f64[7,3];"
     "Y = concat(A*slice(B, axis=1, start=0, length=1), A*slice(B, axis=1, start=1, length=1),"
     "A*slice(B, axis=1, start=2, length=1), axis=1); export Y",
     "matmul"},
    {"input A : f64[4,7]; input B : f64[7,3];"
     "Y = concat(slice(A, start=0, length=1)*B, slice(A, start=1, length=1)*B,"
     "slice(A, start=2, length=1)*B, slice(A, start=3, length=1)*B); export Y",
     "matmul"},
    {"input A : f64[6,7]; input X : f64[7,3]; input Y : f64[7,2];"
     "Z = concat(A*X, A*Y, axis=1); export Z",
     "concat", "inverse"},
    // Diagonal elements computed one by one.
    {"input A : f64[2,9]; input B : f64[9,2];"
     "Y = concat(slice(slice(A*B, axis=0, start=0, length=1), axis=1, start=0, length=1),"
     "slice(slice(A*B, axis=1, start=1, length=1), axis=0, start=1, length=1)); export Y",
     "matmul", "inverse"},
    // Block-diagonal matrices of two blocks.
    {"input A : f64[20,20] {nonsingular}; input C : f64[18,18] {spd}; input B : f64[38,10];"
     "D = concat(pad(A, axis=1, after=18), pad(C, axis=1, before=20));"
     "Y = inv(D)*B; Z = trans(B)*inv(trans(D)); export Y, Z",
     "solve_cholesky"},
    {"input A : f64[9,5]; input C : f64[3,8]; input B : f64[13,4]; input x : f64[13];"
     "D = concat(pad(A, axis=1, after=8), pad(C, axis=1, before=5));"
     "Y = D*B; y = D*x; Z = trans(B)*trans(D); export Y, y, Z",
     "concat", "pad"},
    {"input A : f64[20,20] {nonsingular}; input C : f64[20,20] {nonsingular}; input b : f64[40];"
     "D = concat(pad(A, axis=1, after=20), pad(C, axis=1, before=20));"
     "y = solve(D, b); Y = inv(D); export y, Y",
     "solve", "matmul"}};

// The properties of the inverse of a block-diagonal matrix.
wf::properties known_of_inverse(const std::string& first, const std::string& second) {
  const wf::graph g = formula(
      ("input A : f64[3,3] {" + first + "}; input C : f64[2,2] {" + second +
       "}; D = concat(pad(A, axis=1, after=2), pad(C, axis=1, before=3)); Y = inv(D); export Y")
          .c_str());
  const auto grown = wf::grow(g.view(), wf::transforms::linalg_transforms);
  REQUIRE(grown);
  return grown->known_of(grown->view().outputs[0].source);
}

}  // namespace

TEST_CASE("only what is read is computed, together, and without blocks of zeros") {
  for (const rewriting& r : rewritings) check_rewriting(r);
}

TEST_CASE("columns of a product that are computed one by one are computed together") {
  // Written as a loop would: Y = (A·b0 A·b1 ... A·b15).
  std::string text = "input A : f64[40,40]; input B : f64[40,16];";
  const auto column = [](int i) {
    return "A*slice(B, axis=1, start=" + std::to_string(i) + ", length=1)";
  };
  const auto list = [](std::string a, std::string b, std::string c, std::string d) {
    return "concat(" + a + "," + b + "," + c + "," + d + ", axis=1)";
  };
  std::string four[4];
  for (int i = 0; i < 4; ++i)
    four[i] = list(column(4 * i), column(4 * i + 1), column(4 * i + 2), column(4 * i + 3));
  text += "Y = " + list(four[0], four[1], four[2], four[3]) + "; export Y";
  const auto plan = wf::optimise(formula(text.c_str()).view(), wf::minimise(wf::execution_time), {},
                                 wf::timed_registry());
  REQUIRE(plan);
  CHECK(plan->proven_optimal);
  REQUIRE(plan->chosen.view().nodes.size() == 1);
  CHECK(plan->chosen.view().op_name(plan->chosen.view().nodes[0]) == "matmul");
}

TEST_CASE("two blocks have the properties that both have") {
  CHECK(known_of_inverse("spd", "spd").has(wf::spd));
  CHECK_FALSE(known_of_inverse("spd", "symmetric").has(wf::spd));
  CHECK(known_of_inverse("spd", "symmetric").has(wf::symmetric));
  CHECK(known_of_inverse("lower", "diagonal").has(wf::lower_triangular));
  CHECK_FALSE(known_of_inverse("lower", "upper").has(wf::lower_triangular));
}
