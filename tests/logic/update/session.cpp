// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/update/session.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <logic/random_facts.hpp>

#include "../../sanitized.hpp"

using namespace wf_test;

namespace {

wf::text_view view(const std::string& s) { return {s.data(), s.size()}; }

// A query for all entries of a tensor.
std::string all_of(const random_tensor& t) {
  const bool boolean = t.kind == sign::boolean;
  std::string out = t.name + (boolean ? "(" : "[");
  for (int c = 0; c < t.rank; ++c) out += (c == 0 ? "v" : ",v") + std::to_string(c);
  return out + (boolean ? ")" : "]");
}

// How often sessions went each way.
struct totals {
  std::uint64_t grown = 0, recomputed = 0, kept = 0, restarted = 0, errors = 0;
};

// Random updates of a random program, each compared with the definitions.
void run_updates(std::uint64_t seed, totals& all) {
  random_program p = make_random_program(seed);
  const std::string source = text_of(p);
  CAPTURE(seed);
  CAPTURE(source);
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  wf::logic::database inputs;
  wf::table<wf::text_view> names;
  for (std::size_t t = 0; t < p.tensors.size(); ++t)
    if (p.tensors[t].layer == 0) {
      inputs.add(view(p.tensors[t].name), relation_of(p.tensors[t], p.facts[t]));
      names.push_back(view(p.tensors[t].name));
    }
  auto read = wf::logic::read_program(view(source), names);
  REQUIRE(read);
  const auto strata = wf::logic::stratify(*read, view(source));
  REQUIRE(strata);
  wf::logic::evaluation_options options;
  options.max_rounds = 200;
  options.recursions = static_cast<wf::logic::recursion_method>(seed % 3);
  wf::logic::incremental_session session(*strata, inputs, options);
  for (int round = 0; round < 6; ++round) {
    random_program next = p;
    wf::logic::database added, removed;
    const bool only_new = below(2) == 0;
    for (std::size_t t = 0; t < p.tensors.size(); ++t) {
      if (p.tensors[t].layer != 0 || below(2) == 0) continue;
      entries more, fewer;
      for (std::size_t n = below(3); n > 0; --n) {
        std::vector<int> at;
        for (int c = 0; c < p.tensors[t].rank; ++c) at.push_back(static_cast<int>(below(4)));
        const bool there = p.facts[t].count(at) != 0;
        const double value =
            p.tensors[t].kind == sign::boolean ? 1 : 1 + static_cast<double>(below(5));
        if (only_new && there) continue;
        (below(3) != 0 || only_new ? more : fewer)[at] = value;
      }
      if (!only_new && !p.facts[t].empty() && below(2) == 0)
        fewer.insert(
            *std::next(p.facts[t].begin(), static_cast<std::ptrdiff_t>(below(p.facts[t].size()))));
      added.add(view(p.tensors[t].name), relation_of(p.tensors[t], more));
      removed.add(view(p.tensors[t].name), relation_of(p.tensors[t], fewer));
      for (const auto& [at, value] : fewer) next.facts[t].erase(at);
      for (const auto& [at, value] : more) next.facts[t][at] = value;
    }
    naive_evaluation naive(next);
    const bool ends = naive.run(50);
    const auto report = session.update(added, removed);
    CAPTURE(round);
    if (!report) {
      REQUIRE_MESSAGE(!ends, std::string(wf::to_text(report.error())));
      REQUIRE(report.error().code == wf::errc::not_converged);
      ++all.errors;
      continue;
    }
    REQUIRE(ends);
    all.grown += report->grown;
    all.recomputed += report->recomputed;
    all.kept += report->kept;
    all.restarted += report->restarted;
    p = next;
    for (std::size_t t = 0; t < p.tensors.size(); ++t) {
      CAPTURE(p.tensors[t].name);
      const auto found = session.ask(view(all_of(p.tensors[t])));
      if (!found && p.tensors[t].layer == 0) continue;  // an input that no rule reads
      REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
      REQUIRE(same_entries(*found, naive.values[t]));
    }
  }
}

// Programs over a graph E and nodes S, with what reads them.
const char* const graph_programs[] = {
    "T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)\n",
    "T(x,y) = E(x,y)\nT(x,z) = E(x,y) T(y,z)\n",
    "T(x,y) = E(x,y)\nT(x,z) = T(x,y) T(y,z)\n",
    ("T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)\nC[x] += T(x,y)\nN() = S(x) !T(x,x)\n"
     "M max= C[x]\n"),
    "R(x) = S(x)\nR(y) = R(x) E(x,y)\nU(x) = E(x,y) !R(x)\nn[] += U(x)\n",
    "T(x,x) = S(x)\nT(x,z) = T(x,y) E(y,w) E(w,z)\nC[x] += T(x,y) S(y)\n",
    "G(x,y) = E(p,x) E(p,y)\nG(x,y) = E(a,x) G(a,b) E(b,y)\nn[] += G(x,y)\n",
    "D[x] min= S(x) + 0\nD[y] min= D[x] + E(x,y) + 1\nF max= D[x]\nK(x) = S(x) [D[x] < 2]\n",
    "P[x,y] min= E(x,y) + 1\nP[x,z] min= P[x,y] + E(y,z) + 1\nB[x] avg= P[x,y]\n",
    "V[x] += 0.5 S(x)\nV[y] += 0.125 E(x,y) V[x] / (1 + D[x])\nD[x] += E(x,y)\n"};

wf::logic::relation graph(std::mt19937_64& random, int nodes, int edges, std::uint32_t rank) {
  entries made;
  for (int i = 0; i < edges; ++i) {
    std::vector<int> at;
    for (std::uint32_t c = 0; c < rank; ++c)
      at.push_back(static_cast<int>(random() % static_cast<std::uint64_t>(nodes)));
    made[at] = 1;
  }
  random_tensor t;
  t.rank = static_cast<int>(rank);
  return relation_of(t, made);
}

}  // namespace

