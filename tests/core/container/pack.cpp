// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/pack.hpp>

#include <concepts>

#include <doctest/doctest.h>

namespace {

using wf::pack;
using wf::pack_at;

struct nothing_inside {
  constexpr int operator()() const { return 7; }
};
struct explicit_default {
  int value = 3;
  explicit explicit_default() = default;
};
struct no_default {
  int value;
  constexpr explicit no_default(int v) : value(v) {}
};

static_assert(sizeof(pack<>) == 1);
static_assert(sizeof(pack<nothing_inside, int>) == sizeof(int), "what is empty takes no room");
static_assert(sizeof(pack<nothing_inside, nothing_inside>) <= 2, "two of a type have two places");
static_assert(std::same_as<wf::pack_element<1, pack<int, char>>, char>);
static_assert(std::same_as<wf::pack_element<0, pack<int&, char>>, int&>);
static_assert(pack_at<0>(pack<nothing_inside, int>{{}, {4}})() == 7);
static_assert(pack_at<1>(pack<no_default, int>{{no_default(1)}, {4}}) == 4);

TEST_CASE("elements of one type are told apart by their position") {
  pack<int, int, double> p{{1}, {2}, {0.5}};
  pack_at<1>(p) += 40;
  CHECK(pack_at<0>(p) == 1);
  CHECK(pack_at<1>(p) == 42);
  const auto& fixed = p;
  static_assert(std::same_as<decltype(pack_at<2>(fixed)), const double&>);
  CHECK(&pack_at<2>(fixed) == &pack_at<2>(p));
}

TEST_CASE("elements left out have their default value") {
  const pack<int, explicit_default> p{};
  CHECK(pack_at<0>(p) == 0);
  CHECK(pack_at<1>(p).value == 3);
  const pack<int, explicit_default> q;
  CHECK(pack_at<0>(q) == 0);
}

TEST_CASE("a reference in a constant pack is not constant") {
  int x = 1;
  no_default y(2);
  const pack<int&, no_default&> p{{x}, {y}};
  pack_at<0>(p) = 5;
  pack_at<1>(p).value = 6;
  CHECK(x == 5);
  CHECK(y.value == 6);
}

}  // namespace
