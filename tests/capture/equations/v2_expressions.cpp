// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/v2_expressions.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "prefix_form.hpp"

namespace {

class expression_sample : public wf::detail::v2_expressions<expression_sample> {
 public:
  explicit expression_sample(wf::text_view source) : v2_expressions(source) {
    units_[0].functions.push_back({"own", 3});
  }

  std::string form() {
    std::uint32_t root = 0;
    if (!expression(root)) return wf_test::characters(failure().message.view());
    return wf_test::prefix_form(out_, root) + wf_test::characters(source_.part(at_));
  }
  // In the place of the body of a function.
  bool inlined(const wf::equation_node& n, std::uint32_t function, const call_form& f,
               std::uint32_t& out) {
    wf::equation_node made = node_of(wf::equation_kind::string, n.offset);
    made.name = function == 3 && f.arguments.size() == 2 ? "called" : "wrong";
    out = add(made);
    return true;
  }
};

std::string v2_form(wf::text_view source) { return expression_sample(source).form(); }

// A random constant expression of + - * ** and signs, with as few parentheses as possible.
struct constant_sample {
  std::string text;
  double value = 0;
  int level = 4;  // 1: + -, 2: *, 3: **, 4: a number or sign
};
constant_sample random_constant(std::mt19937_64& random, int depth) {
  if (depth == 0) {
    const auto n = static_cast<int>(random() % 5);
    return {std::to_string(n), static_cast<double>(n)};
  }
  const constant_sample a = random_constant(random, depth - 1),
                        b = random_constant(random, depth - 1);
  const auto at = [](const constant_sample& s, int level) {
    return s.level >= level ? s.text : "(" + s.text + ")";
  };
  switch (random() % 5) {
    case 0:
      return {at(a, 1) + "+" + at(b, 2), a.value + b.value, 1};
    case 1:
      return {at(a, 1) + " - " + at(b, 2), a.value - b.value, 1};
    case 2:
      return {at(a, 2) + "*" + at(b, 3), a.value * b.value, 2};
    case 3:
      return {at(a, 4) + " ** 2", a.value * a.value, 3};
    default:
      return {"-" + at(a, 4), -a.value};
  }
}

}  // namespace

TEST_CASE("constants have the value that arithmetic gives them") {
  const std::uint64_t seed = 9;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 1000; ++round) {
    const constant_sample made = random_constant(random, 1 + static_cast<int>(random() % 3));
    CAPTURE(made.text);
    CHECK(v2_form(wf::text_view(made.text)) == wf_test::number_form(made.value));
  }
}

TEST_CASE("an expression ends where no operator goes on") {
  CHECK(v2_form("a + b -> c") == "(+ a b)-> c");
  CHECK(v2_form("a | b") == "a| b");
  CHECK(v2_form("a & b") == "a& b");
  CHECK(v2_form("a\n+ b") == "a\n+ b");
  CHECK(v2_form("(a\n+ b)") == "(+ a b)");
}

TEST_CASE("calls of known functions are replaced, others are nodes") {
  CHECK(v2_form("own(a, b) + other(a, b)") == "(+ \"called\" (other a b))");
  CHECK(v2_form("q::own(a)") == "unknown function 'q::own': did you mean 'own'?");
}
