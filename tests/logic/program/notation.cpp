// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/notation.hpp>

#include <cmath>
#include <map>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>

#include "../shown_program.hpp"
#include "../solved_program.hpp"

using namespace wf::logic::notation;

namespace {

std::string line(const statement& s) { return std::string(s.characters); }

// A closure, from C++ to its answer, in constant evaluation.
constexpr std::size_t pairs_of_a_chain() {
  const wf::logic::notation::index x("x"), y("y"), z("z");
  const predicate edge("edge"), path("path");
  equations p;
  p.let(path(x, y) = edge(x, y));
  p.let(path(x, z) = edge(x, y) * path(y, z));
  const auto program = p.program();
  if (!program) return 0;
  wf::logic::database facts;
  wf::logic::relation r(2, false);
  for (wf::logic::position i = 0; i < 4; ++i) {
    const wf::logic::position at[] = {i, i + 1};
    r.append(at);
  }
  facts.add("edge", r);
  auto solved = wf::logic::evaluate(*program, facts);
  return solved ? solved->find("path")->size() : 0;
}
static_assert(pairs_of_a_chain() == 10);

}  // namespace

TEST_CASE("equations are written as parse_equations reads them") {
  const wf::logic::notation::index i("i"), j("j"), t("t");
  const predicate r("R"), s("S");
  const tensor a("A"), b("B"), y("Y"), c("c");
  CHECK(line(y(i) = a(i, j) * b(j)) == "Y[i] = A[i,j] B[j]");
  CHECK(line(r(i) = s(i, 3) * !r(i) * s("Ulm", i)) == "R(i) = S(i,3) !R(i) S('Ulm',i)");
  CHECK(line(y(i) += a(i, j)) == "Y[i] += A[i,j]");
  CHECK(line(y(i) = least(a(i, j) + b(j))) == "Y[i] min= A[i,j] + B[j]");
  CHECK(line(y(i) = most(a(i, j))) == "Y[i] max= A[i,j]");
  CHECK(line(y(i) = fold("gcd", a(i, j))) == "Y[i] gcd= A[i,j]");
  CHECK(line(y(i) = mean(a(i, j))) == "Y[i] avg= A[i,j]");
  CHECK(line(y(i) = a(i)) == "Y[i] = A[i]");
  CHECK(line(y() = c() * 2) == "Y[] = c[] 2");
  CHECK(line(y(i, t.step(1)) = y(i, t.step()) * a(i)) == "Y[i,*t+1] = Y[i,*t] A[i]");
  CHECK(line(y(i, t.start()) = a(i)) == "Y[i,t=0] = A[i]");
  CHECK(line(y(i) = a(i + 1) - a(i - 1)) == "Y[i] = A[i+1] - A[i-1]");
  CHECK(line(r(i) = s(i, j) * (i < j) * (a(i) >= 2 * b(j)) * (j != "Ulm")) ==
        "R(i) = S(i,j) [i < j] [A[i] >= 2 B[j]] [j != 'Ulm']");
  CHECK(line(y(i) = call("sig", a(i) * b(i), named("T", 0.5)) + call("relu", a(i))) ==
        "Y[i] = sig(A[i] B[i], T = 0.5) + relu(A[i])");
  CHECK(line(y(i) = call("softmax", a(i), named("axis", "i"), named("n", -2))) ==
        "Y[i] = softmax(A[i], axis = \"i\", n = -2)");
}

