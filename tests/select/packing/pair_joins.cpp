// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/pair_joins.hpp>

#include <doctest/doctest.h>

#include "../reduce/reduced_cases.hpp"

using namespace enumerated;
using wf::detail::packing_model;

namespace {

// Two roots with two candidates of equal cost each, so that pairs decide.
wf::selection_problem two_roots() {
  return case_problem(2, {{0, {}, 1}, {0, {}, 1}, {1, {}, 1}, {1, {}, 1}}, {0, 1});
}

// A model of only the classes and candidates of a problem.
packing_model plain_model(const wf::detail::reduced_selection& r) {
  packing_model m;
  for (std::uint32_t k = 0; k < r.classes; ++k) {
    m.add_class();
    m.block.push_back(packing_model::none);
    for (std::uint32_t n = r.first[k]; n < r.first[k + 1]; ++n) m.add_value(1, n);
  }
  return m;
}

}  // namespace

TEST_CASE("two candidates that exclude each other share a row") {
  wf::selection_problem p = two_roots();
  p.exclude_pair(0, 2);
  p.exclude_pair(1, 3);
  const reduced_case c(p);
  packing_model m = plain_model(c.reduced);
  wf::detail::packing_joins joins(c.stage, c.reduced, {});
  joins.add_to(m);
  CHECK(m.rows == 2);
  CHECK(joins.size() == 0);
}

TEST_CASE("a pair that costs makes a joint class of all compatible values") {
  wf::selection_problem p = two_roots();
  const std::int64_t seven[] = {7};
  p.add_pair(0, 2, seven);
  p.add_pair(1, 3, seven);
  const reduced_case c(p);
  packing_model m = plain_model(c.reduced);
  wf::detail::packing_joins joins(c.stage, c.reduced, {});
  joins.add_to(m);
  CHECK(m.classes == 3);
  CHECK(joins.size() == 4);
  CHECK(m.rows == 4);
  std::int64_t total = 0;
  for (std::size_t j = 0; j < joins.size(); ++j) total += joins.cost(j, 0);
  CHECK(total == 14);
  CHECK(joins.steps() > 0);
}

TEST_CASE("without pairs a model stays as it is") {
  const reduced_case c(two_roots());
  packing_model m = plain_model(c.reduced);
  wf::detail::packing_joins joins(c.stage, c.reduced, {});
  joins.add_to(m);
  CHECK(m.rows == 0);
  CHECK(joins.size() == 0);
}
