// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/tensor_program.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <wf/logic/program/read_program.hpp>

namespace {

using wf::logic::none;
using wf::logic::tensor_program;

constexpr bool finds_while_compiling() {
  tensor_program p;
  for (const char* name : {"A", "B"}) {
    p.tensors.push_back({});
    p.tensors.back().name = wf::text(name);
  }
  return p.find("B") == 1 && p.find("C") == none && tensor_program().find("A") == none;
}
static_assert(finds_while_compiling());

void in_table(wf::range r, std::size_t size) { REQUIRE(r.first + std::size_t{r.count} <= size); }

}  // namespace

TEST_CASE("the runs and numbers of a program lie within its tables") {
  const auto read = wf::logic::read_program(
      "input W : f64[4, 4]\naxis i = 4\nT(i) = !S(i) [i < 3]\n"
      "Y[i] = W[i,j] relu(X[j] (Z[j,k] Z[k,j] + 2)) - S(i) / 3\n"
      "D[i] min= W[i,j] + D[j]\nh[i,*t+1] = h[i,t] X[0:4] M['a',0:4]\nh[i,t=0] = X[i]");
  REQUIRE_MESSAGE(read, std::string(wf::to_text(read.error())));
  const tensor_program& p = *read;
  REQUIRE(p.axes_of.size() == [&] {
    std::size_t positions = 0;
    for (const auto& t : p.tensors) positions += t.rank;
    return positions;
  }());
  for (std::uint32_t t = 0; t < p.tensors.size(); ++t) {
    REQUIRE(p.find(p.tensors[t].name.view()) == t);
    REQUIRE(p.tensors[t].axes.count == p.tensors[t].rank);
    in_table(p.tensors[t].axes, p.axes_of.size());
  }
  for (std::uint32_t a : p.axes_of) REQUIRE(a < p.axes.size());
  REQUIRE(p.axis_of_variable.size() == p.variables.size());
  for (std::uint32_t a : p.axis_of_variable) REQUIRE(a < p.axes.size());
  for (std::uint32_t n = 0; n < p.scalars.size(); ++n)
    for (std::uint32_t operand : {p.scalars[n].left, p.scalars[n].right})
      REQUIRE((operand == none || operand < n));
  for (const wf::logic::rule& r : p.rules) {
    in_table(r.variables, p.variables.size());
    in_table(r.comparisons, p.comparisons.size());
    REQUIRE((r.value == none || r.value < p.scalars.size()));
    const auto check = [&](const wf::logic::atom& a) {
      in_table(a.terms, p.terms.size());
      REQUIRE(a.tensor < p.tensors.size());
      REQUIRE(p.terms_of(a).size() == p.tensors[a.tensor].rank);
      for (const wf::logic::term& t : p.terms_of(a)) {
        REQUIRE(t.scale > 0);
        if (t.kind == wf::logic::term_kind::variable) REQUIRE(t.variable < r.variables.count);
      }
    };
    check(r.head);
    for (const wf::range& part : {r.joins, r.negations, r.lookups}) {
      in_table(part, p.atoms.size());
      for (std::uint32_t i = 0; i < part.count; ++i) check(p.atoms[part.first + i]);
    }
  }
}

TEST_CASE("plain variables are as they are, each another one") {
  const auto p = wf::logic::read_program("H[i,j] += A[i,j] + B[i,i] + C[i,j+1] + D[i,2] + E[]");
  REQUIRE(p);
  std::string plain;
  for (const wf::logic::atom& a : p->atoms)
    if (p->has_plain_variables(a)) plain += std::string(p->tensors[a.tensor].name);
  CHECK(plain == "AE");
  for (const wf::logic::atom& a : p->atoms)
    for (const wf::logic::term& t : p->terms_of(a))
      CHECK(t.is_plain() == (t.kind == wf::logic::term_kind::variable && t.shift == 0));
}
