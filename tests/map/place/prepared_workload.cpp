// SPDX-License-Identifier: BSL-1.0
#include <wf/map/place/prepared_workload.hpp>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>
#include <wf/map/array/from_graph.hpp>

namespace {

constexpr auto both = wf::operand_split::by_both;

/// a makes 16 bytes, b 8; v is a view of a's result; c makes 16 bytes.
constexpr wf::workload three() {
  wf::workload w;
  wf::workload_operator o;
  o.elementwise = 4;
  for (const std::int64_t bytes : {16, 8, 16, 16}) {
    o.output_bytes = bytes;
    w.add(o);
  }
  w.operators[2].is_view = true;
  w.connect(0, 2, 16, both);
  return w;
}

/// The prepared operators whose results c may overwrite.
constexpr wf::table<std::uint32_t> overwritten(const wf::workload& w) {
  wf::prepared_workload p;
  wf::detail::contraction(w, p).run();
  return wf::table<std::uint32_t>(p.overwritable_by(2));
}

constexpr wf::table<std::uint32_t> with_edge(const wf::workload_edge& e, bool handed_out = false) {
  wf::workload w = three();
  w.operators[0].is_output = handed_out;
  w.edges.push_back(e);
  return overwritten(w);
}
using list = wf::table<std::uint32_t>;

static_assert(with_edge({0, 3, 16, both, true}) == list{0});
static_assert(with_edge({2, 3, 16, both, true}) == list{0});  // through the view
static_assert(with_edge({0, 3, 16, both, false}).empty());
static_assert(with_edge({0, 3, 16, both, true}, true).empty());
static_assert(with_edge({0, 3, 8, both, true}).empty());
static_assert(with_edge({1, 3, 8, both, true}).empty());
static_assert(with_edge({0, 3, 16, wf::operand_split::by_first, true}).empty());

}  // namespace

TEST_CASE("what is read twice must be free both times, and goes first") {
  wf::workload w = three();
  w.connect(0, 3, 16, both, true);
  w.connect(2, 3, 16, both, true);
  CHECK(overwritten(w) == list{0});
  w.edges.back().may_overwrite = false;
  CHECK(overwritten(w).empty());
  w = three();
  w.operators[1].output_bytes = 16;
  for (const std::uint32_t from : {1u, 0u}) w.connect(from, 3, 16, both, true);
  CHECK(overwritten(w) == list{1, 0});
  w.connect(0, 3, 16, both, true);
  CHECK(overwritten(w) == list{0});
}

TEST_CASE("views hand out what they rename") {
  wf::workload w = three();
  w.operators[2].is_output = true;
  w.connect(0, 3, 16, both, true);
  CHECK(overwritten(w).empty());
}

TEST_CASE("an addend that a product overwrites follows both axes") {
  const auto g = wf::parse_graph(
      "wf.graph 1 \"sum\"\n"
      "input \"A\" : f64[4, 8]\n"
      "input \"B\" : f64[8, 4]\n"
      "input \"C\" : f64[4, 4]\n"
      "node elementwise.exp(%2) -> f64[4, 4]\n"
      "node linalg.matmul_add(%0, %1, %3) -> f64[4, 4]\n"
      "output \"out\" = %4\n");
  REQUIRE(g);
  const auto w = wf::workload_of(*g);
  REQUIRE(w);
  REQUIRE(w->edges.size() == 1);
  CHECK(w->edges[0] == wf::workload_edge{0, 1, 128, both, true});
}
