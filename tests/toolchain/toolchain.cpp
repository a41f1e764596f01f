// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/toolchain.hpp>

#include <stdexcept>

#include <doctest/doctest.h>

#include <wf/toolchain/wrapper.hpp>

#include "stages.hpp"

namespace {

using namespace stages;

// --- group 1 ---
constexpr auto tenth = compiler.replace<"operate">([](long n) { return number{n * 10 + 1}; });
static_assert(compiler(text_of("73"))->characters.view() == "73.5");
static_assert(tenth(text_of("73"))->characters.view() == "73.1");
static_assert(compiler(text_of("73"))->characters.view() == "73.5");

// --- group 2 ---
struct triple {
  int of[3] = {};
  friend constexpr bool operator==(const triple&, const triple&) = default;
};
constexpr auto repeat = wf::step<"repeat">([](int n) { return triple{{n, n, n}}; });
constexpr auto show = wf::step<"show">([](const triple& t) {
  wf::text out;
  out << '[';
  for (int i = 0; i < 3; ++i) out << (i == 0 ? "" : ", ") << t.of[i];
  return out << ']';
});
constexpr auto list = wf::chain<"list">(repeat, show);
static_assert(list.get<"repeat">()(4) == triple{{4, 4, 4}});
static_assert(list(4).view() == "[4, 4, 4]");
static_assert(list.replace<"repeat">([](int n) { return triple{{4 * n, 4 * n, 4 * n}}; })(4)
                  .view() == "[16, 16, 16]");
static_assert(!list.fallible && std::is_same_v<decltype(list(4)), wf::text>);

// --- group 4 ---
constexpr bool enters_everywhere(const char* characters) {
  const source s = text_of(characters);
  const auto all = compiler(s);
  const auto parsed = compiler.until<"parse">(s);
  const auto operated = compiler.until<"operate">(s);
  const auto printed = compiler.until<"print">(s);
  return compiler.from(s)->characters == all->characters && compiler.from(*parsed) == *all &&
         compiler.from(*operated) == *all && compiler.from(*printed) == *all;
}
static_assert(enters_everywhere("73") && enters_everywhere("0"));

// If several steps take a stage, it enters at the earliest.
constexpr auto increment = wf::step<"increment">([](int n) { return n + 1; });
constexpr auto twice = wf::step<"twice">([](int n) { return 2 * n; });
constexpr auto ints = increment | twice;
static_assert(ints.from(3) == 8 && ints.from<"twice">(3) == 6 && ints.until<"increment">(3) == 4);
static_assert(ints.between<"increment", "twice">(3) == 8 && ints.between<"twice", "twice">(3) == 6);

// --- nested ---
static_assert(nested(text_of("73"))->characters.view() == "73.5");
static_assert(*nested.until<"back/operate">(text_of("73")) == number{735});
static_assert(nested.from<"back/print">(number{735}).characters.view() == "73.5");
static_assert(nested.from(number{735}).characters.view() == "73.5");
static_assert(nested.between<"parse", "back/operate">(text_of("7"))->tenths == 75);
static_assert(nested.between<"back/operate", "back/print">(7L).characters.view() == "7.5");
static_assert(nested.get<"back/operate">()(7) == number{75});
static_assert(nested.replace<"back/operate">([](long n) { return number{n}; })(text_of("73"))
                  ->characters.view() == "7.3");
static_assert(nested(text_of("7x")).error().step.view() == "parse");

constexpr auto deep = wf::chain(
    wf::chain<"front">(parse, wf::chain<"middle">(operate, print)),
    wf::step<"measure">([](const listing& l) { return static_cast<int>(l.characters.size()); }));
static_assert(*deep(text_of("123")) == 5);
static_assert(deep.from(number{735}) == 4);
static_assert(deep.from<"front/middle/print">(number{735}) == 4);
static_assert(deep.until<"front/middle/operate">(text_of("1"))->tenths == 15);
static_assert(deep.until<"front/parse">(text_of("x")).error().step.view() == "front/parse");

constexpr auto same = wf::step<"same">([](const number& n) { return n; });
constexpr auto longer = deep.insert_after<"front/middle/operate">(same);
static_assert(*longer(text_of("123")) == 5 &&
              *longer.drop<"front/middle/same">()(text_of("1")) == 3);
static_assert(
    std::is_same_v<decltype(longer.drop<"front/middle/same">()), decltype(deep.named<"">())>);

// A renamed toolchain is modified under its new name.
constexpr auto renamed = wf::chain(parse, wf::rename<"rear">(back));
static_assert(renamed.replace<"rear/operate">([](long n) { return number{n}; })(text_of("73"))
                  ->characters.view() == "7.3");
static_assert(renamed.replace<"rear/operate">(&add_half).has<"rear/operate">());

// --- variants ---
static_assert(
    std::is_same_v<decltype((parse | operate) | print), decltype(parse | (operate | print))>);
static_assert(
    std::is_same_v<decltype(parse | operate | print), decltype(wf::chain(parse, operate, print))>);
static_assert(
    compiler.insert_before<"operate">(wf::step<"add">([](long n) { return n + 1; }))(text_of("73"))
        ->characters.view() == "74.5");
static_assert(compiler
                  .append(wf::step<"size">([](const listing& l) {
                    return l.characters.size();
                  }))(text_of("73"))
                  .has_value());
static_assert(compiler.prepend(wf::step<"make">([](int n) { return source{wf::text() << n}; }))(9)
                  ->characters.view() == "9.5");
static_assert(compiler.replace<"operate">(wf::step<"half">(&add_half)).get<"operate">().name() ==
              "operate");
static_assert(list.replace<"repeat">([](auto n) { return triple{{n, 0, n}}; })(4).view() ==
              "[4, 0, 4]");
static_assert(ints.wrap<"twice">([](auto s) {
  return wf::skip_if([](int n) { return n > 10; }, s);
})(20) == 21);
static_assert(std::is_empty_v<decltype(list)> && std::is_empty_v<decltype(ints)>);

// --- paths ---
static_assert(nested.has<"back">() && nested.has<"back/print">() && !nested.has<"print">());
static_assert(!nested.has<"parse/print">() && !nested.has<"back/prin">() && !nested.has<"">());

// --- tracing ---
constexpr wf::text traced(const char* characters) {
  diary seen;
  (void)nested(text_of(characters), seen);
  return seen.lines;
}
static_assert(traced("73").view() ==
              ">parse <parse >back >back/operate <back/operate >back/print <back/print <back ");
static_assert(traced("7x").view() == ">parse !parse 201 ");

// A stage that is moved from step to step.
struct handle {
  constexpr explicit handle(int n) : number(n) {}
  handle(const handle&) = delete;
  constexpr handle(handle&& other) noexcept : number(other.number) { other.number = 0; }
  int number = 0;
};
constexpr auto moving =
    wf::chain(wf::step<"open">([](int n) { return handle(n); }), wf::step<"use">([](handle&& h) {
                ++h.number;
                return static_cast<handle&&>(h);
              }),
              wf::step<"close">([](handle&& h) { return h.number; }));
static_assert(moving(4) == 5);
static_assert(moving.from<"close">(moving.until<"use">(1)) == 2 && moving.from(handle(7)) == 8);

}  // namespace

