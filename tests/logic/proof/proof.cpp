// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/proof/proof.hpp>

#include <string>

#include <doctest/doctest.h>

#include <logic/proof_checker.hpp>

#include "../ordered_program.hpp"

#include <wf/logic/proof/session.hpp>

using namespace wf::logic;
using namespace wf_test;

TEST_CASE("the checker refuses proofs that were changed") {
  database inputs;
  inputs.add("E", relation_of(2, {{0, 1}, {1, 2}, {2, 3}}));
  const stratified_program p =
      ordered_program("T(x,y) = E(x,y)\nT(x,z) = T(x,y) T(y,z) [x < z]\n", &inputs);
  wf_proof::all_entries given = {{"E", {{{0, 1}, 1}, {{1, 2}, 1}, {{2, 3}, 1}}}}, final = given;
  final["T"] = {{{0, 1}, 1}, {{1, 2}, 1}, {{2, 3}, 1}, {{0, 2}, 1}, {{1, 3}, 1}, {{0, 3}, 1}};
  wf_proof::checker checker(p.program, given, final);
  proof_session session(p, inputs);
  const auto found = session.prove("T(0,3)");
  REQUIRE(found);
  const auto check = [&](const proof& changed) { return checker.check(changed, "T", {0, 3}); };
  CHECK(check(*found) == "");
  CHECK(checker.check(*found, "T", {0, 2}) == "it proves another fact");
  CHECK(check({}) == "there are no steps");
  const auto changed = [&](auto change) {
    proof other = *found;
    change(other.steps);
    return check(other) != "";
  };
  using steps = wf::table<proof_step>;
  CHECK(changed([](steps& s) { s.back().height = 2; }));
  CHECK(changed([](steps& s) { s[0].at[0] = 7; }));
  CHECK(changed([](steps& s) { s[0].given = false; }));
  CHECK(changed([](steps& s) { s.back().derivations.clear(); }));
  CHECK(changed([](steps& s) { s.back().derivations[0].rule = 0; }));
  CHECK(changed([](steps& s) { s.back().derivations[0].variables[1] += 1; }));
  CHECK(changed([](steps& s) { s.back().derivations[0].premises[0] = 0; }));
  CHECK(changed([](steps& s) { s.back().derivations[0].premises[1] += 40; }));
  CHECK(changed([](steps& s) {
    const derivation d = s.back().derivations[0];
    s.back().derivations.push_back(d);
  }));
}
