// SPDX-License-Identifier: BSL-1.0
#include <wf/core/compiled.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <utility>

namespace {

struct told {
  int value = 0;
  bool compiling = false;
};
constexpr told doubled(const int& x) { return {2 * x, std::is_constant_evaluated()}; }

// Takes its parameters by reference, by value and by rvalue.
struct counted {
  int copies = 0;
  constexpr counted() = default;
  constexpr counted(const counted& other) : copies(other.copies + 1) {}
  constexpr counted(counted&& other) noexcept : copies(other.copies) {}
};
template <class Any>
constexpr int copies_of(counted by_value, counted& by_reference, counted&& by_rvalue, Any) {
  by_reference.copies += 10;
  return by_value.copies + 100 * by_rvalue.copies;
}

}  // namespace

TEST_CASE("one function serves constant evaluation and run time") {
  constexpr told compiled = wf::detail::call_compiled<&doubled>(21);
  static_assert(compiled.value == 42 && compiled.compiling);
  int x = 21;
  x += x > 0 ? 0 : 1;
  const told ran = wf::detail::call_compiled<&doubled>(x);
  CHECK(ran.value == 42);
  CHECK(!ran.compiling);
}

TEST_CASE(
    "arguments keep their categories, and nothing is copied that the function does not copy") {
  counted named;
  CHECK(wf::detail::call_compiled<&copies_of<int>>(counted(), named, counted(), 1) == 0);
  CHECK(named.copies == 10);
  counted other;
  CHECK(wf::detail::call_compiled<&copies_of<int>>(other, named, std::move(other), 1) == 1);
}

TEST_CASE("what is called at run time is one function that is not inline") {
  CHECK(wf::detail::compiled<&doubled>::call(4).value == 8);
  static_assert(std::is_same_v<decltype(wf::detail::compiled<&doubled>::call(4)), told>);
}
