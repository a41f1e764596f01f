// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/rule_engine.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>

#include "../ordered_program.hpp"

namespace {

using wf::logic::database;
using wf::logic::none;
using wf::logic::position;
using wf::logic::detail::planned_rule;
using wf::logic::detail::rule_engine;
using wf::logic::detail::tensor_store;
using wf_test::add_row;
using contribution = std::pair<std::vector<position>, double>;

constexpr double endless = std::numeric_limits<double>::infinity();

// An engine for a program, bound to inputs.
struct engine_of {
  engine_of(const std::string& source, const database& inputs,
            const wf::logic::evaluation_options& with = {})
      : options(with),
        strata(wf_test::ordered_program(source, &inputs)),
        engine(strata.program, inputs, options, operators) {
    REQUIRE(engine.prepare());
  }
  std::uint32_t find(wf::text_view name) const { return strata.program.find(name); }
  // What a rule contributes, in order; `most`: then it is stopped.
  std::vector<contribution> contributions(std::uint32_t rule, std::size_t most = SIZE_MAX) {
    planned_rule v;
    v.rule = rule;
    return contributions(v, most);
  }
  std::vector<contribution> contributions(planned_rule& v, std::size_t most = SIZE_MAX) {
    std::vector<contribution> out;
    const std::uint32_t rank = strata.program.rules[v.rule].head.terms.count;
    const bool done = engine.apply(v, {}, [&](const position* at, double value) {
      out.push_back({std::vector<position>(at, at + rank), value});
      return out.size() < most;
    });
    CHECK(done == (out.size() < most));
    return out;
  }

  wf::logic::evaluation_options options;
  wf::registry operators = wf::builtin_registry();
  wf::logic::stratified_program strata;
  rule_engine engine;
};

}  // namespace

TEST_CASE("a rule that copies a tensor contributes what it does by loops with a condition") {
  std::mt19937_64 random(7);
  const std::array<std::string, 6> heads = {
      "Y[#] += ", "Y[#] = ", "Y[#] min= ", "Y[#] max= ", "Y[#] avg= ", "Y(#) = "};
  for (int i = 0; i < 200; ++i) {
    database inputs;
    wf::logic::relation r(3, true);
    for (position row = 0; row < static_cast<position>(random() % 9); ++row) {
      const position at[] = {row, static_cast<position>(random() % 3) - 1, 7 - row};
      const double values[] = {0, 2, -3, endless, -endless};
      r.append(at, values[random() % 5]);
    }
    inputs.add("V", r);
    r.valued = false;
    inputs.add("R", r);
    std::string indices;
    for (std::size_t n = 1 + random() % 4; n > 0; --n)
      indices += (indices.empty() ? "" : ",") + std::string(1, "abc"[random() % 3]);
    const std::size_t kind = random() % heads.size();
    const bool relation = kind == 5 || random() % 2 == 0;
    std::string equation = heads[kind];
    equation.replace(2, 1, kind == 1 ? "b,a,c" : indices);
    const std::string read = relation ? "R(a,b,c)" : "V[a,b,c]";
    CAPTURE(equation + read);
    engine_of copied(equation + read, inputs), looped(equation + read + " [a <= a]", inputs);
    const auto found = copied.contributions(0);
    CHECK(found == looped.contributions(0));
    if (!found.empty()) CHECK(copied.contributions(0, 1).size() == 1);
  }
}

TEST_CASE("entries are added by their sign, and counted by row for means") {
  database inputs;
  inputs.add("V", wf_test::tensor_of(2, {{0, 0, 4}, {0, 1, 2}, {3, 0, 5}}));
  const std::map<std::string, std::vector<double>> expected = {
      {"+=", {6, 5}}, {"min=", {2, 5}}, {"max=", {4, 5}}, {"avg=", {6, 5}}};
  for (const auto& [sign, values] : expected) {
    engine_of e("Y[x] " + sign + " V[x,y]", inputs);
    tensor_store to = e.engine.empty_store(e.find("Y"));
    wf::table<double> counts;
    REQUIRE(e.engine.add_all(0, to, &counts));
    REQUIRE(to.rows() == 2);
    CHECK(to.value(0) == values[0]);
    CHECK(to.value(1) == values[1]);
    CHECK(counts == wf::table<double>{2, 1});
  }
}

