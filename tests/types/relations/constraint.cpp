// SPDX-License-Identifier: BSL-1.0
#include <wf/types/relations/constraint.hpp>

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using namespace wf::detail;

constexpr std::int64_t unknown = -1;

// A graph with inputs of these shapes and one node, for constraints on them.
constexpr wf::graph graph_of(wf::view<wf::shape> shapes) {
  wf::graph g("g");
  constexpr const char* names[] = {"a", "b", "c", "d"};
  for (std::size_t i = 0; i < shapes.size(); ++i)
    g.add_input(names[i], {wf::dtype::f64, {}, shapes[i]});
  g.add_node({.op = "test"}, {}, {});
  return g;
}
constexpr auto test_node = static_cast<wf::node_id>(0);

// Propagates one constraint on the shapes of all inputs to the end.
struct trial {
  wf::graph graph;
  type_network network;
  constraint_set constraints;

  constexpr explicit trial(wf::view<wf::shape> shapes)
      : graph(graph_of(shapes)), network(graph), constraints(network) {}
  constexpr void run() {
    std::uint32_t next = 0;
    while (network.variables().next(next)) constraints.examine(next);
  }
  constexpr void run(relation kind, std::int64_t number = 0, std::int64_t extra = 0) {
    wf::table<shape_number> all;
    for (std::uint32_t i = 0; i < graph.view().values.size(); ++i) all.push_back(i);
    constraints.add(kind, test_node, all, {}, number, extra);
    run();
  }
  constexpr bool shapes_are(wf::view<wf::shape> wanted) {
    bool ok = network.conflicts().empty();
    for (std::uint32_t i = 0; i < wanted.size(); ++i)
      ok = ok && network.known_shape(i) == wanted[i];
    return ok;
  }
};

constexpr wf::shape any_shape = wf::shape::unknown();
constexpr wf::extent any;

template <class... Extents>
constexpr wf::shape of(Extents... e) {
  return wf::shape::of(e...);
}
template <std::size_t N>
constexpr bool gives(relation kind, const wf::shape (&in)[N], const wf::shape (&out)[N],
                     std::int64_t number = 0, std::int64_t extra = 0) {
  trial t(in);
  t.run(kind, number, extra);
  return t.shapes_are(out);
}
template <std::size_t N>
constexpr bool fails(relation kind, const wf::shape (&in)[N], std::int64_t number = 0,
                     std::int64_t extra = 0) {
  trial t(in);
  t.run(kind, number, extra);
  return !t.network.conflicts().empty() && t.network.is_broken(test_node);
}

// Broadcasting, s0 from s1 and s2: forwards, backwards, and undecided cases.
constexpr relation broadcasts = relation::broadcast_shapes;
static_assert(gives(broadcasts, {any_shape, of(3, 1), of(4)}, {of(3, 4), of(3, 1), of(4)}));
static_assert(gives(broadcasts, {any_shape, of("M", 1), of("N")},
                    {of("M", "N"), of("M", 1), of("N")}));
static_assert(gives(broadcasts, {of(3, 4), of(3, 4), any_shape}, {of(3, 4), of(3, 4), any_shape}));
static_assert(gives(broadcasts, {of(3, 4), of(), any_shape}, {of(3, 4), of(), of(3, 4)}));
static_assert(gives(broadcasts, {of(3, any), of(1, 4), of(any, 1)},
                    {of(3, 4), of(1, 4), of(3, 1)}));
static_assert(gives(broadcasts, {of(5), of(any), of(any)}, {of(5), of(any), of(any)}));
static_assert(gives(broadcasts, {of(any), of(any), of(1)}, {of(any), of(any), of(1)}));
static_assert(gives(broadcasts, {of(1), of(any), of(any)}, {of(1), of(1), of(1)}));
static_assert(gives(broadcasts, {of(any), of(5), of(any)}, {of(5), of(5), of(any)}));
static_assert(gives(broadcasts, {of(any, any), of(5, any), any_shape},
                    {of(5, any), of(5, any), any_shape}));
static_assert(gives(broadcasts, {of(), any_shape, any_shape}, {of(), of(), of()}));
static_assert(fails(broadcasts, {any_shape, of(3), of(4)}));
static_assert(fails(broadcasts, {any_shape, of("M"), of("N")}));
static_assert(fails(broadcasts, {of(5), of(1), of(1)}));
static_assert(fails(broadcasts, {of(5), of(any, any), any_shape}));
static_assert(fails(broadcasts, {of(5, 5), of(5), of(5)}));

