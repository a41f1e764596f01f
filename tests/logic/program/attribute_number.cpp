// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/attribute_number.hpp>

#include <doctest/doctest.h>

#include <wf/registry/signature.hpp>

using wf::attribute_value;

TEST_CASE("an attribute's number is the one stated, else the default") {
  const auto s = wf::parse_signature("X: floating [...], T: number = 0.5, k: integer -> Y[...]");
  REQUIRE(s);
  const attribute_value stated[] = {attribute_value::ratio("T", 3, 4),
                                    attribute_value::string("word", "x")};
  const wf::rule_input with{{}, {stated, 2}, nullptr, nullptr, &*s};
  const wf::rule_input without{{}, {}, nullptr, nullptr, &*s};
  double n = 0;
  CHECK(wf::logic::detail::find_number(with, "T", n));
  CHECK(n == 0.75);
  CHECK(wf::logic::detail::find_number(without, "T", n));
  CHECK(n == 0.5);
  for (const char* none : {"k", "word", "z"}) CHECK(!wf::logic::detail::find_number(with, none, n));
}

TEST_CASE("attributes that name an attribute of the call become numbers") {
  const auto s = wf::parse_signature("X: floating [...], T: number = 0.5 -> Y[...]");
  REQUIRE(s);
  const wf::rule_input call{{}, {}, nullptr, nullptr, &*s};
  wf::table<attribute_value> all;
  all.push_back(attribute_value::dimension("a", wf::extent("T")));
  all.push_back(attribute_value::integer("b", 7));
  wf::text missing;
  CHECK(wf::logic::detail::settle_numbers(call, all, missing));
  CHECK(all[0] == attribute_value::floating("a", 0.5));
  CHECK(all[1].number == 7);
  all.push_back(attribute_value::dimension("c", wf::extent("U")));
  CHECK(!wf::logic::detail::settle_numbers(call, all, missing));
  CHECK(missing == wf::text("U"));
}
