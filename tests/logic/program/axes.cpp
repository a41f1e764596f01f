// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/axes.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/program/read_program.hpp>

namespace {

using wf::logic::none;
using wf::logic::tensor_program;
using wf::logic::detail::disjoint_sets;

constexpr bool joins_while_compiling() {
  disjoint_sets s(4);
  s.join(3, 1);
  s.join(1, 2);
  return s.find(3) == 1 && s.find(2) == 1 && s.find(0) == 0;
}
static_assert(joins_while_compiling());

tensor_program program(wf::text_view source) {
  auto p = wf::logic::read_program(source);
  REQUIRE_MESSAGE(p, std::string(wf::to_text(p.error())));
  return *static_cast<wf::result<tensor_program>&&>(p);
}
std::uint32_t axis(const tensor_program& p, wf::text_view name, std::uint32_t position = 0) {
  const std::uint32_t t = p.find(name);
  REQUIRE(t != none);
  REQUIRE(position < p.tensors[t].axes.count);
  return p.axes_of[p.tensors[t].axes.first + position];
}

}  // namespace

TEST_CASE("joined sets have their least member in common") {
  std::mt19937_64 random(13);
  for (int round = 0; round < 50; ++round) {
    const std::size_t size = 1 + random() % 30;
    disjoint_sets sets(size);
    std::vector<std::uint32_t> expected(size);
    for (std::uint32_t i = 0; i < size; ++i) expected[i] = i;
    for (std::size_t n = random() % 40; n > 0; --n) {
      const auto a = static_cast<std::uint32_t>(random() % size);
      const auto b = static_cast<std::uint32_t>(random() % size);
      sets.join(a, b);
      const std::uint32_t from = std::max(expected[a], expected[b]);
      const std::uint32_t to = std::min(expected[a], expected[b]);
      std::replace(expected.begin(), expected.end(), from, to);
      for (std::uint32_t i = 0; i < size; ++i) REQUIRE(sets.find(i) == expected[i]);
    }
  }
}

TEST_CASE("a shifted index ties positions together, a position or a stride does not") {
  const tensor_program p = program(
      "A(i) = B(i+1)\nC(i) = D(i, 0)\nE[::2] = F[::2]\nG[i] = F[i]\nH(i) = B(i) 1\nK(_) = B(j) "
      "Z(_)\n"
      "axis _ = 4");
  CHECK(axis(p, "A") == axis(p, "B"));
  CHECK(axis(p, "A") == axis(p, "H"));
  CHECK(axis(p, "C") == axis(p, "D", 0));
  CHECK(axis(p, "D", 0) != axis(p, "D", 1));
  CHECK(axis(p, "A") != axis(p, "C"));  // other rules, though the index has the same name
  CHECK(axis(p, "E") != axis(p, "F"));
  CHECK(axis(p, "G") == axis(p, "F"));
  CHECK(axis(p, "K") != axis(p, "Z"));  // every _ is an index of its own
  CHECK(p.axes[axis(p, "A")].name.view() == "i");
  CHECK(p.axes[axis(p, "D", 1)].name.empty());
}

TEST_CASE("axis statements and inputs say how far the positions of an axis run") {
  const tensor_program p = program(
      "input W : f64[3, N]\naxis i = 7\nA(i) = B(i,j)\nC[k] = W[k,l] D[l]\naxis k : Node\n"
      "axis l : Word\naxis j : Node\nE(m) = Word(m)");
  CHECK(p.axes[axis(p, "A")].extent == 7);
  CHECK(p.axes[axis(p, "B", 1)].extent == -1);
  CHECK(p.axes[axis(p, "W", 0)].extent == 3);
  CHECK(p.axes[axis(p, "W", 1)].extent == -1);
  CHECK(p.axes[axis(p, "A")].members == none);
  // A relation that no equation reads becomes an input of one index.
  const std::uint32_t node = p.find("Node");
  REQUIRE(node != none);
  CHECK(p.tensors[node].boolean);
  CHECK(p.tensors[node].rank == 1);
  CHECK_FALSE(p.tensors[node].defined);
  CHECK(p.axes[axis(p, "C")].members == node);
  CHECK(p.axes[axis(p, "B", 1)].members == node);
  CHECK(axis(p, "Node") != axis(p, "C"));
  CHECK(p.axes[axis(p, "D")].members == p.find("Word"));
  CHECK(axis(p, "Word") == axis(p, "E"));
  CHECK(p.axes_of.size() == 10);
}

TEST_CASE("a relation that lists positions may be known as an input before") {
  const wf::text_view inputs[] = {"Node", "R"};
  const auto p = wf::logic::read_program("axis i : Node\nY(i) = !R(i)", inputs);
  REQUIRE_MESSAGE(p, std::string(wf::to_text(p.error())));
  CHECK(p->axes[axis(*p, "Y")].members == p->find("Node"));
}

TEST_CASE("uses of variables tell joins, lookups and heads apart") {
  const tensor_program p = program("Y[i] = A[i,j] B[j] exp(C[i]) !R(j)");
  REQUIRE(p.rules.size() == 1);
  const auto uses = wf::logic::detail::uses_of(p, p.rules[0]);
  REQUIRE(uses.count.size() == p.rules[0].variables.count);
  std::string shown;
  for (std::uint32_t v = 0; v < uses.count.size(); ++v)
    shown += std::string(p.variables[p.rules[0].variables.first + v]) + " " +
             std::to_string(uses.count[v]) + (uses.bound[v] ? " bound" : "") +
             (uses.in_head[v] ? " head" : "") + "\n";
  CHECK(shown == "i 2 bound head\nj 2 bound\n");
}

TEST_CASE("a variable is in a rule that has it in an atom, its value or a comparison") {
  tensor_program p = program("Y[i] += A[i,j] B[k] C[l] l !R(m) M(m) [n < 3] N(n) exp(D[j])");
  wf::logic::rule r = p.rules[0];
  const auto names = [&] {
    std::string out;
    const wf::table<bool> used = wf::logic::detail::variables_in(p, r);
    REQUIRE(used.size() == r.variables.count);
    for (std::uint32_t v = 0; v < r.variables.count; ++v)
      if (used[v]) out += std::string(p.variables[r.variables.first + v]);
    return out;
  };
  CHECK(names() == "ijklmn");
  r.joins.count = 1;  // the value still has l, the complement m, the comparison n
  CHECK(names() == "ijlmn");
  r.negations.count = 0;
  CHECK(names() == "ijln");
  r.value = none;
  CHECK(names() == "ijn");
  r.comparisons.count = r.lookups.count = r.joins.count = 0;
  CHECK(names() == "i");
}

TEST_CASE("every atom of a rule is visited, the head first") {
  const tensor_program p = program("Y[i] = A[i,j] B[j] !R(j) exp(C[i])");
  std::string visited;
  wf::logic::detail::for_each_atom(p, [&](const wf::logic::atom& a, const wf::logic::rule& r) {
    CHECK(&r == &p.rules[0]);
    visited += std::string(p.tensors[a.tensor].name) + " ";
  });
  CHECK(visited == "Y A B R C ");
}