TEST_CASE("acceptance group 1: a replaced step changes the new toolchain alone") {
  CHECK(compiler(text_of("73"))->characters.view() == "73.5");
  CHECK(tenth(text_of("73"))->characters.view() == "73.1");
  CHECK(compiler(text_of("73"))->characters.view() == "73.5");
}

TEST_CASE("acceptance group 2: named steps run alone, together, and replaced") {
  CHECK(list.get<"repeat">()(4) == triple{{4, 4, 4}});
  CHECK(list(4).view() == "[4, 4, 4]");
  CHECK(list.replace<"repeat">([](int n) { return triple{{4 * n, 4 * n, 4 * n}}; })(4).view() ==
        "[16, 16, 16]");
}

TEST_CASE("acceptance group 4: every stage enters where it belongs; the last is the identity") {
  for (const char* characters : {"0", "7", "73", "123456"}) CHECK(enters_everywhere(characters));
  const listing last = write({735});
  CHECK(compiler.from(last) == last);
  CHECK(nested.from(last) == last);
}

TEST_CASE("acceptance group 6: a tracer sees each step enter and leave, in order") {
  CHECK(traced("73").view() ==
        ">parse <parse >back >back/operate <back/operate >back/print <back/print <back ");
  diary seen;
  (void)nested.from<"back/print">(number{5}, seen);
  CHECK(seen.lines.view() == ">back/print <back/print ");
}

TEST_CASE("acceptance group 6: a failing step reports its path") {
  const auto strict =
      deep.replace<"front/middle/print">([](const number& n) -> wf::result<listing> {
        if (n.tenths > 100) return wf::make_error(wf::errc::overflow, "n", "too large");
        return write(n);
      });
  const auto failed = strict(text_of("73"));
  REQUIRE(!failed);
  CHECK(failed.error().step.view() == "front/middle/print");
  CHECK(wf::to_text(failed.error()).view() ==
        "WF204 in 'n' at step 'front/middle/print': too large");
  diary seen;
  (void)strict(text_of("73"), seen);
  CHECK(seen.lines.view() ==
        ">front >front/parse <front/parse >front/middle >front/middle/operate "
        "<front/middle/operate >front/middle/print !front/middle/print 204 !front/middle 204 "
        "!front 204 ");
}

TEST_CASE("acceptance group 6: an exception carries the path of the step it left") {
  const auto throwing = deep.replace<"front/middle/print">(
      [](const number&) -> listing { throw std::runtime_error("no paper"); });
  try {
    (void)throwing(text_of("73"));
    FAIL("nothing was thrown");
  } catch (const wf::step_exception& e) {
    CHECK(e.path().view() == "front/middle/print");
  }
}

TEST_CASE("acceptance group 7: a lint that fails stops before lowering, and can be dropped") {
  int lowered = 0;
  const auto lint = wf::verify<"lint">([](const number& n) -> wf::error {
    if (n.tenths % 10 == 5) return wf::make_error(wf::errc::lint_failed, "n", "a half");
    return {};
  });
  const auto lower = wf::step<"lower">([&](const number& n) {
    ++lowered;
    return write(n);
  });
  const auto linted = wf::chain(parse, operate, lint, lower);
  const auto failed = linted(text_of("73"));
  REQUIRE(!failed);
  CHECK(failed.error().step.view() == "lint");
  CHECK(failed.error().code == wf::errc::lint_failed);
  CHECK(lowered == 0);
  CHECK(linted.drop<"lint">()(text_of("73"))->characters.view() == "73.5");
  CHECK(lowered == 1);
}

TEST_CASE("the position of an error in text survives the toolchain") {
  const auto failed = nested(text_of("7x"));
  REQUIRE(!failed);
  CHECK(wf::to_text(failed.error()).view() ==
        "WF201 in 'source' at step 'parse': expected a digit (line 1, column 2)");
}
