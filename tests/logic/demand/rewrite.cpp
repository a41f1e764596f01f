// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/demand/rewrite.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

#include <wf/logic/evaluate/row_links.hpp>

#include "random_queries.hpp"

using namespace wf::logic;
using namespace wf_test;

TEST_CASE("demanded programs stratify, and give the entries of a full evaluation that match") {
  int compared = 0, restricted = 0;
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    const asked_program p = make_asked_program(seed);
    const auto full = evaluated_in_full(p);
    if (!full) continue;
    std::mt19937_64 random(seed);
    for (int i = 0; i < 4; ++i) {
      const std::string text = random_query(p, random);
      CAPTURE(seed);
      CAPTURE(p.text);
      CAPTURE(text);
      const auto q = read_query(text, p.program.program);
      REQUIRE(q);
      const tensor_program rewritten = demand(p.program, *q, p.names);
      const auto strata = stratify(rewritten);
      REQUIRE_MESSAGE(strata, std::string(wf::to_text(strata.error())));
      auto solved = evaluate(*strata, p.inputs);
      REQUIRE_MESSAGE(solved, std::string(wf::to_text(solved.error())));
      REQUIRE(solved->tensors.size() == 1);
      const std::string name(p.program.program.tensors[q->tensor].name);
      REQUIRE(std::string(solved->tensors[0].name) == name);
      const entries found = all_of(solved->tensors[0].entries());
      const entries wanted = matching(full->at(name), *q);
      REQUIRE(found == wanted);
      ++compared;
      for (const auto& t : rewritten.tensors) restricted += t.name.view().part(0, 6) == "wanted";
    }
  }
  CHECK(compared > 4000);
  CHECK(restricted > 2000);
}

namespace {

stratified_program ordered(std::string_view text, wf::view<wf::text_view> inputs = {}) {
  const auto program = read_program(text, inputs);
  REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())));
  const auto strata = stratify(*program, text);
  REQUIRE_MESSAGE(strata, std::string(wf::to_text(strata.error())));
  return *strata;
}
stratified_program demanded(const stratified_program& p, std::string_view text) {
  const auto q = read_query(text, p.program);
  REQUIRE(q);
  const auto strata = stratify(demand(p, *q));
  REQUIRE_MESSAGE(strata, std::string(wf::to_text(strata.error())));
  return *strata;
}
// True if a program has a tensor of that name with rules.
bool has_rules(const stratified_program& p, std::string_view name) {
  for (const rule& r : p.program.rules)
    if (p.program.tensors[r.head.tensor].name.view() == name) return true;
  return false;
}
relation pairs(std::initializer_list<std::pair<int, int>> list) {
  relation out(2, false);
  for (const auto& [a, b] : list) {
    const position at[] = {a, b};
    out.append(at);
  }
  return out;
}
relation valued(std::initializer_list<std::pair<int, double>> list) {
  relation out(1, true);
  for (const auto& [at, value] : list) out.append(&at, value);
  return out;
}
// The answer of the demanded program is what matches in a full evaluation.
void check_answer(const stratified_program& p, const database& inputs, std::string_view text) {
  CAPTURE(std::string(text));
  const auto q = read_query(text, p.program);
  REQUIRE(q);
  auto full = evaluate(p, inputs);
  REQUIRE_MESSAGE(full, std::string(wf::to_text(full.error())));
  auto found = evaluate(demanded(p, text), inputs);
  REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
  CHECK(all_of(found->tensors[0].entries()) ==
        matching(full->find(p.program.tensors[q->tensor].name.view())->entries(), *q));
}

}  // namespace

TEST_CASE("a closure from a bound source stays one by rows, of one row") {
  for (const char* text : {"T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)\n",
                           "T[x,y] min= E(x,y) + W[x]\nT[x,z] min= T[x,y] + E(y,z) + W[y]\n"}) {
    const auto p = ordered(text);
    const bool boolean = p.program.tensors[p.program.find("T")].boolean;
    for (const char* query : {"3, y", "3, 5"}) {
      const auto d =
          demanded(p, std::string(boolean ? "T(" : "T[") + query + (boolean ? ")" : "]"));
      int recursions = 0;
      for (const stratum& s : d.strata) {
        if (s.recursion == recursion::none) continue;
        stratified_program copy = d;
        CHECK(wf::logic::detail::row_recognition(copy, s).run().valid);
        ++recursions;
      }
      CHECK(recursions == 1);
    }
  }
}

TEST_CASE("same generations are asked for along the ancestors") {
  const auto p = ordered("S(x,y) = P(x,a) P(y,a)\nS(x,y) = P(x,a) S(a,b) P(y,b)\n");
  database inputs;
  inputs.add("P", pairs({{1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 2}, {6, 2}, {7, 3}, {8, 6}}));
  for (const char* text : {"S(3,y)", "S(x,5)", "S(7,8)", "S(7,1)", "S(x,x)", "S(9,y)", "S(x,y)"})
    check_answer(p, inputs, text);
  const auto d = demanded(p, "S(7, y)");
  CHECK(has_rules(d, "S.bf"));
  CHECK(has_rules(d, "wanted S.bf"));
}

TEST_CASE("what a query does not reach is left out, and its inputs may be missing") {
  const auto p = ordered("A[i] = X[i]\nB[i] = relu(A[i])\nC[i] = Missing[i]\nexport B\n");
  database inputs;
  inputs.add("X", valued({{0, -1}, {1, 2}}));
  auto found = evaluate(demanded(p, "B[1]"), inputs);
  REQUIRE(found);
  CHECK(all_of(found->tensors[0].entries()) == entries{{{1}, 2}});
  CHECK_FALSE(has_rules(demanded(p, "B[1]"), "C"));
  CHECK_FALSE(evaluate(p, inputs));
}

