// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/parts.hpp>

#include <random>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <partition/random_program.hpp>

#include "programs.hpp"

namespace {

constexpr std::uint32_t none = wf::detail::class_parts::none;

// All nodes of a class and all of none belong to its program.
constexpr wf::table<char> all_of(const wf::wired_program& w, std::uint32_t c) {
  wf::table<char> has(w.homes.size());
  for (std::size_t i = 0; i < has.size(); ++i)
    has[i] = w.homes[i] == c || w.homes[i] == wf::placed_graph::anywhere ? 1 : 0;
  return has;
}
constexpr std::uint32_t host_parts(const char* source) {
  const wf::wired_program w = *programs::wired(programs::parsed(source).view());
  const auto order = wf::topological_order(w.workflow.view());
  return wf::detail::class_parts(w, *order, all_of(w, 0), 0).count();
}
static_assert(host_parts(programs::local) == 1);
static_assert(host_parts(programs::reply_to_host) == 2);
static_assert(host_parts(programs::two_messages) == 2);

// Which nodes of a class's program hang together, by definition: the closure of "joins".
std::vector<std::set<std::uint32_t>> expected_parts(const wf::wired_program& w,
                                                    const wf::table<char>& has, std::uint32_t c) {
  const wf::graph_view g = w.workflow.view();
  const std::size_t n = has.size();
  std::vector<char> joins(n);
  for (std::size_t i = 0; i < n; ++i) joins[i] = w.homes[i] == c;
  for (const wf::edge& e : g.edges)
    if (has[wf::index_of(e.from)] && has[wf::index_of(e.to)])
      joins[wf::index_of(e.from)] = joins[wf::index_of(e.to)] = 1;
  std::vector<std::vector<char>> linked(n, std::vector<char>(n));
  const auto link = [&](std::uint32_t a, std::uint32_t b) { linked[a][b] = linked[b][a] = 1; };
  for (bool changes = true; changes;) {
    changes = false;
    for (std::uint32_t i = 0; i < n; ++i)
      for (const wf::value_id v : g.inputs_of(g.nodes[i])) {
        const wf::node_id from = g[v].producer;
        if (!has[i] || from == wf::node_id::none || !joins[wf::index_of(from)]) continue;
        link(wf::index_of(from), i);
        changes = changes || !joins[i];
        joins[i] = 1;
      }
  }
  for (const wf::edge& e : g.edges)
    if (has[wf::index_of(e.from)] && has[wf::index_of(e.to)])
      link(wf::index_of(e.from), wf::index_of(e.to));
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; linked[i][k] && j < n; ++j) linked[i][j] |= linked[k][j];
  std::vector<std::set<std::uint32_t>> out(n);
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; joins[i] && j < n; ++j)
      if (linked[i][j] || i == j) out[i].insert(j);
  return out;
}

std::string common(const char* a, const char* b) {
  return std::string(wf::detail::common_path(a, b));
}

}  // namespace

TEST_CASE("two nodes are of one part if values and orders lead from one to the other") {
  std::size_t split = 0, joined = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const auto w = programs::wired(random_program(seed, true).workflow().view());
    if (!w) continue;  // its edges form a cycle, or lead across classes
    const auto order = wf::topological_order(w->workflow.view());
    for (std::uint32_t c = 0; c < w->classes.size(); ++c) {
      const wf::table<char> has = all_of(*w, c);
      const wf::detail::class_parts parts(*w, *order, has, c);
      const auto expected = expected_parts(*w, has, c);
      std::uint32_t first = 0;
      for (const wf::node_id id : *order) {
        const std::uint32_t i = wf::index_of(id);
        if (w->homes[i] == c) {
          // Numbered by their first nodes.
          REQUIRE(parts.of(id) <= first);
          first += parts.of(id) == first ? 1 : 0;
        }
        if (w->homes[i] == c || expected[i].empty()) {
          REQUIRE((parts.of(id) == none) == expected[i].empty());
        } else if (parts.of(id) != none) {
          ++joined;
        }
        for (std::uint32_t j = 0; w->homes[i] == c && j < has.size(); ++j)
          if (has[j])
            REQUIRE((parts.of(static_cast<wf::node_id>(j)) == parts.of(id)) ==
                    (expected[i].count(j) != 0));
      }
      REQUIRE(first == parts.count());
      split += parts.count() > 1 ? 1 : 0;
    }
  }
  CHECK(split > 400);
  CHECK(joined > 20);
}
TEST_CASE("paths have whole components in common") {
  CHECK(common("a.b.c", "a.b.d") == "a.b");
  CHECK(common("a.b", "a.b.d") == "a.b");
  CHECK(common("a.b.d", "a.b") == "a.b");
  CHECK(common("a.b", "a.b") == "a.b");
  CHECK(common("a.bc", "a.bd") == "a");
  CHECK(common("a.b", "a.bc") == "a");
  CHECK(common("ab", "a") == "");
  CHECK(common("a.b", "c.b") == "");
  CHECK(common("", "a") == "");
}
