// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/route.hpp>

#include <variant>

#include <doctest/doctest.h>

#include <wf/toolchain/wrapper.hpp>

#include "stages.hpp"

namespace {

using namespace stages;

// A second front end, whose programs are counted in dozens.
struct dozens {
  long count = 0;
};
constexpr auto multiply_out = wf::step<"multiply">([](const dozens& d) { return 12 * d.count; });
constexpr auto lint = wf::verify<"lint">([](long n) { return n < 1000; });
constexpr auto linted = wf::chain(parse, lint, operate, print);

constexpr auto entry =
    wf::router(wf::route<source, "parse", "lint", "operate", "print">(linted),
               wf::route<long, "lint", "operate", "print">(linted),
               wf::route<number, "print">(linted), wf::chain(multiply_out, operate, print));
static_assert(entry(text_of("73"))->characters.view() == "73.5");
static_assert(entry(73L)->characters.view() == "73.5");
static_assert(entry(number{735})->characters.view() == "73.5");
static_assert(entry(dozens{2})->characters.view() == "24.5");
static_assert(entry(listing{wf::text("as it is")})->characters.view() == "as it is");
static_assert(entry(1000L).error().step.view() == "lint");
static_assert(!std::is_invocable_v<decltype(entry), char>);
static_assert(entry.takes<dozens>() && entry.takes<listing>() && !entry.takes<char>());

}  // namespace

TEST_CASE("the type of a stage decides which steps run") {
  CHECK(entry(text_of("73"))->characters.view() == "73.5");
  CHECK(entry(dozens{2})->characters.view() == "24.5");
  diary seen;
  (void)entry(73L, seen);
  CHECK(seen.lines.view() == ">lint <lint >operate <operate >print <print ");
}

TEST_CASE("a variant is routed by what it holds") {
  using any = std::variant<source, long, number, dozens, listing>;
  CHECK(entry(any(text_of("73")))->characters.view() == "73.5");
  CHECK(entry(any(73L))->characters.view() == "73.5");
  CHECK(entry(any(dozens{2}))->characters.view() == "24.5");
  const auto step = entry.as_step<"entry", any>();
  const auto measured =
      step | wf::step<"measure">([](const listing& l) { return l.characters.size(); });
  CHECK(*measured(any(73L)) == 4);
  CHECK(measured(any(1000L)).error().step.view() == "entry/lint");
}
