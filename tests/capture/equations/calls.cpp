// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/calls.hpp>

#include <string>

#include <doctest/doctest.h>

#include "prefix_form.hpp"

namespace {

// A call whose arguments are names, numbers and strings.
class call_sample : public wf::detail::call_builder {
 public:
  explicit call_sample(wf::text_view source) : call_builder(source) {}

  std::string form() {
    wf::equation_node n = node_of(wf::equation_kind::call, 0);
    n.name = take_name();
    call_form f;
    std::uint32_t out = 0;
    if (!arguments(f, [this](std::uint32_t& made) { return argument(made); }) ||
        !call_of(n, f, out))
      return wf_test::characters(failure().message.view());
    return wf_test::prefix_form(out_, out);
  }
  std::size_t nodes() const { return out_.nodes.size(); }

 private:
  bool argument(std::uint32_t& out) {
    skip();
    wf::equation_node n = node_of(wf::equation_kind::number, at_);
    if (peek() == '"') {
      n.kind = wf::equation_kind::string;
      if (!string(n.name)) return false;
    } else if (wf::detail::is_digit(peek())) {
      if (!number(n.number)) return false;
    } else {
      n.kind = wf::equation_kind::reference;
      n.name = take_name();
      if (n.name.empty()) return fail("an argument is missing");
    }
    out = add(n);
    return true;
  }
};

std::string call_form_of(wf::text_view source) { return call_sample(source).form(); }

}  // namespace

static_assert(wf::detail::is_equation_function("softmax"));
static_assert(wf::detail::is_equation_function("EVEN"));
static_assert(!wf::detail::is_equation_function("Softmax"));
static_assert(wf::detail::parity_named("Odd") == "odd");

TEST_CASE("arguments stand by position and by name, in any order, with a comma at the end") {
  CHECK(call_form_of("f()") == "(f)");
  CHECK(call_form_of("f(a,\n 2, b,)") == "(f a 2 b)");
  CHECK(call_form_of("f(k=1, a, m=c, l=2.0, s=\"t\")") == "(f a m=c k=1 l=real 2 s=\"t\")");
  CHECK(call_form_of("f(a, k=1e3)") == "(f a k=1000)");
  CHECK(call_form_of("f(a b)") == "',' or ')' is missing after an argument");
  CHECK(call_form_of("f(a,,)") == "an argument is missing");
  CHECK(call_form_of("f(k=)") == "an argument is missing");
}

TEST_CASE("attributes leave no nodes behind") {
  call_sample call("f(a, k=1, axis=i, s=\"t\")");
  CHECK(call.form() == "(f a k=1 axis=\"i\" s=\"t\")");
  CHECK(call.nodes() == 2);
}

TEST_CASE("an axis by name is a string, other names are operands") {
  CHECK(call_form_of("f(a, axis=i)") == call_form_of("f(a, axis=\"i\")"));
  CHECK(call_form_of("f(a, mask=i)") == "(f a mask=i)");
}

TEST_CASE("an argument by name stands once, whatever it is") {
  for (const char* twice : {"f(k=1, k=2)", "f(k=a, k=2)", "f(k=2, k=a)", "f(k=a, k=b)"})
    CHECK(call_form_of(twice) == "Duplicate keyword argument 'k'");
}

TEST_CASE("index functions, choices and powers have kinds of their own") {
  CHECK(call_form_of("ODD(i)") == "odd:i");
  CHECK(call_form_of("even(axis=i)") == "even:i");
  CHECK(call_form_of("even(2)") == "even requires exactly one axis");
  CHECK(call_form_of("even(side=\"i\")") == "even requires exactly one axis");
  CHECK(call_form_of("case(a, b)") == "(case a b)");
  CHECK(call_form_of("select(a, b, c)") == "(case a b c)");
  CHECK(call_form_of("pow(a, 2)") == "(** a 2)");
}
