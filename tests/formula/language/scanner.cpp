// SPDX-License-Identifier: BSL-1.0
#include <wf/formula/language/scanner.hpp>

#include <string>

#include <doctest/doctest.h>

namespace {

using wf::errc;
using wf::rational;
using wf::detail::formula_scanner;

// The value of a text that is one number with a unit.
constexpr rational number(wf::text_view source) {
  formula_scanner scanner(source, {1, 1, 0});
  rational out;
  if (!scanner.scan_number(out) || scanner.at() != source.size()) throw "is no number";
  return out;
}
constexpr rational fraction(wf::int128 n, wf::int128 d) { return *wf::make_rational(n, d); }

// Numbers are exact; units are converted to bytes, hertz and nanoseconds.
static_assert(number("0.1") == fraction(1, 10) && number("1e9") == rational(1000000000));
static_assert(number("1.5e-3") == fraction(3, 2000) && number("2E+2") == rational(200));
static_assert(number("8KiB") == rational(8192) && number("0.5MiB") == rational(524288));
static_assert(number("1GiB") == rational(1073741824) && number("1GB") == rational(1000000000));
static_assert(number("3B") == rational(3) && number("1KB") == rational(1000));
static_assert(number("2GHz") == rational(2000000000) && number("5MHz") == rational(5000000));
static_assert(number("1kHz") == rational(1000) && number("7Hz") == rational(7));
static_assert(number("1s") == rational(1000000000) && number("2us") == rational(2000));
static_assert(number("5ns") == rational(5) && number("1e3ms") == rational(1000000000));
static_assert(number("1MB") == rational(1000000));
static_assert(number("0e9999") == rational(0));
static_assert(number("170141183460469231731687303715884105727").numerator ==
              wf::detail::largest_int128);

struct failure {
  errc code;
  std::uint32_t column;
  constexpr bool operator==(const failure&) const = default;
};
constexpr failure why(wf::text_view source) {
  formula_scanner scanner(source, {1, 1, 0});
  rational out;
  if (scanner.scan_number(out)) return {errc::none, 0};
  return {scanner.failure().code, scanner.failure().where.column};
}

static_assert(why("1.") == failure{errc::formula_syntax, 2});
static_assert(why("1.x") == failure{errc::formula_syntax, 2});
static_assert(why("2M") == failure{errc::unit_mismatch, 2});
static_assert(why("2.5e") == failure{errc::unit_mismatch, 4});  // not an exponent
static_assert(why("1e39") == failure{errc::overflow, 1});
static_assert(why("1e99999999999999999999999999999999999999999") == failure{errc::overflow, 1});
static_assert(why("170141183460469231731687303715884105728") == failure{errc::overflow, 1});
static_assert(why("170141183460469231731687303715884105727KiB") == failure{errc::overflow, 1});

}  // namespace

TEST_CASE("an integer is short, or left where it stands") {
  struct {
    const char* source;
    bool is_short;
    std::uint32_t value;
  } const cases[] = {{"7", true, 7},     {"123456789", true, 123456789},
                     {"042 ", true, 42}, {"5*M", true, 5},
                     {"5)", true, 5},    {"1234567890", false, 0},
                     {"1.5", false, 0},  {"1e3", false, 0},
                     {"8KiB", false, 0}, {"1_", false, 0}};
  for (const auto& each : cases) {
    CAPTURE(each.source);
    formula_scanner scanner(each.source, {1, 1, 0});
    std::uint32_t value = 99;
    CHECK(scanner.scan_integer(value) == each.is_short);
    CHECK(scanner.failure().code == errc::none);
    if (each.is_short)
      CHECK(value == each.value);
    else
      CHECK(scanner.at() == 0);
  }
}

TEST_CASE("a word is packed if it is a symbol") {
  formula_scanner scanner("  M_2 A.bytes\ta_very_long_name exactly_10\n", {1, 1, 0});
  scanner.advance(0);
  CHECK(scanner.at() == 2);
  const auto symbol = scanner.scan_word();
  CHECK(scanner.text_of(symbol) == "M_2");
  CHECK(symbol.packed == wf::make_symbol("M_2").packed);
  CHECK(scanner.at() == 5);  // trailing spaces are not skipped
  scanner.advance(0);
  const auto dotted = scanner.scan_word();
  CHECK(scanner.text_of(dotted) == "A.bytes");
  CHECK(dotted.packed == 0);
  scanner.advance(0);
  CHECK(scanner.rest_of_word() == "a_very_long_name");
  CHECK(scanner.scan_word().packed == 0);
  scanner.advance(0);
  CHECK(scanner.scan_word().packed == wf::make_symbol("exactly_10").packed);
  scanner.advance(0);
  CHECK(scanner.at() == 42);
  CHECK(scanner.rest_of_word().empty());
}

TEST_CASE("a word ends where its characters do") {
  const auto stands = [](const char* source) {
    return formula_scanner(source, {1, 1, 0}).is_word("and");
  };
  for (const char* source : {"and", "and 1", "and(1)", "and-1"}) CHECK(stands(source));
  for (const char* source : {"an", "android", "and_1", "and1", "and.x", "AND", ""})
    CHECK(!stands(source));
}

TEST_CASE("the first error stays, at its place in the larger text") {
  const std::string source = "1 +\n  2MB 3KIB";
  formula_scanner scanner(source, {3, 8, 40});
  CHECK(scanner.failure().code == errc::none);
  scanner.advance(11);
  rational out;
  CHECK(!scanner.scan_number(out));
  const wf::error found = scanner.failure();
  CHECK(found.code == errc::unit_mismatch);
  // The second line of the text begins at column 1.
  CHECK(found.where == wf::text_position{4, 8, 51});
  CHECK(found.message ==
        wf::text("unknown unit 'KIB': did you mean 'KiB'? (a product is written with '*')"));
  CHECK(!scanner.fail(errc::formula_syntax, 0, "a later error"));
  CHECK(scanner.failure().message == found.message);
  CHECK(scanner.where(2) == wf::text_position{3, 10, 42});
}
