// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/symbol.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

static_assert(wf::to_text(wf::make_symbol("M")) == wf::text("M"));
static_assert(wf::to_text(wf::make_symbol("batch_09aZ")) == wf::text("batch_09aZ"));
static_assert(!wf::make_symbol("") && !wf::make_symbol("9a") && !wf::make_symbol("abcdefghijk"));
static_assert(!wf::make_symbol("a-b") && !wf::make_symbol("a b"));
static_assert(wf::make_symbol("M") != wf::make_symbol("MM"));

TEST_CASE("every name of up to three characters packs to a symbol of its own") {
  const std::string alphabet = wf::detail::symbol_alphabet;
  std::set<std::uint64_t> seen;
  std::size_t count = 0;
  for (char a : alphabet)
    for (char b : alphabet)
      for (const std::string& name : {std::string{a}, std::string{a, b}, std::string{a, b, 'x'}}) {
        const wf::symbol s = wf::make_symbol(name);
        const bool valid = name[0] < '0' || name[0] > '9';
        CHECK(static_cast<bool>(s) == valid);
        if (!valid) continue;
        CHECK(std::string(wf::to_text(s).view()) == name);
        CHECK((s.packed >> 60) == 0);
        count += seen.insert(s.packed).second ? 1 : 0;
      }
  CHECK(count == 53 + 53 * 63 * 2);
}
