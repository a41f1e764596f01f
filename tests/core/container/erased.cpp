// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/erased.hpp>

#include <doctest/doctest.h>

#include <utility>

namespace {

// Counts its objects: none is lost, none is destroyed twice.
struct counted {
  static inline int alive = 0;
  int number = 0;
  explicit counted(int n) : number(n) { ++alive; }
  counted(const counted& other) : number(other.number) { ++alive; }
  counted& operator=(const counted&) = delete;
  ~counted() { --alive; }
};

struct functions : wf::detail::erased_functions {
  int (*number)(const void*);
};
template <class T>
constexpr functions functions_of{{wf::detail::erased_functions_of<T>},
                                 [](const void* object) -> int {
                                   if constexpr (requires(const T& t) { t.number; })
                                     return static_cast<const T*>(object)->number;
                                   else
                                     return static_cast<int>(*static_cast<const T*>(object));
                                 }};

using erased = wf::detail::erased<functions>;
template <class T>
erased made(T object) {
  return {object, functions_of<T>};
}
int number_of(const erased& e) { return e->number(e.object()); }

}  // namespace

TEST_CASE("objects of any type are copied, moved and destroyed with their owner") {
  {
    erased a = made(counted(1)), b = made(2L);
    CHECK(counted::alive == 1);
    CHECK(number_of(a) == 1);
    CHECK(number_of(b) == 2);
    erased copy = a;
    CHECK(counted::alive == 2);
    CHECK(copy.object() != a.object());
    a = b;
    CHECK(counted::alive == 1);
    CHECK(number_of(a) == 2);
    CHECK(number_of(copy) == 1);
    b = std::move(copy);
    CHECK_FALSE(static_cast<bool>(copy));
    CHECK(number_of(b) == 1);
    CHECK(counted::alive == 1);
    erased& self = b;
    b = self;
    CHECK(number_of(b) == 1);
    CHECK(counted::alive == 1);
  }
  CHECK(counted::alive == 0);
}

TEST_CASE("an owner of nothing is copied as such") {
  const erased none;
  CHECK_FALSE(static_cast<bool>(none));
  CHECK(none.object() == nullptr);
  erased other = made(counted(3));
  other = none;
  CHECK_FALSE(static_cast<bool>(other));
  CHECK(counted::alive == 0);
}
