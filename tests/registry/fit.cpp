// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/fit.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

#include "../types/typed_graph.hpp"

namespace {

wf::errc misfit(const wf::graph& g, std::uint32_t node = 0) {
  const wf::graph_view v = g;
  const wf::kernel_spec* k = wf::builtin_registry().find(v.op_name(v.nodes[node]));
  REQUIRE(k != nullptr);
  return wf::find_misfit(v, wf::node_id{node}, *k).code;
}

wf::value_type f64(wf::shape s) { return {wf::dtype::f64, {}, s}; }

// A workflow of one node on inputs of these types.
wf::graph one(wf::text_view op, std::initializer_list<wf::value_type> operands,
              std::initializer_list<wf::value_type> results) {
  wf::graph g("one");
  std::vector<wf::value_id> ids;
  for (const wf::value_type& t : operands)
    ids.push_back(g.add_input((wf::text("x") << ids.size()).view(), t));
  g.add_node({.op = op}, {ids.data(), ids.size()}, {results.begin(), results.size()});
  return g;
}

}  // namespace

TEST_CASE("a node fits its kernel if the kernel would make it") {
  const auto of = [](auto... e) { return f64(wf::shape::of(e...)); };
  CHECK(misfit(one("matmul", {of(2, 3), of(3, 4)}, {of(2, 4)})) == wf::errc::none);
  CHECK(misfit(one("matmul", {of(2, 3), of(4, 4)}, {of(2, 4)})) == wf::errc::shape_mismatch);
  CHECK(misfit(one("matmul", {of(2, 3), of(3, 4)}, {of(2, 5)})) == wf::errc::shape_mismatch);
  CHECK(misfit(one("matmul", {of(2, 3), of(3, 4)}, {of(2)})) == wf::errc::shape_mismatch);
  CHECK(misfit(one("matmul", {of(2, 3), of(3, 4)}, {})) == wf::errc::shape_mismatch);
  CHECK(misfit(one("matmul", {of(2, 3)}, {of(2, 4)})) == wf::errc::shape_mismatch);
  CHECK(misfit(one("matmul", {of(2, 3), of(3, 4)}, {{wf::dtype::f32, {}, wf::shape::of(2, 4)}})) ==
        wf::errc::dtype_mismatch);
  // An unknown symbolic extent is compatible with any.
  CHECK(misfit(one("matmul", {of(2, 3), of(3, "M")}, {of(2, 4)})) == wf::errc::none);
  CHECK(misfit(one("matmul", {of(2, 3), of("M", 4)}, {of(2, 4)})) == wf::errc::shape_mismatch);
}

TEST_CASE("extents that are attributes may stand in any order") {
  const wf::attribute_value extents[] = {wf::attribute_value::dimension("d1", 3),
                                         wf::attribute_value::dimension("d0", 2)};
  for (const bool turned : {false, true}) {
    wf::graph g("turned");
    const wf::value_type from = f64({}),
                         to = f64(turned ? wf::shape::of(2, 4) : wf::shape::of(2, 3));
    const wf::value_id x = g.add_input("x", from);
    g.add_node({.op = "broadcast_to", .attributes = extents}, {&x, 1}, {&to, 1});
    CHECK(misfit(g) == (turned ? wf::errc::shape_mismatch : wf::errc::none));
  }
}

TEST_CASE("what infer makes fits") {
  wf_test::random_source random(20261202);
  for (int i = 0; i < 200; ++i) {
    wf_test::typed_graph_options options;
    options.symbols = i % 3 == 0;
    const wf::graph g = wf_test::typed_graph_maker(random, options).make();
    for (std::uint32_t n = 0; n < g.view().nodes.size(); ++n) CHECK(misfit(g, n) == wf::errc::none);
  }
}
