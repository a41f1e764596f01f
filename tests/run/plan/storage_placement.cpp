// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/storage_placement.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "placed.hpp"

namespace {

using namespace placed;

}  // namespace

TEST_CASE("what an output is written over lies where the output does") {
  writer w;
  const value_id a = w.input(square), b = w.input(square);
  const value_id product = w.add("matmul", {a, b}, square),
                 sum = w.add("add", {product, a}, square);
  const storage_placement<double> p = w.placed({sum});
  CHECK(lies_in(p, product, room::output));
  CHECK(lies_in(p, sum, room::output));
  CHECK(p.elements() == 0);
  // Without sharing each value has its own storage.
  writer apart = w;
  apart.g = w.g;
  const auto made =
      storage_placement<double>::make(w.g, wf::builtin_registry(), {.share_buffers = false});
  REQUIRE(made);
  CHECK(made->place_of(product).where == room::workspace);
}

TEST_CASE("outputs that are inputs, other outputs or written by rows are copied at the end") {
  writer w;
  const value_id a = w.input(square);
  const value_id t = w.add("transpose", {a}, square), product = w.add("matmul", {a, a}, square);
  const value_id back = w.add("transpose", {product}, square), soft = w.add("softmax", {a}, square);
  const storage_placement<double> p = w.placed({a, t, product, product, back, soft});
  CHECK(lies_in(p, t, room::input));
  CHECK(lies_in(p, product, room::output, 2));
  CHECK(lies_in(p, back, room::output, 2));
  CHECK(p.place_of(soft).where == room::workspace);
}

TEST_CASE("a result never takes the place of an operand that is read the other way round") {
  writer w;
  const value_id a = w.input(square), m = w.add("matmul", {a, a}, square);
  const value_id t = w.add("transpose", {m}, square);
  const value_id half = w.add("negate", {t}, square), sum = w.add("add", {half, m}, square);
  const value_id end = w.add("matmul", {sum, a}, square);
  const storage_placement<double> p = w.placed({end});
  for (const auto& s : p.steps())
    for (value_id operand : s.operands) {
      const value_id result = wf::graph_view::output_of(p.stored().g[s.last]);
      if (p.place_of(operand) == p.place_of(result))
        CHECK(p.stored().by_columns[wf::index_of(operand)] ==
              p.stored().by_columns[wf::index_of(result)]);
    }
}

TEST_CASE(
    "matrices have padding that no set of the cache is filled by, unless memory is promised") {
  writer w;
  const shape large = shape::of(64, 64);
  const value_id a = w.input(large), b = w.add("matmul", {a, a}, large);
  const value_id end = w.add("matmul", {b, a}, large);
  const storage_placement<double> roomy = w.placed({end}, false);
  CHECK(lies_in(roomy, b, room::workspace, wf::index_of(b)));
  CHECK(roomy.stride_in_workspace(b) == 72);
  CHECK(roomy.offset_of(b) % 8 == 0);
  CHECK(roomy.elements() >= 64 * 72);
  const auto promised =
      storage_placement<double>::make(w.g, wf::builtin_registry(), {.promised = true});
  REQUIRE(promised);
  CHECK(promised->stride_in_workspace(b) == 64);
  REQUIRE(promised->callers().size() >= 1);
  CHECK(promised->callers()[0].value == a);
}
