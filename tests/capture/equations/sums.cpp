// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/sums.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

namespace {

// Sums of products of digits and parentheses.
class digit_sums : public wf::detail::sum_reader<digit_sums> {
 public:
  explicit digit_sums(wf::text_view source) : sum_reader(source) {}

  // The value of the text; `fine` tells whether it was read to its end.
  double value(bool& fine) {
    std::uint32_t root = 0;
    fine = sum(root) && at_end_of_statement();
    return fine ? value_of(root) : 0;
  }
  bool starts_factor() const { return peek() == '(' || wf::detail::is_digit(peek()); }
  bool factor(std::uint32_t& out) {
    skip();
    if (take('(')) return sum(out) && expect(')', "')' is missing");
    if (!wf::detail::is_digit(peek())) return fail("a digit is missing");
    out = add_number(peek() - '0', at_);
    ++at_;
    return true;
  }

 private:
  double value_of(std::uint32_t root) const {
    const wf::equation_node& n = out_.nodes[root];
    if (n.kind == wf::equation_kind::number) return n.number;
    const double a = value_of(out_.children[n.children.first]);
    if (n.kind == wf::equation_kind::negation) return -a;
    const double b = value_of(out_.children[n.children.first + 1]);
    return n.kind == wf::equation_kind::sum          ? a + b
           : n.kind == wf::equation_kind::difference ? a - b
           : n.kind == wf::equation_kind::product    ? a * b
                                                     : a / b;
  }
};

double value_of_digits(const std::string& source) {
  bool fine = false;
  const double value = digit_sums(wf::text_view(source)).value(fine);
  REQUIRE_MESSAGE(fine, source);
  return value;
}

}  // namespace

TEST_CASE("factors side by side are a product, signs and parentheses as in arithmetic") {
  CHECK(value_of_digits("2 3 + 4") == 10);
  CHECK(value_of_digits("2 (3 + 4) 5") == 70);
  CHECK(value_of_digits("8 / 2 / 2 - 1 - 1") == 0);
  CHECK(value_of_digits("-2 3") == -6);
  CHECK(value_of_digits("2 * -3 + 8 / -4") == -8);
  CHECK(value_of_digits("1 - 2") == -1);  // no product with -2
}

TEST_CASE("random sums have the value that is computed from left to right") {
  const std::uint64_t seed = 11;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 1000; ++round) {
    std::string source;
    double value = 0;
    for (std::size_t terms = 1 + random() % 4, t = 0; t < terms; ++t) {
      const bool minus = random() % 2 == 0;
      source += minus ? (t == 0 ? "-" : " - ") : (t == 0 ? "" : "+");
      double product = 1;
      for (std::size_t factors = 1 + random() % 3, f = 0; f < factors; ++f) {
        const int digit = 1 + static_cast<int>(random() % 8);
        const bool divides = f > 0 && random() % 3 == 0;
        source += f == 0 ? "" : divides ? "/" : random() % 2 ? "*" : " ";
        source += std::to_string(digit);
        product = divides ? product / digit : product * digit;
      }
      value += minus ? -product : product;
    }
    CAPTURE(source);
    CHECK(value_of_digits(source) == doctest::Approx(value));
  }
}

TEST_CASE("nested sums end at a depth") {
  const std::string deep(100000, '(');
  bool fine = true;
  digit_sums reader{wf::text_view(deep)};
  (void)reader.value(fine);
  CHECK_FALSE(fine);
  CHECK(reader.failure().message == "the expression is nested too deeply");
}
