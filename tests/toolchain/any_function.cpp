// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/any_function.hpp>

#include <doctest/doctest.h>

namespace {

using function = wf::any_function<int, int>;

int doubled(int x) { return 2 * x; }

// Counts its objects: none is lost, none is destroyed twice.
struct counted {
  static inline int alive = 0;
  int added = 0;
  explicit counted(int a) : added(a) { ++alive; }
  counted(const counted& other) : added(other.added) { ++alive; }
  ~counted() { --alive; }
  int operator()(int x) const { return x + added; }
};

}  // namespace

TEST_CASE("any callable is called, functions and lambdas with a state too") {
  CHECK(function(doubled)(4) == 8);
  int calls = 0;
  const function counting = [&calls](int x) { return x + ++calls; };
  CHECK(counting(10) == 11);
  CHECK(counting(10) == 12);
  function own = [n = 0](int x) mutable { return x + ++n; };
  CHECK(own(0) == 1);
  function copy = own;  // with a state of its own
  CHECK(own(0) == 2);
  CHECK(copy(0) == 2);
  CHECK(copy(0) == 3);
}

TEST_CASE("nothing is held by default, of a null pointer and of an empty function") {
  CHECK_FALSE(static_cast<bool>(function()));
  int (*null)(int) = nullptr;
  CHECK_FALSE(static_cast<bool>(function(null)));
  CHECK_FALSE(static_cast<bool>(function(wf::any_function<long, int>())));
  CHECK(static_cast<bool>(function(doubled)));
  const function empty;
  const function copy = empty;
  CHECK_FALSE(static_cast<bool>(copy));
}

TEST_CASE("copies own callables of their own") {
  {
    function a = counted(1);
    CHECK(counted::alive == 1);
    function b = a;
    CHECK(counted::alive == 2);
    a = counted(5);
    CHECK(a(1) == 6);
    CHECK(b(1) == 2);
    b = std::move(a);
    CHECK(b(1) == 6);
    CHECK(counted::alive == 1);
    b = function();
    CHECK(counted::alive == 0);
    function& self = b;
    b = counted(2);
    b = self;
    CHECK(b(1) == 3);
  }
  CHECK(counted::alive == 0);
}

TEST_CASE("arguments are passed on, references as such") {
  const wf::any_function<void, int&, counted> set = [](int& x, const counted& c) { x = c.added; };
  int x = 0;
  set(x, counted(7));
  CHECK(x == 7);
  CHECK(counted::alive == 0);
}
