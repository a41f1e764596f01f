// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/demand/rewrite.hpp>

#include <doctest/doctest.h>

#include "random_queries.hpp"

using namespace wf::logic;
using namespace wf_test;

TEST_CASE("demanded programs stratify, and give the entries of a full evaluation that match") {
  int compared = 0, restricted = 0;
  for (std::uint64_t seed = 0; seed < 2500; ++seed) {
    const asked_program p = make_asked_program(seed);
    const auto full = evaluated_in_full(p);
    if (!full) continue;
    std::mt19937_64 random(seed);
    for (int i = 0; i < 4; ++i) {
      const std::string text = random_query(p, random);
      CAPTURE(seed);
      CAPTURE(p.text);
      CAPTURE(text);
      const auto q = read_query(text, p.program.program);
      REQUIRE(q);
      const tensor_program rewritten = demand(p.program, *q, p.names);
      const auto strata = stratify(rewritten);
      REQUIRE_MESSAGE(strata, std::string(wf::to_text(strata.error())));
      auto solved = evaluate(*strata, p.inputs);
      REQUIRE_MESSAGE(solved, std::string(wf::to_text(solved.error())));
      REQUIRE(solved->tensors.size() == 1);
      const std::string name(p.program.program.tensors[q->tensor].name);
      REQUIRE(std::string(solved->tensors[0].name) == name);
      const entries found = all_of(solved->tensors[0].entries());
      const entries wanted = matching(full->at(name), *q);
      REQUIRE(found == wanted);
      ++compared;
      for (const auto& t : rewritten.tensors) restricted += t.name.view().part(0, 6) == "wanted";
    }
  }
  MESSAGE(compared, " ", restricted);
  CHECK(compared > 4000);
}
