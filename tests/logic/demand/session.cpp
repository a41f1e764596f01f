// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/demand/session.hpp>
#include <wf/logic/relation/facts.hpp>

#include <doctest/doctest.h>

#include <string_view>

#include "random_queries.hpp"

using namespace wf::logic;
using namespace wf_test;

namespace {

stratified_program ordered(std::string_view text) {
  const auto program = read_program(text);
  REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())));
  const auto strata = stratify(*program, text);
  REQUIRE(strata);
  return *strata;
}

constexpr const char* closure = "tc(x,y) = edge(x,y)\ntc(x,z) = tc(x,y) edge(y,z)\n";
constexpr const char* same_generation =
    "sg(x,y) = par(x,p) par(y,p)\nsg(x,y) = par(x,a) sg(a,b) par(y,b)\n";

// The edges of a cycle.
database cycle(int nodes) {
  database out;
  relation edge(2, false);
  for (int i = 0; i < nodes; ++i) {
    const position at[] = {i, (i + 1) % nodes};
    edge.append(at);
  }
  out.add("edge", edge);
  return out;
}
// A complete binary tree: the parent of each node.
database tree(int nodes) {
  database out;
  relation par(2, false);
  for (int i = 1; i < nodes; ++i) {
    const position at[] = {i, (i - 1) / 2};
    par.append(at);
  }
  out.add("par", par);
  return out;
}

bool says(const answer& a, std::string_view words) {
  return std::string(a.reason).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a session answers queries as a full evaluation does, whatever it chooses") {
  int by_demand = 0, in_full = 0;
  for (std::uint64_t seed = 10'000; seed < 10'400; ++seed) {
    const asked_program p = make_asked_program(seed);
    const auto full = evaluated_in_full(p);
    if (!full) continue;
    std::mt19937_64 random(seed);
    demand_guards guards;
    if (seed % 4 != 0) guards.small_rows = 0;
    if (seed % 4 == 1) guards.trial_least = 3;
    if (seed % 4 == 2) guards.most_asked = 1;
    query_session session(p.program, p.inputs, {}, guards);
    for (int i = 0; i < 4; ++i) {
      const std::string text = random_query(p, random);
      CAPTURE(p.text);
      CAPTURE(text);
      const auto q = read_query(text, p.program.program);
      REQUIRE(q);
      const auto found = session.ask(text);
      REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
      const std::string name(p.program.program.tensors[q->tensor].name);
      CHECK(all_of((*found)->entries) == matching(full->at(name), *q));
      CHECK(is_sorted((*found)->entries));
      ++((*found)->by_demand ? by_demand : in_full);
    }
  }
  CHECK(by_demand > 200);
  CHECK(in_full > 200);
}

TEST_CASE("a query that was asked before does no work, however its variables are called") {
  const auto p = ordered(closure);
  const database edges = cycle(2000);
  query_session session(p, edges);
  const auto first = session.ask("tc(7, y)");
  REQUIRE(first);
  CHECK((*first)->entries.rows == 2000);
  const auto work = session.evaluations();
  for (const char* same : {"tc(7, y)", "tc(7,_)", " tc( 7 , z )"}) {
    const auto again = session.ask(same);
    REQUIRE(again);
    CHECK((*again)->entries.rows == 2000);
  }
  CHECK(session.evaluations() == work);
  REQUIRE(session.ask("tc(8, y)"));
  CHECK(session.evaluations() > work);
}