TEST_CASE("parentheses stand where they are needed") {
  const wf::logic::notation::index i("i");
  const tensor a("A"), b("B"), c("C"), y("Y");
  const expression A = a(i), B = b(i), C = c(i);
  const auto right = [&](const expression& e) { return std::string(e.characters()); };
  CHECK(right((A + B) * C) == "(A[i] + B[i]) C[i]");
  CHECK(right(A * (B * C)) == "A[i] (B[i] C[i])");
  CHECK(right(A * B * C) == "A[i] B[i] C[i]");
  CHECK(right(A + (B + C)) == "A[i] + (B[i] + C[i])");
  CHECK(right(A - (B - C)) == "A[i] - (B[i] - C[i])");
  CHECK(right(A / (B / C)) == "A[i] / (B[i] / C[i])");
  CHECK(right(A / B * C) == "(A[i] / B[i]) C[i]");
  CHECK(right(A * B / C) == "(A[i] B[i]) / C[i]");
  CHECK(right(A / B + C) == "A[i] / B[i] + C[i]");
  CHECK(right(-A * B) == "(-A[i]) B[i]");
  CHECK(right(-(A * B)) == "-A[i] B[i]");
  CHECK(right(A + -B) == "A[i] + (-B[i])");
  CHECK(right(2 - A) == "2 - A[i]");
  CHECK(right(-2 * A) == "(-2) A[i]");
  CHECK(right(A * (i + 1)) == "A[i] (i+1)");
}

namespace {

// A random expression of the scalars p, q and r, and its value.
struct valued_expression {
  expression written;
  double value;
};
valued_expression random_expression(std::mt19937_64& random, int depth) {
  const double values[] = {1.5, -2, 3};
  const char* const names[] = {"p", "q", "r"};
  const std::uint64_t kind = random() % 7;
  if (depth == 0 || kind == 0) {
    const auto which = static_cast<std::size_t>(random() % 4);
    if (which == 3) {
      const int number = static_cast<int>(random() % 9) - 4;
      return {number == 0 ? expression(0.5) : expression(number),
              number == 0 ? 0.5 : static_cast<double>(number)};
    }
    return {tensor(names[which])(), values[which]};
  }
  const valued_expression a = random_expression(random, depth - 1);
  if (kind == 1) return {-a.written, -a.value};
  const valued_expression b = random_expression(random, depth - 1);
  switch (kind) {
    case 2:
      return {a.written - b.written, a.value - b.value};
    case 3:
      return {a.written * b.written, a.value * b.value};
    case 4:
      return {a.written / b.written, a.value / b.value};
    default:
      return {a.written + b.written, a.value + b.value};
  }
}

}  // namespace

TEST_CASE("random expressions have the value that C++ gives them") {
  const std::map<std::string, wf_test::dense_input> inputs = {
      {"p", {{}, {1.5}}}, {"q", {{}, {-2}}}, {"r", {{}, {3}}}};
  std::mt19937_64 random(12);
  int compared = 0;
  for (int round = 0; round < 2000; ++round) {
    const valued_expression e = random_expression(random, 1 + round % 5);
    equations p;
    p.let(tensor("y")() = e.written);
    const auto solved = wf_test::solve(std::string(p.source()), inputs);
    CAPTURE(std::string(p.source()));
    REQUIRE(solved.message == "");
    if (!std::isfinite(e.value)) continue;
    const auto found = solved.values("y");
    CHECK((found.empty() ? 0 : found[0]) == doctest::Approx(e.value).epsilon(1e-12));
    ++compared;
  }
  CHECK(compared > 1000);
}

TEST_CASE("a program of expressions is that of its text") {
  const wf::logic::notation::index x("x"), y("y"), z("z");
  const predicate edge("edge"), path("path"), node("node");
  const tensor weight("weight"), distance("distance");
  equations p;
  p.input(weight, "f64[4, 4]").axis(x, node);
  p.let(path(x, z) = edge(x, y) * path(y, z));
  p.let(distance(x, z) = least(distance(x, y) + weight(y, z)));
  p.exports(path, distance);
  CHECK(std::string(p.source()) ==
        "input weight : f64[4, 4]\naxis x : node\n"
        "path(x,z) = edge(x,y) path(y,z)\n"
        "distance[x,z] min= distance[x,y] + weight[y,z]\nexport path\nexport distance\n");
  const auto program = p.program();
  REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())));
  CHECK(wf_test::shown_program(program->program).text() ==
        "path(x,z) = true <- edge(x,y), path(y,z)\n"
        "distance[x,z] min= (distance[x,y] + weight[y,z]) <- distance[x,y], weight[y,z]\n");
  equations wrong;
  wrong.let(path(x, y) = edge(x, z));
  REQUIRE_FALSE(wrong.program());
  CHECK(wrong.program().error().code == wf::errc::unbound_index);
}
