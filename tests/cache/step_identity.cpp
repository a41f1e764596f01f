// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/step_identity.hpp>

#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include <wf/toolchain/adapter.hpp>
#include <wf/toolchain/any_step.hpp>
#include <wf/toolchain/toolchain.hpp>

namespace {

struct scale {
  int factor = 1;
  constexpr int operator()(const int& x) const { return factor * x; }
};
// A callable of which only half of the state is visible.
struct scale_then {
  int factor = 1;
  std::function<int(int)> then;
  int operator()(const int& x) const { return then(factor * x); }
};
class offset {
 public:
  constexpr explicit offset(int by) : by_(by) {}
  constexpr int operator()(const int& x) const { return x + by_; }

 private:
  int by_;
};
class open_offset {
 public:
  constexpr explicit open_offset(int by) : by_(by) {}
  constexpr int operator()(const int& x) const { return x + by_; }
  friend constexpr void fingerprint(wf::fingerprinter& f, const open_offset& o) { f(o.by_); }

 private:
  int by_;
};
// A user-defined step.
struct own_step {
  using in = int;
  using out = int;
  static constexpr wf::text_view name() { return "own"; }
  static constexpr bool fallible = false;
  std::vector<int> coefficients;
  int operator()(const int& x) const { return coefficients.empty() ? x : coefficients[0] * x; }
};
constexpr int twice(int x) { return 2 * x; }
constexpr int thrice(int x) { return 3 * x; }

constexpr auto plain = wf::step<"plain">([](const int& x) { return x + 1; });
constexpr auto even = [](const int& x) { return x % 2 == 0; };
constexpr auto fails = wf::step<"fails">([](const int& x) -> wf::result<int> { return x; });

template <wf::fixed_string Name, class F>
constexpr auto step_of(F f) {
  return wf::step<Name>(f);
}
template <class S>
constexpr bool visible(const S&) {
  return wf::has_visible_state<S>;
}
constexpr wf::digest128 scaled(int factor) {
  return wf::step_identity(step_of<"scale">(scale{factor}));
}
constexpr auto scale_step(int factor) { return step_of<"scale">(scale{factor}); }

}  // namespace

// The state of lambdas without captures and of aggregates is visible, also in steps composed of
// them.
static_assert(visible(plain) && visible(scale_step(2)) && visible(step_of<"o">(open_offset(1))));
static_assert(visible(plain | scale_step(2)) && visible(wf::rename<"b">(plain | scale_step(2))));
static_assert(visible(wf::skip_if(even, scale_step(2))) && visible(wf::checked(plain, even)));
static_assert(visible(wf::fallback(fails, fails)) && visible(wf::on_data<int>(plain)));
static_assert(wf::has_visible_state<own_step>);
static_assert(visible(step_of<"p">(&twice)));
// Captures and private members are not visible.
static_assert(!visible(step_of<"c">([n = 1](const int& x) { return x + n; })));
static_assert(!visible(step_of<"o">(offset(1))));
static_assert(!wf::has_visible_state<wf::any_step<"any", int, int>>);
static_assert(!wf::has_visible_state<decltype(wf::step<"t">(scale_then()))>);
static_assert(!visible(plain | step_of<"o">(offset(1))));
static_assert(!visible(wf::skip_if([n = 2](const int& x) { return x == n; }, plain)));

// The identity is the same on every compiler.
static_assert(wf::to_text(wf::step_identity(plain)) ==
              wf::text("e0f1c65f2d1be4e850f723f838abe27c"));
static_assert(wf::to_text(scaled(2)) == wf::text("6655ffdb03cc75960f90c482f6d2dd6d"));
static_assert(wf::to_text(wf::step_identity(plain | scale_step(2))) ==
              wf::text("e13daf5a028f081a704eb49ae74806ec"));

static_assert(scaled(1) != scaled(2) && scaled(2) == scaled(2));
static_assert(scaled(2) != wf::step_identity(step_of<"other">(scale{2})));
static_assert(wf::step_identity(step_of<"o">(open_offset(1))) !=
              wf::step_identity(step_of<"o">(open_offset(2))));
static_assert(wf::step_identity(step_of<"o">(offset(1))) ==
              wf::step_identity(step_of<"o">(offset(2))));

TEST_CASE("a step's identity tells all configurations apart, in whatever they are wrapped") {
  const auto differs = [](auto make) {
    CHECK(wf::step_identity(make(1)) == wf::step_identity(make(1)));
    CHECK(wf::step_identity(make(1)) != wf::step_identity(make(2)));
  };
  differs([](int n) { return scale_step(n); });
  differs([](int n) { return plain | scale_step(n); });
  differs([](int n) { return wf::chain(plain, wf::chain<"nested">(scale_step(n))); });
  differs([](int n) { return wf::rename<"b">(plain | scale_step(n)); });
  differs([](int n) { return wf::skip_if(even, scale_step(n)); });
  differs([](int n) { return wf::skip_if(scale{n}, plain); });
  differs([](int n) { return wf::checked(scale_step(n), even); });
  differs([](int n) {
    return wf::fallback(
        fails, step_of<"b">([](const int& x) -> wf::result<int> { return x; }) | scale_step(n));
  });
  differs([](int n) { return wf::on_data<int>(scale_step(n)); });
  differs([](int n) { return own_step{std::vector<int>(1, n)}; });
  differs([](int n) { return own_step{std::vector<int>(static_cast<std::size_t>(n))}; });
  // The visible part of a callable's state counts even if another part is hidden.
  differs([](int n) { return wf::step<"t">(scale_then{n, twice}); });
}

TEST_CASE("the names of the steps inside count, and their order") {
  const auto a = step_of<"a">(scale{2});
  const auto b = step_of<"b">(scale{2});
  CHECK(wf::step_identity(a | b) != wf::step_identity(b | a));
  CHECK(wf::step_identity(a | b) != wf::step_identity(a | b | plain));
  CHECK(wf::step_identity(a) != wf::step_identity(wf::chain(a)));
  CHECK(wf::step_identity(wf::chain<"x">(a)) != wf::step_identity(wf::chain<"y">(a)));
}

TEST_CASE("code does not count, but within a process functions do by their addresses") {
  CHECK(wf::step_identity(step_of<"f">(&twice)) == wf::step_identity(step_of<"f">(&thrice)));
  const auto in_process = [](int (*function)(int)) {
    wf::fingerprinter f;
    wf::detail::fold_identity<true>(f, plain | step_of<"f">(function));
    return f.value();
  };
  CHECK(in_process(&twice) != in_process(&thrice));
  CHECK(in_process(&twice) == in_process(&twice));
  CHECK(wf::step_identity(step_of<"f">([](const int& x) { return x + 1; })) ==
        wf::step_identity(step_of<"f">([](const int& x) { return x + 2; })));
}
