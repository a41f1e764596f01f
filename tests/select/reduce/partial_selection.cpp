// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/partial_selection.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "reduced_cases.hpp"

using namespace enumerated;

TEST_CASE("at first all candidates are live, and the roots are needed") {
  const reduced_case c = sharing_case();
  const wf::detail::partial_selection s(c.reduced);
  for (std::uint32_t n = 0; n < c.reduced.candidates; ++n) CHECK(s.is_alive(n));
  for (std::uint32_t k = 0; k < c.reduced.classes; ++k) {
    CHECK(wf::detail::has_bit(s.needed.data(), k) == (k == c.class_number(0)));
    CHECK(s.decided(c.reduced, k) == wf::no_candidate);
  }
}

TEST_CASE("a forced candidate decides its class, which is then needed") {
  int forced = 0;
  each_reduced(611, 400, [&](const auto&, const auto&, const auto& reduced, auto&) {
    for (std::uint32_t n = 0; n < reduced.candidates; ++n) {
      wf::detail::partial_selection s(reduced);
      s.force(reduced, n);
      CHECK(wf::detail::has_bit(s.needed.data(), reduced.owner[n]));
      CHECK(s.decided(reduced, reduced.owner[n]) == n);
      for (std::uint32_t other = 0; other < reduced.candidates; ++other)
        CHECK(s.is_alive(other) == (other == n || reduced.owner[other] != reduced.owner[n]));
      ++forced;
    }
  });
  CHECK(forced > 500);
}

TEST_CASE("a class with one live candidate is decided only if it is needed") {
  const reduced_case c(case_problem(2, {{0, {1}, 1}, {0, {}, 5}, {1, {}, 1}}, {0}));
  wf::detail::partial_selection s(c.reduced);
  const std::uint32_t k = c.class_number(1);
  REQUIRE(k < c.reduced.classes);
  CHECK(s.decided(c.reduced, k) == wf::no_candidate);
  wf::detail::set_bit(s.needed.data(), k);
  CHECK(s.decided(c.reduced, k) == c.candidate_number(2));
}
