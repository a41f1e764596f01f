// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/proof/settled.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../ordered_program.hpp"

using namespace wf::logic;
using namespace wf_test;

TEST_CASE("what a run made becomes inputs of the same numbers") {
  database inputs;
  inputs.add("E", relation_of(2, {{0, 1}, {1, 2}}));
  inputs.add("T", relation_of(2, {{5, 6}}));
  const stratified_program p = ordered_program("T(x,z) = E(x,y) E(y,z)\nS[x] += T(x,y)\n", &inputs);
  const auto made = detail::settle(p, inputs, {}, rule_registry());
  REQUIRE(made);
  CHECK(made->program.rules.empty());
  for (std::uint32_t t = 0; t < p.program.tensors.size(); ++t) {
    CAPTURE(std::string(p.program.tensors[t].name));
    CHECK(made->program.tensors[t].name.view() == p.program.tensors[t].name.view());
    CHECK_FALSE(made->program.tensors[t].defined);
    CHECK(made->derived[t] == p.program.tensors[t].defined);
    CHECK(made->facts.find(p.program.tensors[t].name.view()) != nullptr);
  }
  CHECK(made->facts.find("T")->entries.rows == 2);
  CHECK(made->facts.find("S")->entries.rows == 2);
  const std::uint32_t t = p.program.find("T");
  REQUIRE(made->given[t] != none);
  CHECK(made->facts.find(made->program.tensors[made->given[t]].name.view())->entries.rows == 1);
  CHECK(made->given[p.program.find("E")] == none);
}

TEST_CASE("errors of the run are those of evaluate") {
  const stratified_program p = ordered_program("T(x) = E(x)\n");
  const database nothing;
  const auto made = detail::settle(p, nothing, {}, rule_registry());
  REQUIRE_FALSE(made);
  CHECK(made.error().code == wf::errc::missing_argument);
}
