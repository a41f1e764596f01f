// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/recursion.hpp>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/relation/facts.hpp>

#include "../ordered_program.hpp"

namespace {

using wf::logic::database;
using wf::logic::evaluation_method;
using wf::logic::evaluation_options;
using wf::logic::recursion_method;
using wf::logic::stratum_report;

using rows_of_two = std::vector<std::vector<std::int32_t>>;

const char* const generations = "S(x,y) = E(a,x) E(a,y)\nS(x,y) = E(a,x) S(a,b) E(b,y)\n";
const char* const both_sides =
    "D[x,z] min= 1 E(x,z)\nD[x,z] min= D[x,y] E(y,z) + 1\nD[x,z] min= E(x,y) D[y,z] + 2\n";

// Pairs of nodes that have nothing to do with each other.
rows_of_two pairs(std::int32_t nodes) {
  rows_of_two out;
  for (std::int32_t n = 0; n + 1 < nodes; n += 2) out.push_back({n, n + 1});
  return out;
}
rows_of_two random_edges(std::uint64_t seed, int nodes, int edges) {
  std::mt19937_64 random(seed);
  std::set<std::pair<int, int>> all;
  while (static_cast<int>(all.size()) < edges)
    all.emplace(static_cast<int>(random() % static_cast<unsigned>(nodes)),
                static_cast<int>(random() % static_cast<unsigned>(nodes)));
  rows_of_two out;
  for (const auto& [a, b] : all) out.push_back({a, b});
  return out;
}

struct outcome {
  std::string facts;
  stratum_report report;
};

// The first stratum of a program over the edges E; its facts, or the error.
outcome evaluated(const std::string& source, const rows_of_two& edges,
                  const evaluation_options& options = {}) {
  database inputs;
  inputs.add("E", wf_test::relation_of(2, edges));
  auto found = wf::logic::evaluate(wf_test::ordered_program(source, &inputs), inputs, options);
  if (!found) return {std::string(wf::to_text(found.error())), {}};
  return {std::string(wf::logic::facts_text(found->tensors[0].entries())),
          std::move(found->strata[0])};
}
outcome evaluated(const std::string& source, const rows_of_two& edges, recursion_method method) {
  evaluation_options options;
  options.recursions = method;
  return evaluated(source, edges, options);
}
bool says(const outcome& o, evaluation_method method, const char* reason) {
  CAPTURE(o.facts);
  CAPTURE(std::string(o.report.reason));
  CHECK(std::string(wf::logic::to_text(o.report.method)) ==
        std::string(wf::logic::to_text(method)));
  return std::string(o.report.reason).find(reason) != std::string::npos;
}

// While compiling: pairs of 40 nodes by rounds, a cycle of 40 by a queue.
constexpr evaluation_method compiled(bool cycle) {
  auto program =
      wf::logic::read_program("S(x,y) = E(a,x) E(a,y)\nS(x,y) = E(a,x) S(a,b) E(b,y)\n", {});
  auto strata = wf::logic::stratify(static_cast<wf::logic::tensor_program&&>(*program), {});
  wf::logic::relation edges(2, false);
  for (std::int32_t n = 0; n < 40; n += cycle ? 1 : 20) {
    const wf::logic::position at[] = {n, (n + 1) % 40}, over[] = {n, (n + 2) % 40};
    edges.append(at);
    if (cycle) edges.append(over);
  }
  database inputs;
  inputs.add("E", static_cast<wf::logic::relation&&>(edges));
  return wf::logic::evaluate(*strata, inputs)->strata[0].method;
}
static_assert(compiled(false) == evaluation_method::rounds);
static_assert(compiled(true) == evaluation_method::row_queue);

}  // namespace

TEST_CASE("a report says by which method a stratum was evaluated, and why") {
  const rows_of_two few = {{0, 1}, {1, 2}, {2, 9}};
  CHECK(says(evaluated("P(x,z) = E(x,y) E(y,z)", few), evaluation_method::once, ""));
  CHECK(says(evaluated("P(x,z) = E(x,z)\nP(x,z) = P(x,y) E(y,z)", few),
             evaluation_method::row_closure, "rows never meet"));
  CHECK(says(evaluated("P(x,z) = E(x,z)\nP(x,z) = P(x,y) P(y,z)", few), evaluation_method::rounds,
             "a rule moves entries neither within rows nor rows as a whole"));
  CHECK(says(evaluated("P(x,z) = E(x,z)\nP(x,z) = P(x,y) E(y,z)", few, recursion_method::rounds),
             evaluation_method::rounds, "as the options say"));
  CHECK(says(evaluated(generations, pairs(600)), evaluation_method::rounds,
             "rounds visited 900 rows, no more than"));
  CHECK(says(evaluated(generations, random_edges(1, 1000, 1500)), evaluation_method::row_queue,
             "rounds would visit more than"));
  CHECK(says(evaluated(generations, few), evaluation_method::row_queue,
             "there are more entries and moves than"));
  CHECK(says(evaluated(generations, pairs(600), recursion_method::rows),
             evaluation_method::row_queue, "as the options say"));
  CHECK(says(evaluated("X[x] += E(x,y)\nX[x] += 0.5 E(x,y) X[y]", few), evaluation_method::linear,
             "each rule is linear"));
  CHECK(says(evaluated("X[x] += E(x,y)\nX[x] += 0.1 E(x,y) X[y] X[y]", few),
             evaluation_method::iteration, "is not linear"));
  evaluation_options none_fit;
  none_fit.cells_per_entry = none_fit.least_cells = 0;
  CHECK(says(evaluated(generations, few, none_fit), evaluation_method::rounds,
             "larger than the options allow"));
}

