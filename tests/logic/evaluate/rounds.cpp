// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/rounds.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../ordered_program.hpp"

namespace {

using wf::logic::database;

// The last stratum of a program, evaluated by rounds; the ones before it have no rules of their
// own: their tensors are inputs.
class rounds_of {
 public:
  rounds_of(const std::string& source, const database& inputs, std::uint32_t max_rounds)
      : strata_(wf_test::ordered_program(source, &inputs)) {
    options_.max_rounds = max_rounds;
    const wf::registry operators = wf::builtin_registry();
    wf::logic::detail::rule_engine engine(strata_.program, inputs, options_, operators);
    REQUIRE(engine.prepare());
    wf::logic::detail::round_recursion run(engine, strata_, strata_.strata.back());
    done = run.run();
    rounds = run.rounds();
    if (!done) {
      CHECK(engine.failure().code == wf::errc::not_converged);
      message =
          std::string(engine.failure().subject) + ": " + std::string(engine.failure().message);
    }
    for (std::uint32_t t = 0; t < strata_.program.tensors.size(); ++t) {
      if (!strata_.program.tensors[t].defined) continue;
      rows += engine.store(t).rows();
      // Once a recursion has ended, no row is a new one.
      if (done) CHECK(engine.older(t) == UINT32_MAX);
    }
  }

  bool done = false;
  std::uint32_t rounds = 0;
  std::size_t rows = 0;  // of all defined tensors
  std::string message;

 private:
  wf::logic::stratified_program strata_;
  wf::logic::evaluation_options options_;
};

// A relation E along a chain of some edges, and S at its start.
database chain_of(int edges) {
  std::vector<std::vector<std::int32_t>> rows;
  for (int i = 0; i < edges; ++i) rows.push_back({i, i + 1});
  database out;
  out.add("E", wf_test::relation_of(2, rows));
  out.add("S", wf_test::relation_of(1, {{0}}));
  return out;
}

const char* const linear = "P(x,z) = E(x,z)\nP(x,z) = P(x,y) E(y,z)";
const char* const squared = "P(x,z) = E(x,z)\nP(x,z) = P(x,y) P(y,z)";

}  // namespace

TEST_CASE("the rounds of a chain are as many as its edges, or at most their logarithm by squares") {
  for (int edges = 1; edges <= 20; ++edges) {
    CAPTURE(edges);
    const auto count = static_cast<std::uint32_t>(edges);
    const rounds_of by_edges(linear, chain_of(edges), 100);
    CHECK(by_edges.rounds == count);
    CHECK(by_edges.rows == count * (count + 1) / 2);
    const rounds_of by_squares(squared, chain_of(edges), 100);
    CHECK(by_squares.rounds <= static_cast<std::uint32_t>(std::bit_width(count - 1)) + 1);
    CHECK(by_squares.rows == count * (count + 1) / 2);
    const rounds_of levels("D[x] min= S(x) + 0\nD[y] min= D[x] E(x,y) + 1", chain_of(edges), 100);
    CHECK(levels.rounds == count + 1);
    CHECK(levels.rows == count + 1);
  }
  // Without a first row there is one round, which adds nothing.
  CHECK(rounds_of(linear, chain_of(0), 100).rounds == 1);
}

TEST_CASE("tensors that recur together go through the same rounds") {
  const rounds_of found("A(x) = S(x)\nA(y) = B(x) E(x,y)\nB(y) = A(x) E(x,y)", chain_of(9), 100);
  CHECK(found.done);
  CHECK(found.rounds == 10);
  CHECK(found.rows == 10);
}

TEST_CASE("facts that inputs have of a recursive tensor count as its first rows") {
  database inputs = chain_of(4);
  inputs.add("P", wf_test::relation_of(2, {{7, 0}}));
  CHECK(rounds_of(linear, inputs, 100).rows == 10 + 5);
  inputs.add("D", wf_test::tensor_of(1, {{2, 1}, {9, 9}}));
  CHECK(rounds_of("D[x] min= S(x) + 0\nD[y] min= D[x] E(x,y) + 1", inputs, 100).rows == 6);
}

TEST_CASE("not_converged, WF709, names the head, the rounds and the last change") {
  const database inputs = chain_of(20);
  CHECK(rounds_of(linear, inputs, 20).done);
  CHECK(rounds_of(linear, inputs, 19).message ==
        "P: no fixpoint within 19 rounds; the last change was a new row");
  CHECK(rounds_of("D[x] max= S(x) + 0\nD[x] max= D[x] + 2", inputs, 7).message ==
        "D: no fixpoint within 7 rounds; the last change was 14.0");
  CHECK(rounds_of("A[x] min= S(x) + 0\nA[x] min= B[x]\nB[x] min= A[x] - 1", inputs, 5).message ==
        "B: no fixpoint within 5 rounds; the last change was -3.0");
}

TEST_CASE("an extreme that becomes infinite has no value") {
  database inputs = chain_of(2);
  inputs.add("K", wf::logic::relation(0, true)).entries.append(nullptr, 1e200);
  CHECK(rounds_of("D[x] max= S(x) + 1\nD[x] max= K[] D[x]", inputs, 1000).message ==
        "D: no fixpoint within 2 rounds; the last change was inf");
  // The other infinity is the zero of the sign: no entry.
  CHECK(rounds_of("D[x] min= S(x) + 1\nD[x] min= K[] D[x]", inputs, 1000).done);
}
