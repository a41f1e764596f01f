// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/closure.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "reduced_cases.hpp"

using namespace enumerated;

TEST_CASE("what every live candidate of a needed class needs is needed") {
  // Class 1 is always needed, class 2 unless the second candidate is chosen.
  const reduced_case c(case_problem(
      3, {{0, {1, 2}, 1}, {0, {1}, 4}, {1, {}, 1}, {1, {2}, 0}, {2, {}, 1}, {2, {}, 1}}, {0}));
  wf::detail::selection_closure closure(c.reduced);
  wf::detail::partial_selection s(c.reduced);
  REQUIRE(closure.close(s));
  CHECK(wf::detail::has_bit(s.needed.data(), c.class_number(1)));
  CHECK_FALSE(wf::detail::has_bit(s.needed.data(), c.class_number(2)));
  CHECK(closure.steps() > 0);
  REQUIRE(c.candidate_number(0) < c.reduced.candidates);
  s.force(c.reduced, c.candidate_number(0));
  REQUIRE(closure.close(s));
  CHECK(wf::detail::has_bit(s.needed.data(), c.class_number(2)));
}

TEST_CASE("a candidate that closes a cycle of decided classes is dropped") {
  // Classes 1 and 2 may need each other.
  const reduced_case c(
      case_problem(3, {{0, {1, 2}, 0}, {1, {2}, 1}, {1, {}, 5}, {2, {1}, 1}, {2, {}, 5}}, {0}));
  wf::detail::selection_closure closure(c.reduced);
  wf::detail::partial_selection s(c.reduced);
  REQUIRE(closure.close(s));
  s.force(c.reduced, c.candidate_number(1));
  REQUIRE(closure.close(s));
  CHECK_FALSE(s.is_alive(c.candidate_number(3)));
  CHECK(s.decided(c.reduced, c.class_number(2)) == c.candidate_number(4));
}

TEST_CASE("a needed class without candidates has no closure") {
  const reduced_case c = sharing_case();
  wf::detail::selection_closure closure(c.reduced);
  wf::detail::partial_selection s(c.reduced);
  for (std::uint32_t n = 0; n < c.reduced.candidates; ++n)
    if (c.reduced.owner[n] == c.class_number(0)) wf::detail::clear_bit(s.alive.data(), n);
  CHECK_FALSE(closure.close(s));
}

TEST_CASE("a closure is closed") {
  int grown = 0;
  each_reduced(612, 1'500, [&](const auto&, const auto&, const auto& reduced, auto& random) {
    wf::detail::selection_closure closure(reduced);
    wf::detail::partial_selection s(reduced);
    s.force(reduced, below(random, reduced.candidates));
    if (!closure.close(s)) return;
    wf::detail::partial_selection again = s;
    REQUIRE(closure.close(again));
    CHECK(again.alive == s.alive);
    CHECK(again.needed == s.needed);
    for (std::uint32_t k = 0; k < reduced.classes; ++k) {
      if (const std::uint32_t n = s.decided(reduced, k); n != wf::no_candidate)
        for (std::uint32_t i = reduced.child_first[n]; i < reduced.child_first[n + 1]; ++i, ++grown)
          CHECK(wf::detail::has_bit(s.needed.data(), reduced.child[i]));
    }
  });
  CHECK(grown > 300);
}
