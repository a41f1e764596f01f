// SPDX-License-Identifier: BSL-1.0
#include <wf/types/relations/equation.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/ir/graph/graph.hpp>

namespace {

using namespace wf::detail;

constexpr auto test_node = static_cast<wf::node_id>(0);
constexpr wf::extent any;

// The extents of the value `x`, and one node.
struct trial {
  wf::graph graph;
  type_network network;
  extent_equations equations;
  wf::table<variable> v;

  constexpr explicit trial(const wf::shape& s)
      : graph(made(s)), network(graph), equations(network) {
    for (std::uint32_t d = 0; d < s.rank; ++d) v.push_back(network.dimension(0, d));
  }
  static constexpr wf::graph made(const wf::shape& s) {
    wf::graph g("g");
    g.add_input("x", {wf::dtype::f64, {}, s});
    g.add_node({.op = "test"}, {}, {});
    return g;
  }
  constexpr wf::text value(std::uint32_t d) {
    if (!network.conflicts().empty()) return wf::text("conflict");
    const wf::graph_view atoms = network.atoms();
    return label_of(atoms, network.known_shape(0)[d]);
  }
};

// Dimension `asked` after v0 = v1 + v2 + ... + more.
constexpr wf::text sum(const wf::shape& s, std::int64_t more, std::uint32_t asked) {
  trial t(s);
  t.equations.sum(test_node, t.v, more);
  return t.value(asked);
}
static_assert(sum(wf::shape::of(any, 2, 3), 1, 0) == wf::text("6"));
static_assert(sum(wf::shape::of(6, any, 3), 1, 1) == wf::text("2"));
static_assert(sum(wf::shape::of("N", "M", any), 0, 2) == wf::text("(-M + N)"));
static_assert(sum(wf::shape::of(any, "M", "M"), 0, 0) == wf::text("(2*M)"));
static_assert(sum(wf::shape::of(any, any, 3), 0, 0) == wf::text("?"));
static_assert(sum(wf::shape::of(3, 2, 2), 0, 0) == wf::text("conflict"));
static_assert(sum(wf::shape::of(3, 4, any), 0, 2) == wf::text("conflict"));

// Two parts that are the same variable.
constexpr wf::text halves(wf::extent whole) {
  trial t(wf::shape::of(whole, any, any));
  t.network.unite(t.v[1], t.v[2], test_node);
  t.equations.sum(test_node, t.v, 0);
  return t.value(1);
}
static_assert(halves(6) == wf::text("3") && halves(7) == wf::text("conflict"));
static_assert(halves("M") == wf::text("(1/2*M)"));

// Dimension `asked` after equating the product of the first `split` extents with that of the
// others.
constexpr wf::text product(const wf::shape& s, std::size_t split, std::uint32_t asked) {
  trial t(s);
  t.equations.product(test_node, t.v, split, 0, 0);
  return t.value(asked);
}
static_assert(product(wf::shape::of(2, 6, 3, any), 2, 3) == wf::text("4"));
static_assert(product(wf::shape::of("M", any, 12, "M"), 2, 1) == wf::text("12"));
static_assert(product(wf::shape::of("M", "N", any), 2, 2) == wf::text("(M*N)"));
static_assert(product(wf::shape::of(any, any, 1), 2, 0) == wf::text("1"));
static_assert(product(wf::shape::of(any, any, 6), 2, 0) == wf::text("?"));
static_assert(product(wf::shape::of(0, any, 0), 2, 1) == wf::text("?"));
static_assert(product(wf::shape::of(0, any, 7), 2, 1) == wf::text("conflict"));
static_assert(product(wf::shape::of(2, any, 7), 2, 1) == wf::text("conflict"));
static_assert(product(wf::shape::of("M", "N", "M", "K"), 2, 0) == wf::text("conflict"));

// Y = (H + 2*padding - 3)//stride + 1 of x = [Y, H].
constexpr wf::text windows(wf::extent y, wf::extent h, std::int64_t stride, std::uint32_t asked) {
  trial t(wf::shape::of(y, h));
  extent_formula f;
  f.source = "(H + 2*padding - 3)//stride + 1";
  f.names.push_back("H");
  f.attributes.push_back(wf::attribute_value::integer("stride", stride));
  f.attributes.push_back(wf::attribute_value::integer("padding", 1));
  t.equations.formula(test_node, t.v, f);
  return t.value(asked);
}
static_assert(windows(any, 8, 1, 0) == wf::text("8") && windows(any, 8, 2, 0) == wf::text("4"));
static_assert(windows(8, any, 1, 1) == wf::text("8"));
static_assert(windows("M", any, 1, 1) == wf::text("M"));
static_assert(windows(any, "M", 1, 0) == wf::text("M"));
static_assert(windows(4, any, 2, 1) == wf::text("?"));  // 7 or 8
static_assert(windows(any, any, 1, 0) == wf::text("?"));
static_assert(windows(4, 8, 1, 0) == wf::text("conflict"));

}  // namespace

TEST_CASE("an equation gives the extent that is missing") {
  CHECK(sum(wf::shape::of(6, any, 3), 1, 1) == wf::text("2"));
  CHECK(product(wf::shape::of("M", "N", any), 2, 2) == wf::text("(M*N)"));
  CHECK(windows(8, any, 1, 1) == wf::text("8"));
}

TEST_CASE("sums and products agree with arithmetic") {
  for (std::int64_t a = 0; a < 9; ++a)
    for (std::int64_t b = 0; b < 9; ++b)
      for (std::int64_t c = 0; c < 9; ++c) {
        const wf::text whole = wf::text() << a + b + c;
        CHECK(sum(wf::shape::of(any, a, b), c, 0) == whole);
        CHECK(sum(wf::shape::of(a + b + c, a, any), c, 2) == (wf::text() << b));
        const wf::text missing = product(wf::shape::of(a, b, c, any), 2, 3);
        const bool open = a * b == 0 && c == 0;
        const bool none = c == 0 ? a * b != 0 : a * b % c != 0;
        CHECK(missing == (open   ? wf::text("?")
                          : none ? wf::text("conflict")
                                 : wf::text() << a * b / c));
      }
}

TEST_CASE("an equation without solution names the extent") {
  trial t(wf::shape::of(7, any, any));
  t.network.unite(t.v[1], t.v[2], test_node);
  CHECK(t.equations.sum(test_node, t.v, 0));
  CHECK(t.network.conflicts()[0].why.message ==
        wf::text("'x' can have no extent in dimension 2 (7x?x?)"));
  // A formula that cannot be evaluated is an error of the node.
  trial u(wf::shape::of(any, 3));
  extent_formula f;
  f.source = "H - window";
  f.names.push_back("H");
  CHECK(u.equations.formula(test_node, u.v, f));
  CHECK(u.network.conflicts()[0].why.code == wf::errc::unknown_symbol);
}
