// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/solution.hpp>

// Programs in the legacy and second dialects of equations with the results that their contract
// states. Where the first implementation fell into a trap, the test says which side is built.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/legacy.hpp>
#include <wf/capture/equations/v2.hpp>
#include <wf/logic/evaluate/evaluate.hpp>

namespace {

using wf::logic::position;

// Inputs and results of programs.
class run {
 public:
  run& dense(const char* name, std::vector<std::int64_t> extents, std::vector<double> values) {
    inputs_.add_dense(name, {extents.data(), extents.size()}, {values.data(), values.size()});
    return *this;
  }
  run& facts(const char* name, std::vector<std::vector<position>> rows) {
    wf::logic::relation r(static_cast<std::uint32_t>(rows[0].size()), false);
    for (const auto& row : rows) r.append(row.data());
    inputs_.add(name, std::move(r));
    return *this;
  }
  run& legacy(const char* source, const wf::logic::evaluation_options& options = {}) {
    return solve(wf::parse_legacy_equations(source), source, options);
  }
  run& v2(const char* source) { return solve(wf::parse_v2_equations(source), source, {}); }

  // The values of a dense result, 0 where an entry is absent.
  std::vector<double> dense(const char* name, std::vector<position> extents) {
    std::size_t cells = 1;
    for (const position e : extents) cells *= static_cast<std::size_t>(e);
    std::vector<double> out(cells);
    wf::logic::solved_tensor* const t = found_.find(name);
    REQUIRE(t != nullptr);
    const wf::logic::relation& r = t->entries();
    REQUIRE(r.rank == extents.size());
    for (std::size_t row = 0; row < r.rows; ++row) {
      std::size_t at = 0;
      for (std::uint32_t c = 0; c < r.rank; ++c) {
        REQUIRE(r.columns[c][row] < extents[c]);
        at =
            at * static_cast<std::size_t>(extents[c]) + static_cast<std::size_t>(r.columns[c][row]);
      }
      out[at] = r.values[row];
    }
    return out;
  }
  // The pairs of a relation: "01 12".
  std::string pairs(const char* name) {
    wf::logic::solved_tensor* const t = found_.find(name);
    REQUIRE(t != nullptr);
    const wf::logic::relation& r = t->entries();
    std::string out;
    for (std::size_t row = 0; row < r.rows; ++row)
      out += (row == 0 ? "" : " ") + std::to_string(r.columns[0][row]) +
             std::to_string(r.columns[1][row]);
    return out;
  }

 private:
  run& solve(const wf::result<wf::equation_program>& tree, const char* source,
             const wf::logic::evaluation_options& options) {
    REQUIRE_MESSAGE(tree, std::string(wf::to_text(tree.error())));
    wf::table<wf::text_view> names;
    for (const auto& r : inputs_.relations) names.push_back(r.name.view());
    const auto program = wf::logic::read_program(*tree, source, names);
    REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())));
    const auto strata = wf::logic::stratify(*program, source);
    REQUIRE_MESSAGE(strata, std::string(wf::to_text(strata.error())));
    auto solved = wf::logic::evaluate(*strata, inputs_, options);
    REQUIRE_MESSAGE(solved, std::string(wf::to_text(solved.error())));
    found_ = std::move(*solved);
    return *this;
  }

  wf::logic::database inputs_;
  wf::logic::solution found_;
};

bool close(const std::vector<double>& a, const std::vector<double>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i)
    same = std::abs(a[i] - b[i]) <= 1e-6 * std::max(1.0, std::abs(b[i]));
  return same;
}

using values = std::vector<double>;

}  // namespace

TEST_CASE("conformance 1: a join sums over the index that is not on the left") {
  run r;
  r.dense("A", {2, 2}, {1, 2, 3, 4}).dense("B", {2, 2}, {5, 6, 7, 8});
  r.legacy("Y[i,j] = A[i,k] B[k,j]\nexport Y");
  CHECK(r.dense("Y", {2, 2}) == values{19, 22, 43, 50});
}

TEST_CASE("conformance 2: max=, avg= and = project products") {
  run r;
  r.dense("X", {2, 3}, {1, -2, 3, -4, 5, -6}).dense("W", {3}, {.5, -1.5, 2});
  r.legacy("M[i] max= X[i,j] W[j]\nV[i] avg= X[i,j] W[j]\nS[i] = X[i,j] W[j]");
  CHECK(close(r.dense("M", {2}), {6, -2}));
  CHECK(close(r.dense("V", {2}), {3.1666667, -7.1666667}));
  CHECK(close(r.dense("S", {2}), {9.5, -21.5}));
}

TEST_CASE("conformance 3: equations of one head add up, and equal terms count twice") {
  run r;
  r.dense("A", {2}, {1, 2}).dense("B", {2}, {10, 20});
  CHECK(r.legacy("Y[i] = A[i] + B[i]").dense("Y", {2}) == values{11, 22});
  // The first implementation drops the second term.
  CHECK(r.legacy("Y[i] = A[i] + A[i]").dense("Y", {2}) == values{2, 4});
}

