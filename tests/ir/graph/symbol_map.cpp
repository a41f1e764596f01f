// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/symbol_map.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::value_type of(wf::shape s) { return {wf::dtype::f64, {}, s}; }

// A graph of one input "a", MxN.
constexpr wf::graph rectangle() {
  wf::graph g("rectangle");
  const wf::value_id a = g.add_input("a", of(wf::shape::of("M", "N")));
  g.add_output("y", a);
  return g;
}

// A polynomial of M and N, translated for extents m and n.
constexpr wf::text translated(const char* polynomial, wf::extent m, wf::extent n) {
  wf::graph from("from"), into("into");
  wf::symbol_map symbols;
  symbols.bind(wf::make_symbol("M"), m);
  symbols.bind(wf::make_symbol("N"), n);
  const wf::extent derived = from.add_derived(polynomial);
  const auto e = symbols.translate(derived, from.view(), into);
  if (!e) return wf::to_text(e.error());
  if (e->is_derived()) return wf::text(into.text_of(into.view().derived[e->index()]));
  return wf::to_text(*e);
}
static_assert(translated("M*N", 3, 4).view() == "12");
static_assert(translated("M*N", 3, "K").view() == "3*K");

}  // namespace

TEST_CASE("a symbol stands for one extent only") {
  wf::symbol_map symbols;
  CHECK(symbols.empty());
  CHECK(symbols.bind(wf::make_symbol("M"), 3));
  CHECK(symbols.bind(wf::make_symbol("M"), 3));
  CHECK(!symbols.bind(wf::make_symbol("M"), 4));
  CHECK(symbols[wf::make_symbol("M")] == wf::extent(3));
  CHECK(symbols[wf::make_symbol("N")] == wf::extent("N"));
}

TEST_CASE("polynomials are worked out; an extent is a whole number that is not negative") {
  CHECK(translated("M - N", 5, 5).view() == "0");
  CHECK(translated("M - N", 5, 6).view().starts_with("WF101 in 'M - N': the extent would be -1"));
  CHECK(translated("M + N", "K", 0).view() == "K");
}

TEST_CASE("operands that do not match the inputs are errors that name the input") {
  const wf::graph g = rectangle();
  const wf::value_type one[] = {of(wf::shape::of(3, 4)), of(wf::shape::of(3, 4))};
  CHECK(wf::match_inputs(g.view(), {one, 0}).error().subject.view() == "a");
  CHECK(wf::match_inputs(g.view(), {one, 2}).error().message.view() == "takes 1 operands, not 2");
  const wf::value_type other{wf::dtype::f32, {}, wf::shape::of(3, 4)};
  CHECK(wf::match_inputs(g.view(), {&other, 1}).error().message.view() ==
        "the input is f64, the operand f32");
}
