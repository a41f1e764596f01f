// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/field_path.hpp>

#include <string>

#include <doctest/doctest.h>

using wf::wfformat::detail::field_fault;
using wf::wfformat::detail::field_path;

TEST_CASE("a path is printed, and found in a document as far as it goes") {
  const auto json = wf::parse_json(R"({"a": [1, {"b": "x"}], "c": 2})");
  REQUIRE(json);
  const auto at = [&](const field_path& p) { return (*json)[p.find_in(*json)].offset; };
  field_path p;
  CHECK(p.to_text() == "the file");
  CHECK(at(p) == 0);
  p.field("a").element(1).field("b");
  CHECK(p.to_text() == "a[1].b");
  CHECK(at(p) == 16);
  p.field("d");
  CHECK(at(p) == 16);
  p.leave();
  p.leave();
  p.field("z");
  CHECK(p.to_text() == "a[1].z");
  CHECK(at(p) == 10);
  CHECK(at(field_path().field("a").element(2)) == 6);
  CHECK(at(field_path().field("c")) == 28);
}

TEST_CASE("a fault is an error with the path in front") {
  CHECK_FALSE(field_fault());
  const field_fault fault{field_path().field("a").element(0), wf::text("it is wrong")};
  CHECK(fault);
  CHECK(std::string(wf::to_text(fault.to_error("f", {2, 3, 9})).view()) ==
        "WF404 in 'f': a[0]: it is wrong (line 2, column 3)");
}
