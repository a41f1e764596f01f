// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/step_fusion.hpp>

#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include "placed.hpp"

namespace {

using namespace placed;
using list = std::vector<std::size_t>;

}  // namespace

TEST_CASE(
    "elementwise nodes that follow each other are one step, what is between them is nowhere") {
  writer w;
  const value_id a = w.input(square), b = w.input(square), c = w.input(square);
  const value_id sum = w.add("add", {a, b}, square), all = w.add("subtract", {sum, c}, square);
  const storage_placement<double> p = w.placed({all});
  CHECK(sizes(p) == list{2});
  CHECK(lies_in(p, a, room::input, 0));
  CHECK(lies_in(p, c, room::input, 2));
  CHECK(lies_in(p, sum, room::nowhere));
  CHECK(lies_in(p, all, room::output));
  CHECK(p.elements() == 25);  // intermediate values are computed by tiles
}

TEST_CASE("values that others read, outputs and other shapes are steps of their own") {
  writer w;
  const value_id a = w.input(square), v = w.input(shape::of(5));
  const value_id twice = w.add("add", {a, a}, square);
  const value_id shared = w.add("negate", {twice}, square);  // also read by the product
  const value_id square_of = w.add("multiply", {shared, shared}, square);
  const value_id half = w.add("negate", {v}, shape::of(5));
  const value_id sum = w.add("add", {square_of, half}, square);
  const value_id end = w.add("abs", {sum}, square);
  const value_id product = w.add("matmul", {shared, end}, square);
  const storage_placement<double> p = w.placed({product, sum});
  CHECK(sizes(p) == list{2, 1, 1, 1, 1, 0});
}

TEST_CASE("a long formula is computed in as many steps as it needs") {
  writer w;
  std::vector<value_id> in;
  for (int i = 0; i < 20; ++i) in.push_back(w.input(square));
  value_id sum = in[0];
  for (int i = 1; i < 20; ++i) sum = w.add("add", {sum, in[static_cast<std::size_t>(i)]}, square);
  const storage_placement<double> p = w.placed({sum});
  std::size_t nodes = 0;
  for (const auto& s : p.steps()) {
    CHECK(s.operands.size() <= wf::compute::max_tile_inputs);
    nodes += s.program.size();
  }
  CHECK(nodes == 19);
  CHECK(p.steps().size() <= 4);
}