// Concatenation of s1 and s2.
constexpr relation joins = relation::joined;
static_assert(gives(joins, {of(any, any), of(2, 3), of(4, any)}, {of(6, 3), of(2, 3), of(4, 3)}));
static_assert(gives(joins, {of(6, any), of(2, 3), of(any, any)}, {of(6, 3), of(2, 3), of(4, 3)}));
static_assert(gives(joins, {of(any), of(any), of(2)}, {of(any), of(any), of(2)}));
static_assert(gives(joins, {of(9, 2), of(9, any)}, {of(9, 2), of(9, 0)}, 1, 2));
static_assert(fails(joins, {of(3), of(2), of(2)}));
static_assert(fails(joins, {of(3), of(4), of(any)}));

// Shapes that are equal except in one dimension.
static_assert(gives(relation::alike, {of(any, 2, 5), of(7, any, any)}, {of(7, 2, 5), of(7, 2, any)},
                    2));
static_assert(fails(relation::alike, {of(1, 2), of(3, 2)}, 1));

// Equal numbers of elements.
constexpr relation elements = relation::same_elements;
static_assert(gives(elements, {of(2, 6), of(3, any)}, {of(2, 6), of(3, 4)}));
static_assert(gives(elements, {of("M", any), of(12, "M")}, {of("M", 12), of(12, "M")}));
static_assert(gives(elements, {of(any, any), of(6)}, {of(any, any), of(6)}));
static_assert(gives(elements, {of(0, any), of(0)}, {of(0, any), of(0)}));
static_assert(gives(elements, {of(any), of()}, {of(1), of()}));
static_assert(fails(elements, {of(2, 3), of(7)}));
static_assert(fails(elements, {of(2, any), of(7)}));
static_assert(fails(elements, {of(0, any), of(7)}));

// Sums of symbols are polynomials.
constexpr bool sums_are_symbolic() {
  const wf::shape in[] = {of(any), of("M"), of("N")};
  trial t(in);
  t.run(joins, 0, 3);
  const wf::graph_view atoms = t.network.atoms();
  const wf::extent e = t.network.known_shape(0)[0];
  return e.is_derived() && atoms.text_of(atoms.derived[e.index()]) == wf::text_view("M + N + 3");
}
static_assert(sums_are_symbolic());

// The extents 2 and 3 with a shape in front of the first, between them, or behind them.
constexpr bool insertions_hold(std::int64_t place) {
  const wf::shape in[] = {of(any, any, any), any_shape};
  trial t(in);
  const variable extents[] = {t.network.add_extent(), t.network.add_extent(3)};
  const shape_number both[] = {0, 1};
  t.constraints.add(relation::inserted, test_node, both, extents, place);
  t.run();
  bool ok = t.network.rank(1) == 1;
  t.network.settle(extents[0], wf::extent(2), test_node);
  t.network.settle(t.network.dimension(1, 0), wf::extent(7), test_node);
  t.run();
  const wf::shape out[] = {place == 0   ? of(7, 2, 3)
                           : place == 1 ? of(2, 7, 3)
                                        : of(2, 3, 7),
                           of(7)};
  return ok && t.shapes_are(out);
}
static_assert(insertions_hold(0) && insertions_hold(1) && insertions_hold(2));

std::string sentence(relation kind, std::vector<wf::shape> in, std::int64_t number = 0) {
  trial t({in.data(), in.size()});
  t.run(kind, number);
  REQUIRE(t.network.conflicts().size() == 1);
  return std::string(t.network.conflicts()[0].why.message.view());
}

}  // namespace

TEST_CASE("relations draw conclusions in every direction") {
  CHECK(gives(broadcasts, {any_shape, of(3, 1), of(4)}, {of(3, 4), of(3, 1), of(4)}));
  CHECK(gives(joins, {of(6, any), of(2, 3), of(any, any)}, {of(6, 3), of(2, 3), of(4, 3)}));
  CHECK(gives(elements, {of(2, 6), of(3, any)}, {of(2, 6), of(3, 4)}));
  CHECK(sums_are_symbolic());
  for (const std::int64_t place : {0, 1, 2}) CHECK(insertions_hold(place));
}

TEST_CASE("a conflict names the value and where its types come from") {
  CHECK(sentence(broadcasts, {any_shape, of(3), of(4)}) == "'c' is 3 by test#0 but 4 by input");
  CHECK(sentence(broadcasts, {of(5, 5), of(5), of(5)}) ==
        "'a' is of rank 1 by test#0 but of rank 2 by input");
  CHECK(sentence(joins, {of(6, 2), of(2, 2), of(2, 2)}) == "'a' is 4x2 by test#0 but 6x2 by input");
  CHECK(sentence(joins, {of(3), of(4), of(any)}) == "'c' can have no extent in dimension 0 (?)");
  CHECK(sentence(elements, {of(2, 3), of(7)}) ==
        "the numbers of elements differ: 'a' is 2x3 but 'b' is 7");
  CHECK(sentence(relation::alike, {of("M", 2), of("N", 2)}, 1) ==
        "'b' is Mx2 by test#0 but Nx2 by input");
}

