// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/proof/session.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <logic/proof_checker.hpp>
#include <logic/random_facts.hpp>

#include "../../sanitized.hpp"
#include "../ordered_program.hpp"

using namespace wf::logic;
using namespace wf_test;

namespace {

wf_proof::all_entries entries_of(const random_program& p, const std::vector<entries>& values,
                                 bool inputs_only) {
  wf_proof::all_entries out;
  for (std::size_t t = 0; t < p.tensors.size(); ++t)
    for (const auto& [at, value] : values[t])
      if (!inputs_only || p.tensors[t].layer == 0)
        out[p.tensors[t].name][wf_proof::places(at.begin(), at.end())] = value;
  return out;
}
// "T3(0,2)" or "T3[0,2]"
std::string fact_of(const random_tensor& t, const std::vector<int>& at) {
  std::string out = t.name + (t.kind == sign::boolean ? "(" : "[");
  for (std::size_t c = 0; c < at.size(); ++c) out += (c == 0 ? "" : ",") + std::to_string(at[c]);
  return out + (t.kind == sign::boolean ? ")" : "]");
}
// True if the program makes tensors for nested expressions, whose values the naive one lacks.
bool has_temporaries(const stratified_program& p) {
  for (const tensor_info& t : p.program.tensors)
    if (t.temporary) return true;
  return false;
}

wf_proof::places places_of(const tensor_program& p, const atom& a,
                           const std::vector<std::int64_t>& binding) {
  wf_proof::places out;
  for (const term& t : p.terms_of(a))
    out.push_back(t.kind == term_kind::constant ? t.shift
                                                : t.scale * binding[t.variable] + t.shift);
  return out;
}
// The largest number of joins, from the first on, that hold together with a head, by trying every
// binding.
std::uint32_t joins_that_hold(const tensor_program& p, std::uint32_t number,
                              const wf_proof::places& at, const wf_proof::all_entries& final) {
  const wf::logic::rule& r = p.rules[number];
  std::vector<std::int64_t> binding(r.variables.count, -3);
  std::uint32_t most = 0;
  for (bool more = true; more;) {
    if (places_of(p, r.head, binding) == at) {
      std::uint32_t k = 0;
      for (bool holds = true; holds && k < r.joins.count; k += holds) {
        const atom& a = p.atoms[r.joins.first + k];
        const auto tensor = final.find(std::string(p.tensors[a.tensor].name));
        holds = tensor != final.end() && tensor->second.count(places_of(p, a, binding)) != 0;
      }
      most = std::max(most, k);
    }
    more = false;
    for (std::int64_t& b : binding)
      if (!more && ++b > 8)
        b = -3;
      else if (!more)
        more = true;
  }
  return most;
}
// True if the head of a rule can stand at some positions: its binding, if it has one, puts it
// there.
bool head_fits(const tensor_program& p, const missing_premise& m, const wf_proof::places& at) {
  std::vector<std::int64_t> binding(m.variables.begin(), m.variables.end());
  return places_of(p, p.rules[m.rule].head, binding) == at;
}

}  // namespace

