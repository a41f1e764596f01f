// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/step.hpp>

#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

namespace stage {
struct source {
  int number = 0;
};
struct tree {
  long number = 0;
  friend constexpr bool operator==(const tree&, const tree&) = default;
};
// A stage that only one step may own.
struct handle {
  constexpr handle() = default;
  constexpr explicit handle(int n) : number(n) {}
  constexpr handle(handle&& other) noexcept : number(other.number) { other.number = 0; }
  constexpr handle& operator=(handle&& other) noexcept {
    number = other.number;
    other.number = 0;
    return *this;
  }
  int number = 0;
};
}  // namespace stage

template <>
inline constexpr wf::text_view wf::stage_name<stage::tree> = "tree";

namespace {

using stage::handle, stage::source, stage::tree;

constexpr auto parse = wf::step<"parse">([](const source& s) { return tree{s.number}; });
static_assert(wf::step_type<decltype(parse)>);
static_assert(parse.name() == "parse" && !parse.fallible && parse(source{3}) == tree{3});
static_assert(std::is_same_v<decltype(parse)::in, source>);
static_assert(std::is_same_v<decltype(parse)::out, tree>);
static_assert(std::is_empty_v<decltype(parse)>);

constexpr wf::result<tree> grow(tree t) {
  if (t.number < 0) return wf::make_error(wf::errc::overflow, "root", "below zero");
  return tree{t.number + 1};
}
constexpr auto growing = wf::step<"grow">(&grow);
static_assert(growing.fallible && std::is_same_v<decltype(growing)::out, tree>);
static_assert(*growing(tree{1}) == tree{2});
static_assert(growing(tree{-1}).error().code == wf::errc::overflow);

constexpr auto generic = wf::step<"any", int, long>([](auto x) { return x + 1; });
static_assert(generic(3) == 4 && std::is_same_v<decltype(generic(3)), long>);

constexpr auto consume = wf::step<"consume">([](handle&& h) { return h.number; });
static_assert(consume(handle(4)) == 4);
static_assert(std::is_invocable_v<decltype(consume), handle> &&
              !std::is_invocable_v<decltype(consume), const handle&>);
constexpr auto pass_on = wf::step<"pass">([](handle h) { return h; });
static_assert(pass_on(handle(4)).number == 4);

constexpr auto renamed = wf::rename<"other">(parse);
static_assert(renamed.name() == "other" && renamed(source{3}) == tree{3});

// Neither of these is a step.
static_assert(!wf::step_type<decltype([](int x) { return x; })> && !wf::step_type<int>);

struct counting {
  int entered = 0, left = 0, failed = 0;
  constexpr void enter(const wf::step_info&, const tree&) { ++entered; }
  constexpr void leave(const wf::step_info&, const tree&) { ++left; }
  constexpr void fail(const wf::step_info&, const wf::error&) { ++failed; }
};
constexpr counting watched(long number) {
  counting seen;
  wf::detail::step_context<counting> context{seen};
  (void)wf::detail::run_step(growing, tree{number}, context);
  return seen;
}
static_assert(watched(1).entered == 1 && watched(1).left == 1 && watched(1).failed == 0);
static_assert(watched(-1).entered == 1 && watched(-1).left == 0 && watched(-1).failed == 1);

}  // namespace

TEST_CASE("a stage has the name of its type, unless told otherwise") {
  CHECK(wf::stage_name<source> == "stage::source");
  CHECK(wf::stage_name<tree> == "tree");
}

TEST_CASE("the error of a step names the step") {
  auto context = wf::detail::untraced();
  const auto failed = wf::detail::run_step(growing, tree{-1}, context);
  REQUIRE(!failed);
  CHECK(wf::to_text(failed.error()).view() == "WF204 in 'root' at step 'grow': below zero");
}

TEST_CASE("an exception leaves a step with the step's name around it") {
  const auto throwing = wf::step<"throw">(
      [](int x) -> int { throw std::runtime_error(x > 0 ? "positive" : "not positive"); });
  auto context = wf::detail::untraced();
  try {
    (void)wf::detail::run_step(throwing, 1, context);
    FAIL("nothing was thrown");
  } catch (const wf::step_exception& outside) {
    CHECK(outside.path().view() == "throw");
    CHECK(std::string(outside.what()) == "an exception left step 'throw'");
    try {
      std::rethrow_if_nested(outside);
      FAIL("nothing is nested");
    } catch (const std::runtime_error& inside) {
      CHECK(std::string(inside.what()) == "positive");
    }
  }
}

TEST_CASE("a tracer sees the exception as a failure") {
  const auto throwing = wf::step<"throw">([](const tree&) -> tree { throw 1; });
  counting seen;
  wf::detail::step_context<counting> context{seen};
  CHECK_THROWS_AS((void)wf::detail::run_step(throwing, tree{}, context), wf::step_exception);
  CHECK(seen.entered == 1);
  CHECK(seen.left == 0);
  CHECK(seen.failed == 1);
}

TEST_CASE("the path of a step goes through the steps around it") {
  const wf::step_info outer{"back", "a", "b", nullptr, 0};
  const wf::step_info inner{"translate", "a", "c", &outer, 1};
  CHECK(wf::path_of(inner).view() == "back/translate");
}
