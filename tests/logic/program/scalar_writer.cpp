// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/scalar_writer.hpp>

#include <cstdint>

#include <doctest/doctest.h>

using wf::logic::none;
using wf::logic::scalar_kind;
using wf::logic::tensor_program;
using wf::logic::detail::scalar_writer;

TEST_CASE("nodes stand behind their operands") {
  tensor_program p;
  const scalar_writer w(p);
  const std::uint32_t a = w.leaf(scalar_kind::joined, 3), b = w.number(2);
  const std::uint32_t c = w.combine(scalar_kind::choice, a, b, a);
  CHECK(p.scalars.size() == 3);
  CHECK(p.scalars[a].index == 3);
  CHECK(p.scalars[c].left == a);
  CHECK(p.scalars[c].right == b);
  CHECK(p.scalars[c].other == a);
  CHECK(p.scalars[w.combine(scalar_kind::negation, a)].right == none);
}

TEST_CASE("numbers 0 and 1 simplify what they stand in, with the same value") {
  tensor_program p;
  const scalar_writer w(p);
  const std::uint32_t x = w.leaf(scalar_kind::variable, 0), zero = w.number(0), one = w.number(1);
  using enum scalar_kind;
  CHECK(w.simplified(product, x, zero) == zero);
  CHECK(w.simplified(product, zero, x) == zero);
  CHECK(w.simplified(product, x, one) == x);
  CHECK(w.simplified(product, one, x) == x);
  CHECK(w.simplified(sum, x, zero) == x);
  CHECK(w.simplified(sum, zero, x) == x);
  CHECK(w.simplified(difference, x, zero) == x);
  CHECK(w.simplified(quotient, zero, x) == zero);
  CHECK(w.simplified(negation, zero) == zero);
  CHECK(w.simplified(choice, x, zero, zero) == zero);
  const std::size_t before = p.scalars.size();
  CHECK(w.simplified(difference, zero, x) == before);
  CHECK(w.simplified(quotient, x, one) == before + 1);
  CHECK(w.simplified(sum, x, one) == before + 2);
  CHECK(w.simplified(choice, zero, x, zero) == before + 3);
  CHECK(w.simplified(power, zero, x) == before + 4);
}