TEST_CASE("graphs that grow and shrink have the results of an evaluation") {
  std::uint32_t grown = 0;
  for (std::uint64_t seed = 0; seed < (wf_test::sanitized ? 50U : 120U); ++seed) {
    const char* const source = graph_programs[seed % std::size(graph_programs)];
    CAPTURE(source);
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const int nodes = 3 + static_cast<int>(random() % 80);
    wf::logic::database inputs;
    inputs.add("E", graph(random, nodes, 1 + static_cast<int>(random() % 160), 2));
    inputs.add("S", graph(random, nodes, 3, 1));
    const auto strata = wf::logic::stratify(*wf::logic::read_program(source), source);
    REQUIRE(strata);
    wf::logic::incremental_session session(*strata, inputs);
    for (int round = 0; round < 12; ++round) {
      CAPTURE(round);
      wf::logic::database added, removed;
      const int edges = static_cast<int>(random() % 4);
      added.add("E", graph(random, nodes + (random() % 8 == 0 ? 3 : 0), edges, 2));
      if (random() % 4 == 0) added.add("S", graph(random, nodes, 1, 1));
      if (random() % 4 == 0) {
        const wf::logic::relation& all = session.inputs().find("E")->entries;
        wf::logic::relation some(2, false);
        wf::logic::position at[2];
        for (std::size_t i = random() % 3; i > 0 && all.rows != 0; --i) {
          all.positions(random() % all.rows, at);
          some.append(at);
        }
        removed.add("E", some);
      }
      const auto report = session.update(added, removed);
      REQUIRE(report);
      if (round != 0) grown += report->grown;
      auto wanted = wf::logic::evaluate(*strata, session.inputs());
      REQUIRE(wanted);
      for (wf::logic::solved_tensor& t : wanted->tensors) {
        const bool boolean = !t.store().valued();
        random_tensor like{std::string(t.name), static_cast<int>(t.store().rank()),
                           boolean ? sign::boolean : sign::sum, 1, false};
        CAPTURE(like.name);
        const auto found = session.ask(view(all_of(like)));
        REQUIRE(found);
        entries expected;
        const wf::logic::relation& r = t.entries();
        for (std::size_t row = 0; row < r.rows; ++row) {
          std::vector<int> at;
          for (const auto& column : r.columns) at.push_back(column[row]);
          expected[at] = boolean ? 1 : r.values[row];
        }
        REQUIRE(same_entries(*found, expected));
      }
    }
  }
  CHECK(grown > (wf_test::sanitized ? 150U : 400U));
}

