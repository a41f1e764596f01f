// SPDX-License-Identifier: BSL-1.0
#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>

#include <linalg/lower.hpp>

using linalg_benchmark::factor;
using linalg_benchmark::formula;
using linalg_benchmark::inverses;
using linalg_benchmark::matrix_step;
using linalg_benchmark::read_formula;
using linalg_benchmark::repetitions;

namespace {

const std::string inputs = R"(
  input X : f64[9, 4] {full_rank}
  input A : f64[4, 4] {nonsingular}
  input S : f64[9, 9] {spd}
  input B : f64[4, 4]
  input I : f64[4, 4] {identity}
  input x : f64[4, 1]
  input c : f64[] {positive}
  input d : f64[]
)";

formula read(const std::string& equations, inverses kept,
             repetitions repeated = repetitions::computed_once) {
  const auto g = wf::equations("sample", (inputs + equations).c_str());
  REQUIRE(g);
  auto out = read_formula(g->view(), kept, repeated);
  REQUIRE(out);
  return *out;
}
// A factor as text: "A", "A'", "inv A'".
std::string text(const formula& f, const factor& one) {
  const std::string name = f.matrices[one.matrix].input;
  return (one.inverted ? "inv " : "") + (name.empty() ? "%" : name) + (one.transposed ? "'" : "");
}
std::string text(const formula& f, const matrix_step& s) {
  std::string out;
  for (const auto& t : s.terms) {
    out += out.empty() ? "" : " + ";
    out += t.scalar == 0 ? "" : "s ";
    for (const factor& one : t.factors) out += (&one == &t.factors[0] ? "" : "*") + text(f, one);
  }
  return out;
}
std::string text(const formula& f) {
  std::string out;
  for (const matrix_step& s : f.steps) out += text(f, s) + "; ";
  return out;
}

}  // namespace

TEST_CASE("products are chains from the left, sums have terms, transposes and scalars are lazy") {
  CHECK(text(read("Y = A*B*trans(X)*X*x\nexport Y", inverses::computed)) == "A*B*X'*X*x; ");
  CHECK(text(read("Y = A*(B*x)\nexport Y", inverses::computed)) == "B*x; A*%; ");
  CHECK(text(read("Y = c*A + trans(B) - A*B\nexport Y", inverses::computed)) ==
        "s A + B' + s A*B; ");
  CHECK(text(read("Y = c*(A - trans(A*B))\nexport Y", inverses::computed)) == "A*B; s A + s %'; ");
  CHECK(text(read("Y = trans(S)*X\nexport Y", inverses::computed)) == "S*X; ");
  CHECK(text(read("Y = (A + B)*x\nexport Y", inverses::computed)) == "A + B; %*x; ");
}

TEST_CASE("inverses are computed, or factors where they are used once, or everywhere") {
  const std::string once = "Y = trans(X)*inv(S)*X*x\nexport Y\n";
  CHECK(text(read(once, inverses::computed)) == "inv S; X'*%*X*x; ");
  CHECK(text(read(once, inverses::single)) == "X'*inv S*X*x; ");
  CHECK(text(read(once, inverses::factors)) == "X'*inv S*X*x; ");
  const std::string twice = once + "Z = inv(S)*X\nexport Z\n";
  CHECK(text(read(twice, inverses::single)) == "inv S; X'*%*X*x; %*X; ");
  CHECK(text(read(twice, inverses::factors)) == "X'*inv S*X*x; inv S*X; ");
  CHECK(text(read("Y = inv(c*A)*x\nexport Y", inverses::factors)) == "s inv A*x; ");
  CHECK(text(read("Y = inv(trans(A)*B)*x\nexport Y", inverses::factors)) == "A'*B; inv %*x; ");
}

TEST_CASE("what is used twice is computed once, and released after its last use") {
  const formula f = read("Y = A*B + trans(A*B)\nZ = A*B*x\nexport Z\nexport Y", inverses::computed);
  CHECK(text(f) == "A*B; %*x; % + %'; ");
  CHECK(f.steps[0].last_uses.empty());
  CHECK(f.steps[1].last_uses.empty());
  CHECK(f.steps[2].last_uses.size() == 1);
  CHECK(f.outputs[0].name == "Z");
}

TEST_CASE("semidefinite are products that read the same from behind, and sums of such ones") {
  const auto is_seen = [](const std::string& inverted) {
    const formula f = read("Y = inv(" + inverted + ")*x\nexport Y", inverses::factors);
    REQUIRE(f.steps.size() == 2);
    const auto& made = f.matrices[f.steps[0].result];
    CHECK(made.inverted_only);
    return made.known.has(wf::psd);
  };
  CHECK(is_seen("trans(X)*X"));
  CHECK(is_seen("trans(X)*S*X"));
  CHECK(is_seen("trans(X)*inv(S)*X + c*I"));
  CHECK(is_seen("A*trans(X)*X*trans(A) + inv(c)*I"));
  CHECK_FALSE(is_seen("trans(X)*X + d*I"));
  CHECK_FALSE(is_seen("trans(X)*X - c*I"));
  CHECK_FALSE(is_seen("trans(A)*B*A"));
  CHECK_FALSE(is_seen("A*A"));
}

TEST_CASE("what rivals cannot compute is refused") {
  for (const char* equation : {"Y = exp(A)\nexport Y", "Y = hadamard(A, B)\nexport Y",
                               "Y = A + c\nexport Y", "Y = c*d\nexport Y"}) {
    CAPTURE(equation);
    const auto g = wf::equations("sample", (inputs + equation).c_str());
    REQUIRE(g);
    CHECK_FALSE(read_formula(g->view(), inverses::computed));
  }
}

TEST_CASE("naive programs compute what is written as often as it is written") {
  const char* const twice = "Y = inv(A*A)*B + A*A*B\nexport Y";
  CHECK(text(read(twice, inverses::computed)) == "A*A; inv %; %*B + %*B; ");
  CHECK(text(read(twice, inverses::computed, repetitions::as_written)) ==
        "A*A; inv %; %*B + A*A*B; ");
  const char* const inverted = "Y = inv(A)*B + B*inv(A)\nexport Y";
  CHECK(text(read(inverted, inverses::single)) == "inv A; %*B + B*%; ");
  CHECK(text(read(inverted, inverses::single, repetitions::as_written)) == "inv A*B + B*inv A; ");
  // Left sides of equations are variables.
  const char* const named = "P = A*A\nexport P\nY = inv(P)*B + P*P\nexport Y";
  CHECK(text(read(named, inverses::computed, repetitions::as_written)) ==
        "A*A; inv %; %*B + %*%; ");
}
