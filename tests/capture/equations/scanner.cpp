// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/scanner.hpp>

#include <cstdint>

#include <doctest/doctest.h>

namespace {

class open_scanner : public wf::detail::equation_scanner {
 public:
  using equation_scanner::at_;
  using equation_scanner::at_end_of_statement;
  using equation_scanner::brackets_;
  using equation_scanner::equation_scanner;
  using equation_scanner::integer;
  using equation_scanner::number;
  using equation_scanner::skip_separators;
  using equation_scanner::string;
  using equation_scanner::take;
  using equation_scanner::take_name;
  using equation_scanner::take_word;
};

}  // namespace

TEST_CASE("a line ends a statement, but not within brackets, and a comment ends a line") {
  open_scanner s("  # nothing\n ; a # b\nc");
  CHECK(s.skip_separators());
  CHECK(s.take_name() == "a");
  CHECK(s.at_end_of_statement());
  s.brackets_ = 1;
  CHECK_FALSE(s.at_end_of_statement());
  CHECK(s.take_name() == "c");
  CHECK_FALSE(s.skip_separators());
}

TEST_CASE("a name may end in primes, and a word is taken only whole") {
  open_scanner s("p'' whenever when");
  CHECK(s.take_name() == "p''");
  CHECK_FALSE(s.take_word("when"));
  CHECK(s.take_word("whenever"));
  CHECK(s.take_word("when"));
  CHECK(s.take_name().empty());
}

TEST_CASE("strings end on their line") {
  wf::text_view out;
  open_scanner s("\"a # b\" \"c\n\"");
  CHECK(s.string(out));
  CHECK(out == "a # b");
  CHECK_FALSE(s.string(out));
  CHECK(s.failure().message == "the string is not closed on its line");
  CHECK(s.failure().where == wf::text_position{1, 9, 8});
}

TEST_CASE("numbers have no sign, and whole ones fit 64 bits") {
  double real = 0;
  CHECK(open_scanner("1.5e-1x").number(real));
  CHECK(real == 0.15);
  CHECK_FALSE(open_scanner("1.2.3").number(real));
  std::int64_t whole = 0;
  CHECK(open_scanner("9223372036854775807").integer("too large", whole));
  CHECK(whole == 9223372036854775807);
  open_scanner over("9223372036854775808");
  CHECK_FALSE(over.integer("too large", whole));
  CHECK(over.failure().message == "too large");
}

TEST_CASE("an error has the code and position that it was given") {
  open_scanner s("ab\ncd");
  CHECK_FALSE(s.failed());
  CHECK_FALSE(s.fail_at(4, "wrong", wf::errc::bad_equation));
  CHECK(s.failed());
  CHECK(s.failure().code == wf::errc::bad_equation);
  CHECK(s.failure().where == wf::text_position{2, 2, 4});
  CHECK_FALSE(s.fail_at(0, "worse"));
  CHECK(s.failure().code == wf::errc::equation_syntax);
}