TEST_CASE("demand is chosen where the rules ask for little, and full evaluation elsewhere") {
  const auto reach = ordered(closure);
  const database edges = cycle(2000);
  query_session paths(reach, edges);
  const auto direct = paths.ask("tc(7, y)");
  REQUIRE(direct);
  CHECK((*direct)->by_demand);
  CHECK(says(**direct, "for the positions that the query names"));
  const auto backwards = paths.ask("tc(x, 7)");  // asks for all that reaches 7
  REQUIRE(backwards);
  CHECK((*backwards)->entries.rows == 2000);
  CHECK_FALSE((*backwards)->by_demand);
  CHECK(says(**backwards, "no recursion by rounds"));
  const auto work = paths.evaluations();
  const auto other = paths.ask("tc(x, 8)");
  REQUIRE(other);
  CHECK(says(**other, "evaluated before"));
  CHECK(paths.evaluations() == work);

  const auto generation = ordered(same_generation);
  const database parents = tree(32'767);
  query_session tree_session(generation, parents);
  const auto cousins = tree_session.ask("sg(1000, y)");
  REQUIRE(cousins);
  CHECK((*cousins)->by_demand);
  CHECK((*cousins)->entries.rows == 512);
  CHECK((*cousins)->entries.columns[1][0] == 511);
  CHECK(says(**cousins, "within a trial"));
  const auto leaves = tree_session.ask("sg(30000, y)");
  REQUIRE(leaves);
  CHECK((*leaves)->by_demand);
  CHECK((*leaves)->entries.rows == 16'384);
  CHECK(says(**leaves, "sg.bf at 15 positions"));

  // What asks for more than the guards allow is evaluated in full.
  evaluation_options rounds;
  rounds.recursions = wf::logic::recursion_method::rounds;
  demand_guards strict;
  strict.small_rows = 0;
  strict.most_asked = 0.001;
  const database low_tree = tree(511);
  query_session low(generation, low_tree, rounds, strict);
  const auto much = low.ask("sg(500, y)");
  REQUIRE(much);
  CHECK_FALSE((*much)->by_demand);
  CHECK((*much)->entries.rows == 256);
  CHECK(says(**much, "ask for much"));
  const database long_cycle = cycle(3000);
  const auto chain = ordered("tc(x,y) = edge(x,y)\ntc(x,z) = edge(x,y) tc(y,z) [x < 40]\n");
  query_session stopped(chain, long_cycle, rounds);
  const auto all = stopped.ask("tc(x, x)");
  REQUIRE(all);
  CHECK_FALSE((*all)->by_demand);
  const auto ends = stopped.ask("tc(5, y)");
  REQUIRE(ends);
  CHECK((*ends)->entries.rows == 36);

  const database small = tree(31);
  query_session small_session(generation, small);
  const auto few = small_session.ask("sg(5, y)");
  REQUIRE(few);
  CHECK((*few)->entries.rows == 4);
  CHECK(says(**few, "the inputs are small"));
}

TEST_CASE("symbols of queries and answers are those of the inputs") {
  const auto p = ordered("Path(a,b) = Edge(a,b)\nPath(a,c) = Path(a,b) Edge(b,c)\n");
  database inputs;
  inputs.domains.push_back(symbol_domain("town"));
  const auto facts =
      parse_facts("Bern\tBasel\nBasel\tParis\nRome\tBern\n", {{0, 0}, false}, inputs.domains);
  REQUIRE(facts);
  inputs.add("Edge", *facts, {0, 0});
  for (const std::uint64_t small : {0U, 1024U}) {
    demand_guards guards;
    guards.small_rows = small;
    query_session session(p, inputs, {}, guards);
    const auto from = session.ask("Path('Bern', y)");
    REQUIRE(from);
    CHECK(std::string(facts_text((*from)->entries, (*from)->domains, (*from)->symbols)) ==
          "Bern\tBasel\nBern\tParis\n");
    const auto unknown = session.ask("Path('Oslo', y)");
    REQUIRE(unknown);
    CHECK((*unknown)->entries.rows == 0);
  }
}

TEST_CASE("a session fails as reading a query and evaluating do") {
  const auto p = ordered("A(x,y) = In(x,y)\nB(x) = A(x,y) Missing(y)\n");
  database inputs;
  inputs.add("In", relation(2, false));
  query_session session(p, inputs);
  CHECK(session.ask("A(1, y)"));
  CHECK(session.ask("Z(1)").error().code == wf::errc::bad_equation);
  const auto missing = session.ask("B(1)");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == wf::errc::missing_argument);
  CHECK(std::string(missing.error().subject) == "Missing");

  const auto reach = ordered(closure);
  const database edges = cycle(2000);
  evaluation_options options;
  options.max_bindings = 100;
  query_session bounded(reach, edges, options);
  CHECK(bounded.ask("tc(x, 1)").error().code == wf::errc::execution_stopped);
}

namespace {

constexpr std::size_t rows_of_static_query(wf::text_view text) {
  const auto program = read_program(text);
  const auto strata = stratify(*program, text);
  database inputs;
  relation edge(2, false);
  for (int i = 0; i < 6; ++i) {
    const position at[] = {i, i + 1};
    edge.append(at);
  }
  inputs.add("edge", edge);
  demand_guards guards;
  guards.small_rows = 0;
  query_session session(*strata, inputs, {}, guards);
  const auto found = session.ask("tc(3, y)");
  return found ? (*found)->entries.rows : 0;
}
static_assert(rows_of_static_query("tc(x,y) = edge(x,y)\ntc(x,z) = edge(x,y) tc(y,z)\n") == 3);
static_assert(rows_of_static_query("tc(x,y) = edge(x,y)\ntc(x,z) = tc(x,y) edge(y,z)\n") == 3);

}  // namespace

TEST_CASE("conformance 8: what a query does not reach is not evaluated") {
  const stratified_program p =
      ordered("A[i] = X[i]\nB[i] = relu(A[i])\nC[i] = Missing[i]\nexport B");
  database inputs;
  const std::int64_t extents[] = {2};
  const double values[] = {-1, 2};
  inputs.add_dense("X", extents, values);
  query_session session(p, inputs);
  const auto b = session.ask("B[1]");
  REQUIRE_MESSAGE(b, std::string(wf::to_text(b.error())));
  REQUIRE((*b)->entries.rows == 1);
  CHECK((*b)->entries.values[0] == 2);
  const std::uint64_t before = session.evaluations();
  CHECK(session.ask("B[1]"));
  CHECK(session.evaluations() == before);
  CHECK(session.ask("C[1]").error().code == wf::errc::missing_argument);
  const auto unknown = session.ask("Z[1]");
  REQUIRE_FALSE(unknown);
  CHECK(std::string(unknown.error().message).starts_with("unknown tensor 'Z'"));
}
