// SPDX-License-Identifier: BSL-1.0
#include <wf/core/callable.hpp>

#include <type_traits>

#include <doctest/doctest.h>

namespace {

using question = wf::callable<bool, const int&, long>;

// Compiled once for all callables.
constexpr int count_agreed(const question& ask) {
  int agreed = 0;
  for (int i = 0; i < 10; ++i) agreed += ask(i, 2);
  return agreed;
}

template <class F>
constexpr int agreed_by(F&& f) {
  return count_agreed(wf::callable_to<std::remove_reference_t<F>, bool, const int&, long>(f));
}

struct counting {
  int asked = 0;
  // returns a type that converts to that of the signature
  constexpr int operator()(int, long) { return ++asked % 2; }
};

constexpr bool divides(int i, long by) { return i % by == 0; }

constexpr int asked_of_an_object() {
  counting object;
  const int agreed = agreed_by(object);
  return 100 * agreed + object.asked;
}

struct movable {
  int value = 0;
  constexpr explicit movable(int v) : value(v) {}
  constexpr movable(movable&& other) : value(other.value) { other.value = -1; }
};

// Arguments passed by value reach the target by moves only, references unchanged.
constexpr int passes_arguments_on() {
  int sum = 0;
  const auto take = [&](movable m, int& out) { out += m.value; };
  const wf::callable_to<decltype(take), void, movable, int&> taker(take);
  const wf::callable<void, movable, int&>& any = taker;
  any(movable(40), sum);
  any(movable(2), sum);
  return sum;
}

}  // namespace

TEST_CASE("a callable calls objects, lambdas and functions of any type") {
  static_assert(agreed_by([](int i, long) { return i > 6; }) == 3);
  static_assert(agreed_by(divides) == 5);
  static_assert(asked_of_an_object() == 510);
  static_assert(passes_arguments_on() == 42);
  CHECK(agreed_by([](int i, long) { return i > 6; }) == 3);
  CHECK(agreed_by(divides) == 5);
  CHECK(asked_of_an_object() == 510);
  CHECK(passes_arguments_on() == 42);
}
