// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/receives.hpp>

#include <string>

#include <doctest/doctest.h>

#include <partition/random_program.hpp>

#include "programs.hpp"

namespace {

wf::result<wf::wired_program> wired(const wf::graph_view& g) {
  const auto placed = wf::place(g, wf::builtin_registry());
  if (!placed) return placed.error();
  return wf::insert_receives(*placed);
}

}  // namespace

TEST_CASE("nobody reads at the receiver what a node sends") {
  std::size_t messages = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const auto p = wired(program.workflow().view());
    REQUIRE(p);
    const wf::graph_view g = p->workflow.view();
    REQUIRE(g.is_sealed());
    REQUIRE(p->homes.size() == g.nodes.size());
    std::vector<int> readers(g.values.size());
    for (const wf::value_id v : g.operands) ++readers[wf::index_of(v)];
    for (const wf::output& o : g.outputs) ++readers[wf::index_of(o.source)];
    std::size_t ends = 0;
    for (const wf::node& n : g.nodes) ends += g.find_attribute(n, "edge") != nullptr ? 1 : 0;
    REQUIRE(ends == 2 * p->messages.size());
    for (std::uint32_t k = 0; k < p->messages.size(); ++k) {
      const wf::wire_message& m = p->messages[k];
      for (std::uint32_t r = 0; r < 2; ++r) {
        REQUIRE(readers[wf::index_of(g.output_of(g[m.send], r))] == 0);
        REQUIRE(g[g.output_of(g[m.send], r)].type.type ==
                g[g.output_of(g[m.receive], r)].type.type);
      }
      REQUIRE(readers[wf::index_of(g.output_of(g[m.receive]))] +
                  readers[wf::index_of(g.output_of(g[m.receive], 1))] >
              0);
      REQUIRE(g.integer_attribute(g[m.send], "edge", -1) == k);
      REQUIRE(g.integer_attribute(g[m.receive], "edge", -1) == k);
      REQUIRE(p->homes[wf::index_of(m.send)] == m.from);
      REQUIRE(p->homes[wf::index_of(m.receive)] == m.to);
    }
    messages += p->messages.size();
  }
  CHECK(messages > 3000);
}
TEST_CASE("the sender of a message is a machine of its class, so that one can answer") {
  const auto p = programs::cut(programs::question);
  REQUIRE(p);
  REQUIRE(p->partitions.size() == 2);
  REQUIRE(p->edges.size() == 2);
  CHECK(p->edges[1].from == 1);
  CHECK(p->edges[1].to == 0);
}
