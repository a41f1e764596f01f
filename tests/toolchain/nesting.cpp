// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/nesting.hpp>

#include <doctest/doctest.h>

#include <wf/toolchain/wrapper.hpp>

#include "stages.hpp"

namespace {

using namespace stages;
using namespace wf::detail;

constexpr auto never = [](const auto&) { return false; };
constexpr auto kept = wf::step<"kept">([](int n) { return n + 1; });
constexpr auto inner = wf::chain<"inner">(kept);
constexpr auto wrapped = wf::rename<"outer">(wf::skip_if(never, inner));

static_assert(is_toolchain<unwrapped_type<decltype(back)>>);
static_assert(is_toolchain<unwrapped_type<decltype(wrapped)>>);
static_assert(!is_toolchain<std::remove_const_t<decltype(wrapped)>>);
static_assert(!is_toolchain<unwrapped_type<decltype(wf::skip_if(never, kept))>>);

}  // namespace

TEST_CASE("the toolchain in the wrappers of a step is found, and nothing inside of it") {
  CHECK(unwrapped(wrapped).name() == "inner");
  CHECK(&unwrapped(inner) == &inner);
  CHECK(unwrapped(wf::skip_if(never, kept))(4) == 5);
}

TEST_CASE("another toolchain takes the place of the wrapped one, in the same wrappers") {
  const auto other =
      rewrapped(wrapped, wf::chain<"inner">(wf::step<"kept">([](int n) { return n + 2; })));
  CHECK(other.name() == "outer");
  CHECK(other(1) == 3);
  CHECK(wrapped(1) == 2);
  CHECK(rewrapped(inner, kept)(4) == 5);
}
