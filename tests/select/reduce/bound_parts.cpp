// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/bound_parts.hpp>

#include <cstdint>

#include <doctest/doctest.h>

TEST_CASE("candidates with which the total reaches the cutoff are dropped") {
  // One class with three candidates and no needs.
  wf::detail::reduced_selection r;
  r.classes = 1, r.candidates = 3, r.words = 1, r.candidate_words = 1;
  r.owner = {0, 0, 0};
  r.first = {0, 3};
  r.child_first = {0, 0, 0, 0};
  r.block_first = {0};
  r.block_last = {1};
  r.roots = {0};
  wf::detail::partial_selection s(r);
  wf::detail::selection_survey survey(r);
  survey.run(s);
  wf::detail::bound_parts parts(r);
  parts.contribution[0] = 1;
  parts.candidate_value = {1, 2, wf::unbounded};
  CHECK(parts.filter(r, survey, s, 11, wf::unbounded - 1));
  CHECK_FALSE(s.is_alive(2));
  CHECK_FALSE(parts.filter(r, survey, s, 11, 13));
  CHECK(parts.filter(r, survey, s, 11, 12));
  CHECK(s.is_alive(0));
  CHECK_FALSE(s.is_alive(1));
}
