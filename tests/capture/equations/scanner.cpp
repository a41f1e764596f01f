// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/scanner.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace {

// Shows what readers of equations inherit.
class open_scanner : public wf::detail::equation_scanner {
 public:
  using equation_scanner::at_;
  using equation_scanner::at_end_of_statement;
  using equation_scanner::brackets_;
  using equation_scanner::equation_scanner;
  using equation_scanner::expect;
  using equation_scanner::integer;
  using equation_scanner::number;
  using equation_scanner::offset;
  using equation_scanner::peek;
  using equation_scanner::skip;
  using equation_scanner::skip_separators;
  using equation_scanner::string;
  using equation_scanner::take;
  using equation_scanner::take_name;
};

constexpr bool scans_while_compiling() {
  open_scanner s("  ab' = 12 # rest");
  std::int64_t n = 0;
  if (!(s.take_name() == "ab'") || !s.take('=')) return false;
  s.skip();
  return s.integer("too large", n) && n == 12 && s.at_end_of_statement() && !s.failed();
}
static_assert(scans_while_compiling());

std::string str(wf::text_view t) { return std::string(t.data(), t.size()); }
std::string name_of(wf::text_view source) { return str(open_scanner(source).take_name()); }
double number_of(wf::text_view source) {
  open_scanner s(source);
  double out = -1;
  return s.number(out) ? out : -1;
}

}  // namespace

TEST_CASE("a name is a letter or _, then letters, digits and _, then primes") {
  CHECK(name_of("  A_1b''c") == "A_1b''");
  CHECK(name_of("_") == "_");
  CHECK(name_of("1a").empty());
  CHECK(name_of("'a").empty());
  CHECK(name_of("").empty());
  CHECK(name_of("# only a comment").empty());
}

TEST_CASE("a statement continues over the end of a line within brackets only") {
  open_scanner outside("  # note\n x"), inside("  # note\n x");
  outside.skip();
  CHECK(outside.offset() == 8);
  CHECK(outside.at_end_of_statement());
  inside.brackets_ = 1;
  inside.skip();
  CHECK(inside.peek() == 'x');
  CHECK_FALSE(inside.at_end_of_statement());
}

TEST_CASE("separators between statements are skipped, whatever their number") {
  open_scanner s(" ;\n# note\n;; x ;\n");
  CHECK(s.skip_separators());
  CHECK(s.take_name() == "x");
  CHECK(s.at_end_of_statement());
  CHECK_FALSE(s.skip_separators());
  CHECK(s.at_ == 17);
}

TEST_CASE("characters are taken if they come next, blanks aside") {
  open_scanner s("  += =b");
  CHECK_FALSE(s.take('='));
  CHECK_FALSE(s.take("+ ="));
  CHECK(s.take("+="));
  CHECK(s.peek(1) == '=');
  CHECK(s.expect('=', "missing"));
  CHECK_FALSE(s.failed());
  CHECK_FALSE(s.expect('=', "an '=' is missing"));
  CHECK(s.failed());
  CHECK(s.failure().message.view() == "an '=' is missing");
  CHECK(s.take('b'));
  CHECK_FALSE(s.take('\0'));
  CHECK(s.peek() == '\0');
  CHECK(s.peek(5) == '\0');
}

TEST_CASE("a string is closed on its line") {
  const auto string_of = [](wf::text_view source) {
    open_scanner s(source);
    wf::text_view out;
    if (!s.string(out)) return "error: " + std::string(s.failure().message);
    return str(out) + "|" + str(source.part(s.at_));
  };
  CHECK(string_of(" \"a b\" c") == "a b| c");
  CHECK(string_of("\"\"") == "|");
  CHECK(string_of("\"a\nb\"") == "error: the string is not closed on its line");
  CHECK(string_of("\"a") == "error: the string is not closed on its line");
  CHECK(string_of("a") == "error: a string in quotes is missing");
}

TEST_CASE("numbers are read to their end, or refused where they begin") {
  CHECK(number_of("12.5e-1x") == 1.25);
  CHECK(number_of(".5") == 0.5);
  CHECK(number_of("3E+2") == 300);
  CHECK(number_of("7") == 7);
  CHECK(number_of("1.2.3") == -1);
  CHECK(number_of("1e") == -1);
  CHECK(number_of("e") == -1);
  std::int64_t n = 0;
  open_scanner largest("9223372036854775807"), larger("  9223372036854775808");
  CHECK(largest.integer("too large", n));
  CHECK(n == INT64_MAX);
  larger.skip();
  CHECK_FALSE(larger.integer("too large", n));
  CHECK(larger.failure().message.view() == "too large");
  CHECK(larger.failure().where.column == 3);
}

TEST_CASE("an error has the position at which it was found") {
  open_scanner s("ab\ncde");
  CHECK_FALSE(s.failed());
  CHECK_FALSE(s.fail_at(5, "wrong"));
  CHECK(s.failed());
  const wf::error e = s.failure();
  CHECK(e.code == wf::errc::equation_syntax);
  CHECK(e.where == wf::text_position{2, 3, 5});
  CHECK_FALSE(s.fail("here"));
  CHECK(s.failure().where == wf::text_position{1, 1, 0});
}