TEST_CASE("every method has the same results, whichever is taken at last") {
  std::size_t rounds = 0, queues = 0, abandoned = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const int nodes = 40 + static_cast<int>(seed % 5) * 60;
    const auto edges = random_edges(seed, nodes, nodes * (1 + static_cast<int>(seed % 4)) / 2);
    for (const char* source : {generations, both_sides}) {
      CAPTURE(seed);
      CAPTURE(source);
      const outcome cheapest = evaluated(source, edges);
      REQUIRE(cheapest.facts == evaluated(source, edges, recursion_method::rounds).facts);
      REQUIRE(cheapest.facts == evaluated(source, edges, recursion_method::rows).facts);
      ++(cheapest.report.method == evaluation_method::rounds ? rounds : queues);
      abandoned +=
          std::string(cheapest.report.reason).find("would visit more") != std::string::npos;
    }
  }
  CHECK(rounds > 10);
  CHECK(queues > 10);
  CHECK(abandoned > 10);
}

TEST_CASE("a trial of rounds does not count as visits, and errors in it stay errors") {
  const auto edges = random_edges(3, 1000, 1500);
  const outcome whole = evaluated(generations, edges);
  REQUIRE(whole.report.method == evaluation_method::row_queue);
  evaluation_options options;
  // What a queue visits: the rows of the rules that find its entries and moves. A trial would visit
  // some thousands.
  std::uint64_t least = 0;
  for (std::uint64_t most = 1; least == 0; most += 1 + most / 8) {
    options.max_bindings = most;
    options.recursions = recursion_method::rows;
    if (evaluated(generations, edges, options).facts == whole.facts) least = most;
  }
  options.recursions = recursion_method::cheapest;
  options.max_bindings = least;
  CHECK(says(evaluated(generations, edges, options), evaluation_method::row_queue,
             "max_bindings allows rounds no trial"));
  options.max_bindings = least + 40'000;
  const outcome after = evaluated(generations, edges, options);
  CHECK(after.facts == whole.facts);
  CHECK(std::string(after.report.reason).find("would visit more") != std::string::npos);
  // Rules that come after a trial may visit what it gave back, and see all that was found.
  const std::string more =
      generations + std::string(
                        "R(x) = S(x,y)\nQ(z) = E(12,z)\nQ(z) = Q(y) Q(w) S(y,z) E(a,y) E(a,w)\n"
                        "export R\nexport Q\n");
  options = {};
  options.recursions = recursion_method::rows;
  database inputs;
  inputs.add("E", wf_test::relation_of(2, edges));
  const auto strata = wf_test::ordered_program(more, &inputs);
  const auto facts = [&] {
    auto found = wf::logic::evaluate(strata, inputs, options);
    if (!found) return std::string(wf::to_text(found.error()));
    std::string out;
    for (wf::logic::solved_tensor& t : found->tensors)
      out += std::string(wf::logic::facts_text(t.entries())) + "\n";
    return out;
  };
  const std::string expected = facts();
  std::uint64_t low = 0, high = 10'000'000;  // bounds of the least max_bindings
  while (low + 1 < high) {
    options.max_bindings = (low + high) / 2;
    (facts() == expected ? high : low) = options.max_bindings;
  }
  CHECK(high > 20'000);
  options.recursions = recursion_method::cheapest;
  options.max_bindings = high;
  CHECK((facts() == expected));
  // The caller stops it after the first round of a trial.
  rows_of_two families;
  for (std::int32_t n = 0; n < 2000; n += 5)
    for (const auto& [parent, child] : {std::pair{0, 1}, {0, 2}, {1, 3}, {2, 4}})
      families.push_back({n + parent, n + child});
  CHECK(says(evaluated(generations, families), evaluation_method::rounds, "rounds visited"));
  const auto at_first_round = [](const wf::logic::evaluation_progress& p) { return p.round == 0; };
  const wf::callable_to<const decltype(at_first_round), bool, const wf::logic::evaluation_progress&>
      stop(at_first_round);
  options = {};
  options.progress = &stop;
  CHECK(evaluated(generations, families, options).facts.find("the caller stopped") !=
        std::string::npos);
  options = {};
  options.max_rounds = 1;
  const outcome pair = evaluated(generations, {{0, 1}, {0, 2}, {1, 3}, {2, 900}}, options);
  CHECK(pair.facts.find("no fixpoint within 1 rounds") != std::string::npos);
}
