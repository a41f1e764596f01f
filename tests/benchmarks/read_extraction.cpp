// SPDX-License-Identifier: BSL-1.0
#include <selection/read_extraction.hpp>

#include <string>

#include <doctest/doctest.h>

#include <selection/solve.hpp>

#include "samples.hpp"

using selection_benchmark::read_extraction;

namespace {

// The small instance with one part of its text replaced.
wf::error error_with(const std::string& old_part, const std::string& new_part) {
  std::string text = wf_test::small_extraction;
  const std::size_t at = text.find(old_part);
  REQUIRE(at != std::string::npos);
  text.replace(at, old_part.size(), new_part);
  const wf::result<selection_benchmark::instance> read = read_extraction(text);
  REQUIRE(!read);
  return read.error();
}

}  // namespace

TEST_CASE("an e-graph is read exactly") {
  const wf::result<selection_benchmark::instance> read = read_extraction(wf_test::small_extraction);
  REQUIRE(read);
  const wf::selection_problem& p = read->problem;
  CHECK(read->scale == 10);
  CHECK(read->ignored_roots == 1);
  CHECK(p.classes == 2);
  REQUIRE(p.candidates.size() == 4);
  CHECK(p.costs == wf::table<std::int64_t>{15, 40, 20, 0});
  CHECK(p.roots == wf::table<std::uint32_t>{0});
  CHECK(p.candidates[3].owner == 1);
  CHECK(wf::table<std::uint32_t>(p.children_of(3)) == wf::table<std::uint32_t>{0, 1});
  CHECK(wf::validate(p).code == wf::errc::none);

  const selection_benchmark::answer best = selection_benchmark::solve_once(*read, "wf", 10);
  CHECK(best.proven);
  CHECK(best.total == 35);
  CHECK(selection_benchmark::published(*read, best.total) == "3.5");
}

TEST_CASE("children written as numbers are classes, even if a node has that name") {
  const wf::result<selection_benchmark::instance> read =
      read_extraction(wf_test::numbered_extraction);
  REQUIRE(read);
  CHECK(wf::table<std::uint32_t>(read->problem.children_of(0)) == wf::table<std::uint32_t>{1});
  CHECK(read->problem.costs == wf::table<std::int64_t>{1, 3, 1});
}

TEST_CASE("negative costs are read and refused by the engine, as are e-graphs without a root") {
  std::string text = wf_test::numbered_extraction;
  text.replace(text.find("\"cost\": 3"), 9, "\"cost\": -3");
  const wf::result<selection_benchmark::instance> negative = read_extraction(text);
  REQUIRE(negative);
  const selection_benchmark::answer refused = selection_benchmark::solve_once(*negative, "wf", 10);
  CHECK(!refused.found);
  CHECK(refused.message == "WF503 in 'candidate 1': a cost is negative");

  text = wf_test::numbered_extraction;
  text.replace(text.find("[1]"), 3, "[7]");
  const wf::result<selection_benchmark::instance> rootless = read_extraction(text);
  REQUIRE(rootless);
  CHECK(rootless->ignored_roots == 1);
  CHECK(!selection_benchmark::solve_once(*rootless, "wf", 10).found);
}

TEST_CASE("bad e-graphs are errors that say where") {
  CHECK(error_with("1.5", "1.5000000001").message ==
        wf::text("the cost is not a number up to 1e17 with at most 9 decimals"));
  CHECK(error_with("1.5", "1.5000000001").where == wf::text_position{3, 66, 80});
  CHECK(error_with("1.5", "1e18").code == wf::errc::graph_syntax);
  CHECK(error_with("1.5", "\"1\"").code == wf::errc::graph_syntax);
  CHECK(error_with("4.0", "4000000000000000000000").code == wf::errc::graph_syntax);
  CHECK(error_with("[\"n2\"]", "[\"n9\"]").message ==
        wf::text("the child is no node and no class"));
  CHECK(error_with("[\"n2\"]", "[[]]").message == wf::text("a child is an id"));
  CHECK(error_with("[\"n2\"]", "\"n2\"").message == wf::text("the children are no array"));
  CHECK(error_with("\"eclass\": \"a\", ", "").message == wf::text("the node has no class"));
  CHECK(error_with("\"eclass\": \"a\"", "\"eclass\": {}").message ==
        wf::text("the node has no class"));
  CHECK(error_with("root_eclasses", "roots").message == wf::text("'root_eclasses' is missing"));
  CHECK(error_with("[\"a\", \"gone\"]", "{}").message ==
        wf::text("'root_eclasses' must be an array"));
  CHECK(error_with("\"gone\"", "null").message == wf::text("a root is an id"));
  CHECK(error_with("\"nodes\"", "\"node\"").message == wf::text("'nodes' is missing"));
  CHECK(error_with("\"n1\"", "\"n0\"").message == wf::text("the object has the key 'n0' twice"));
  CHECK(!read_extraction("[]"));
  CHECK(!read_extraction(""));
  CHECK(!read_extraction(R"({"nodes": {"n": 3}, "root_eclasses": []})"));
}