TEST_CASE("what max= projects is added in the legacy dialect, term by term") {
  run r;
  r.dense("A", {2, 2}, {1, 4, 3, 2}).dense("B", {2, 2}, {10, 30, 20, 5});
  CHECK(r.legacy("Y[i] max= A[i,j] + B[i,j]").dense("Y", {2}) == values{34, 23});
}

TEST_CASE("conformance 5: shifts are filled with zeros, slices name axes, even selects") {
  run r;
  r.dense("X", {4}, {10, 20, 30, 40});
  r.legacy("F[i] = X[i+1]\nB[i] = X[i-1]\nS[0:2] = X[0:2]\nT[2:4] = X[2:4]\nE[i] = X[i] Even(i)");
  CHECK(r.dense("F", {4}) == values{20, 30, 40, 0});
  CHECK(r.dense("B", {4}) == values{0, 10, 20, 30});
  CHECK(r.dense("S", {2}) == values{10, 20});
  CHECK(r.dense("T", {2}) == values{30, 40});
  CHECK(r.dense("E", {4}) == values{10, 0, 30, 0});
}

TEST_CASE("conformance 7: a closure has all its pairs") {
  run r;
  r.facts("Parent", {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {4, 4}});
  r.facts("Sister", {{5, 1}, {6, 2}, {0, 4}});
  r.legacy(
      "Ancestor(x,z)=Parent(x,z)\nAncestor(x,z)=Parent(x,y) Ancestor(y,z)\n"
      "Aunt(x,z)=Sister(x,y) Parent(y,z)");
  // The first implementation's semi-naive strategy stops one step short: it misses 04.
  CHECK(r.pairs("Ancestor") == "01 02 03 04 12 13 14 24 44");
  CHECK(r.pairs("Aunt") == "04 52 53 64");
}

TEST_CASE("conformance 10: a recurrence steps from its seed, directly or through other heads") {
  const char* const through =
      "Input[i]=const([0.2,-0.1])\nW[i,j]=const([[0.5,-0.3],[0.1,0.4]])\n"
      "Pre[i]=W[i,j] H[j,*t]\nSum[i]=Pre[i]+Input[i]\nH[i,*t+1]=relu(Sum[i])\nexport H";
  // The first implementation rejects a recurrence in one equation.
  const char* const direct =
      "Input[i]=const([0.2,-0.1])\nW[i,j]=const([[0.5,-0.3],[0.1,0.4]])\n"
      "H[i,*t+1]=relu(W[i,j] H[j,*t] + Input[i])\nexport H";
  const double states[] = {.2, .3, .35, .375};
  for (const char* source : {through, direct})
    for (std::uint64_t steps = 1; steps <= 4; ++steps) {
      run r;
      r.dense("H", {2}, {0, 0});
      wf::logic::evaluation_options options;
      options.steps = steps;
      CHECK(close(r.legacy(source, options).dense("H", {2}), {states[steps - 1], 0}));
    }
}

TEST_CASE("conformance 12: the second dialect reduces, inlines functions and chooses") {
  run a;
  a.dense("x", {2, 2}, {1, 2, 3, 4}).dense("w", {2}, {10, 1});
  CHECK(a.v2("z[i]=reduce(sum,j) (x[i,j]*w[j])").dense("z", {2}) == values{12, 34});
  run b;
  b.dense("E", {2, 2}, {1, 0, 1, 1});
  CHECK(b.v2("fn dot(a[d],b[d]) -> s { s = a[d]*b[d]; }; g[i,j]=dot(E[i,d],E[j,d])")
            .dense("g", {2, 2}) == values{1, 1, 1, 2});
  run c;
  c.dense("m", {3}, {1, 0, 1}).dense("a", {3}, {1, 2, 3}).dense("b", {3}, {10, 20, 30});
  CHECK(c.v2("y[i]=case { m[i] -> a[i] default -> b[i] }").dense("y", {3}) == values{1, 20, 3});
}

TEST_CASE("conformance 13: a step of a hidden Markov model") {
  run r;
  r.dense("P", {2}, {.6, .4}).dense("E0", {2}, {.9, .2}).dense("E1", {2}, {.1, .8});
  r.dense("T", {2, 2}, {.7, .3, .4, .6});
  r.legacy("A0[s]=P[s] E0[s]\nM[s]=A0[s'] T[s',s]\nA1[s]=M[s] E1[s]");
  CHECK(close(r.dense("A0", {2}), {.54, .08}));
  CHECK(close(r.dense("M", {2}), {.41, .21}));
  CHECK(close(r.dense("A1", {2}), {.041, .168}));
}

TEST_CASE("axes go by their names: a copy may permute, a lower rank aligns") {
  run r;
  r.dense("X", {2, 3}, {1, 2, 3, 4, 5, 6}).dense("b", {3}, {10, 20, 30});
  // The first implementation goes by position.
  r.legacy("Y[j,i] = X[i,j]\nZ[i,j] = X[i,j] + b[j]");
  CHECK(r.dense("Y", {3, 2}) == values{1, 4, 2, 5, 3, 6});
  CHECK(r.dense("Z", {2, 3}) == values{11, 22, 33, 14, 25, 36});
}
