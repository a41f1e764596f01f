// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/growth/limits.hpp>

#include <doctest/doctest.h>

TEST_CASE("without a word, all candidates are kept, and the objective of the plan compares them") {
  constexpr wf::growth_limits limits;
  static_assert(limits.beam.width == 0 && limits.beam.metric.name.empty());
  static_assert(limits.max_steps == 0 && limits.progress_interval == 0);
  CHECK(limits.max_nodes == 20000);
}
