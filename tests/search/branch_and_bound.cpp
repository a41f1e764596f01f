// SPDX-License-Identifier: BSL-1.0
#include <wf/search/branch_and_bound.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

// 0/1 knapsack as minimisation of the value left behind.
struct knapsack {
  struct state {
    std::uint32_t next = 0;
    std::int64_t lost = 0, weight = 0;
  };
  std::vector<std::int64_t> values, weights;
  std::int64_t capacity = 0;

  state root() const { return {}; }
  std::int64_t bound(state& s, std::int64_t) const {
    return s.weight > capacity ? wf::unbounded : s.lost;
  }
  bool feasible(const state& s) const { return s.next == values.size(); }
  template <class Emit>
  void expand(const state& s, Emit&& emit) const {
    emit(state{s.next + 1, s.lost, s.weight + weights[s.next]});
    emit(state{s.next + 1, s.lost + values[s.next], s.weight});
  }
};

}  // namespace

TEST_CASE("branch and bound agrees with enumeration, in every order of search") {
  std::mt19937 random(96);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    knapsack k;
    const std::size_t items = 1 + random() % 10;
    for (std::size_t i = 0; i < items; ++i) {
      k.values.push_back(static_cast<std::int64_t>(random() % 20));
      k.weights.push_back(static_cast<std::int64_t>(random() % 20));
    }
    k.capacity = static_cast<std::int64_t>(random() % 60);
    std::int64_t best = INT64_MAX;
    for (std::uint32_t set = 0; set < (1U << items); ++set) {
      std::int64_t lost = 0, weight = 0;
      for (std::size_t i = 0; i < items; ++i)
        ((set >> i) & 1) != 0 ? weight += k.weights[i] : lost += k.values[i];
      if (weight <= k.capacity) best = std::min(best, lost);
    }
    for (const std::uint64_t dive : {0U, 1U, 5U}) {
      wf::branch_and_bound_options options;
      options.dive = dive;
      const auto found = wf::branch_and_bound(k, {}, wf::keep_going{}, options);
      REQUIRE(found.found);
      CHECK(found.status == wf::search_status::proven);
      CHECK(found.value == best);
      CHECK(found.bound == best);
      const auto stopped =
          wf::branch_and_bound(k, {.max_nodes = 1 + random() % 10}, wf::keep_going{}, options);
      CHECK(stopped.bound <= best);
      if (stopped.found) CHECK(stopped.value >= best);
    }
  }
}
