// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/options.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "../ordered_program.hpp"

TEST_CASE("a table of positions may have some cells for each entry of the inputs, within limits") {
  using wf::logic::detail::most_cells;
  wf::logic::database inputs;
  inputs.add("A", wf_test::relation_of(1, {{1}, {2}, {3}}));
  inputs.add("B", wf_test::relation_of(2, {{1, 2}, {2, 2}}));
  wf::logic::evaluation_options options;
  options.cells_per_entry = 7;
  options.least_cells = 0;
  CHECK(most_cells(inputs, options) == 35);
  options.least_cells = 36;
  CHECK(most_cells(inputs, options) == 36);
  options.cells_per_entry = std::uint64_t{1} << 40;
  CHECK(most_cells(inputs, options) == std::uint64_t{1} << 33);
  CHECK(most_cells({}, options) == 36);
}
