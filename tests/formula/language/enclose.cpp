// SPDX-License-Identifier: BSL-1.0
#include <wf/formula/language/enclose.hpp>

#include <doctest/doctest.h>

#include <wf/formula/language/parse.hpp>

namespace {

using wf::errc;

constexpr wf::binding sizes[] = {{"M", 10}, {"N", 100}, {"K", 3}};

constexpr wf::result<wf::enclosure> value(wf::text_view source) {
  const auto parsed = wf::parse_formula(source);
  if (!parsed) return parsed.error();
  return wf::enclose(*parsed, sizes);
}
constexpr errc why(wf::text_view source) { return value(source).error().code; }
constexpr wf::result<bool> holds(wf::text_view source) {
  const auto parsed = wf::parse_formula(source);
  if (!parsed) return parsed.error();
  return wf::holds(*parsed, sizes);
}

static_assert(*holds("min(M, N, K) >= 3"));
static_assert(!*holds("min(M, N, K) >= 4"));
static_assert(holds("Q > 1").error().code == errc::unknown_symbol);
static_assert(*holds("N*log2(N) > 66*M"));
static_assert(!*holds("N*log2(N) > 67*M"));
static_assert(*holds("log2(M)"));
static_assert(holds("2**0.5 * 2**0.5 > 2").error().code == errc::undecided);
static_assert(holds("2**0.5 * 2**0.5 - 2").error().code == errc::undecided);

}  // namespace

TEST_CASE("what is a fraction is the same as `evaluate` says") {
  for (const char* source :
       {"2*M*N", "M/3 + N/7", "log2(8)", "16**0.5", "(8/27)**(2/3)", "sum_over(i, 1, N, i*i)",
        "sum_over(i, 1, 40, 1/i)", "ceil(log2(M))", "floor(sqrt(N + 3))", "M > N ? 1 : 2",
        "round(5/2)", "-7 // 2", "-7 % 2", "min(M, N)", "log(1) + exp(0)", "0*log2(M - 9)"}) {
    CAPTURE(source);
    const auto parsed = wf::parse_formula(source);
    REQUIRE(parsed);
    const auto exact = wf::evaluate(*parsed, sizes);
    const auto within = wf::enclose(*parsed, sizes);
    REQUIRE(exact);
    REQUIRE(within);
    CHECK(within->is_exact);
    CHECK(within->exact == *exact);
  }
}

TEST_CASE("what has no real value, and what the bounds do not decide, is said so") {
  for (const char* source : {"log2(0)", "log(-3)", "sqrt(-2)", "(-2)**0.5", "log2(1 - 2**0.5)"})
    CHECK(why(source) == errc::no_exact_value);
  for (const char* source : {"2**0.5*2**0.5 == 2", "floor(2**0.5*2**0.5)", "1/(2**0.5*2**0.5 - 2)",
                             "round(2**0.5*2**0.5 + 0.5)", "2**0.5*2**0.5 < 2 ? 1 : 0",
                             "not (2**0.5*2**0.5 - 2)", "log2(2**0.5*2**0.5 - 2)"}) {
    CAPTURE(source);
    CHECK(why(source) == errc::undecided);
  }
  CHECK(why("1/0") == errc::division_by_zero);
  CHECK(why("log2(Q)") == errc::unknown_symbol);
  CHECK(why("exp(2)/0") == errc::division_by_zero);
  CHECK(why("exp(exp(exp(N)))") == errc::overflow);
  const auto parsed = wf::parse_formula("M + floor(2**0.5*2**0.5)");
  const auto failed = wf::enclose(*parsed, sizes);
  CHECK(failed.error().where.column == 5);
  CHECK(failed.error().message ==
        wf::text("the operands of 'floor' are no fractions, and their bounds do not decide it"));
  const auto undecided = wf::at_most(*value("2**0.5*2**0.5"), 2);
  REQUIRE_FALSE(undecided);
  CHECK(undecided.error().code == errc::undecided);
}
