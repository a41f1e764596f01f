// SPDX-License-Identifier: BSL-1.0
#include <cstdlib>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include <wf/formula/language/evaluate.hpp>
#include <wf/formula/language/parse.hpp>

namespace {

using wf::errc;
using wf::rational;

constexpr wf::binding sizes[] = {{"M", 10}, {"N", 7}, {"K", 3}, {"A.bytes", 4096}};

constexpr wf::result<rational> value(wf::text_view source) {
  const auto parsed = wf::parse_formula(source);
  if (!parsed) return parsed.error();
  return wf::evaluate(*parsed, sizes);
}
constexpr errc why(wf::text_view source) { return value(source).error().code; }

static_assert(*value("2*M*N*K") == rational(420));
static_assert(*value("A.bytes / 1KiB") == rational(4));
static_assert(*value("ceil(log2(M))") == rational(4) && *value("floor(log2((M)))") == rational(3));
static_assert(*value("ceil(sqrt(M))") == rational(4) && *value("floor(sqrt(M))") == rational(3));

// Evaluation is lazy.
static_assert(*value("M > 5 ? N : 1/0") == rational(7) && *value("M < 5 ? Q : K") == rational(3));
static_assert(*value("M == 10 or M/0 > 1") == rational(1) &&
              why("M == 0 or M/0 > 1") != errc::none);
static_assert(*value("M != 10 and 1/0") == rational(0) && *value("M == 10 or 1/0") == rational(1));

static_assert(why("M/(N - 7)") == errc::division_by_zero && why("1 % 0") == errc::division_by_zero);
static_assert(why("0**-1") == errc::division_by_zero && why("1//0") == errc::division_by_zero);
static_assert(why("2**127") == errc::overflow && why("10**38*10") == errc::overflow);
static_assert(why("sqrt(2)") == errc::no_exact_value && why("log2(M)") == errc::no_exact_value);
static_assert(why("ceil(log2(0))") == errc::no_exact_value);
static_assert(why("ceil(1 ? log2(3) : 2)") == errc::no_exact_value);
static_assert(why("sum_over(i, 1, 1/2, i)") == errc::wrong_arity);
static_assert(why("Q + 1") == errc::unknown_symbol);

// Sums: empty, short, in closed form, term by term, nested, and with empty inner ranges.
static_assert(*value("sum_over(i, 5, 1, 1/0)") == rational(0));
static_assert(*value("sum_over(i, 1, N, i*M)") == rational(280));
static_assert(*value("sum_over(i, 1, 10**9, i)") == rational(500000000500000000));
static_assert(*value("sum_over(i, 1, 100, 2**(i % 3))") == rational(233));
static_assert(*value("sum_over(i, -20, 20, i**3 + 1)") == rational(41));
static_assert(*value("sum_over(i, 0, 37, sum_over(j, 2, i, 1))") == rational(666));
static_assert(*value("sum_over(i, 1, 1000, sum_over(j, i, 1000, 1))") == rational(500500));
static_assert(*value("sum_over(i, -30, 30, sum_over(j, 0, 30*i, i))") == rational(284115));
static_assert(why("sum_over(i, 0, 20, 1/(i - 18))") == errc::division_by_zero);
static_assert(why("sum_over(i, 0, 20, (i - 18)/(i - 18))") == errc::division_by_zero);
static_assert(why("sum_over(i, 0, 10**9, 2**(i % 3))") == errc::formula_limit);

struct test_case {
  const char* formula;
  const char* bindings;
  const char* expected;
};

const test_case cases[] = {
#include "../cases.inc"
};

wf::text outcome(const wf::result<rational>& r) {
  if (r) return wf::to_text(*r);
  const errc code = r.error().code;
  return code == errc::division_by_zero ? "division_by_zero"
         : code == errc::no_exact_value ? "no_exact_value"
         : code == errc::overflow       ? "overflow"
         : code == errc::unknown_symbol ? "unknown_symbol"
         : code == errc::wrong_arity    ? "wrong_arity"
                                        : "another error";
}

// Parses bindings such as "M=3,A.bytes=-1/2".
wf::table<wf::binding> read_bindings(wf::text_view list) {
  wf::table<wf::binding> out;
  while (!list.empty()) {
    const wf::text_view item = list.part(0, list.find(','));
    const std::size_t equals = item.find('=');
    out.push_back({item.part(0, equals), *wf::evaluate(*wf::parse_formula(item.part(equals + 1)))});
    list = list.part(item.size() + 1);
  }
  return out;
}

}  // namespace

