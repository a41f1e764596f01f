// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/argument.hpp>

#include <type_traits>

#include <doctest/doctest.h>

using namespace wf::literals;

namespace {

struct big {
  int number = 0;
};

static_assert(decltype("alpha"_arg = std::declval<big&>())::name() == "alpha");
static_assert(std::is_same_v<decltype("a"_arg = std::declval<big&>())::type, big>);
static_assert(std::is_same_v<decltype("a"_arg = std::declval<const big&>())::type, const big>);
static_assert(std::is_same_v<decltype("a"_arg = std::declval<big>())::type, const big>,
              "a temporary can be read only");

template <class... Arguments>
constexpr std::size_t position(wf::text_view name, Arguments...) {
  return wf::detail::position_of<Arguments...>(name);
}

}  // namespace

TEST_CASE("an argument refers to its object") {
  big value{1};
  const auto bound = "x"_arg = value;
  bound.value.number = 2;
  CHECK(value.number == 2);
  CHECK(&bound.value == &value);
  const big constant{3};
  CHECK(&("x"_arg = constant).value == &constant);
}

TEST_CASE("arguments are found by name in any order") {
  int a = 0, b = 0;
  CHECK(position("a", "a"_arg = a, "b"_arg = b) == 0);
  CHECK(position("b", "a"_arg = a, "b"_arg = b) == 1);
  CHECK(position("a", "b"_arg = b, "a"_arg = a) == 1);
  CHECK(position("ab", "a"_arg = a, "b"_arg = b) == 2);
  CHECK(position("a") == 0);
}
