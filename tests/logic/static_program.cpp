// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/static_program.hpp>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/relation/facts.hpp>

namespace {

// The number of entries of a tensor of a program on the facts of a relation `edge`; 0 after an
// error.
constexpr std::size_t entries(const wf::logic::stratified_program& program, wf::text_view facts,
                              bool valued, wf::text_view name, wf::logic::join_method joins = {}) {
  wf::logic::database inputs;
  wf::logic::fact_format format;
  format.columns = wf::table<std::uint32_t>(2, UINT32_MAX);
  format.valued = valued;
  auto edges = wf::logic::parse_facts(facts, format, inputs.domains);
  if (!edges) return 0;
  inputs.add("edge", *static_cast<wf::result<wf::logic::relation>&&>(edges));
  wf::logic::evaluation_options options;
  options.joins = joins;
  auto solved = evaluate(program, inputs, options);
  return solved ? solved->find(name)->size() : 0;
}

constexpr wf::text_view ring = "0\t1\n1\t2\n2\t3\n3\t0\n4\t5\n";

// Recursion, negation, extrema and numbers are evaluated while compiling.
static_assert(entries(wf::logic::rules<"tc(x,y) = edge(x,y)\ntc(x,z) = tc(x,y) edge(y,z)">(), ring,
                      false, "tc") == 17);
static_assert(entries(wf::logic::rules<"tc(x,y) = edge(x,y)\ntc(x,z) = tc(x,y) tc(y,z)\n"
                                       "one(x,y) = tc(x,y) !tc(y,x)">(),
                      ring, false, "one") == 1);
static_assert(entries(wf::logic::rules<"d[x,y] min= edge[x,y]\nd[x,z] min= d[x,y] + edge[y,z]">(),
                      "0\t1\t2.5\n1\t2\t1\n0\t2\t9\n", true, "d") == 3);
constexpr auto triangles = wf::logic::rules<"t(x,y,z) = edge(x,y) edge(y,z) edge(z,x) [x < y]">;
constexpr wf::text_view two_triangles = "0\t1\n1\t2\n2\t0\n2\t1\n1\t0\n3\t0\n";
static_assert(entries(triangles(), two_triangles, false, "t") == 2);
static_assert(entries(triangles(), two_triangles, false, "t",
                      wf::logic::join_method::by_variables) == 2);
static_assert(entries(wf::logic::rules<"degree[x] += edge(x,y)\nlast[] max= degree[x]">(), ring,
                      false, "last") == 1);

}  // namespace

TEST_CASE("a program of a text that is known while compiling is the one that is read at run time") {
  const auto made = wf::logic::rules<"tc(x,y) = edge(x,y)\ntc(x,z) = tc(x,y) edge(y,z)">();
  CHECK(made.strata.size() == 1);
  CHECK(made.program.rules.size() == 2);
  CHECK(entries(made, ring, false, "tc") == 17);
}