TEST_CASE("a rule is planned anew once its tensors have four times as many rows") {
  database inputs;
  inputs.add("A", wf_test::relation_of(1, {{0}, {1}}));
  inputs.add("B", wf_test::relation_of(1, {{0}, {1}, {2}}));
  engine_of e("Y(x) = A(x) B(x)", inputs);
  planned_rule v;
  CHECK(e.contributions(v).size() == 2);
  CHECK(v.rows == 6);
  CHECK(v.plan.steps[0].tensor == e.find("A"));
  tensor_store& a = e.engine.store(e.find("A"));
  a.index();
  for (position p = 2; p < 20; ++p) add_row(a, {p});
  CHECK(a.rows() == 20);
  CHECK(e.contributions(v).size() == 3);  // 24 rows: as many as 4 · 6
  CHECK(v.rows == 24);
  CHECK(v.plan.steps[0].tensor == e.find("B"));
  for (position p = 3; p < 70; ++p) add_row(e.engine.store(e.find("B")), {p});
  CHECK(e.contributions(v).size() == 20);
  CHECK(v.plan.steps[0].tensor == e.find("B"));  // 91 rows are not yet 4 · 24
  for (position p = 70; p < 80; ++p) add_row(e.engine.store(e.find("B")), {p});
  CHECK(e.contributions(v).size() == 20);
  CHECK(v.plan.steps[0].tensor == e.find("A"));
}

namespace {

// A rule over random atoms, mostly with cycles, with shifts, constants and repeated variables.
std::string cyclic_rule(std::mt19937_64& random) {
  std::string body;
  const int variables = 3 + static_cast<int>(random() % 2);
  for (int v = 0; v < variables; ++v) {
    const char pair[] = {"xyzw"[v], "xyzw"[(v + 1) % variables], 0};
    const bool turned = random() % 2 == 0;
    std::string first(1, pair[turned ? 1 : 0]), second(1, pair[turned ? 0 : 1]);
    if (random() % 6 == 0) first += random() % 2 == 0 ? "+1" : "-1";
    switch (random() % 5) {
      case 0:
        body += " V[" + first + "," + second + "]";
        break;
      case 1:
        body += " S(" + first + "," + second + "," + (random() % 2 == 0 ? second : "0") + ")";
        break;
      case 2:
        body += " S(" + first + "," + second + "," + "xyzw"[random() % 4] + ")";
        break;
      default:
        body += " R(" + first + "," + second + ")";
    }
  }
  if (random() % 3 == 0) body += " F(y)";
  if (random() % 3 == 0) body += " !F(x)";
  if (random() % 3 == 0) body += " [x < z]";
  return body;
}

}  // namespace

TEST_CASE("joins evaluated variable by variable contribute what nested loops do") {
  std::mt19937_64 random(9);
  std::size_t rows = 0, cyclic = 0;
  for (int i = 0; i < 1500; ++i) {
    database inputs;
    const auto add = [&](const char* name, std::uint32_t rank, bool valued) {
      std::map<std::vector<position>, double> entries;
      for (std::size_t n = 4 + random() % 20; n > 0; --n) {
        std::vector<position> at;
        for (std::uint32_t c = 0; c < rank; ++c) at.push_back(static_cast<position>(random() % 5));
        entries[at] = static_cast<double>(random() % 9);
      }
      wf::logic::relation r(rank, valued);
      for (const auto& [at, value] : entries) r.append(at.data(), value);
      inputs.add(name, r);
    };
    add("R", 2, false);
    add("S", 3, false);
    add("F", 1, false);
    add("V", 2, true);
    const std::string source = "Y[x,z] +=" + cyclic_rule(random);
    CAPTURE(source);
    std::vector<std::vector<contribution>> found;
    for (const auto method :
         {wf::logic::join_method::nested, wf::logic::join_method::by_variables}) {
      wf::logic::evaluation_options options;
      options.joins = method;
      engine_of e(source, inputs, options);
      found.push_back(e.contributions(0));
      std::sort(found.back().begin(), found.back().end());
      cyclic += e.engine.by_variables(0);
    }
    REQUIRE(found[0] == found[1]);
    rows += found[0].size();
  }
  CHECK(rows > 3000);
  CHECK(cyclic > 1000);
}

