// SPDX-License-Identifier: BSL-1.0
#include <selection/read_mmkp.hpp>

#include <string>

#include <doctest/doctest.h>

#include <selection/solve.hpp>

#include "samples.hpp"

using selection_benchmark::read_mmkp;

namespace {

wf::error error_of(wf::text_view text) {
  const wf::result<selection_benchmark::instance> read = read_mmkp(text);
  REQUIRE(!read);
  CHECK(read.error().code == wf::errc::graph_syntax);
  CHECK(read.error().where.line >= 1);
  return read.error();
}

}  // namespace

TEST_CASE("a knapsack is read exactly, values turned into costs") {
  const wf::result<selection_benchmark::instance> read = read_mmkp(wf_test::small_mmkp);
  REQUIRE(read);
  const wf::selection_problem& p = read->problem;
  CHECK(read->scale == 100);
  CHECK(read->offset == 3250);
  CHECK(p.classes == 2);
  CHECK(p.metrics.size() == 3);
  CHECK(read->objective == 2);
  CHECK(p.costs == wf::table<std::int64_t>{4, 2, 250, 8, 1, 0, 6, 3, 0, 0, 0, 1675});
  CHECK(p.limits == wf::table<wf::selection_limit>{{0, 10}, {1, 5}});
  CHECK(wf::validate(p).code == wf::errc::none);

  const selection_benchmark::answer best = selection_benchmark::solve_once(*read, "wf", 10);
  CHECK(best.proven);
  CHECK(selection_benchmark::published(*read, best.total) == "30");
  std::int64_t total = 0;
  CHECK(selection_benchmark::total_of(*read, "15.75", total));
  CHECK(total == 1675);
  CHECK(!selection_benchmark::total_of(*read, "15.755", total));
  CHECK(!selection_benchmark::total_of(*read, "-", total));
}

TEST_CASE("bad knapsacks are errors that say where") {
  CHECK(error_of("").message ==
        wf::text("the text ends before the numbers of classes and resources"));
  CHECK(error_of("2\n").message == wf::text("the first line has 1 words, not 2"));
  CHECK(error_of("-2 1\n").message ==
        wf::text("the number of classes is -2, outside of 1 to 1000000"));
  CHECK(error_of("1 -1\n").where == wf::text_position{1, 3, 2});
  CHECK(error_of("one 1\n").message ==
        wf::text("the number of classes is not an integer that can be read"));
  CHECK(error_of("1.5 1\n").code == wf::errc::graph_syntax);
  CHECK(error_of("1 2\n10\n").message == wf::text("the line of capacities has 1 words, not 2"));
  CHECK(error_of("1 1\n-10\n").code == wf::errc::graph_syntax);
  CHECK(error_of("1 1\n10\n-1\n").message ==
        wf::text("the item count is -1, outside of 1 to 1000000"));
  CHECK(error_of("1 1\n10\n2\n5 1\n").message ==
        wf::text("the text ends before the last item of a class"));
  CHECK(error_of("1 1\n10\n1\n5 1 2\n").message == wf::text("an item has 3 words, not 2"));
  CHECK(error_of("1 1\n10\n1\n5 1 2\n").where.line == 4);
  CHECK(error_of("1 1\n10\n1\n5,5 1\n").message ==
        wf::text("a value is not a number up to 1e17 with at most 9 decimals"));
  CHECK(error_of("1 1\n10\n1\n5 1.5\n").message ==
        wf::text("a use is not an integer that can be read"));
  CHECK(error_of("1 1\n10\n1\n5 1\n9\n").message ==
        wf::text("unexpected text after the last class"));
  CHECK(error_of("1 1\n99999999999999999999\n").code == wf::errc::graph_syntax);
}
