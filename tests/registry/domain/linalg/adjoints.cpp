// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/adjoints.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/domain/linalg/inverse.hpp>

#include "../../written_adjoint.hpp"

namespace {

namespace rules = wf::kernels::detail;

static_assert(rules::triangle_text("P", {}).view() == "P");
static_assert(rules::triangle_text("P", wf::lower_triangular).view() ==
              "where(below, P, multiply(identity_like(A), P))");
static_assert(rules::triangle_text("P", wf::upper_triangular).view() ==
              "where(trans(below), P, multiply(identity_like(A), P))");

}  // namespace

TEST_CASE("the derivative of a triangle is on the triangle") {
  const wf::shape square = wf::shape::of(3, 3);
  const std::string any =
      wf_test::written_adjoint(wf::kernels::inverse_triangular, {wf_test::real_of(square)});
  const std::string lower = wf_test::written_adjoint(
      wf::kernels::inverse_triangular, {wf_test::real_of(square, wf::lower_triangular)});
  CHECK(any.ends_with("dA = P"));
  CHECK(lower.ends_with("dA = where(below, P, multiply(identity_like(A), P))"));
}
