// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <random>
#include <string>

#include <wf/formula/language/evaluate.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/formula/language/symbolic.hpp>

namespace {

using wf::errc;
using wf::rational;

constexpr rational value(wf::text_view source) {
  const auto parsed = wf::parse_formula(source);
  return parsed ? *wf::evaluate(*parsed) : throw "does not parse";
}
constexpr rational fraction(wf::int128 n, wf::int128 d) { return *wf::make_rational(n, d); }

// Precedence and associativity are Python's.
static_assert(value("1 + 2*3") == rational(7) && value("(1 + 2)*3") == rational(9));
static_assert(value("10 - 4 - 3") == rational(3) && value("100/10/5") == rational(2));
static_assert(value("2**3**2") == rational(512) && value("-2**2") == rational(-4));
static_assert(value("2**-1") == fraction(1, 2) && value("2**-1*3") == fraction(3, 2));
static_assert(value("-7//2") == rational(-4) && value("-(7//2)") == rational(-3));
static_assert(value("7 % 4 * 2") == rational(6) && value("--3 - +-3") == rational(6));
static_assert(value("1 < 2 and 2 < 3 or 0") == rational(1));
static_assert(value("not 1 == 2") == rational(1) && value("not not 5") == rational(1));
static_assert(value("1 or 0 and 0") == rational(1) && value("(1 or 0) and 0") == rational(0));
static_assert(value("0 ? 1 : 1 ? 2 : 3") == rational(2));
static_assert(value("1 ? 0 ? 1 : 2 : 3") == rational(2));
static_assert(value("0 or 1 ? 10 : 20") == rational(10));

// Numbers with units are single operands.
static_assert(value("0.1 + 0.2") == fraction(3, 10) && value("1GiB - 1GB") == rational(73741824));
static_assert(value("5MHz/1kHz") == rational(5000) && value("2us + 5ns") == rational(2005));
static_assert(value("-1234567890123") == rational(-1234567890123) &&
              value("3B+1KB") == rational(1003));

// Functions.
static_assert(value("min(3, 1, 2) + max(3, 1, 2)*10") == rational(31));
static_assert(value("ceil(7/2) + floor(7/2)*10 + round(5/2)*100") == rational(234));
static_assert(value("abs(-3) + sqrt(16) + log2(8) + log(1) + exp(0)") == rational(11));
static_assert(value("pow(2, 10)") == rational(1024));
static_assert(value("sum_over(i, 1, 3, sum_over(j, i, 3, i*j))") == rational(25));

struct failure {
  errc code;
  std::uint32_t column;
  constexpr bool operator==(const failure&) const = default;
};
constexpr failure why(wf::text_view source) {
  const auto parsed = wf::parse_formula(source);
  return {parsed.error().code, parsed.error().where.column};
}

static_assert(why("") == failure{errc::formula_syntax, 1});
static_assert(why("(1 + 2") == failure{errc::formula_syntax, 7});
static_assert(why("1 + 2)") == failure{errc::formula_syntax, 6});
static_assert(why("1 +") == failure{errc::formula_syntax, 4});
static_assert(why("1 + * 2") == failure{errc::formula_syntax, 5});
static_assert(why("M N") == failure{errc::formula_syntax, 3});
static_assert(why("1 < 2 < 3") == failure{errc::formula_syntax, 7});
static_assert(why("1 + not 2") == failure{errc::formula_syntax, 5});
static_assert(why("c ? 1") == failure{errc::formula_syntax, 6});
static_assert(why("A. + 1") == failure{errc::formula_syntax, 1});
static_assert(why("and 1") == failure{errc::formula_syntax, 1});
static_assert(why("2 KiB") == failure{errc::formula_syntax, 3});
static_assert(why("sum_over(2, 1, 3, 4)") == failure{errc::formula_syntax, 10});
static_assert(why("1 + 2M") == failure{errc::unit_mismatch, 6});
static_assert(why("flor(2)") == failure{errc::unknown_symbol, 1});
static_assert(why("1 + max(2)") == failure{errc::wrong_arity, 5});
static_assert(why("ceil()") == failure{errc::wrong_arity, 1});
static_assert(why("pow(1, 2, 3)") == failure{errc::wrong_arity, 1});
static_assert(why("sum_over(i, 1, 3)") == failure{errc::wrong_arity, 1});
static_assert(why("sum_over(i, 1, 3, 4, 5)") == failure{errc::wrong_arity, 1});
static_assert(why("M*1e39") == failure{errc::overflow, 3});

wf::text sentence(wf::text_view source) { return wf::parse_formula(source).error().message; }

std::string deep(const char* opened, const char* middle, const char* closed, int depth) {
  std::string out;
  for (int i = 0; i < depth; ++i) out += opened;
  out += middle;
  for (int i = 0; i < depth; ++i) out += closed;
  return out;
}

}  // namespace

