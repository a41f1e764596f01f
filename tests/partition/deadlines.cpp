// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/deadlines.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/form/text.hpp>

#include <partition/random_program.hpp>

#include "programs.hpp"

namespace {

std::vector<std::int64_t> budgets(const wf::graph_view& g) {
  std::vector<std::int64_t> out;
  for (const wf::node& n : g.nodes)
    if (g.op_name(n) == wf::text_view("send"))
      out.push_back(g.integer_attribute(n, wf::deadline_attribute, -1));
  return out;
}
std::vector<std::int64_t> derived(const char* source, std::int64_t per_hop) {
  const auto g =
      wf::derive_deadlines(programs::parsed(source).view(), wf::builtin_registry(), per_hop);
  REQUIRE(g);
  return budgets(g->view());
}
constexpr std::int64_t first_budget(const char* source) {
  const auto g = wf::derive_deadlines(programs::parsed(source).view(), wf::builtin_registry(), 7);
  for (const wf::node& n : g->view().nodes)
    if (g->view().op_name(n) == wf::text_view("send"))
      return g->view().integer_attribute(n, wf::deadline_attribute, -1);
  return -1;
}
static_assert(first_budget(programs::request_and_reply) == 14);

}  // namespace

TEST_CASE("E4: a request has time for itself and for its reply (G8)") {
  CHECK(derived(programs::one_hop, 100) == std::vector<std::int64_t>{100});
  CHECK(derived(programs::request_and_reply, 100) == std::vector<std::int64_t>{200, 100});
  CHECK(derived(programs::local, 100).empty());
}
TEST_CASE("a stated time holds, and deriving again changes nothing") {
  const wf::registry kernels = wf::builtin_registry();
  const auto once = wf::derive_deadlines(programs::parsed(programs::gossip).view(), kernels, 100);
  REQUIRE(once);
  const auto twice = wf::derive_deadlines(once->view(), kernels, 555);
  REQUIRE(twice);
  CHECK(std::string(wf::to_text(once->view()).view()) ==
        std::string(wf::to_text(twice->view()).view()));
}
TEST_CASE("times stay within their range, and must be positive") {
  CHECK(derived(programs::request_and_reply, INT64_MAX / 2 + 1) ==
        std::vector<std::int64_t>{INT64_MAX, INT64_MAX / 2 + 1});
  CHECK(wf::derive_deadlines(programs::parsed(programs::local).view(), wf::builtin_registry(), 0)
            .error()
            .code == wf::errc::bad_attribute);
}
TEST_CASE("depths are the longest chains of messages, by enumeration of all paths") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const wf::graph_view g = program.workflow().view();
    const auto depths = wf::chain_depths(g, wf::builtin_registry());
    REQUIRE(depths);
    // The most messages on a path from a node on, without memory of what was found before.
    const std::function<std::uint32_t(std::uint32_t)> longest = [&](std::uint32_t i) {
      std::uint32_t most = 0;
      for (std::uint32_t j = 0; j < g.nodes.size(); ++j)
        for (const wf::value_id v : g.inputs_of(g.nodes[j]))
          if (wf::index_of(g[v].producer) == i && g[v].producer != wf::node_id::none)
            most = std::max(most, longest(j));
      return most + (g.op_name(g.nodes[i]) == wf::text_view("send") ? 1 : 0);
    };
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
      REQUIRE((*depths)[i] == (g.op_name(g.nodes[i]) == wf::text_view("send") ? longest(i) : 0));
  }
}
