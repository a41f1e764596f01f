// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof/check_rows.hpp>

#include <doctest/doctest.h>

#include "../hard_blocks.hpp"

using namespace enumerated;
using wf::detail::proof_rows;

namespace {

// Three classes of two candidates, of which the second ones exclude each other pairwise.
wf::selection_problem exclusive_problem() {
  wf::selection_problem p = empty_problem();
  const std::int64_t cost[][1] = {{1}, {0}};
  for (std::uint32_t k = 0; k < 3; ++k) {
    p.add_root(p.add_class());
    p.add_candidate(k, {}, cost[0]);
    p.add_candidate(k, {}, cost[1]);
  }
  for (std::uint32_t k = 0; k < 3; ++k) p.exclude_pair(2 * k + 1, 2 * ((k + 1) % 3) + 1);
  return p;
}

wf::selection_proof claim() {
  wf::selection_proof proof;
  proof.levels.push_back({});
  return proof;
}

}  // namespace

TEST_CASE("a row holds literals that exclude each other two by two") {
  const wf::selection_problem p = exclusive_problem();
  const wf::selection_proof proof = claim();
  proof_rows rows(p, proof, 0);
  REQUIRE(rows.begin() == "");
  CHECK(rows.exclusive(0, 1));
  CHECK(rows.exclusive(1, 3));
  CHECK_FALSE(rows.exclusive(0, 3));
  CHECK_FALSE(rows.exclusive(1, 1));
  rows.run_ = {1, 3, 5};
  CHECK(rows.is_row());
  rows.run_ = {0, 3};
  CHECK_FALSE(rows.is_row());
  const proof_rows::row row = proof_rows::row_of_literals({1, 3});
  CHECK(row.times.size() == 2);
  CHECK(bool(row.most == 1));
}

TEST_CASE("a sum of rows is divided and rounded down") {
  const wf::selection_problem p = exclusive_problem();
  wf::selection_proof proof = claim();
  for (const std::uint32_t row : {1U, 3U, 5U}) proof.levels[0].prices.push_back({row, 1});
  proof_rows rows(p, proof, 0);
  REQUIRE(rows.begin() == "");
  for (std::uint32_t k = 0; k < 3; ++k)
    rows.rows_.push_back(proof_rows::row_of_literals({2 * k + 1, 2 * ((k + 1) % 3) + 1}));
  const proof_rows::row cut = rows.divided_sum({wf::proof_rule::cut, 0, 0, 2, {0, 3}});
  CHECK(bool(cut.most == 1));
  for (const std::uint32_t n : {1U, 3U, 5U}) CHECK(bool(cut.times.at(n) == 1));
}

TEST_CASE("a joined class has a literal for every two that are compatible") {
  const wf::selection_problem p = exclusive_problem();
  const wf::selection_proof proof = claim();
  proof_rows rows(p, proof, 0);
  REQUIRE(rows.begin() == "");
  rows.join(0, 1);
  REQUIRE(rows.members_.size() == 4);
  CHECK(rows.members_[3].size() == 3);
  CHECK(rows.rows_.size() == 4);
  // Each row is completed with the joint literals of the other candidates of its classes.
  for (std::uint32_t r = 0; r < 4; ++r) CHECK(rows.whole_row(r).times.size() > 1);
  const std::uint32_t joined = rows.members_[3][0];
  CHECK(rows.exclusive(joined, rows.joints_[0].a == 0 ? 1 : 0));
  CHECK_FALSE(rows.exclusive(joined, rows.joints_[0].a));
  rows.forget_rows();
  CHECK(rows.rows_.empty());
  CHECK(rows.members_.size() == 3);
}
