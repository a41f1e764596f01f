// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/adapter.hpp>

#include <doctest/doctest.h>

#include "stages.hpp"

namespace {

using namespace stages;

// The arguments of a call, and the part that is known while compiling.
struct values {
  int a = 0, b = 0;
};
struct types {
  int count = 0;
  friend constexpr bool operator==(const types&, const types&) = default;
};

constexpr auto typed = wf::step<"types">([](const values&) { return types{2}; });
constexpr auto front = wf::chain(wf::on_args<source>(typed), wf::on_data<types>(parse),
                                 wf::on_data<types>(operate), wf::drop_args<types>(print));
using start = wf::concrete<source, values>;
static_assert(std::is_same_v<decltype(front)::in, start>);
static_assert(std::is_same_v<decltype(front)::out, listing>);
static_assert(front(start{text_of("73"), {1, 2}})->characters.view() == "73.5");
static_assert(front.until<"parse">(start{text_of("73"), {1, 2}})->args == types{2});
static_assert(front.until<"operate">(start{text_of("73"), {1, 2}})->data == number{735});
static_assert(front(start{text_of("x"), {}}).error().step.view() == "parse");

// A caller that knows the types can enter with them.
static_assert(front.from(wf::concrete<source, types>{text_of("73"), {2}})->characters.view() ==
              "73.5");

constexpr auto nested_front =
    wf::chain(wf::on_data<types>(wf::chain<"all">(parse, operate)), wf::drop_args<types>(print));
static_assert(nested_front.describe()[1].path == "all/parse");
static_assert(nested_front
                  .replace<"all/operate">([](long n) {
                    return number{n};
                  })(wf::concrete<source, types>{text_of("73"), {}})
                  ->characters.view() == "7.3");

}  // namespace

TEST_CASE("steps that know no arguments are lifted over them") {
  const start x{text_of("73"), {1, 2}};
  CHECK(front(x)->characters.view() == "73.5");
  CHECK(front.until<"types">(x) == wf::concrete<source, types>{text_of("73"), {2}});
  CHECK(front.until<"parse">(x)->data == 73);
  diary seen;
  (void)front(x, seen);
  CHECK(seen.lines.view() == ">types <types >parse <parse >operate <operate >print <print ");
}