TEST_CASE("what is concluded of extents is what all solutions agree on") {
  // All combinations of extents that are unknown or from 1 to 4 in s0, s1 and s2 of rank 1:
  // conclusions are never wrong, and a conflict is found if and only if there is no solution.
  const auto holds = [](relation kind, std::int64_t a, std::int64_t b, std::int64_t c) {
    if (kind == broadcasts) return (b == c || c == 1) ? a == b : (b == 1 && a == c);
    return kind == joins ? a == b + c : a * b == c;
  };
  for (relation kind : {broadcasts, joins, relation::product}) {
    std::size_t decided = 0, decidable = 0;
    for (int code = 0; code < 125; ++code) {
      const std::int64_t given[] = {code % 5 == 0 ? unknown : code % 5,
                                    code / 5 % 5 == 0 ? unknown : code / 5 % 5,
                                    code / 25 == 0 ? unknown : code / 25};
      CAPTURE(static_cast<int>(kind));
      CAPTURE(code);
      const wf::shape in[] = {of(given[0]), of(given[1]), of(given[2])};
      trial t(in);
      if (kind == relation::product) {
        const variable v[] = {t.network.dimension(0, 0), t.network.dimension(1, 0),
                              t.network.dimension(2, 0)};
        const shape_number shapes[] = {0, 1};
        t.constraints.add(kind, test_node, shapes, v, 2);
        t.run();
      } else {
        t.run(kind);
      }
      // Extent 0 counts too; no result is larger than 16.
      bool any_solution = false, agree[3] = {true, true, true};
      std::int64_t first[3] = {};
      for (std::int64_t a = 0; a <= 16; ++a)
        for (std::int64_t b = 0; b <= 16; ++b)
          for (std::int64_t c = 0; c <= 16; ++c) {
            const std::int64_t now[] = {a, b, c};
            bool fits = holds(kind, a, b, c);
            for (int i = 0; i < 3; ++i) fits = fits && (given[i] == unknown || given[i] == now[i]);
            if (!fits) continue;
            for (int i = 0; i < 3; ++i) {
              agree[i] = agree[i] && (!any_solution || first[i] == now[i]);
              first[i] = any_solution ? first[i] : now[i];
            }
            any_solution = true;
          }
      CHECK(t.network.conflicts().empty() == any_solution);
      if (!any_solution) continue;
      for (std::uint32_t i = 0; i < 3; ++i) {
        const wf::extent e = t.network.known_shape(i)[0];
        if (!e.is_unknown()) CHECK((agree[i] && e.size() == first[i]));
        if (given[i] == unknown && agree[i]) ++decidable;
        if (given[i] == unknown && !e.is_unknown()) ++decided;
      }
    }
    CHECK(decided == decidable);
  }
}

TEST_CASE("what is concluded of ranks is what all solutions agree on") {
  // s0 is broadcast from s1 and s2, which may be the same: all sets of ranks from 0 to 3.
  for (int sets = 0; sets < 15 * 15 * 15; ++sets)
    for (bool same : {false, true}) {
      const std::int64_t given[] = {sets % 15 + 1, sets / 15 % 15 + 1, sets / 225 + 1};
      if (same && given[1] != given[2]) continue;
      const wf::shape in[] = {any_shape, any_shape, any_shape};
      trial t(in);
      type_variables& v = t.network.variables();
      for (std::uint32_t i = 0; i < 3; ++i)
        v.learn(t.network.rank_variable(i), {given[i]}, test_node);
      if (same) v.unite(t.network.rank_variable(1), t.network.rank_variable(2), test_node);
      t.run(broadcasts);
      std::int64_t possible[3] = {};
      for (int b = 0; b < 4; ++b)
        for (int c = 0; c < 4; ++c) {
          const int a = b > c ? b : c;
          if ((same && b != c) || ((given[0] >> a) & (given[1] >> b) & (given[2] >> c) & 1) == 0)
            continue;
          possible[0] |= 1 << a, possible[1] |= 1 << b, possible[2] |= 1 << c;
        }
      CAPTURE(sets);
      CAPTURE(same);
      CHECK(t.network.conflicts().empty() == (possible[0] != 0));
      for (std::uint32_t i = 0; i < 3 && possible[0] != 0; ++i)
        CHECK(v.of(t.network.rank_variable(i)).state == possible[i]);
    }
}
