// SPDX-License-Identifier: BSL-1.0
#include <selection/read_pbqp.hpp>

#include <string>

#include <doctest/doctest.h>

#include "samples.hpp"

using selection_benchmark::read_pbqp;

namespace {

wf::error error_of(wf::text_view text) {
  const wf::result<selection_benchmark::instance> read = read_pbqp(text);
  REQUIRE(!read);
  CHECK(read.error().code == wf::errc::graph_syntax);
  CHECK(read.error().where.line >= 1);
  return read.error();
}

}  // namespace

TEST_CASE("a graph with pairwise costs is read exactly") {
  const wf::result<selection_benchmark::instance> read = read_pbqp(wf_test::small_pbqp);
  REQUIRE(read);
  const wf::selection_problem& p = read->problem;
  CHECK(p.classes == 3);
  CHECK(p.costs == wf::table<std::int64_t>{0, 0, 1, 0, 2, 7});
  CHECK(p.roots == wf::table<std::uint32_t>{0, 1, 2});
  // Candidates 0 and 1 are node 0's, 2 node 1's, 3 to 5 node 2's.
  CHECK(p.pairs == wf::table<wf::selection_pair>{
                       {1, 2, true}, {0, 3, true}, {0, 5, false}, {1, 4, true}, {2, 4, true}});
  CHECK(p.pair_costs == wf::table<std::int64_t>{0, 0, 5, 0, 0});
  CHECK(wf::validate(p).code == wf::errc::none);
}

TEST_CASE("bad graphs with pairwise costs are errors that say where") {
  CHECK(error_of("").message == wf::text("the text ends before the first line"));
  CHECK(error_of("graph 1 0 0\n").message == wf::text("the first word is not 'pbqp'"));
  CHECK(error_of("pbqp 1 0\n").message == wf::text("the first line has 3 words, not 4"));
  CHECK(error_of("pbqp -1 0 0\n").message ==
        wf::text("the number of nodes is -1, outside of 1 to 10000000"));
  CHECK(error_of("pbqp 1 -1 0\n").code == wf::errc::graph_syntax);
  CHECK(error_of("pbqp 1 0 x\n").code == wf::errc::graph_syntax);
  CHECK(error_of("pbqp 1 0 1\n2\n").message == wf::text("a matrix has no size"));
  CHECK(error_of("pbqp 1 0 1\n-2 2 0 0\n").code == wf::errc::graph_syntax);
  CHECK(error_of("pbqp 1 0 1\n2 2 0 0 x\n").message ==
        wf::text("a matrix with its size has 5 words, not 6"));
  CHECK(error_of("pbqp 1 0 1\n1 1 y\n").message ==
        wf::text("a cost is not an integer that can be read"));
  CHECK(error_of("pbqp 1 0 0\n2 0\n").message ==
        wf::text("a node with its number has 2 words, not 3"));
  CHECK(error_of("pbqp 1 0 0\n0\n").code == wf::errc::graph_syntax);
  CHECK(error_of("pbqp 2 0 0\n1 0\n").message == wf::text("the text ends before the last node"));
  const wf::text_view head = "pbqp 2 1 1\n1 2 0 x\n1 0\n2 3 4\n";
  const auto edge = [&](const char* line) {
    const wf::text whole = wf::text(head) << line << '\n';
    return error_of(whole).message;
  };
  CHECK(edge("") == wf::text("the text ends before the last edge"));
  CHECK(edge("0 2 0") == wf::text("a node is 2, outside of 0 to 1"));
  CHECK(edge("0 -1 0") == wf::text("a node is -1, outside of 0 to 1"));
  CHECK(edge("0 1 1") == wf::text("a matrix is 1, outside of 0 to 0"));
  CHECK(edge("0 0 0") == wf::text("an edge joins a node with itself"));
  CHECK(edge("0 1") == wf::text("an edge has 2 words, not 3"));
  CHECK(edge("1 0 0") == wf::text("the matrix has not one row and column for each alternative"));
  CHECK(edge("0 1 0\n0 1 0") == wf::text("unexpected text after the last edge"));
}