TEST_CASE("after every update the tensors are those of the definitions") {
  totals all;
  const char* const first = std::getenv("WF_FIRST_SEED");
  const std::uint64_t from = first == nullptr ? 1 : std::strtoull(first, nullptr, 10);
  for (std::uint64_t seed = from; seed < from + (wf_test::sanitized ? 300 : 1000); ++seed)
    run_updates(seed, all);
  const std::uint64_t least = wf_test::sanitized ? 200 : 1000;
  CHECK(all.grown > least);
  CHECK(all.recomputed > least);
  CHECK(all.kept > least);
  CHECK(all.errors > 3);
  MESSAGE("grown ", all.grown, " recomputed ", all.recomputed, " kept ", all.kept, " restarted ",
          all.restarted, " errors ", all.errors);
}

namespace {

constexpr wf::logic::database facts_of(wf::text_view name, std::initializer_list<int> pairs) {
  wf::logic::relation r(2, false);
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const wf::logic::position at[] = {pairs.begin()[i], pairs.begin()[i + 1]};
    r.append(at);
  }
  wf::logic::database out;
  out.add(name, static_cast<wf::logic::relation&&>(r));
  return out;
}
constexpr wf::logic::stratified_program read(wf::text_view source) {
  return *wf::logic::stratify(*wf::logic::read_program(source), source);
}
constexpr std::size_t static_updates() {
  wf::logic::incremental_session session(read("T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)"),
                                         facts_of("E", {0, 1, 2, 3}));
  std::size_t sizes = *session.size("T");
  (void)session.update(facts_of("E", {1, 2}));
  sizes = 10 * sizes + *session.size("T");
  (void)session.update({}, facts_of("E", {0, 1}));
  return 10 * sizes + *session.size("T");
}
static_assert(static_updates() == 263);

// A fact of two symbols.
wf::logic::database symbols(const char* name, const char* a, const char* b) {
  wf::logic::database out;
  out.domains.push_back(wf::logic::symbol_domain("node"));
  const wf::logic::position at[] = {out.domains[0].add(a), out.domains[0].add(b)};
  wf::logic::relation r(2, false);
  r.append(at);
  out.add(name, r, {0, 0});
  return out;
}

}  // namespace

TEST_CASE("facts have the symbols of their own database") {
  wf::logic::incremental_session session(read("T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)\n"
                                              "F(x) = T('a',x)"),
                                         symbols("E", "b", "c"));
  CHECK(*session.size("F") == 0);
  const auto anew = session.update(symbols("E", "a", "b"));
  REQUIRE(anew);
  CHECK(*session.size("F") == 2);
  const auto known = session.update(symbols("E", "c", "a"));
  REQUIRE(known);
  CHECK(known->grown == 2);
  CHECK(*session.size("F") == 3);
  CHECK(session.ask("T('c',x)")->rows == 3);
  CHECK(session.domains()[0].symbols.size() == 3);
  CHECK(session.update({}, symbols("E", "z", "a"))->removed == 0);
  CHECK(session.update({}, symbols("E", "a", "b"))->removed == 1);
  CHECK(*session.size("F") == 0);
}

