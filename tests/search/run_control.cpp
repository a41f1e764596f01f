// SPDX-License-Identifier: BSL-1.0
#include <wf/search/run_control.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using wf::run_control;
using wf::search_limits;
using wf::search_progress;
using wf::search_status;

namespace {

// Counts nodes until a limit ends the count.
constexpr std::uint64_t nodes_within(std::uint64_t max_nodes) {
  run_control control(search_limits{.max_nodes = max_nodes}.resolved());
  wf::keep_going callback;
  std::uint64_t nodes = 0;
  while (control.go_on(nodes, 0, 0, callback, [&] { return search_progress{.nodes = nodes}; }))
    ++nodes;
  return control.reason() == search_status::stopped_by_limit ? nodes : 0;
}
static_assert(nodes_within(5) == 5);

}  // namespace

TEST_CASE("reports come first, at intervals, and when they are announced") {
  run_control control(search_limits{.max_nodes = 40, .progress_interval = 10}.resolved());
  std::vector<std::uint64_t> told;
  const auto callback = [&](const search_progress& p) {
    told.push_back(p.nodes);
    return true;
  };
  for (std::uint64_t nodes = 0;; ++nodes) {
    if (nodes == 13) control.announce();
    if (!control.go_on(nodes, 0, 0, callback, [&] { return search_progress{.nodes = nodes}; }))
      break;
  }
  CHECK(told == std::vector<std::uint64_t>{0, 10, 13, 23, 33});
  CHECK(control.stopped());
  CHECK(control.reason() == search_status::stopped_by_limit);
}

TEST_CASE("each limit ends a run, and a run that has ended asks nobody") {
  const search_limits limits{.max_nodes = 10, .max_steps = 20, .max_open = 30};
  int asked = 0;
  const auto callback = [&](const search_progress&) { return ++asked > 0; };
  const auto now = [] { return search_progress{}; };
  for (int kind = 0; kind < 3; ++kind) {
    run_control control(limits.resolved());
    CHECK(control.is_within(9, 19, 29));
    CHECK(!control.stopped());
    CHECK(
        !control.go_on(kind == 0 ? 10 : 0, kind == 1 ? 20 : 0, kind == 2 ? 30 : 0, callback, now));
    CHECK(control.stopped());
    CHECK(!control.go_on(0, 0, 0, callback, now));
  }
  CHECK(asked == 0);
}

TEST_CASE("the first reason stays") {
  run_control control(search_limits{.max_nodes = 3}.resolved());
  CHECK(control.reason() == search_status::stopped_by_limit);
  const auto refuse = [](const search_progress&) { return false; };
  CHECK(control.limits().max_nodes == 3);
  CHECK(!control.report(refuse, {}));
  CHECK(control.reason() == search_status::stopped_by_caller);
  CHECK(!control.is_within(3, 0));
  control.stop(search_status::stopped_by_limit);
  CHECK(control.reason() == search_status::stopped_by_caller);
}
