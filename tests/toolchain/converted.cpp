// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/converted.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cache/cached.hpp>
#include <wf/toolchain/toolchain.hpp>

namespace {

// A number with a unit, as input and output; steps compute with numbers alone.
struct quantity {
  int number = 0;
  wf::text_view unit;
  friend constexpr bool operator==(const quantity&, const quantity&) = default;
};
constexpr auto unwrap = [](const quantity& q) -> wf::result<int> {
  if (!q.unit.empty()) return q.number;
  return wf::make_error(wf::errc::missing_argument, "unit", "a quantity has a unit");
};
constexpr auto wrap = [](int number, const quantity& from) { return quantity{number, from.unit}; };
constexpr auto twice = wf::step<"twice">([](int x) -> wf::result<int> {
  if (x < 1000) return 2 * x;
  return wf::make_error(wf::errc::overflow, "x", "it is too much");
});
constexpr auto converted = wf::converted(unwrap, twice, wrap);

// All of it runs while compiling.
static_assert(*converted({21, "m"}) == quantity{42, "m"});
static_assert(converted.name() == "twice" && decltype(converted)::fallible);
static_assert(std::same_as<decltype(converted)::in, quantity>);
static_assert(std::same_as<decltype(converted)::out, quantity>);

struct listing {
  std::vector<std::string> lines;
  void enter(const wf::step_info& s, const auto&) { add("> ", s); }
  void leave(const wf::step_info& s, const auto&) { add("< ", s); }
  void fail(const wf::step_info& s, const wf::error&) { add("! ", s); }
  void add(const char* what, const wf::step_info& s) {
    lines.push_back(what + static_cast<std::string>(wf::path_of(s).view()));
  }
};

}  // namespace

TEST_CASE("a step takes and returns other stages, and errors name the part that failed") {
  const auto w = wf::chain(converted, wf::step<"last">([](const quantity& q) { return q; }));
  CHECK(*w({4, "s"}) == quantity{8, "s"});
  CHECK(w({4, ""}).error().step.view() == "twice/unwrap");
  CHECK(w({4000, "s"}).error().step.view() == "twice/twice");
  const auto strict =
      wf::converted(unwrap, twice, [](int n, const quantity& from) -> wf::result<quantity> {
        if (n % 4 == 0) return quantity{n, from.unit};
        return wf::make_error(wf::errc::step_failed, "n", "it does not fit");
      });
  CHECK(wf::chain(strict)({3, "s"}).error().step.view() == "twice/wrap");
}

TEST_CASE("tracers see what unwraps and wraps, in its order") {
  listing seen;
  CHECK(wf::chain(converted)(quantity{4, "s"}, seen).has_value());
  CHECK(seen.lines == std::vector<std::string>{"> twice", "> twice/unwrap", "< twice/unwrap",
                                               "> twice/twice", "< twice/twice", "> twice/wrap",
                                               "< twice/wrap", "< twice"});
  listing failed;
  CHECK(!wf::chain(converted)(quantity{4, ""}, failed));
  CHECK(failed.lines.back() == "! twice");
  CHECK(failed.lines[2] == "! twice/unwrap");
}

TEST_CASE("conversions nest: the inner ones are inside of the outer step") {
  const auto outer = wf::converted(
      [](const std::string& s) { return quantity{static_cast<int>(s.size()), "letters"}; },
      converted,
      [](const quantity& q, const std::string& from) { return from + std::to_string(q.number); });
  CHECK(*outer("four") == "four8");
  const auto fails = wf::converted([](const std::string&) { return quantity{}; }, converted,
                                   [](const quantity&, const std::string& s) { return s; });
  CHECK(wf::chain(fails)("x").error().step.view() == "twice/twice/unwrap");
}

TEST_CASE("what unwraps and wraps may be steps, and results that nobody needs are moved") {
  const auto by_step = wf::converted(
      wf::step<"numbers">([](const quantity& q) { return std::vector<int>{q.number}; }),
      wf::step<"same">([](std::vector<int>&& v) { return static_cast<std::vector<int>&&>(v); }),
      wf::step<"back">([](const wf::made_from<std::vector<int>, quantity>& x) {
        return quantity{x.made[0] + 1, x.from->unit};
      }));
  static_assert(!decltype(by_step)::fallible);
  CHECK(by_step({1, "m"}) == quantity{2, "m"});
  const auto moved = wf::converted(
      [](const quantity& q) { return q.number; },
      wf::step<"own">([](int x) { return std::vector<int>{x}; }),
      [](std::vector<int>&& v, const quantity&) { return static_cast<std::vector<int>&&>(v); });
  CHECK(moved({5, "m"}) == std::vector<int>{5});
}

TEST_CASE("the state of what unwraps counts for caches, and stages have a name") {
  struct scaled {
    int by;
    int operator()(const quantity& q) const { return by * q.number; }
  };
  const auto with = [](int by) { return wf::converted(scaled{by}, twice, wrap); };
  static_assert(wf::has_visible_state<decltype(with(1))>);
  CHECK(wf::step_identity(with(1)) != wf::step_identity(with(2)));
  CHECK(wf::step_identity(with(2)) == wf::step_identity(with(2)));
  CHECK(wf::stage_name<wf::made_from<int, quantity>> == "int and what it was made from");
}
