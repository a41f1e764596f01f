// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/survey.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/reduce/closure.hpp>

#include "reduced_cases.hpp"

using namespace enumerated;

namespace {

// The classes that live candidates of a class can require, by plain search. Needed classes are
// already paid for and are followed only if they are open themselves.
std::vector<bool> brought_in(const wf::detail::reduced_selection& r,
                             const wf::detail::partial_selection& s, std::uint32_t from) {
  std::vector<bool> seen(r.classes);
  std::vector<std::uint32_t> rest{from};
  while (!rest.empty()) {
    const std::uint32_t k = rest.back();
    rest.pop_back();
    for (std::uint32_t n = r.first[k]; n < r.first[k + 1]; ++n)
      for (std::uint32_t i = r.child_first[n]; s.is_alive(n) && i < r.child_first[n + 1]; ++i) {
        const std::uint32_t c = r.child[i];
        if (wf::detail::has_bit(s.needed.data(), c) || seen[c]) continue;
        seen[c] = true;
        rest.push_back(c);
      }
  }
  return seen;
}

}  // namespace

TEST_CASE("classes are decided, open, or can be brought in") {
  int opened = 0, visited = 0;
  each_reduced(613, 3'000, [&](const auto&, const auto&, const auto& reduced, auto& random) {
    wf::detail::selection_closure closure(reduced);
    wf::detail::partial_selection s(reduced);
    s.force(reduced, below(random, reduced.candidates));
    if (!closure.close(s)) return;
    wf::detail::selection_survey survey(reduced);
    survey.run(s);
    std::vector<bool> can(reduced.classes);
    for (std::uint32_t k = 0; k < reduced.classes; ++k) {
      const bool open =
          wf::detail::has_bit(s.needed.data(), k) && s.decided(reduced, k) == wf::no_candidate;
      CHECK(open == (std::count(survey.open.begin(), survey.open.end(), k) == 1));
      if (!open) continue;
      ++opened;
      const std::vector<bool> below_it = brought_in(reduced, s, k);
      for (std::uint32_t c = 0; c < reduced.classes; ++c) {
        can[c] = can[c] || below_it[c];
        // The reach contains the result of the search; in components of several classes it may be
        // larger.
        if (below_it[c]) CHECK(wf::detail::has_bit(survey.reach_of(k), c));
      }
    }
    for (const std::uint32_t n : survey.taken) CHECK(s.decided(reduced, reduced.owner[n]) == n);
    CHECK(std::is_sorted(survey.order.begin(), survey.order.end()));
    for (std::uint32_t c = 0; c < reduced.classes && !survey.open.empty(); ++c) {
      if (!can[c]) continue;
      ++visited;
      CHECK(wf::detail::has_bit(survey.visited.data(), c));
      CHECK(survey.parents[c] > 0);
      CHECK(wf::detail::has_bit(survey.reach_of(c), c));
    }
  });
  CHECK(opened > 200);
  CHECK(visited > 200);
}

TEST_CASE("the parents of a class are the classes that can need it") {
  const reduced_case c = sharing_case();
  wf::detail::selection_survey survey(c.reduced);
  survey.run(wf::detail::partial_selection(c.reduced));
  REQUIRE(c.class_number(4) < c.reduced.classes);
  CHECK(survey.open.size() == 1);
  CHECK(survey.taken.empty());
  CHECK(survey.parents[c.class_number(1)] == 1);
  CHECK(survey.parents[c.class_number(4)] == 3);
  CHECK(survey.steps() > 0);
}

TEST_CASE("components are visited one after the other") {
  each_reduced(614, 300, [&](const auto&, const auto&, const auto& reduced, auto&) {
    wf::detail::selection_survey survey(reduced);
    survey.run(wf::detail::partial_selection(reduced));
    std::size_t next = 0;
    survey.each_component([&](std::size_t begin, std::size_t end) {
      CHECK(begin == next);
      CHECK(begin < end);
      for (std::size_t i = begin; i < end; ++i)
        CHECK(reduced.block_last[survey.order[i]] == reduced.block_last[survey.order[begin]]);
      next = end;
    });
    CHECK(next == survey.order.size());
  });
}