TEST_CASE("every fact of a random program has a least high proof, and every other one a reason") {
  std::size_t proofs = 0, reasons = 0, deepest = 0;
  for (std::uint64_t seed = 1; seed <= 2500; ++seed) {
    if (wf_test::is_left_out(static_cast<int>(seed), 5)) continue;
    const random_program p = make_random_program(seed);
    const std::string source = text_of(p);
    CAPTURE(seed);
    CAPTURE(source);
    naive_evaluation naive(p);
    if (!naive.run(50)) continue;
    const database inputs = inputs_of(p);
    const stratified_program program = ordered_program(source, &inputs);
    if (has_temporaries(program)) continue;
    const std::vector<entries> heights = naive.heights();
    const wf_proof::all_entries given = entries_of(p, naive.values, true);
    const wf_proof::all_entries final = entries_of(p, naive.values, false);
    wf_proof::checker checker(program.program, given, final);
    proof_session session(program, inputs);
    for (std::size_t t = 0; t < p.tensors.size(); ++t)
      for (const auto& [at, value] : naive.values[t]) {
        if (!program.program.tensors[program.program.find(p.tensors[t].name)].ranked)
          continue;  // nothing reads it
        const std::string fact = fact_of(p.tensors[t], at);
        CAPTURE(fact);
        const auto found = session.prove(fact);
        REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
        REQUIRE(checker.check(*found, p.tensors[t].name, {at.begin(), at.end()}) == "");
        REQUIRE(found->steps.back().height == heights[t].at(at));
        REQUIRE_FALSE(session.why_not(fact));
        deepest = std::max(deepest, static_cast<std::size_t>(found->steps.back().height));
        proofs += heights[t].at(at) > 0;
      }
    for (std::size_t t = 0; t < p.tensors.size(); ++t) {
      if (p.tensors[t].layer == 0 || p.tensors[t].rank == 0) continue;
      for (int i = 0; i < 4; ++i) {
        std::vector<int> at(static_cast<std::size_t>(p.tensors[t].rank), i);
        if (naive.values[t].count(at) != 0) continue;
        const std::string fact = fact_of(p.tensors[t], at);
        CAPTURE(fact);
        REQUIRE_FALSE(session.prove(fact));
        const auto why = session.why_not(fact);
        REQUIRE_MESSAGE(why, std::string(wf::to_text(why.error())));
        std::size_t rules = 0;
        for (const random_rule& r : p.rules) rules += r.head.tensor == static_cast<int>(t);
        REQUIRE(why->size() == rules);
        for (const missing_premise& m : *why) {
          const std::uint32_t joins = program.program.rules[m.rule].joins.count;
          const wf_proof::places place(at.begin(), at.end());
          REQUIRE(m.satisfied == joins_that_hold(program.program, m.rule, place, final));
          REQUIRE(m.condition == (m.satisfied == joins && head_fits(program.program, m, place)));
        }
        ++reasons;
      }
    }
  }
  CHECK(proofs > (wf_test::sanitized ? 500 : 4000));
  CHECK(reasons > (wf_test::sanitized ? 400 : 3000));
  CHECK(deepest >= (wf_test::sanitized ? 3 : 5));
}

TEST_CASE("heights of closures: the length of a path, or its logarithm where paths are joined") {
  database inputs;
  relation edge(2, false);
  for (int i = 0; i < 40; ++i) {
    const position at[] = {i, i + 1};
    edge.append(at);
  }
  inputs.add("edge", edge);
  const stratified_program linear =
      ordered_program("tc(x,y) = edge(x,y)\ntc(x,z) = edge(x,y) tc(y,z)\n", &inputs);
  const stratified_program joined =
      ordered_program("tc(x,y) = edge(x,y)\ntc(x,z) = tc(x,y) tc(y,z)\n", &inputs);
  proof_session by_steps(linear, inputs), by_halves(joined, inputs);
  for (int length : {1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 40}) {
    const std::string fact = "tc(0," + std::to_string(length) + ")";
    const auto a = by_steps.prove(fact), b = by_halves.prove(fact);
    REQUIRE(a);
    REQUIRE(b);
    CHECK(a->steps.back().height == static_cast<std::uint32_t>(length));
    CHECK(b->steps.back().height ==
          1 + static_cast<std::uint32_t>(std::bit_width(static_cast<unsigned>(length - 1))));
    CHECK(a->steps.size() == 2 * static_cast<std::size_t>(length));
  }
}

