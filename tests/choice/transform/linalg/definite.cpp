// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/linalg/definite.hpp>

#include <doctest/doctest.h>

#include "../../../sanitized.hpp"
#include "../../rewriting.hpp"

namespace {

constexpr rewriting rewritings[] = {
    // Least squares: half a product; generalised: half a substitution.
    {"input X : f64[40,16] {full_rank}; input y : f64[40,1];"
     "b = inv(trans(X)*X)*trans(X)*y; export b",
     "gemmt"},
    {"input X : f64[40,16] {full_rank}; input M : f64[40,40] {spd}; input y : f64[40,1];"
     "b = inv(trans(X)*inv(M)*X)*trans(X)*inv(M)*y; export b",
     "cholesky", "solve_right_cholesky"},
    // Identities: Woodbury, Tikhonov, ensemble, and push-through.
    {"input H : f64[16,40] {full_rank}; input I : f64[40,40] {identity}; input c : f64[] "
     "{positive};"
     "input y : f64[40,1]; x = inv(trans(H)*H + c*I)*y; export x",
     "reciprocal"},
    {"input H : f64[16,40]; input B : f64[40,40] {psd}; input R : f64[16,16] {psd};"
     "input Y : f64[16,3]; X = inv(inv(B) + trans(H)*inv(R)*H)*trans(H)*inv(R)*Y; export X",
     "syr2k"},
    // Sums of inverses only, also of full rank.
    {"input H : f64[40,40]; input B : f64[40,40] {psd}; input R : f64[40,40] {psd};"
     "input Y : f64[40,1]; X = inv(inv(B) + trans(H)*inv(R)*H)*Y; export X",
     "gemmt", "inverse_cholesky"},
    {"input H : f64[16,40]; input I : f64[40,40] {identity}; input c : f64[] {positive};"
     "input y : f64[16,1]; x = inv(trans(H)*H + c*I)*trans(H)*y; export x",
     "gemmt", "reciprocal"},
    {"input U : f64[40,16]; input C : f64[16,16] {spd}; input I : f64[40,40] {identity};"
     "input y : f64[40,1]; x = inv(I + U*C*trans(U))*y; export x",
     "subtract"},
    // Diagonal noise, and low-rank observations.
    {"input D : f64[40,40] {diagonal,spd}; input U : f64[40,16]; input b : f64[40,1];"
     "x = inv(D + U*trans(U))*b; export x",
     "solve_diagonal", "inverse_cholesky"},
    {"input D : f64[40,40] {diagonal,spd}; input U : f64[40,16]; input C : f64[16,16] {spd};"
     "input B : f64[40,3]; X = inv(D + U*C*trans(U))*U*C*trans(U)*B; export X",
     "solve_diagonal"}};

}  // namespace

TEST_CASE("what definiteness allows: half a product, half a substitution, Woodbury") {
  int position = 0;
  for (const rewriting& r : rewritings)
    if (!wf_test::is_left_out(position++, 8)) check_rewriting(r);
}