TEST_CASE("the joins of a triangle visit no more rows than triangles there can be") {
  // All edges have one end in common: nested loops visit count^2 rows of them.
  constexpr position count = 1000;
  const auto most = static_cast<std::uint64_t>(std::pow(2.0 * count, 1.5));
  database inputs;
  wf::logic::relation e(2, false);
  for (position p = 0; p < count; ++p) {
    const position to[] = {0, p}, from[] = {p, 0};
    e.append(to);
    if (p != 0) e.append(from);
  }
  inputs.add("E", e);
  for (const std::string sign : {"T += ", "T(x,y) = "})
    for (const auto method : {wf::logic::join_method::nested, wf::logic::join_method::by_variables,
                              wf::logic::join_method::cheapest}) {
      wf::logic::evaluation_options options;
      options.joins = method;
      options.max_bindings = 3 * most;
      engine_of run(sign + "E(x,y) E(y,z) E(z,x)", inputs, options);
      planned_rule v;
      const bool done = run.engine.apply(v, {}, [](const position*, double) { return true; });
      CHECK(done == (method != wf::logic::join_method::nested));
      CHECK(run.engine.by_variables(0) == done);
    }
  // With few edges at each end nested loops have the lesser bound.
  database sparse;
  wf::logic::relation cycle(2, false);
  for (position p = 0; p < count; ++p) {
    const position at[] = {p, (p + 1) % count};
    cycle.append(at);
  }
  sparse.add("E", cycle);
  engine_of run("T += E(x,y) E(y,z) E(z,x)", sparse);
  CHECK(run.contributions(0).empty());
  CHECK_FALSE(run.engine.by_variables(0));
}

TEST_CASE("a replaced tensor is looked up by what it has now") {
  database inputs;
  inputs.add("A", wf_test::relation_of(1, {{0}, {1}}));
  inputs.add("E", wf_test::relation_of(2, {{0, 5}, {1, 6}, {2, 7}}));
  engine_of e("Y(y) = A(x) E(x,y)", inputs);
  planned_rule v;
  CHECK(e.contributions(v) == std::vector<contribution>{{{5}, 1}, {{6}, 1}});
  e.engine.replace(e.find("E"), tensor_store(wf_test::relation_of(2, {{1, 5}, {2, 6}, {0, 7}})));
  CHECK(e.contributions(v) == std::vector<contribution>{{{7}, 1}, {{5}, 1}});
}

TEST_CASE("a store starts with the facts that inputs have of a defined tensor") {
  database inputs;
  inputs.add("A", wf_test::relation_of(1, {{0}, {9}}));
  inputs.add("D", wf_test::tensor_of(1, {{2, 5}, {2, 3}, {4, 1}}));
  engine_of e("D[x] min= 1 A(x)\nY(x) = A(x)", inputs);
  const tensor_store started = e.engine.started_store(e.find("D"));
  CHECK(started.rows() == 2);
  CHECK(started.value(0) == 3);
  CHECK(e.engine.empty_store(e.find("D")).rows() == 0);
  CHECK(e.engine.store(e.find("D")).rows() == 0);
  CHECK(e.engine.store(e.find("A")).rows() == 2);
  CHECK(e.engine.started_store(e.find("Y")).rows() == 0);
  CHECK(e.engine.older(e.find("A")) == UINT32_MAX);
}

