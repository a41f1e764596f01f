// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/delay_facts.hpp>

#include <doctest/doctest.h>

#include <wf/map/schedule/task_bounds.hpp>

#include "../task_graphs.hpp"

namespace {

using wf::detail::greatest_common_divisor;
static_assert(greatest_common_divisor(12, 18) == 6 && greatest_common_divisor(0, 5) == 5);

wf::detail::delay_facts<std::int32_t> facts_of(const wf::prepared_tasks& w, bool fixed) {
  return {w, wf::tail_bounds(w), false, fixed};
}

}  // namespace

TEST_CASE("only a fork, a join or tasks without edges have a fixed order") {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {2, 4, 6, 8}) g.add("t", time);
  const auto is_fixed = [&](bool fixed) {
    const wf::prepared_tasks w = wf::prepare(g);
    return facts_of(w, fixed).has_fixed_order();
  };
  CHECK(is_fixed(true));
  CHECK_FALSE(is_fixed(false));
  g.connect(0, 1, 1);
  CHECK_FALSE(is_fixed(true));
  g.connect(0, 2, 1);
  g.connect(0, 3, 1);
  CHECK(is_fixed(true));
  g.connect(1, 3, 1);
  CHECK_FALSE(is_fixed(true));
}

TEST_CASE("identical tasks are found, and the more urgent one has to come first") {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {4, 4, 4, 2}) g.add("t", time);
  g.connect(0, 3, 6);
  g.connect(1, 3, 6);
  g.connect(2, 3, 8);
  const wf::prepared_tasks w = wf::prepare(g);
  const auto f = facts_of(w, false);
  CHECK(f.unit == 2);
  CHECK(f.same_before[1] == 0);
  CHECK(f.same_before[2] == f.no_task);
  CHECK(f.has_to_precede(2, 0));
  CHECK(f.has_to_precede(2, 1));
  CHECK_FALSE(f.has_to_precede(0, 2));
  CHECK(f.longest_delay[2] == 8);
  CHECK(f.by_tail[3] == 3);
}