namespace {

// Checks that a formula has its expected value; reports a wrong one.
bool agrees(const test_case& each) {
  CAPTURE(each.formula);
  CAPTURE(each.bindings);
  const auto parsed = wf::parse_formula(each.formula);
  REQUIRE(parsed);
  const wf::text got = outcome(wf::evaluate(*parsed, read_bindings(each.bindings)));
  CHECK(got == wf::text(each.expected));
  return got == wf::text(each.expected);
}

}  // namespace

// The expected values are computed by Python's fractions: see tools/formula_fuzz.py.
TEST_CASE("row 4: two thousand random formulas have their exact values") {
  std::size_t values = 0;
  for (const test_case& each : cases) {
    agrees(each);
    values += each.expected[0] <= '9' ? 1 : 0;
  }
  CHECK(sizeof cases / sizeof cases[0] == 2000);
  CHECK(values > 1500);
}

// tools/formula_fuzz.py --seed 1 --count 100000 > cases; WF_FORMULA_CASES=cases test_formula
TEST_CASE("row 4: formulas of a file have their exact values") {
  const char* file = std::getenv("WF_FORMULA_CASES");
  if (file == nullptr) {
    MESSAGE("skipped: WF_FORMULA_CASES names no file of tools/formula_fuzz.py");
    return;
  }
  std::ifstream stream(file);
  REQUIRE(stream);
  std::size_t wrong = 0, all = 0;
  for (std::string line; std::getline(stream, line); ++all) {
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    REQUIRE(second != std::string::npos);
    line[first] = line[second] = '\0';
    wrong += !agrees({line.c_str(), line.c_str() + first + 1, line.c_str() + second + 1});
  }
  MESSAGE(all << " formulas, " << wrong << " wrong");
  CHECK(all > 0);
}

TEST_CASE("errors name the place and the nearest symbol") {
  const auto unknown = value("2*M*\n (Kk + 1)");
  CHECK(wf::to_text(unknown.error()) ==
        wf::text("WF202: unknown symbol 'Kk': did you mean 'K'? (line 2, column 3)"));
  const auto function = value("M + min");
  CHECK(function.error().message ==
        wf::text("unknown symbol 'min'; known here: M, N, K, A.bytes (the function is written "
                 "'min(...)')"));
  const auto zero = value("M/(N - 7)");
  CHECK(wf::to_text(zero.error()) == wf::text("WF203: division by zero in '/' (line 1, column 2)"));
  const auto root = value("1 + sqrt(M)");
  CHECK(root.error().where.column == 5);
  CHECK(root.error().message == wf::text("the result of 'sqrt' is not a rational number; "
                                         "'ceil(sqrt(...))' and 'floor(sqrt(...))' are exact"));
  const auto inner = value("sum_over(i, 0, 20, 1/(i - 18))");
  CHECK(inner.error().where.column == 21);
  const auto rounded = value("M + ceil(log2(0))");
  CHECK(rounded.error().where.column == 5);
}

TEST_CASE("any callable finds symbols") {
  const auto lookup = [](wf::text_view name, rational& out) {
    out = rational(name.size());
    return name != "hidden";
  };
  CHECK(*wf::evaluate(*wf::parse_formula("four + seven*1"), lookup) == rational(9));
  CHECK(wf::evaluate(*wf::parse_formula("hidden"), lookup).error().code == errc::unknown_symbol);
}

// The limit that keeps constant evaluation within those of the compilers applies at run time too.
TEST_CASE("sums without closed form are limited in all, not each") {
  CHECK(value("sum_over(i, 1, 100, sum_over(j, 1, 20, 2**((i + j) % 2)))"));
  CHECK(value("sum_over(i, 1, 1000, sum_over(j, 1, 20, 2**((i + j) % 2)))").error().code ==
        errc::formula_limit);
}
