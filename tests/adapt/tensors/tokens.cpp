// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/tokens.hpp>

#include <doctest/doctest.h>

TEST_CASE("words become symbols in the order in which they are met") {
  const auto read = wf::tensors::parse_tokens("  the cat\tsaw\r\nthe\v\fd\xc3\xb6g ");
  REQUIRE(read);
  CHECK(read->positions == wf::table<wf::logic::position>{0, 1, 2, 0, 3});
  CHECK(read->vocabulary.symbols == wf::table<wf::text>{"the", "cat", "saw", "d\xc3\xb6g"});
  CHECK(wf::tensors::parse_tokens("")->positions.empty());
  CHECK(wf::tensors::parse_tokens(" \n")->positions.empty());
}

TEST_CASE("the tensor has one 1 for each token") {
  wf::logic::database d;
  d.domains.push_back(wf::logic::symbol_domain("other"));
  const auto& made = wf::tensors::add_to(d, "Text", *wf::tensors::parse_tokens("a b a"));
  CHECK(made.entries.valued);
  CHECK(made.entries.values == wf::table<double>{1, 1, 1});
  CHECK(made.entries.columns[0] == wf::table<wf::logic::position>{0, 1, 2});
  CHECK(made.entries.columns[1] == wf::table<wf::logic::position>{0, 1, 0});
  CHECK(made.domains == wf::table<std::uint32_t>{UINT32_MAX, 1});
  CHECK(d.domains[1].name.view() == "Text");
  CHECK(d.domains[1].symbols[1].view() == "b");
}