TEST_CASE("a variable that runs along its axis runs no further for what is asked for") {
  const auto p = ordered("axis i = 3\nB[i] = relu(X[i]) + 1\nH[i] += B[i]\n");
  database inputs;
  inputs.add("X", valued({{0, -1}, {1, 2}}));
  for (const char* text : {"B[1]", "B[2]", "B[7]", "B[-1]", "H[0]", "H[3]"})
    check_answer(p, inputs, text);
}

TEST_CASE("inputs that tell how far an index runs are read, even if no rule reads them") {
  for (const char* text :
       {"axis i : List\nB[i] = relu(X[i])\n", "B[i] = relu(X[i])\nC[i] = X[i] * List[i]\n"}) {
    const auto p = ordered(text);
    const bool listed = p.program.tensors[p.program.find("List")].boolean;
    database inputs;
    inputs.add("X", valued({{0, -1}, {1, 2}}));
    const auto missing = evaluate(demanded(p, "B[1]"), inputs);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == wf::errc::missing_argument);
    relation list(1, !listed);
    for (const position at : {1, 3}) list.append(&at);
    inputs.add("List", list);
    for (const char* query : {"B[0]", "B[1]", "B[3]", "B[4]"}) check_answer(p, inputs, query);
  }
}

TEST_CASE("nothing is asked for through a complement, or where values would not be final") {
  const auto complement =
      ordered("T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)\nN(x,y) = V(x) V(y) !T(x,y)\n");
  const auto d = demanded(complement, "N(1, y)");
  CHECK(has_rules(d, "T"));
  CHECK_FALSE(has_rules(d, "T.bf"));
  CHECK_FALSE(has_rules(d, "T.bb"));

  // D asks for entries of W that depend on what D has found: W is evaluated as a whole.
  const auto values =
      ordered("W[x] min= E(x,y) + U[y]\nD(x,y) = E(x,y)\nD(x,z) = D(x,y) E(y,z) [W[y] < 3]\n");
  CHECK_FALSE(has_rules(demanded(values, "D(1, y)"), "W.b"));
  const auto reversed =
      ordered("A[x] min= E(x,y) + U[y]\nB[x] min= E(x,y) - A[y]\nH(y) = B[1] E(1,y) A[y]\n");
  database inputs;
  inputs.add("E", pairs({{1, 2}, {2, 3}, {3, 1}, {2, 1}, {1, 1}}));
  inputs.add("U", valued({{1, 1}, {2, 2}, {3, 5}}));
  for (const char* text : {"D(1,y)", "D(x,1)", "D(2,3)", "W[2]"})
    check_answer(values, inputs, text);
  for (const char* text : {"A[1]", "B[1]", "B[3]", "H(2)", "H(y)"})
    check_answer(reversed, inputs, text);
}

TEST_CASE("computed positions do not make a recursion ask without end") {
  const auto p =
      ordered("C(x) = Start(x)\nC(x) = C(x+1) E(x,y)\nD(x+1) = E(x,y)\nD(x+1) = D(x) E(x,y)\n");
  database inputs;
  inputs.add("Start", relation(1, false));
  inputs.add("E", pairs({{1, 2}, {2, 3}, {3, 1}}));
  for (const char* text : {"C(1)", "D(3)", "D(2147483647)", "C(-2147483647)"})
    check_answer(p, inputs, text);
}

TEST_CASE("symbols in rules and queries bind positions") {
  const auto p = ordered(
      "Connected(a,b) = Stops(a,b)\nConnected(a,b) = Connected(a,c) Stops(c,b)\n"
      "Reach('Central',b) = Connected('Central',b)\n");
  database inputs;
  inputs.domains.push_back(symbol_domain("town"));
  for (const char* town : {"Central", "North", "South", "East"}) inputs.domains[0].add(town);
  inputs.add("Stops", pairs({{0, 1}, {1, 2}, {3, 0}}), {0, 0});
  const auto d = demanded(p, "Reach(x, y)");
  CHECK(has_rules(d, "Connected.bf"));
  CHECK_FALSE(has_rules(d, "Connected"));
  const std::pair<const char*, std::size_t> sizes[] = {{"Reach(x, y)", 2},
                                                       {"Reach('Central', y)", 2},
                                                       {"Reach('North', y)", 0},
                                                       {"Connected('East', y)", 3},
                                                       {"Connected(x, 'South')", 3}};
  for (const auto& [text, size] : sizes) {
    CAPTURE(text);
    auto found = evaluate(demanded(p, text), inputs);
    REQUIRE(found);
    CHECK(found->tensors[0].size() == size);
  }
}

TEST_CASE("values that iterate or step are evaluated as a whole") {
  const auto p = ordered("R[x] += 0.5 * E(x,y) R[y]\nR[x] += U[x]\nH[x] += R[x] U[x]\n");
  database inputs;
  inputs.add("E", pairs({{1, 2}, {2, 3}, {3, 1}}));
  inputs.add("U", valued({{1, 1}, {2, 2}, {3, 5}}));
  for (const char* text : {"R[1]", "H[2]", "H[4]"}) check_answer(p, inputs, text);
  CHECK(has_rules(demanded(p, "H[2]"), "R"));
  CHECK(has_rules(demanded(p, "H[2]"), "H"));
  const auto whole = read_query("H[2]", p.program);
  REQUIRE(whole);
  CHECK(stratify(reached(p, *whole)));
}