TEST_CASE("what does not fit is refused, and nothing changes") {
  wf::logic::incremental_session session(read("T(x,y) = E(x,y)\nW[x] += V[x,y] T(x,y)"), [] {
    wf::logic::database all = facts_of("E", {0, 1});
    wf::logic::relation v(2, true);
    const wf::logic::position at[] = {0, 1};
    v.append(at, 2.5);
    all.add("V", v);
    return all;
  }());
  CHECK(*session.size("T") == 1);
  CHECK(session.update(facts_of("Edge", {1, 2})).error().code == wf::errc::unknown_argument);
  CHECK(session.update(facts_of("V", {1, 2})).error().code == wf::errc::argument_shape);
  CHECK(session.update(symbols("E", "a", "b")).error().code == wf::errc::argument_shape);
  CHECK(session.size("Q").error().code == wf::errc::unknown_argument);
  CHECK(session.ask("T(x)").error().code == wf::errc::bad_equation);
  CHECK(session.ask("W[0]")->values[0] == 2.5);
  wf::logic::database other;
  wf::logic::relation v(2, true);
  const wf::logic::position at[] = {0, 1};
  v.append(at, 4);
  other.add("V", v);
  CHECK(session.update(other)->recomputed == 1);
  CHECK(session.ask("W[0]")->values[0] == 4);
  CHECK(session.update(other)->added == 0);
  CHECK(session.inputs().find("E")->entries.rows == 1);
}

TEST_CASE("a recursion that would not end leaves the facts as they were") {
  wf::logic::evaluation_options options;
  options.max_rounds = 50;
  wf::logic::database inputs = facts_of("S", {});
  wf::logic::relation s(1, false), w(2, true);
  for (wf::logic::position i = 0; i < 3; ++i) {
    const wf::logic::position at[] = {i, i + 1};
    if (i == 0) s.append(at);
    w.append(at, -1);
  }
  inputs.relations.clear();
  inputs.add("S", s);
  inputs.add("W", w);
  wf::logic::incremental_session session(read("D[x] min= S(x) + 0\nD[y] min= D[x] + W[x,y]"),
                                         inputs, options);
  CHECK(session.ask("D[3]")->values[0] == -3);
  wf::logic::database back;
  wf::logic::relation edge(2, true);
  const wf::logic::position at[] = {3, 0};
  edge.append(at, 1);
  back.add("W", edge);
  CHECK(session.update(back).error().code == wf::errc::not_converged);
  CHECK(session.inputs().find("W")->entries.rows == 3);
  CHECK(session.ask("D[3]")->values[0] == -3);
  back.relations[0].entries.values[0] = 7;
  CHECK(session.update(back)->added == 1);
  CHECK(session.ask("D[0]")->values[0] == 0);
}

TEST_CASE("facts of tensors with rules, and programs with steps") {
  wf::logic::incremental_session own(read("T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)"),
                                     facts_of("E", {1, 2}));
  CHECK(*own.size("T") == 1);
  CHECK(own.update(facts_of("T", {0, 1}))->restarted);
  CHECK(*own.size("T") == 3);
  CHECK(own.update(facts_of("T", {5, 1}))->recomputed == 1);
  CHECK(*own.size("T") == 5);
  wf::logic::evaluation_options options;
  options.steps = 2;
  wf::logic::incremental_session steps(
      read("R(x,t=0) = S(x,x)\nR(y,t+1) = R(x,t) E(x,y)\nexport R"),
      [] {
        wf::logic::database all = facts_of("E", {1, 2, 2, 3, 3, 4});
        all.relations.push_back(facts_of("S", {1, 1}).relations[0]);
        return all;
      }(),
      options);
  CHECK(steps.ask("R(3)")->rows == 1);
  CHECK(steps.update(facts_of("E", {2, 7}))->restarted);
  CHECK(steps.ask("R(7)")->rows == 1);
  options.samples = 3;
  wf::logic::incremental_session sampled(read("T(x,y) = E(x,y)"), facts_of("E", {1, 2}), options);
  CHECK(sampled.update({}).error().code == wf::errc::bad_attribute);
}
