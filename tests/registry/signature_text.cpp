// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/signature_text.hpp>

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

namespace {

constexpr bool survives(wf::text_view source) {
  const auto s = wf::parse_signature(source);
  return s && wf::to_text(*s) == wf::text(source);
}
static_assert(survives("A[..., M, K], B[..., K, N] -> C[..., M, N]") && survives("-> C[]"));
static_assert(survives("A[M, M], B[M, N?] -> X[M, N?]") && survives("n*A[..., 3] -> n*B[...]"));
static_assert(survives("through A@state: floating [M], order: number, p = 1 -> B[M + order]"));

// A random one of a few choices, so that all pairs occur.
std::string some(std::mt19937_64& random, const std::vector<std::string>& of) {
  return of[random() % of.size()];
}

std::string random_signature(std::mt19937_64& random) {
  std::string out;
  const std::size_t operands = random() % 4, results = 1 + random() % 3;
  const std::size_t operand_pack = random() % 5, result_pack = operands + random() % 4;
  for (std::size_t i = 0; i < operands + results; ++i) {
    const bool operand = i < operands;
    if (i == operands) {
      for (std::size_t a = random() % 3; a > 0; --a)
        out += (out.empty() ? "" : ", ") + std::string("a") + std::to_string(a) +
               some(random, {": integer", " = 1/2", ": string = same", ": real = -0.5"});
      out += out.empty() ? "-> " : " -> ";
    } else if (i != 0) {
      out += ", ";
    }
    const bool is_pack = i == (operand ? operand_pack : result_pack);
    if (operand && i < operand_pack && random() % 4 == 0) out += "through ";
    if (is_pack) out += operand ? "n*" : "parts*";
    out += "P" + std::to_string(i) + some(random, {"", "@weights"});
    out += some(random, {"[", ": floating [", ": i64 [", ": any ["});
    const std::string leading = some(random, {"", "..."});
    std::string dimensions = leading;
    for (std::size_t d = random() % 3; d > 0; --d)
      dimensions += (dimensions.empty() ? "" : ", ") +
                    (operand ? some(random, {"M", "N", "3"}) : some(random, {"M + 1", "(N)//2"}));
    if (leading.empty() && random() % 3 == 0)
      dimensions = dimensions.empty() ? "K?"
                   : random() % 2     ? "K?, " + dimensions
                                      : dimensions + ", K?";
    out += dimensions + "]";
    if (operand && !is_pack && random() % 4 == 0) out += some(random, {" = 0", " = 1/M"});
  }
  return out;
}

}  // namespace

TEST_CASE("row 3: a signature's text is read back to the same signature") {
  std::mt19937_64 random(31);
  for (int i = 0; i < 2000; ++i) {
    const std::string source = random_signature(random);
    INFO(source);
    const auto s = wf::parse_signature(source);
    REQUIRE(s);
    const wf::text written = wf::to_text(*s);
    CHECK(std::string(written.view()) == source);
  }
}

TEST_CASE("row 3: every built-in signature has a text that means the same") {
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    const auto s = wf::parse_signature(k->signature);
    REQUIRE(s);
    const wf::text written = wf::to_text(*s);
    const auto again = wf::parse_signature(written.view());
    REQUIRE(again);
    CHECK(wf::to_text(*again) == written);
    CHECK(again->inputs == s->inputs);
    CHECK(again->parameters.size() == s->parameters.size());
    CHECK(again->attributes.size() == s->attributes.size());
  }
}
