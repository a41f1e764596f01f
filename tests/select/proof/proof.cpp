// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof/proof.hpp>

#include <doctest/doctest.h>
#include <wf/core/text/text.hpp>

TEST_CASE("a proof is a regular value and knows its size") {
  wf::selection_proof proof;
  CHECK(proof.status == wf::proof_status::not_recorded);
  CHECK(proof.size() == 0);
  wf::proof_level level;
  level.steps.push_back({wf::proof_rule::row, 0, 0, 0, {0, 2}});
  level.steps.push_back({wf::proof_rule::prices, 0, 0, 8, {0, 1}});
  level.literals = wf::table<std::uint32_t>{3, 4};
  level.prices.push_back({1, 5});
  proof.levels.push_back(level);
  CHECK(proof.size() == 2 * 4 + 2 + 2);
  const wf::selection_proof copy = proof;
  CHECK(copy == proof);
  proof.levels[0].prices[0].amount = 6;
  CHECK(!(copy == proof));
}

TEST_CASE("each status has a name") {
  CHECK(wf::text(to_text(wf::proof_status::complete)) == wf::text("complete"));
  CHECK(wf::text(to_text(wf::proof_status::not_proven)) == wf::text("not proven"));
  CHECK(wf::text(to_text(wf::proof_status::not_additive)) == wf::text("not additive"));
  CHECK(wf::text(to_text(wf::proof_status::too_large)) == wf::text("too large"));
  CHECK(wf::text(to_text(wf::proof_status::not_recorded)) == wf::text("not recorded"));
}
