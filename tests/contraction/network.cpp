// SPDX-License-Identifier: BSL-1.0
#include <wf/contraction/network.hpp>

#include <initializer_list>

#include <doctest/doctest.h>

namespace {

using wf::errc, wf::shape;

template <class... Shapes>
constexpr wf::result<wf::tensor_network> parsed(const char* equation, Shapes... shapes) {
  const wf::shape all[] = {shapes...};
  return wf::parse_network(equation, all);
}
template <class... Shapes>
constexpr errc why(const char* equation, Shapes... shapes) {
  return parsed(equation, shapes...).error().code;
}
constexpr bool equal(wf::view<std::uint32_t> a, std::initializer_list<std::uint32_t> b) {
  if (a.size() != b.size()) return false;
  std::size_t i = 0;
  for (std::uint32_t each : b)
    if (a[i++] != each) return false;
  return true;
}
// The indices of the result of an equation.
template <class... Shapes>
constexpr bool results(std::initializer_list<std::uint32_t> wanted, const char* equation,
                       Shapes... shapes) {
  const auto n = parsed(equation, shapes...);
  return n && equal(n->output, wanted);
}

// Indices are numbered in order of their first occurrence.
static_assert(results({0, 2}, "ab,bc->ac", shape::of(2, 3), shape::of(3, 4)));
static_assert(results({2, 0}, "ab,bc->ca", shape::of(2, 3), shape::of(3, 4)));
static_assert(results({}, "ab,ab->", shape::of(2, 3), shape::of(2, 3)));
static_assert(results({0, 1}, "Zb->Zb", shape::of(2, 3)));
// Without an arrow, as in numpy: the indices that occur once, in alphabetic order.
static_assert(results({0, 2}, "ab,bc", shape::of(2, 3), shape::of(3, 4)));
static_assert(results({1, 0}, "ba", shape::of(2, 3)));
static_assert(results({}, "ab,ab", shape::of(2, 3), shape::of(2, 3)));
static_assert(results({}, "aa", shape::of(2, 2)));

static_assert(why("ab,bc->ad", shape::of(2, 3), shape::of(3, 4)) == errc::bad_equation);
static_assert(why("ab,bc->ac", shape::of(2, 3), shape::of(4, 4)) == errc::shape_mismatch);
static_assert(why("aa->", shape::of(2, 3)) == errc::shape_mismatch);
static_assert(why("ab->", shape::of(2, wf::extent("N"))) == errc::shape_mismatch);
static_assert(why("ab", shape::of(2, 3), shape::of(4, 4)) == errc::bad_equation);
static_assert(why("ab,b->a", shape::of(2, 3)) == errc::bad_equation);
static_assert(why("abc->a", shape::of(2, 3)) == errc::bad_equation);
static_assert(why("a->a", shape::of(2, 3)) == errc::bad_equation);
static_assert(why("ab->a b", shape::of(2, 3)) == errc::bad_equation);
static_assert(why("a->a", shape::unknown()) == errc::bad_equation);

}  // namespace

TEST_CASE("a network has the extents of its indices and the indices of its operands") {
  const auto n = parsed("bij,bjk,ii->bk", shape::of(7, 2, 3), shape::of(7, 3, 5), shape::of(2, 2));
  REQUIRE(n);
  REQUIRE(n->operands.size() == 3);
  CHECK(equal(n->indices_of(0), {0, 1, 2}));
  CHECK(equal(n->indices_of(1), {0, 2, 3}));
  CHECK(equal(n->indices_of(2), {1, 1}));
  CHECK(equal(n->output, {0, 3}));
  REQUIRE(n->extents.size() == 4);
  CHECK(n->extents[0] == 7);
  CHECK(n->extents[1] == 2);
  CHECK(n->extents[2] == 3);
  CHECK(n->extents[3] == 5);
}

TEST_CASE("operands are appended one after the other") {
  wf::tensor_network n;
  const std::uint32_t first[] = {0, 1}, second[] = {1};
  n.add_operand({first, 2});
  n.add_operand({});
  n.add_operand({second, 1});
  CHECK(equal(n.indices_of(0), {0, 1}));
  CHECK(equal(n.indices_of(1), {}));
  CHECK(equal(n.indices_of(2), {1}));
}

TEST_CASE("errors say which operand or index does not fit") {
  const auto fewer = parsed("ab,bcd->a", shape::of(2, 3), shape::of(3, 4));
  CHECK(fewer.error().message == wf::text("operand 2 has fewer dimensions than letters"));
  const auto differs = parsed("ab,bc->ac", shape::of(2, 3), shape::of(4, 4));
  CHECK(differs.error().message == wf::text("index b has no extent, or several"));
  CHECK(differs.error().subject == wf::text(wf::contraction_subject));

  const auto two = [](const char* equation) {
    return parsed(equation, shape::of(2, 3), shape::of(3, 4)).error().message;
  };
  CHECK(two("ab->a") == wf::text("operand 2 has more dimensions than letters"));
  CHECK(parsed("ab->a", shape::of(2, 3), shape::of()).error().message ==
        wf::text("there are more operands than in the text"));
  CHECK(two("ab,bc,cd->a") == wf::text("there are fewer operands than in the text"));
  CHECK(two("ab,bc->ad") == wf::text("a letter of the result is in no operand"));
  for (const char* text : {"ab,b_->a", "ab,b1->a", "ab,bc-a", "ab,bc-", "a>,bc->a"})
    CHECK(two(text) == wf::text("only letters, commas and -> are understood"));
}
