// SPDX-License-Identifier: BSL-1.0
#include <wf/map/delay_search.hpp>

#include <doctest/doctest.h>

#include "task_graphs.hpp"

namespace {

// What a search below a cutoff finds: a makespan, or the cutoff if there is nothing.
std::int64_t least_below(const wf::task_graph& g, std::int64_t cutoff) {
  const wf::prepared_tasks w = wf::prepare(g);
  wf::keep_going callback;
  wf::detail::delay_search search(w, false, {}, cutoff, 0, callback);
  CHECK(search.run());
  CHECK(search.found() == (search.cutoff() < cutoff));
  return search.cutoff();
}

}  // namespace

TEST_CASE("a search below a cutoff finds what is below it, and nothing else") {
  wf_test::task_dice dice(21);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const wf::task_graph g =
        dice.graph({.tasks = 5, .processors = 2, .largest_delay = dice(0, 20)});
    const std::int64_t least = wf_test::every_schedule(g).least();
    CHECK(least_below(g, least + 1) == least);
    CHECK(least_below(g, 1000) == least);
    CHECK(least_below(g, least) == least);
    if (least > 0) CHECK(least_below(g, least - 1) == least - 1);
  }
}
