// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/branching.hpp>

#include <optional>
#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

// A minimal search that branches every node as the brancher decides.
namespace {

struct simple_search {
  wf::detail::packing_node<> n;
  wf::detail::packing_brancher brancher;
  int branched = 0, again = 0, closed = 0;

  explicit simple_search(const wf::detail::packing_model& m) : n(m, nullptr), brancher(m) {}

  void visit() {
    if (n.is_leaf()) return n.offer_leaf();
    if (n.bound >= n.target) return;
    wf::detail::packing_frame f;
    brancher.choose(n, f);
    if (f.again) {
      ++again;
      return visit();
    }
    if (f.value == wf::detail::packing_model::none) {
      ++closed;
      return;
    }
    ++branched;
    CHECK(n.domain.state().alive[f.value]);
    CHECK(n.domain.state().class_count[n.m.owner[f.value]] > 1);
    f.mark = n.domain.mark();
    for (const bool takes : {true, false}) {
      if (f.bound >= n.target) break;
      n.go_back_to(f);
      const bool open = n.domain.split(f.value, takes) && n.tighten();
      if (n.uses_simplex) brancher.learn(n, f, takes, open);
      if (open) visit();
    }
    n.domain.undo(f.mark);
  }
};

}  // namespace

TEST_CASE("branching as it is chosen finds the optimum") {
  std::mt19937 random(601);
  int branched = 0, again = 0, closed = 0;
  for (int round = 0; round < 4'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    const std::optional<std::int64_t> expected = optimum(m);
    simple_search search(m);
    if (search.n.domain.begin()) {
      if (search.n.uses_simplex) search.n.simplex.reset(search.n.domain.state());
      if (search.n.tighten()) search.visit();
    }
    CHECK(expected.has_value() == (search.n.incumbent.value() != wf::unbounded));
    if (expected) CHECK(m.base + search.n.incumbent.value() == *expected);
    branched += search.branched;
    again += search.again;
    closed += search.closed;
  }
  CHECK(branched > 200);
  CHECK(again > 20);
  CHECK(closed > 0);
}