TEST_CASE("a fact of the inputs beside rules, a sum, a distance, and a symbol") {
  const std::string source =
      "Near(x,y) = Road[x,y]\nNear(x,z) = Near(x,y) Near(y,z)\n"
      "Far[x,z] min= Road[x,z]\nFar[x,z] min= Far[x,y] + Road[y,z]\n"
      "Out[x] += Far[x,y] [x != y]\nAll += Out[x]\nEnd(x) = Near(x,y) !Stop(x)\n";
  database inputs;
  inputs.domains.push_back(symbol_domain("town"));
  for (const char* name : {"Aalen", "Bonn", "Celle", "Dahn"}) inputs.domains[0].add(name);
  inputs.add("Road", tensor_of(2, {{0, 1, 5}, {1, 2, 1}, {0, 2, 9}}), {0, 0});
  inputs.add("Near", relation_of(2, {{2, 3}}), {0, 0});
  inputs.add("Stop", relation_of(1, {{0}}), {0});
  const stratified_program p = ordered_program(source, &inputs);
  proof_session session(p, inputs);
  const auto far = session.prove("Far['Aalen','Celle']");
  REQUIRE_MESSAGE(far, std::string(wf::to_text(far.error())));
  CHECK(far->steps.back().value == 6);  // 5 + 1, not the direct 9
  CHECK(far->steps.back().height == 2);
  const auto given = session.prove("Near('Celle','Dahn')");
  REQUIRE(given);
  CHECK(given->steps.size() == 1);
  CHECK(given->steps[0].given);
  const auto near = session.prove("Near('Aalen','Dahn')");
  REQUIRE(near);
  CHECK(near->steps.back().height == 2);  // the road of 9, then the given fact
  const auto all = session.prove("All");
  REQUIRE(all);
  CHECK(all->steps.back().value == 12);
  CHECK(all->steps.back().derivations.size() == 2);
  CHECK(all->steps.back().height == 4);
  const auto stopped = session.why_not("End('Aalen')");
  REQUIRE(stopped);
  REQUIRE(stopped->size() == 1);
  CHECK((*stopped)[0].condition);
  const auto lonely = session.why_not("Near('Dahn','Aalen')");
  REQUIRE(lonely);
  REQUIRE(lonely->size() == 2);
  CHECK((*lonely)[1].satisfied == 0);
}

TEST_CASE("what has no proof is refused") {
  database inputs;
  inputs.add("E", relation_of(2, {{0, 1}}));
  const stratified_program p = ordered_program("T(x,y) = E(x,y)\nN[x] += E(x,y)\n", &inputs);
  proof_session session(p, inputs);
  const auto message = [](const auto& r) {
    REQUIRE_FALSE(r);
    return std::string(r.error().message);
  };
  CHECK(message(session.prove("T(1,0)")) == "does not hold");
  CHECK(message(session.prove("T(x,1)")) == "a fact has no variables");
  CHECK(message(session.prove("T('a',1)")) == "has a symbol that no fact has");
  CHECK(message(session.why_not("T(0,1)")) == "holds");
  CHECK(session.prove("Q(1)").error().code == wf::errc::bad_equation);
  CHECK(session.prove("T(").error().code == wf::errc::equation_syntax);
  const stratified_program steps = ordered_program("P(x,*t+1) = P(x,t)\nP(x,t=0) = E(x,y)\n");
  proof_session stepped(steps, inputs);
  CHECK(message(stepped.prove("P(0)")) == "is computed by steps or iteration, which has no proof");
  const stratified_program folded =
      ordered_program("D[x] minimum= 0 E(x,y)\nD[y] minimum= add(D[x], 1) E(x,y)\n");
  proof_session folding(folded, inputs);
  CHECK(message(folding.prove("D[0]")) == "recurs by an operator's sign, which has no proof");
  const stratified_program once = ordered_program("D[x] minimum= 0 E(x,y)\n");
  proof_session single(once, inputs);
  CHECK(single.prove("D[0]"));
}

namespace {

constexpr std::uint32_t height_while_compiling() {
  const auto read = read_program("T(x,y) = E(x,y); T(x,z) = T(x,y) E(y,z)");
  const auto p = stratify(*read);
  database inputs;
  relation e(2, false);
  for (position i = 0; i < 4; ++i) {
    const position at[] = {i, i + 1};
    e.append(at);
  }
  inputs.add("E", e);
  proof_session session(*p, inputs);
  const auto found = session.prove("T(0,4)");
  return found ? found->steps.back().height : 0;
}
static_assert(height_while_compiling() == 4);

}  // namespace
