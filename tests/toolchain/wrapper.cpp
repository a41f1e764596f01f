// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/wrapper.hpp>

#include <doctest/doctest.h>

#include "stages.hpp"

namespace {

using namespace stages;

constexpr auto increment = wf::step<"increment">([](int n) { return n + 1; });
constexpr auto twice = wf::step<"twice">([](int n) { return 2 * n; });

constexpr auto small_only = wf::skip_if([](int n) { return n >= 10; }, increment);
static_assert(small_only(3) == 4 && small_only(10) == 10 && small_only.name() == "increment");
static_assert(!small_only.fallible);

constexpr auto positive = wf::checked(increment, [](int n) { return n > 0; });
static_assert(*positive(0) == 1 && positive(-1).error().code == wf::errc::step_failed);
constexpr auto told = wf::checked(increment, [](int n) -> wf::error {
  if (n == 7) return wf::make_error(wf::errc::overflow, "n", "seven");
  return {};
});
static_assert(*told(0) == 1 && told(6).error().code == wf::errc::overflow);
constexpr auto by_result = wf::checked(increment, [](int n) -> wf::result<wf::nothing> {
  if (n == 7) return wf::make_error(wf::errc::infeasible, "n", "seven");
  return wf::nothing{};
});
static_assert(*by_result(0) == 1 && by_result(6).error().code == wf::errc::infeasible);

constexpr auto to_zero = wf::step<"zero">([](const source&) { return 0L; });
constexpr auto lenient = wf::fallback(parse, to_zero);
static_assert(lenient(text_of("12")) == 12 && lenient(text_of("x")) == 0 && !lenient.fallible);
constexpr auto hexadecimal = wf::step<"hexadecimal">([](const source& s) -> wf::result<long> {
  if (s.characters.view() == "ff") return 255L;
  return wf::make_error(wf::errc::formula_syntax, "source", "no hexadecimal number");
});
constexpr auto either = wf::fallback(parse, hexadecimal);
static_assert(*either(text_of("12")) == 12 && *either(text_of("ff")) == 255);
static_assert(either(text_of("x")).error().message.view() == "no hexadecimal number");

constexpr auto same_twice = wf::step<"split">([](int n) { return wf::both<int, int>{n, n}; });
constexpr auto join =
    wf::step<"join">([](const wf::both<int, int>& b) { return b.first - b.second; });
constexpr auto gem = wf::diamond<"gem">(same_twice, twice, increment, join);
static_assert(gem(5) == 10 - 6 && !gem.fallible && gem.name() == "gem");
static_assert(wf::chain(increment, gem)(5) == 12 - 7);

constexpr auto fragile = wf::diamond<"fragile">(
    same_twice, twice, wf::checked(increment, [](int n) { return n < 100; }), join);
static_assert(fragile.fallible && *fragile(5) == 4);
static_assert(fragile(100).error().code == wf::errc::step_failed);

constexpr auto even = wf::verify<"even">([](int n) { return n % 2 == 0; });
static_assert(*even(4) == 4 && even(3).error().code == wf::errc::step_failed);
static_assert(std::is_same_v<decltype(even)::in, decltype(even)::out>);

}  // namespace

TEST_CASE("a tee shows the stage and hands it on") {
  int seen = 0;
  const auto look = wf::tee<"look">([&](const int& n) { seen = n; });
  CHECK(wf::chain(increment, look, twice)(4) == 10);
  CHECK(seen == 5);
}

TEST_CASE("errors inside of wrappers carry the path") {
  const auto w = wf::chain(increment, fragile, twice);
  const auto failed = w(100);
  REQUIRE(!failed);
  CHECK(failed.error().step.view() == "fragile/increment");
  const auto checked_first = wf::chain(wf::rename<"first">(positive), twice);
  CHECK(checked_first(-5).error().step.view() == "first");
}

TEST_CASE("tracers see the steps inside of wrappers") {
  diary seen;
  (void)wf::chain(increment, gem)(5, seen);
  CHECK(seen.lines.view() ==
        ">increment <increment >gem >gem/split <gem/split >gem/twice <gem/twice >gem/increment "
        "<gem/increment >gem/join <gem/join <gem ");
  diary tried;
  (void)wf::chain(either)(text_of("ff"), tried);
  CHECK(tried.lines.view() ==
        ">parse >parse/parse !parse/parse 201 >parse/hexadecimal <parse/hexadecimal <parse ");
}

TEST_CASE("a toolchain inside of a wrapper is seen through") {
  constexpr auto pair = wf::chain<"pair">(increment, twice);
  constexpr auto w = wf::chain(wf::skip_if([](int n) { return n == 0; }, pair));
  static_assert(w(1) == 4 && w(0) == 0);
  static_assert(w.until<"pair/increment">(1) == 2);
  static_assert(w.replace<"pair/twice">([](int n) { return 3 * n; })(1) == 6);
  static_assert(w.replace<"pair/twice">([](int n) { return 3 * n; })(0) == 0);
  static_assert(w.describe()[2].path == "pair/twice");
  CHECK(w(1) == 4);
}
