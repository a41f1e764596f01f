// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof/text.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>
#include <wf/select/select.hpp>

#include "../enumerate.hpp"
#include "../hard_blocks.hpp"

using namespace enumerated;

TEST_CASE("a proof is written a line for each step, and read back") {
  constexpr const char* source =
      "wf.selection_proof 1 complete\n"
      "level 12\n"
      "subsumed 3 2\n"
      "support 4 : 9\n"
      "lemma 7 : 0 1\n"
      "row : 3 8\n"
      "prices 1048576 : 1=500 2=7\n"
      "branch 3 0\n"
      "bound : 4 5\n"
      "cycle 2\n"
      "tree : 5=12 3=0\n"
      "bound :\n"
      "level -1\n";
  const auto read = wf::parse_proof(source);
  REQUIRE(read);
  CHECK(read->status == wf::proof_status::complete);
  REQUIRE(read->levels.size() == 2);
  CHECK(read->levels[0].steps.size() == 10);
  CHECK(read->levels[0].prices[1] == wf::proof_price{2, 7});
  CHECK(read->levels[1].value == -1);
  CHECK(to_text(*read) == wf::text(source));
}

TEST_CASE("recorded proofs survive their text form") {
  std::mt19937 random(11);
  int complete = 0;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    wf::selection_problem p = round % 3 == 0 ? empty_problem() : random_packing(random);
    if (round % 3 == 0) add_hard_block(p, random);
    const auto found = wf::select_certified(p);
    if (!found) continue;
    complete += found->proof.status == wf::proof_status::complete;
    const auto again = wf::parse_proof(to_text(found->proof));
    REQUIRE(again);
    CHECK(*again == found->proof);
  }
  CHECK(complete > 300);
}

TEST_CASE("what is no proof is an error with a place") {
  const auto where = [](wf::text_view source) {
    const auto read = wf::parse_proof(source);
    REQUIRE(!read);
    CHECK(read.error().code == wf::errc::proof_syntax);
    return read.error().where;
  };
  CHECK(where("") == wf::text_position{1, 1, 0});
  CHECK(where("wf.selection_proof 2 complete") == wf::text_position{1, 20, 19});
  CHECK(where("wf.selection_proof 1 perfect") == wf::text_position{1, 22, 21});
  CHECK(where("wf.selection_proof 1 complete\ncyclic 3").line == 2);
  CHECK(where("wf.selection_proof 1 complete\nlevel 99999999999999999999").column == 7);
  CHECK(where("wf.selection_proof 1 complete\nlevel 1\nrow 3").column == 5);
  CHECK(where("wf.selection_proof 1 complete\nlevel 1\nbound : -3").column == 9);
  CHECK(where("wf.selection_proof 1 complete\nlevel 1\nprices 1 : 3 4").column == 14);
  CHECK(where("wf.selection_proof 1 complete\nlevel 1\ncycle 3 4").column == 9);
}

// The reader works while compiling.
static_assert(
    wf::parse_proof("wf.selection_proof 1 complete\nlevel 3\nbound :\n")->levels[0].value == 3);

TEST_CASE("a number that does not fit is refused, however it begins") {
  const auto level = [](const std::string& digits) {
    const std::string source = "wf.selection_proof 1 complete\nlevel " + digits + "\n";
    return wf::parse_proof({source.data(), source.size()});
  };
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const auto value = static_cast<std::int64_t>(round == 0 ? INT64_MAX : random() >> 1);
    const std::string digits = (round % 2 == 0 ? "" : "-") + std::to_string(value);
    CAPTURE(digits);
    const auto read = level(digits);
    REQUIRE(read);
    CHECK(std::to_string(read->levels[0].value) == digits);
    // From 2^60 on, ten times the value overflows.
    if (value < std::int64_t{1} << 60) continue;
    for (const char next : {'0', '5', '9'}) CHECK_FALSE(level(digits + next));
  }
}