TEST_CASE("tables of positions have at most some cells for each entry, and 32 for a value's") {
  using wf::logic::detail::lookup_kind;
  database inputs;
  inputs.add("A", wf_test::relation_of(2, {{0, 0}, {9, 9}}));
  wf::logic::evaluation_options options;
  options.least_cells = 0;
  const auto kinds = [&](std::uint64_t cells) {
    options.cells_per_entry = cells;
    engine_of e("Y(x,y) = A(x,y)\nZ[x,y] += A(x,y)", inputs, options);
    CHECK(e.engine.most_cells() == 2 * cells);
    return std::pair(e.engine.empty_store(e.find("Y")).kind(),
                     e.engine.empty_store(e.find("Z")).kind());
  };
  CHECK(kinds(49) == std::pair(lookup_kind::hashed, lookup_kind::hashed));
  CHECK(kinds(50) == std::pair(lookup_kind::bits, lookup_kind::hashed));
  CHECK(kinds(1599) == std::pair(lookup_kind::bits, lookup_kind::hashed));
  CHECK(kinds(1600) == std::pair(lookup_kind::bits, lookup_kind::places));
  options.least_cells = std::uint64_t{1} << 40;
  options.cells_per_entry = 1;
  CHECK(engine_of("Y(x,y) = A(x,y)", inputs, options).engine.most_cells() == std::uint64_t{1}
                                                                                 << 33);
}

TEST_CASE("errors are kept: of inputs, of rules, and those that are noted") {
  database inputs;
  inputs.add("A", wf_test::relation_of(1, {{2147483647}}));
  engine_of e("Y(x+1) = A(x)", inputs);
  planned_rule v;
  CHECK_FALSE(e.engine.apply(v, {}, [](const position*, double) { return true; }));
  CHECK(e.engine.failure().code == wf::errc::overflow);
  CHECK_FALSE(e.engine.fail(wf::errc::not_converged, "Y", "why"));
  CHECK(e.engine.failure().code == wf::errc::not_converged);
  CHECK(e.engine.failure().subject.view() == "Y");
  const auto p = wf_test::ordered_program("Y(x) = B(x)");
  rule_engine unbound(p.program, inputs, e.options, e.operators);
  CHECK_FALSE(unbound.prepare());
  CHECK(unbound.failure().code == wf::errc::missing_argument);
}

TEST_CASE("progress tells strata, rounds and entries, and can stop an evaluation") {
  const std::string source = "T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)\nC += T(x,y)\n";
  wf::logic::database inputs;
  wf::logic::relation e(2, false);
  for (int i = 0; i < 6; ++i) {
    const wf::logic::position at[] = {i, i + 1};
    e.append(at);
  }
  inputs.add("E", e);
  const auto read = wf::logic::read_program(source);
  REQUIRE(read);
  const auto program = wf::logic::stratify(*read, source);
  REQUIRE(program);
  std::vector<wf::logic::evaluation_progress> seen;
  std::vector<std::string> names;
  std::size_t most = 1000;
  const auto note = [&](const wf::logic::evaluation_progress& p) {
    seen.push_back(p);
    names.emplace_back(p.tensor);
    return seen.size() < most;
  };
  const wf::callable_to<const decltype(note), bool, const wf::logic::evaluation_progress&> callback(
      note);
  wf::logic::evaluation_options options;
  options.progress = &callback;
  options.recursions = wf::logic::recursion_method::rounds;
  REQUIRE(wf::logic::evaluate(*program, inputs, options));
  REQUIRE(seen.size() == 7);  // two strata, and the rounds that find something
  CHECK(names[0] == "T");
  CHECK(seen[0].round == 0);
  CHECK(seen[0].strata == 2);
  for (std::uint32_t r = 1; r <= 5; ++r) {
    CHECK(seen[r].round == r);
    CHECK(seen[r].stratum == 0);
    CHECK(seen[r].entries == 6 + 5 * r - r * (r - 1) / 2);
  }
  CHECK(names[6] == "C");
  CHECK(seen[6].stratum == 1);
  seen.clear();
  most = 3;
  const auto stopped = wf::logic::evaluate(*program, inputs, options);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == wf::errc::execution_stopped);
  CHECK(seen.size() == 3);
}
