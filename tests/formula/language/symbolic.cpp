// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <random>

#include <wf/formula/language/evaluate.hpp>
#include <wf/formula/language/symbolic.hpp>

namespace {

using wf::errc;
using wf::polynomial;
using wf::rational;

constexpr wf::text canonical(wf::text_view source) {
  const auto p = wf::parse_polynomial(source);
  if (!p) return wf::text() << static_cast<int>(p.error().code);
  return wf::to_text(*p);
}

static_assert(canonical("2*M*N*K") == wf::text("2*K*M*N"));
static_assert(canonical("(M + N)**2 - M**2") == wf::text("2*M*N + N**2"));
static_assert(canonical("sum_over(k, 1, M, k**2)") == wf::text("1/3*M**3 + 1/2*M**2 + 1/6*M"));
static_assert(canonical("sum_over(i, 0, M - 1, sum_over(j, 0, i, j))") ==
              wf::text("1/6*M**3 - 1/6*M"));
static_assert(canonical("sum_over(i, 1, M, sum_over(j, 3, i, 1))") == wf::text("205"));
static_assert(canonical("M*(M + 1)//2") == wf::text("1/2*M**2 + 1/2*M"));
static_assert(canonical("M == M ? 3*N : 1/0") == wf::text("3*N"));
static_assert(canonical("M > 3 ? 1 : 2") == wf::text("205"));
static_assert(canonical("min(M + 2, M + 1)") == wf::text("M + 1"));
static_assert(canonical("ceil(log2(M))") == wf::text("205"));
static_assert(canonical("ceil(log2(9))*M") == wf::text("4*M"));
static_assert(canonical("A.bytes*2") == wf::text("202"));
static_assert(canonical("sum_over(k, 1, 3, M*2**k)") == wf::text("14*M"));
static_assert(canonical("sum_over(k, 1, M, 2**k)") == wf::text("205"));

}  // namespace

TEST_CASE("the case study's formula sums to a closed polynomial") {
  // M steps of Gaussian elimination: 2*M, M and M*N.
  CHECK(canonical("sum_over(step, 1, M, 2*M + M + M*M)") == wf::text("M**3 + 3*M**2"));
}

TEST_CASE("symbols may stand for numbers and for polynomials") {
  const auto lookup = [](wf::text_view name, polynomial& out) {
    if (name == "A.bytes") return out = *wf::parse_polynomial("8*M*N"), true;
    if (name == "M") return out = polynomial(wf::make_symbol("M")), true;
    if (name == "two") return out = polynomial(2), true;
    return false;
  };
  const auto evaluate = [&](const char* source) {
    const auto p = wf::evaluate_symbolic(*wf::parse_formula(source), lookup);
    return p ? wf::to_text(*p) : wf::text() << static_cast<int>(p.error().code);
  };
  CHECK(evaluate("A.bytes/8 + M**two") == wf::text("M**2 + M*N"));
  CHECK(evaluate("two**10 + sqrt(two*2)") == wf::text("1026"));
  CHECK(evaluate("Q") == wf::text("202"));
}

TEST_CASE("a sum's variable hides a symbol of the same name") {
  CHECK(canonical("sum_over(M, 1, M, M) + M") == wf::text("1/2*M**2 + 3/2*M"));
  CHECK(canonical("sum_over(i, 1, N, sum_over(i, 1, i, i))") ==
        wf::text("1/6*N**3 + 1/2*N**2 + 1/3*N"));
}

TEST_CASE("the canonical text is read back") {
  for (const char* source :
       {"0", "-M", "1/2*M**2 - 1/3*N + 7", "(M - N)**5", "-1/7", "M_1*batch_size"}) {
    CAPTURE(source);
    const polynomial p = *wf::parse_polynomial(source);
    CHECK(*wf::parse_polynomial(wf::to_text(p)) == p);
  }
}

TEST_CASE("the polynomial of a formula has the formula's values") {
  const char* const formulas[] = {
      "2*M*N*K + M*(N - 1)", "sum_over(i, 1, M, i*N + sum_over(j, 1, i, j*K))",
      "(M + N)**3 // 1 - M*(M - 1)//2", "sum_over(i, M, M + N, (i - K)**2) % 1",
      "sum_over(i, 0, M - 1, sum_over(j, i, M - 1, (i + j)*N))"};
  const unsigned seed = 8;
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (const char* source : formulas) {
    CAPTURE(source);
    const auto parsed = wf::parse_formula(source);
    REQUIRE(parsed);
    const auto p = wf::evaluate_symbolic(*parsed);
    REQUIRE(p);
    for (int i = 0; i < 50; ++i) {
      const int m = static_cast<int>(random() % 30) + 1, n = static_cast<int>(random() % 30) + 1,
                k = static_cast<int>(random() % 30) + 1;
      const wf::binding sizes[] = {{"M", m}, {"N", n}, {"K", k}};
      const wf::assignment point[] = {
          {wf::make_symbol("M"), m}, {wf::make_symbol("N"), n}, {wf::make_symbol("K"), k}};
      CHECK(*wf::evaluate(*parsed, sizes) == *wf::evaluate_at(*p, point));
    }
  }
}

TEST_CASE("errors keep their place") {
  const auto p = wf::parse_polynomial("M + log2(N)", wf::text_position{4, 10, 50});
  CHECK(p.error().code == errc::not_polynomial);
  CHECK(p.error().where == wf::text_position{4, 14, 54});
  CHECK(wf::parse_polynomial("M +").error().code == errc::formula_syntax);
}
