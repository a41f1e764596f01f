// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/linalg/linalg.hpp>

#include <utility>

#include <doctest/doctest.h>

#include <wf/choice/growth/growth.hpp>
#include <wf/select/optimise.hpp>

#include "../../expressions.hpp"
#include "../../rewriting.hpp"

using expressions::kalman;

namespace {

constexpr wf::properties known_of(wf::text_view node_name) {
  const auto grown = wf::grow(kalman.graph(), wf::transforms::linalg_transforms);
  for (const wf::node& n : grown->view().nodes)
    if (grown->view().text_of(n.name) == node_name)
      return grown->type_of(grown->representative(wf::graph_view::output_of(n))).known;
  return {};
}

// H P H' is semidefinite by its form and R definite by declaration, so S is definite.
static_assert(known_of("S").has(wf::spd));

constexpr bool grows(const char* op) {
  const auto grown = wf::grow(kalman.graph(), wf::transforms::linalg_transforms);
  for (const wf::node& n : grown->view().nodes)
    if (grown->view().op_name(n) == op) return true;
  return false;
}
static_assert(grows("solve_right_cholesky") && grows("solve_right") && grows("inverse_cholesky") &&
              !grows("matmul_strassen"));

}  // namespace

TEST_CASE("every candidate of the Kalman gain computes the same") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    check_growth(kalman.graph(), seed);
  }
}

TEST_CASE("random products of matrices, transposes and inverses: all candidates are equal") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const auto captured = expressions::random(seed);
    REQUIRE(captured);
    check_growth(captured->view(), seed);
  }
}

namespace {

// The properties of a named value after growth.
wf::properties known_after_growth(const char* text, wf::text_view name) {
  const wf::graph g = formula(text);
  const auto grown = wf::grow(g.view(), wf::transforms::linalg_transforms);
  REQUIRE(grown);
  for (const wf::output& o : grown->view().outputs)
    if (grown->view().text_of(o.name) == name) return grown->known_of(o.source);
  return {};
}

constexpr const char* identities[] = {
    "input I : f64[4,4] {identity}; input A : f64[4,4]; Y = I*A + A*I + inv(I)*A; export Y",
    "input Q : f64[4,4] {orthogonal}; input B : f64[4,2]; Y = inv(Q)*B; Z = trans(Q)*B; export Y, "
    "Z",
    "input S : f64[3,3] {symmetric}; input A : f64[3,3]; Y = trans(trans(A))*inv(inv(trans(S)));"
    "export Y",
    "input I : f64[4,4] {identity}; input K : f64[4,2]; input H : f64[2,4]; input P : f64[4,4] "
    "{spd};"
    "input x : f64[4]; Y = (I - K*H)*P; y = (I - K*H)*x; Z = P*(K*H + I); export Y, y, Z",
    "input I : f64[4,4] {identity}; input A : f64[4,4] {spd}; input S : f64[4,2] {full_rank};"
    "input X : f64[4,4] {symmetric};"
    "Y = S*inv(trans(S)*A*S)*trans(S) + (I - S*inv(trans(S)*A*S)*trans(S)*A)*X"
    "*(I - A*S*inv(trans(S)*A*S)*trans(S)); export Y",
    "input I : f64[3,3] {identity}; input W : f64[5,3] {full_rank}; input c : f64[] {positive};"
    "B = inv(c)*(I - trans(W)*W*inv(c*I + (trans(W)*W))*trans(W)*W); export B"};

}  // namespace

TEST_CASE("identities, transposes and orthogonal matrices: all candidates are equal") {
  for (const char* text : identities)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(text);
      check_growth(formula(text).view(), seed);
    }
}

TEST_CASE("definiteness follows from rank, from sums, and from being inverted") {
  const auto known = [](const char* text) { return known_after_growth(text, "Y"); };
  CHECK(known("input X : f64[5,3] {full_rank}; Y = trans(X)*X; export Y").has(wf::spd));
  CHECK_FALSE(known("input X : f64[5,3] {full_rank}; Y = X*trans(X); export Y").has(wf::spd));
  CHECK(known("input X : f64[5,3] {full_rank}; Y = X*trans(X); export Y").has(wf::psd));
  CHECK_FALSE(known("input X : f64[5,3]; Y = trans(X)*X; export Y").has(wf::spd));
  CHECK(known("input X : f64[5,3] {full_rank}; input M : f64[5,5] {spd};"
              "Y = trans(X)*inv(M)*X; export Y")
            .has(wf::spd));
  CHECK_FALSE(known("input X : f64[5,3] {full_rank}; input M : f64[5,5] {psd};"
                    "Y = trans(X)*M*X; export Y")
                  .has(wf::spd));
  CHECK(known("input X : f64[5,3]; input I : f64[3,3] {identity}; input c : f64[] {positive};"
              "Y = trans(X)*X + c*c*I; export Y")
            .has(wf::spd));
  // An inverse implies that its operand is nonsingular: a semidefinite one is definite.
  CHECK(known("input B : f64[3,3] {psd}; Y = inv(B); export Y").has(wf::spd));
  CHECK(known("input A : f64[2,3]; input C : f64[3,3] {psd}; input R : f64[2,2] {psd};"
              "Y = A*C*trans(A) + R; Z = inv(Y); export Y, Z")
            .has(wf::spd));
}

TEST_CASE("a gain is not applied to the identity") {
  // The covariance update of a Kalman filter: (I - K H) P costs one product more than P - K (H P).
  const wf::graph g = formula(
      "input I : f64[40,40] {identity}; input K : f64[40,10]; input H : f64[10,40];"
      "input P : f64[40,40] {spd}; Y = (I - K*H)*P; export Y");
  const auto plan = wf::optimise(g.view(), wf::minimise(wf::flops));
  REQUIRE(plan);
  CHECK(plan->proven_optimal);
  CHECK(plan->value == 2 * 40 * 40 * 10 * 2);  // the second product absorbs the difference
}

TEST_CASE("Strassen's split is offered from 512 on, for even extents") {
  for (const std::int64_t size : {510, 512, 513, 600}) {
    const auto captured = wf::capture("square", [&](wf::scope& s) {
      const auto a = s.input<double>("A", wf::shape::of(size, size));
      s.output("Y", matmul(a, a));
    });
    REQUIRE(captured);
    const auto grown = wf::grow(captured->view(), wf::transforms::linalg_transforms);
    REQUIRE(grown);
    CHECK(grown->view().nodes.size() == (size == 512 || size == 600 ? 2U : 1U));
  }
}
