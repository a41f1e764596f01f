// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/step_list.hpp>

#include <doctest/doctest.h>

namespace {

using namespace wf::detail;

static_assert(head_of("back/translate") == "back" && tail_of("back/translate") == "translate");
static_assert(head_of("a/b/c") == "a" && tail_of("a/b/c") == "b/c");
static_assert(head_of("lower") == "lower" && tail_of("lower").empty());
static_assert(path_head<"a/b">.view() == "a" && path_tail<"a/b">.view() == "b");
static_assert(is_nested_path<"a/b"> && !is_nested_path<"a"> && !is_nested_path<"">);
static_assert(joined_path<"", "a">.view() == "a" && joined_path<"a/b", "c">.view() == "a/b/c");

constexpr wf::text_view three[] = {"a", "b", "b"};
static_assert(find_step(three, "b") == 1 && find_step(three, "c") == 3 && find_step({}, "a") == 0);
static_assert(first_true({false, true, true}) == 1 && first_true({false, false}) == 2);

constexpr auto half = wf::step<"half">([](int n) { return n / 2.0; });
constexpr auto round_off = wf::step<"round">([](double x) -> wf::result<int> {
  if (x < 0) return wf::make_error(wf::errc::overflow, "x", "below zero");
  return static_cast<int>(x);
});
constexpr auto negate = wf::step<"negate">([](int n) { return -n; });
using half_t = std::remove_const_t<decltype(half)>;
using round_t = std::remove_const_t<decltype(round_off)>;
using negate_t = std::remove_const_t<decltype(negate)>;

static_assert(composition_error<half_t, round_t, negate_t>().code == wf::errc::none);
static_assert(composition_error<>().code == wf::errc::empty_toolchain);
static_assert(composition_error<negate_t, half_t, negate_t>().code == wf::errc::duplicate_step);
static_assert(composition_error<negate_t, round_t>().code == wf::errc::step_mismatch);

static_assert(any_fallible<half_t, round_t, negate_t>(0, 3));
static_assert(any_fallible<half_t, round_t, negate_t>(1, 2));
static_assert(!any_fallible<half_t, round_t, negate_t>(0, 1));
static_assert(!any_fallible<half_t, round_t, negate_t>(2, 3));

template <wf::fixed_string Name>
using named = decltype(wf::rename<Name>(negate));

}  // namespace

TEST_CASE("the first two steps that do not fit are named with their stages") {
  const wf::error e = composition_error<half_t, negate_t, round_t>();
  CHECK(wf::to_text(e).view() ==
        "WF801 in 'half': step 'half' returns double but step 'negate' takes int");
}

TEST_CASE("names are not empty, not paths, and not used twice") {
  CHECK(composition_error<named<"">>().code == wf::errc::invalid_name);
  CHECK(composition_error<named<"a/b">>().code == wf::errc::invalid_name);
  CHECK(composition_error<named<"a">, named<"b">, named<"a">>().message.view() ==
        "two steps are named 'a'");
  CHECK(composition_error<named<"a">, named<"b">>().code == wf::errc::none);
}

TEST_CASE("a conversion between stages is opt-in") {
  CHECK(!wf::step_converts<int, long>);
  CHECK(wf::step_converts<int, int>);
}
