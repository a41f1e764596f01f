// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/singularity.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("what is singular or not definite solves nothing") {
  const tensor singular(shape::of(2, 2), {1, 2, 2, 4}), b(shape::of(2, 2), {1, 0, 0, 1});
  const tensor v(shape::of(2), {1, 1});
  for (const char* op : {"inverse", "inverse_cholesky", "inverse_symmetric", "cholesky"})
    CHECK(run(op, {singular}, {apply::f64(2, 2)}).why.starts_with("the matrix is "));
  for (const char* op : {"solve", "solve_cholesky", "solve_symmetric"})
    for (const auto& [right, out] : {std::pair{b, apply::f64(2, 2)}, std::pair{v, apply::f64(2)}})
      CHECK(run(op, {singular, right}, {out}).why.starts_with("the matrix is "));
  for (const char* op : {"solve_right", "solve_right_cholesky"})
    CHECK(run(op, {b, singular}, {apply::f64(2, 2)}).why.starts_with("the matrix is "));
  CHECK(run("inverse", {singular}, {apply::f64(2, 2)}).why == "the matrix is singular");
  CHECK(run("cholesky", {singular}, {apply::f64(2, 2)}).why ==
        "the matrix is not positive definite");
  CHECK((*run("inverse", {tensor(shape::of(0, 0))}, {apply::f64(0, 0)})).elements.empty());
}