TEST_CASE("errors are sentences that help") {
  CHECK(sentence("flor(2)") == wf::text("unknown function 'flor': did you mean 'floor'?"));
  CHECK(sentence("8KIB") ==
        wf::text("unknown unit 'KIB': did you mean 'KiB'? (a product is written with '*')"));
  CHECK(sentence("M^2") == wf::text("'^' is not an operator: a power is written '**'"));
  CHECK(sentence("M = 2") == wf::text("'=' is not an operator: equality is written '=='"));
  CHECK(sentence("M && N") == wf::text("'&' is not an operator: write 'and', 'or', 'not' or '!='"));
  CHECK(sentence("(M*(N + 1)") == wf::text("missing ')' for the '(' at column 1"));
  CHECK(sentence("max(1)") == wf::text("'max' takes at least 2 arguments, not 1"));
  CHECK(sentence("abs(1, 2)") == wf::text("'abs' takes 1 argument, not 2"));
  CHECK(sentence("sum_over(i, 1, 2, 3, 4)") == wf::text("'sum_over' takes 4 arguments, not more"));
  CHECK(sentence("1 < 2 == 1") ==
        wf::text("comparisons do not chain: write 'a < b and b < c' for 'a < b < c'"));
}

TEST_CASE("the caret points at the place") {
  const char source[] = "2*M*N +\n3*flor(K)";
  const auto parsed = wf::parse_formula(source);
  REQUIRE(!parsed);
  CHECK(parsed.error().where == wf::text_position{2, 3, 10});
  CHECK(wf::caret(source, parsed.error().where) == wf::text("  3*flor(K)\n    ^"));
  // The same formula as part of a larger text.
  const char around[] = "flops: 3*flor(K)";
  const auto inner = wf::parse_formula("3*flor(K)", wf::text_position{1, 8, 7});
  CHECK(wf::caret(around, inner.error().where) == wf::text("  flops: 3*flor(K)\n           ^"));
}

TEST_CASE("nesting is limited, length is not") {
  for (const char* source : {"(", "-", "not ", "abs(", "2**", "1 ? 1 : ", "min(1,", "1 ? "}) {
    CAPTURE(source);
    const std::string closed = std::string(source).find('(') != std::string::npos ? ")" : "";
    const char* closing = std::string(source) == "1 ? " ? " : 1" : closed.c_str();
    CHECK(wf::parse_formula(deep(source, "1", closing, 30)));
    const auto parsed = wf::parse_formula(deep(source, "1", closing, 100000));
    CHECK(parsed.error().code == errc::formula_syntax);
  }
  std::string sum = "1";
  for (int i = 0; i < 20000; ++i) sum += " + 1";
  const auto parsed = wf::parse_formula(sum);
  REQUIRE(parsed);
  CHECK(*wf::evaluate(*parsed) == rational(20001));
  CHECK(wf::parse_formula(std::string(2000000, '1')).error().code == errc::formula_syntax);
}

TEST_CASE("the names of a formula are each listed once") {
  const auto parsed = wf::parse_formula(
      "M*M + A.bytes + a_very_long_name*A.bytes + "
      "sum_over(M, 1, M, M + a_very_long_name + B.bytes)");
  REQUIRE(parsed);
  const wf::formula_view view = *parsed;
  REQUIRE(view.names.size() == 4);
  CHECK(view.name(0) == "M");
  CHECK(view.name(1) == "A.bytes");
  CHECK(view.name(2) == "a_very_long_name");
  CHECK(view.name(3) == "B.bytes");
}

// Every text yields a formula or an error inside of the text; evaluation terminates too.
TEST_CASE("random and mutated texts neither crash nor hang") {
  const unsigned seed = 20261121;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const char* const good[] = {"2*M*N*K",
                              "sum_over(i, 0, M - 1, sum_over(j, 0, i, j**2 % 3))",
                              "min(M, N, K) >= 512 and M > 1",
                              "ceil(log2(n)) * 8KiB + 0.5e3",
                              "M % 2 == 0 ? M//2 : (M + 1)//2",
                              "not (A.bytes <= 2GHz or 0)"};
  const char* const pieces[] = {
      "(",    ")",           ",",    "**",   "//", "%",          "?",     ":",  "and ", "or ",
      "not ", "sum_over(i,", "min(", "1e",   "0.", "KiB",        "<=",    "==", "M",    ".",
      " ",    "\n",          "-",    "\xff", "i,", "9999999999", "log2(", "e",  "\t",   "#"};
  std::size_t parsed_count = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string source = i % 2 == 0 ? good[random() % 6] : "";
    for (auto edits = random() % 8 + 1; edits > 0; --edits) {
      const std::size_t place = random() % (source.size() + 1);
      const auto kind = random() % 4;
      if (kind == 0 && place < source.size())
        source.erase(place, random() % 3 + 1);
      else if (kind == 1 && place < source.size())
        source[place] = static_cast<char>(random() % 256);
      else
        source.insert(place, pieces[random() % 30]);
    }
    CAPTURE(source);
    const auto parsed = wf::parse_formula(source);
    if (!parsed) {
      REQUIRE(parsed.error().where.offset <= source.size());
      REQUIRE(!parsed.error().message.empty());
      REQUIRE(!wf::caret(source, parsed.error().where).empty());
      continue;
    }
    ++parsed_count;
    const wf::binding sizes[] = {{"M", 5}, {"N", 3}, {"K", 7}, {"n", 100}, {"A.bytes", 64}};
    const auto result = wf::evaluate(*parsed, sizes);
    if (!result) REQUIRE(result.error().where.offset <= source.size());
    const auto symbolic = wf::evaluate_symbolic(*parsed);
    if (symbolic) REQUIRE(*wf::parse_polynomial(wf::to_text(*symbolic)) == *symbolic);
  }
  CHECK(parsed_count > 500);
}
