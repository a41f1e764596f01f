// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/einsum_equation.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::einsum_equation;

static_assert(einsum_equation{"ij,jk->ik"}.operands() == 2);
static_assert(einsum_equation{"ij,jk->ik"}.operand(1) == "jk");
static_assert(einsum_equation{"ij,jk->ik"}.operand(2).empty());
static_assert(einsum_equation{"ij,jk->ik"}.result() == "ik");
static_assert(einsum_equation{"ij,jk->ik"}.keeps('k') && !einsum_equation{"ij,jk->ik"}.keeps('j'));
static_assert(einsum_equation{",i->"}.operands() == 2 && einsum_equation{",i->"}.has_result());

}  // namespace

TEST_CASE("the parts of an equation are those it is written of") {
  std::mt19937 random(29);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    std::vector<std::string> parts(1 + random() % 4);
    std::string written;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t d = random() % 5; d > 0; --d)
        parts[i] += static_cast<char>('a' + random() % 6);
      written += (i == 0 ? "" : ",") + parts[i];
    }
    std::string result;
    for (std::size_t d = random() % 5; d > 0; --d) result += static_cast<char>('a' + random() % 6);
    const bool has_result = random() % 4 != 0;
    if (has_result) written += "->" + result;
    const einsum_equation e{{written.data(), written.size()}};
    CHECK(e.has_result() == has_result);
    REQUIRE(e.operands() == parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) CHECK(std::string(e.operand(i)) == parts[i]);
    CHECK(e.operand(parts.size()).empty());
    CHECK(e.operand(parts.size() + 7).empty());
    CHECK(std::string(e.result()) == (has_result ? result : ""));
    for (char letter = 'a'; letter < 'h'; ++letter)
      CHECK(e.keeps(letter) == (has_result && result.find(letter) != std::string::npos));
  }
}

TEST_CASE("any text can be viewed") {
  for (const char* text : {"", ",", "-", "->", "-->", "i-j", "i->j->k", ",,-", "->,", "i-"}) {
    CAPTURE(text);
    const einsum_equation e{text};
    std::size_t letters = e.operands() - 1;  // the commas between operands
    for (std::size_t i = 0; i < e.operands() + 2; ++i) letters += e.operand(i).size();
    CHECK(letters == wf::text_view(text).find('-'));
    if (!e.has_result()) CHECK(e.result().empty());
  }
}
