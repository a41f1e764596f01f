// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/dimension.hpp>

#include <doctest/doctest.h>

namespace {

constexpr std::int64_t size_of_dimension(wf::text_view formula, std::int64_t h) {
  wf::bound_dimensions bound;
  bound.bind("H", wf::extent(h));
  const wf::attribute_value stride = wf::attribute_value::integer("stride", 2);
  wf::table<wf::text> derived;
  const auto e = wf::detail::dimension_of(formula, bound, {{}, {&stride, 1}}, derived);
  return e ? e->code : -1000;
}
static_assert(size_of_dimension("(H - 3)//stride + 1", 9) == 4);
static_assert(size_of_dimension("H", 9) == 9 && size_of_dimension("5", 9) == 5);
static_assert(size_of_dimension("H - 10", 9) == -1000);  // negative
static_assert(size_of_dimension("H/2", 9) == -1000);     // fractional
static_assert(size_of_dimension("missing", 9) == -1000);

}  // namespace

TEST_CASE("symbolic dimensions become symbols or polynomials") {
  wf::bound_dimensions bound;
  bound.bind("H", wf::extent("M"));
  bound.bind("W", wf::extent("N"));
  wf::table<wf::text> derived;
  const auto product = wf::detail::dimension_of("H*W", bound, {}, derived);
  REQUIRE(product);
  CHECK(product->is_derived());
  CHECK(derived[product->index()] == wf::text("M*N"));
  const auto same = wf::detail::dimension_of("H + 1 - 1", bound, {}, derived);
  REQUIRE(same);
  CHECK(*same == wf::extent("M"));
  const auto zero = wf::detail::dimension_of("H - H", bound, {}, derived);
  REQUIRE(zero);
  CHECK(*zero == wf::extent(0));
}

TEST_CASE("what is unknown stays unknown, and there is room for sixteen symbols") {
  wf::bound_dimensions bound;
  bound.bind("H", wf::extent());
  wf::table<wf::text> derived;
  CHECK(wf::detail::dimension_of("2*H", bound, {}, derived)->is_unknown());
  constexpr wf::text_view names[] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                     "i", "j", "k", "l", "m", "n", "o", "p"};
  for (int i = 0; i < 15; ++i) CHECK(bound.bind(names[i], 1));
  CHECK_FALSE(bound.bind(names[15], 1));
  CHECK(bound.bind("a", 2));
}
