// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/layer_expander.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "../task_graphs.hpp"
#include "../windowed.hpp"

namespace {

using wf::detail::layer_state;

// The tasks that start in the children of the empty state, for a deadline.
std::vector<std::uint32_t> first_tasks(const wf::task_graph& g, std::int64_t deadline) {
  const auto of = wf_test::windows_of(g);
  const wf::detail::layer_deadline limits(of.p, of.w, deadline, 100);
  REQUIRE(!limits.refuted);
  wf::detail::layer_expander expander(of.p, of.w, limits, 1);
  const std::vector<wf::detail::word> root(layer_state::row + of.p.words);
  expander.expand(root.data(), 7);
  std::vector<std::uint32_t> out;
  for (const std::uint32_t at : expander.by_shard[0]) {
    const wf::detail::word* const s = expander.records.data() + at;
    CHECK((s[layer_state::origin] >> 32) == 7);
    out.push_back(static_cast<std::uint32_t>(s[layer_state::origin]));
    CHECK(wf::detail::has_bit(s + layer_state::row, out.back()));
  }
  CHECK(expander.counters.nodes == 1);
  CHECK(expander.counters.generated == out.size());
  expander.clear();
  CHECK(expander.records.empty());
  CHECK(expander.by_shard[0].empty());
  return out;
}

}  // namespace

TEST_CASE("every task that may come first starts in one child, equal ones once") {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {5, 4, 3, 3}) g.add("t", time);
  CHECK(first_tasks(g, 100) == std::vector<std::uint32_t>{0, 1, 2});
  g.connect(0, 1);
  CHECK(first_tasks(g, 100) == std::vector<std::uint32_t>{0, 1});  // renumbered
}

TEST_CASE("a child whose energy does not suffice is left out") {
  wf::task_graph g;
  g.processors = 1;
  for (const std::int64_t time : {2, 4}) g.add("t", time);
  g.add("last", 3);
  g.connect(1, 2);
  CHECK(first_tasks(g, 9) == std::vector<std::uint32_t>{0, 1});
  // A processor would have to finish both of the first two and the last task within 8.
  const auto of = wf_test::windows_of(g);
  const wf::detail::layer_deadline limits(of.p, of.w, 8, 100);
  wf::detail::layer_expander expander(of.p, of.w, limits, 1);
  const std::vector<wf::detail::word> root(layer_state::row + of.p.words);
  if (!limits.refuted) expander.expand(root.data(), 0);
  CHECK(expander.records.empty());
}
