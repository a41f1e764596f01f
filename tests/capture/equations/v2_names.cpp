// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/equations/v2_names.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "prefix_form.hpp"

namespace {

class name_sample : public wf::detail::v2_names {
 public:
  name_sample() : v2_names("a = b") {
    wf::detail::v2_function f;
    f.name = "f";
    f.formals = {{"a", {"d"}}, {"b", {}}};
    f.locals = {{"s", {"e"}}};
    f.result = {"s", {"e"}};
    functions_.push_back(f);
  }

  std::string folded_form(wf::equation_kind kind, double a, double b) {
    const std::uint32_t left = add_number(a, 0), right = add_number(b, 0);
    return wf_test::prefix_form(out_, fold(kind, 0, left, right));
  }
  std::size_t nodes() const { return out_.nodes.size(); }
  bool defines(wf::text_view name) { return know_function(name, 0, 0); }
  std::string freedom(wf::text_view name) {
    return is_free(name, 0) ? "" : wf_test::characters(failure().message.view());
  }

  // What a reference in the body of f(A[i,j], b) becomes.
  std::string renamed(wf::text_view name, wf::view<wf::text_view> axes, bool labelled) {
    wf::detail::v2_call c;
    c.number = 7;
    c.operands = {{"A", {"i", "j"}}, {"__fn7_b", {}}};
    c.axes.push_back({"d", "j"});
    c.leading.push_back("i");
    call_ = &c;
    wf::equation_node n = node_of(wf::equation_kind::reference, 0);
    n.name = name;
    n.labelled = labelled;
    const wf::detail::label_list list_of(axes);
    const bool fine =
        (!labelled || list(list_of, 0, n.indices)) && rename(n.name, n.labelled, n.indices, 0);
    call_ = nullptr;
    return fine ? wf_test::prefix_form(out_, add(n))
                : wf_test::characters(failure().message.view());
  }
};

std::string renamed(wf::text_view name) { return name_sample().renamed(name, {}, false); }
std::string renamed(wf::text_view name, std::initializer_list<wf::text_view> axes) {
  return name_sample().renamed(name, {axes.begin(), axes.size()}, true);
}

}  // namespace

TEST_CASE("operations on two numbers become their result, unless it is not finite") {
  const std::uint64_t seed = 5;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  using wf::equation_kind;
  for (int round = 0; round < 200; ++round) {
    const double a = static_cast<double>(random() % 2000) / 8 - 100,
                 b = static_cast<double>(1 + random() % 200) / 16;
    name_sample names;
    CHECK(names.folded_form(equation_kind::sum, a, b) == wf_test::number_form(a + b));
    CHECK(names.folded_form(equation_kind::difference, a, b) == wf_test::number_form(a - b));
    CHECK(names.folded_form(equation_kind::product, a, b) == wf_test::number_form(a * b));
    CHECK(names.folded_form(equation_kind::quotient, a, b) == wf_test::number_form(a / b));
    CHECK(names.nodes() == 4);  // operands are gone
  }
  CHECK(name_sample().folded_form(equation_kind::power, 2, -2) == "0.25");
  CHECK(name_sample().folded_form(equation_kind::quotient, 1, 0) == "(/ 1 0)");
  CHECK(name_sample().folded_form(equation_kind::quotient, 1, 3) == "0.333333");
  CHECK(name_sample().folded_form(equation_kind::power, 2, 0.5) == "(** 2 0.5)");
}

TEST_CASE("keywords and names of functions are not free") {
  CHECK(name_sample().freedom("x") == "");
  CHECK(name_sample().freedom("default") == "'default' is a keyword");
  CHECK(name_sample().freedom("softmax") == "'softmax' is the name of a function");
  CHECK(name_sample().freedom("") == "a name is missing");
}

TEST_CASE("a function has one definition") {
  name_sample names;
  CHECK(names.defines("g"));
  CHECK_FALSE(names.defines("g"));
}

TEST_CASE("names in a body stand for arguments, local names, axes or themselves") {
  CHECK(renamed("a", {"d"}) == "A[ij]");
  CHECK(renamed("a") == "A[ij]");
  CHECK(renamed("b") == "__fn7_b");
  CHECK(renamed("s", {"e"}) == "__fn7_s[ie]");
  CHECK(renamed("s", {"d"}) == "__fn7_s[ij]");
  CHECK(renamed("s") == "__fn7_s[ie]");
  CHECK(renamed("W", {"d", "k"}) == "W[jk]");
  CHECK(renamed("W") == "W");
  CHECK(renamed("d") == "j");
  CHECK(renamed("W", {"i"}) == "W[__fn7_i]");  // not the axis of the argument
  CHECK(renamed("a", {"d", "e"}) == "'a' has 1 index, not 2");
}
