// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/linalg.hpp>

#include <doctest/doctest.h>

#include <wf/choice/growth.hpp>

#include "equal_classes.hpp"
#include "expressions.hpp"

using expressions::kalman;

namespace {

// Grows a graph and checks that every class has one value, whichever candidate computes it.
void check_growth(const wf::graph_view& g, std::uint64_t seed) {
  const auto grown = wf::grow(g, wf::transforms::linalg_transforms);
  REQUIRE(grown);
  CHECK(grown->growth().status == wf::growth_status::saturated);
  check_classes(*grown, seed);
  check_invariants(*grown);
}

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
              grows("find_pivot") && !grows("matmul_strassen"));

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
