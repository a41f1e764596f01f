// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/node.hpp>

#include <optional>
#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("a node returns to what it saved, and what it finds lowers its cutoff") {
  std::mt19937 random(591);
  int found = 0, moved = 0;
  for (int round = 0; round < 2'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    const std::optional<std::int64_t> expected = optimum(m);
    wf::detail::packing_node<> n(m, nullptr);
    n.incumbent.set_budget(1'000);
    if (!n.domain.begin() || !expected) continue;
    if (n.uses_simplex) n.simplex.reset(n.domain.state());
    if (!n.tighten()) {  // closed: the incumbent is optimal
      CHECK(m.base + n.incumbent.value() == *expected);
      continue;
    }
    n.guess();
    if (n.incumbent.value() != wf::unbounded) {
      ++found;
      CHECK(n.counters.incumbents > 0);
      CHECK(n.cutoff == n.incumbent.value());
      CHECK(is_solution(m, n.incumbent.best()));
    }
    CHECK(m.base + n.rounded(n.bound) <= *expected);
    if (n.is_leaf() || n.bound >= n.target) continue;

    wf::detail::packing_frame f;
    f.mark = n.domain.mark();
    n.save(f);
    const wf::detail::packing_state before = n.domain.state();
    for (std::uint32_t k = 0; k < m.classes; ++k)
      if (n.domain.state().class_count[k] > 1) {
        if (n.domain.split(n.domain.state().left(k)[0], round % 2 == 0)) n.tighten();
        break;
      }
    moved += n.domain.mark() > f.mark;
    n.go_back_to(f);
    CHECK(n.bound == f.bound);
    CHECK(n.domain.state().class_count == before.class_count);
    CHECK(n.domain.state().alive == before.alive);
  }
  CHECK(found > 20);
  CHECK(moved > 20);
}

TEST_CASE("a leaf offers its only choice") {
  std::mt19937 random(592);
  int leaves = 0;
  for (int round = 0; round < 300; ++round) {
    const wf::detail::packing_model m = random_model(random);
    wf::detail::packing_node<> n(m, nullptr);
    bool open = n.domain.begin();
    for (std::uint32_t k = 0; k < m.classes && open; ++k)
      if (n.domain.state().class_count[k] > 1)
        open = n.domain.split(n.domain.state().left(k)[0], true);
    if (!open || !n.is_leaf()) continue;
    n.offer_leaf();
    if (n.incumbent.value() == wf::unbounded) continue;
    ++leaves;
    CHECK(is_solution(m, n.incumbent.best()));
  }
  CHECK(leaves > 50);
}

TEST_CASE("a copy counts its own steps") {
  std::mt19937 random(593);
  const wf::detail::packing_model m = random_model(random);
  wf::detail::packing_node<> n(m, nullptr);
  n.most_steps = 100;
  n.other_steps += 30;
  const std::uint64_t used = n.steps();
  CHECK(used >= 30);
  CHECK(n.steps_left() == (used < 100 ? 100 - used : 0));
  n.counters.nodes = 7;
  wf::detail::packing_node<> copy(n);
  copy.restart_counters();
  CHECK(copy.steps() == 0);
  CHECK(copy.work() == 0);
  CHECK(copy.counters.nodes == 0);
  copy.other_steps += 200;
  CHECK(copy.steps() == 200);
  CHECK(copy.steps_left() == 0);
  CHECK(n.steps() == used);
}
