// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/draft.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "../shown_program.hpp"

namespace {

using wf::logic::none;
using wf::logic::scalar_kind;
using wf::logic::tensor_program;
using wf::logic::term_kind;
using wf::logic::detail::atom_form;
using wf::logic::detail::rule_draft;
using wf::logic::detail::term_form;

constexpr term_form index(wf::text_view name, std::int64_t shift = 0) {
  term_form t;
  t.name = name;
  t.shift = shift;
  return t;
}
constexpr atom_form atom(std::uint32_t tensor, const wf::table<term_form>& terms) {
  atom_form a;
  a.tensor = tensor;
  a.terms = terms;
  return a;
}
// A program with tensors of these names, and no rules.
constexpr tensor_program with_tensors(wf::view<wf::text_view> names) {
  tensor_program p;
  for (wf::text_view name : names) {
    p.tensors.push_back({});
    p.tensors.back().name = wf::text(name);
  }
  return p;
}
constexpr wf::text_view names[] = {"Y", "A", "B"};

constexpr bool drafts_while_compiling() {
  tensor_program p = with_tensors(names);
  rule_draft d(p);
  const std::uint32_t a = d.join(atom(1, {index("i"), index("j")}));
  const std::uint32_t b = d.join(atom(1, {index("i"), index("j")}));
  d.finish(atom(0, {index("i")}), wf::projection::sum, false, d.leaf(scalar_kind::joined, a));
  return a == 0 && b == 0 && p.rules.size() == 1 && p.rules[0].joins.count == 1 &&
         p.variables.size() == 2 && p.atoms.size() == 1 && p.terms.size() == 3;
}
static_assert(drafts_while_compiling());

}  // namespace

TEST_CASE("variables are numbered in the order in which a rule meets them; every _ is new") {
  tensor_program p = with_tensors(names);
  rule_draft d(p);
  CHECK(d.variable("i") == 0);
  CHECK(d.variable("j") == 1);
  CHECK(d.variable("i") == 0);
  CHECK(d.variable("_") == 2);
  CHECK(d.variable("_") == 3);
}

TEST_CASE("atoms that repeat others count once, unless an index is _") {
  tensor_program p = with_tensors(names);
  rule_draft d(p);
  CHECK(d.join(atom(1, {index("i"), index("j")})) == 0);
  CHECK(d.join(atom(1, {index("j"), index("i")})) == 1);
  CHECK(d.join(atom(2, {index("i"), index("j")})) == 2);
  CHECK(d.join(atom(1, {index("i"), index("j", 1)})) == 3);
  CHECK(d.join(atom(1, {index("i"), index("j")})) == 0);
  term_form constant, other, symbol, scaled = index("j");
  constant.kind = other.kind = term_kind::constant;
  other.shift = 1;
  symbol.kind = term_kind::symbol;
  symbol.name = "j";
  scaled.scale = 2;
  std::uint32_t expected = 4;
  for (const term_form& t : {constant, other, symbol, scaled}) {
    CHECK(d.join(atom(1, {index("i"), t})) == expected);
    CHECK(d.join(atom(1, {index("i"), t})) == expected++);
  }
  CHECK(d.join(atom(1, {index("i"), index("_")})) == 8);
  CHECK(d.join(atom(1, {index("i"), index("_")})) == 9);
  atom_form earlier = atom(1, {index("i"), index("j")});
  earlier.step = -1;
  CHECK(d.join(earlier) == 10);
  // Joins, complements and lookups are lists of their own.
  CHECK(d.look_up(atom(1, {index("i"), index("j")})) == 0);
  CHECK(d.look_up(atom(1, {index("i"), index("j")})) == 0);
  d.negate(atom(1, {index("i"), index("j")}));
  d.negate(atom(1, {index("i"), index("j")}));
  d.finish(atom(0, {}), wf::projection::plain, false, none);
  CHECK(p.rules[0].joins.count == 11);
  CHECK(p.rules[0].lookups.count == 1);
  CHECK(p.rules[0].negations.count == 1);
}

TEST_CASE("a finished rule has its atoms, conditions and variables in the program's tables") {
  tensor_program p = with_tensors(names);
  for (int round = 0; round < 2; ++round) {
    rule_draft d(p);
    const std::uint32_t a = d.join(atom(1, {index("i"), index("k")}));
    const std::uint32_t b = d.look_up(atom(2, {index("k", -1)}));
    d.negate(atom(2, {index("i")}));
    d.compare({wf::logic::comparison_sign::different,
               d.leaf(scalar_kind::variable, d.variable("k")), d.number(3)});
    const std::uint32_t value =
        d.combine(scalar_kind::difference, d.leaf(scalar_kind::joined, a),
                  d.combine(scalar_kind::negation, d.leaf(scalar_kind::looked_up, b)));
    d.finish(atom(0, {index("i", 1)}), wf::projection::maximum, true, value);
  }
  const std::string line =
      "initial Y[i+1] max= (A[i,k] - -?B[k-1]) <- A[i,k], !B[i], ?B[k-1], [k != 3]\n";
  CHECK(wf_test::shown_program(p).text() == line + line);
}

TEST_CASE("the variable of a slice counts its positions, once for all of its atoms") {
  const auto shown = [](std::int64_t count) {
    tensor_program p = with_tensors(names);
    rule_draft d(p);
    term_form t = index("s", 4);
    t.scale = 2;
    t.slice = true;
    t.count = count;
    d.join(atom(1, {t}));
    d.join(atom(2, {t}));
    d.finish(atom(0, {t}), wf::projection::plain, false, none);
    return wf_test::shown_program(p).text();
  };
  CHECK(shown(3) == "Y[2s+4] = true <- A[2s+4], B[2s+4], [s >= 0], [s < 3]\n");
  CHECK(shown(-1) == "Y[2s+4] = true <- A[2s+4], B[2s+4], [s >= 0]\n");
}
