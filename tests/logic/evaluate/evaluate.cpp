// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/evaluate.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include <logic/nested.hpp>
#include <logic/random_facts.hpp>

#include "../public_programs.hpp"

using namespace wf_test;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The folders of a group, in order; none, with a message, without data.
std::vector<std::filesystem::path> programs_of(const std::string& group) {
  std::vector<std::filesystem::path> out;
  if (!std::filesystem::exists(logic_folder() / group)) {
    MESSAGE("skipped: there is no WF_DATA_DIR/logic");
    return out;
  }
  for (const auto& e : std::filesystem::directory_iterator(logic_folder() / group))
    if (std::filesystem::exists(e.path() / "program.tl")) out.push_back(e.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::string number_after(const std::string& text, const std::string& key) {
  const auto at = text.rfind('"' + key + '"');
  REQUIRE(at != std::string::npos);
  const auto first = text.find_first_not_of(": \"", at + key.size() + 2);
  return text.substr(first, text.find_first_of(",}\"\n ", first) - first);
}

wf::result<wf::logic::solution> evaluated(wf::text_view source, const wf::logic::database& inputs,
                                          std::uint32_t max_rounds, std::uint64_t steps = 1,
                                          wf::logic::join_method joins = {}) {
  wf::table<wf::text_view> names;
  for (const auto& r : inputs.relations) names.push_back(r.name.view());
  auto program = wf::logic::read_program(source, names);
  if (!program) return program.error();
  const auto strata = wf::logic::stratify(*std::move(program), source);
  if (!strata) return strata.error();
  wf::logic::evaluation_options options;
  options.max_rounds = max_rounds;
  options.steps = steps;
  options.joins = joins;
  return wf::logic::evaluate(*strata, inputs, options);
}
}  // namespace

TEST_CASE("random programs have the values that their definitions give") {
  std::size_t unending = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const random_program p = make_random_program(seed);
    const std::string source = text_of(p);
    CAPTURE(seed);
    CAPTURE(source);
    naive_evaluation naive(p);
    const bool ends = naive.run(50);
    auto found = evaluated(
        source, inputs_of(p), 200, 1,
        seed % 2 == 0 ? wf::logic::join_method::by_variables : wf::logic::join_method::cheapest);
    if (!ends) {
      ++unending;
      REQUIRE_FALSE(found);
    }
    if (!found) {
      REQUIRE_MESSAGE(!ends, std::string(wf::to_text(found.error())));
      REQUIRE(found.error().code == wf::errc::not_converged);
      continue;
    }
    for (std::size_t t = 0; t < p.tensors.size(); ++t) {
      if (p.tensors[t].layer == 0) continue;
      CAPTURE(p.tensors[t].name);
      wf::logic::solved_tensor* const r = found->find(p.tensors[t].name);
      REQUIRE(r != nullptr);
      REQUIRE(same_entries(r->entries(), naive.values[t]));
    }
  }
  CHECK(unending < 300);
}

TEST_CASE("slices, steps and declared axes keep to their positions") {
  wf::logic::database inputs;
  const std::int64_t four[] = {4};
  const double values[] = {10, 20, 30, 40};
  inputs.add_dense("X", four, values);
  wf::logic::relation edges(2, false), start(1, false);
  for (int i = 0; i < 3; ++i) edges.append(std::vector<int>{i, i + 1}.data());
  start.append(std::vector<int>{0}.data());
  inputs.add("E", edges);
  inputs.add("S", start);
  const auto facts = [&](const char* source, std::uint64_t steps = 1) {
    auto found = evaluated(source, inputs, 50, steps);
    REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
    return std::string(wf::logic::facts_text(found->tensors[0].entries()));
  };
  CHECK(facts("Y[0:2] = X[0:2]") == "0\t10.0\n1\t20.0\n");
  CHECK(facts("Y[1:4:2] = X[1:4:2]") == "1\t20.0\n3\t40.0\n");
  CHECK(facts("Y[] += X[2:]") == "70.0\n");
  CHECK(facts("Y[] max= X[:3]") == "30.0\n");
  CHECK(facts("Y[] += X[3:1]") == "");
  CHECK(facts("Y[] += !S(i)\naxis i = 4") == "3.0\n");
  CHECK(facts("Y() = !S(i)\naxis i = 1") == "");
  CHECK(facts("P(x,*t+1) = P(y,t) E(y,x)\nP(x,t=0) = S(x)", 3) == "3\n");
}

TEST_CASE("the operand of a function is zero where it has no entry, a sum as well as a tensor") {
  wf::logic::database inputs;
  const std::int64_t three[] = {3};
  const double ones[] = {1, 1, 1};
  inputs.add_dense("C", three, ones);
  wf::logic::relation matrix(2, true), vector(1, true);
  matrix.append(std::vector<int>{1, 0}.data(), 2);
  vector.append(std::vector<int>{1}.data(), 2);
  inputs.add("A", matrix);
  inputs.add("B", vector);
  for (const char* source : {"Y[i] = C[i] exp(A[i,j] C[j])", "Y[i] = C[i] exp(B[i])",
                             "Y[i] = C[i] exp(reduce(sum, j) A[i,j])"}) {
    auto found = evaluated(source, inputs, 50);
    REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
    CHECK(same_entries(found->tensors[0].entries(), {{{0}, 1}, {{1}, std::exp(2.0)}, {{2}, 1}}));
  }
}

TEST_CASE("a recursion without a fixpoint is not_converged, WF709, with its head and last change") {
  wf::logic::database inputs;
  inputs.add("S", wf::logic::relation(1, false)).entries.append(std::vector<int>{0}.data());
  const auto endless = evaluated("D[x] max= S(x)\nD[x] max= D[x] + 1", inputs, 50);
  REQUIRE_FALSE(endless);
  CHECK(endless.error().code == wf::errc::not_converged);
  CHECK(endless.error().subject.view() == "D");
  CHECK(std::string(endless.error().message).find("within 50 rounds") != std::string::npos);
}

TEST_CASE("programs of Datalog and of min and max give the published relations") {
  std::size_t compared = 0;
  for (const char* group : {"souffle", "flowlog"})
    for (const auto& folder : programs_of(group)) {
      CAPTURE(folder.string());
      public_program p(folder);
      const auto results = p.run();
      for (const auto& e : std::filesystem::directory_iterator(folder / "expected")) {
        const std::string name = e.path().stem().string();
        CAPTURE(name);
        const auto found = results.find(name);
        REQUIRE(found != results.end());
        const bool valued = found->second.valued;
        const double zero = p.text.find(name + "[") == std::string::npos ? 0
                            : p.text.find("min=") != std::string::npos   ? infinite
                            : p.text.find("max=") != std::string::npos   ? -infinite
                                                                         : 0;
        CHECK(agree(rows_of(found->second), expected_rows(e.path(), valued), valued ? zero : 0, 0));
        ++compared;
      }
    }
  if (std::filesystem::exists(logic_folder())) CHECK(compared >= 40);
}

TEST_CASE("generated graphs have the closures and distances that other engines found") {
  for (const auto& folder : programs_of("graphs")) {
    CAPTURE(folder.string());
    public_program p(folder);
    const std::string expected = contents_of(folder / "expected" / "summary.json");
    if (folder.stem().string().starts_with("pagerank")) {
      p.text += "\naxis x = 10000\nexport rank\n";
      p.add_number("n", 10000);
      wf::logic::evaluation_options options;
      options.steps = 50;
      const auto ranks = p.run(options);
      REQUIRE(ranks.size() == 1);
      const auto& values = ranks.at("rank").values;
      double sum = 0, squares = 0;
      for (const double v : values) sum += v, squares += v * v;
      CHECK(values.size() == 10000);
      CHECK(std::abs(sum - std::stod(number_after(expected, "sum"))) < 1e-12);
      const double wanted = std::stod(number_after(expected, "sum_of_squares"));
      CHECK(std::abs(squares - wanted) < 1e-12 * wanted);
      const auto greatest = std::max_element(values.begin(), values.end()) - values.begin();
      CHECK(std::to_string(greatest) == number_after(expected, "argmax"));
      const char* next = expected.c_str() + expected.find("first_20") + 12;
      for (std::size_t i = 0; i < 20; ++i) {
        char* end = nullptr;
        const double value = std::strtod(next, &end);
        CHECK(std::abs(values[i] - value) < 1e-12 * value);
        next = end + 1;
      }
      continue;
    }
    const auto results = p.run();
    for (const auto& [name, entries] : results) {
      CHECK(std::to_string(entries.rows) == number_after(expected, "rows"));
      const char* const key =
          expected.find("triples") != std::string::npos ? "sha256_u32_triples" : "sha256_u32_pairs";
      CHECK(digest_of(entries) == number_after(expected, key));
    }
  }
}

TEST_CASE("real graphs have the triangles, components and closures of LAGraph and SciPy") {
  for (const auto& folder : programs_of("matrices")) {
    CAPTURE(folder.string());
    public_program p(folder);
    p.text += "\nnode[x] max= number(x) x\n";
    const std::string meta = contents_of(folder / "meta.json");
    std::string nodes;
    for (int n = 0; n < std::stoi(number_after(meta, "nodes")); ++n)
      nodes += std::to_string(n) + "\n";
    p.add("number", nodes);
    const auto results = p.run();
    REQUIRE(results.size() == 5);
    const std::string expected = contents_of(folder / "expected" / "summary.json");
    CHECK(results.at("triangles").values[0] == std::stod(number_after(expected, "triangles")));
    CHECK(std::to_string(results.at("tc").rows) == number_after(expected, "tc_rows"));
    const auto& labels = results.at("label").values;
    std::vector<double> distinct(labels.begin(), labels.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    CHECK(std::to_string(distinct.size()) == number_after(expected, "weak_components"));
  }
}

TEST_CASE("validation graphs of Graphalytics have the published distances, labels and ratios") {
  for (const auto& folder : programs_of("graphalytics")) {
    CAPTURE(folder.string());
    public_program p(folder);
    const std::string meta = contents_of(folder / "meta.json"), kind = folder.stem().string();
    wf::logic::evaluation_options options;
    if (kind.starts_with("bfs") || kind.starts_with("sssp"))
      p.add("source", number_after(meta, "source") + "\n");
    if (kind.starts_with("wcc")) p.text += "\nid[x] max= node(x) x\n";
    if (kind.starts_with("pr")) {
      p.text += "\naxis x : node\n";
      p.add_number("n", static_cast<double>(p.inputs.find("node")->entries.rows));
      p.add_number("d", std::stod(number_after(meta, "damping")));
      options.steps = std::stoull(number_after(meta, "iterations"));
    }
    const auto results = p.run(options);
    const char* const name = kind.starts_with("wcc")   ? "label"
                             : kind.starts_with("lcc") ? "lcc"
                             : kind.starts_with("pr")  ? "rank"
                                                       : "dist";
    REQUIRE(results.count(name) == 1);
    const double zero = kind.starts_with("lcc") ? 0 : infinite;
    const double tolerance = kind.starts_with("pr") ? 1e-4 : 1e-9;
    CHECK(agree(rows_of(results.at(name)), expected_rows(folder / "expected" / "result.tsv", true),
                zero, tolerance));
  }
}

TEST_CASE("rules over knowledge graphs derive and count what they should") {
  for (const auto& folder : programs_of("kg")) {
    CAPTURE(folder.string());
    public_program p(folder);
    if (folder.stem() == "countries-S3") {
      p.text += "\ngiven(x,y) = triple(0,x,y)\nneighborOf(x,y) = triple(1,x,y)\n";
      const auto results = p.run();
      const std::string expected = contents_of(folder / "expected" / "extra.json");
      CHECK(std::to_string(results.at("locatedIn").rows) ==
            number_after(expected, "locatedIn_rows"));
      CHECK(digest_of(results.at("locatedIn")) == number_after(expected, "sha256_u32_pairs"));
      for (const char* name : {"composed_paths", "composed_pairs"})
        CHECK(agree(rows_of(results.at(name)),
                    expected_rows(folder / "expected" / (std::string(name) + ".tsv"), true), 0, 0));
    } else {
      // A query has as many terms as the largest number of one, plus 1.
      p.text +=
          "\nlast[q] max= step(q,i,c) i\nhas(q,i) = step(q,i,c)\n"
          "len(q,i+1) = has(q,i) [last[q] == i]\n";
      const auto results = p.run();
      CHECK(agree(rows_of(results.at("answer")),
                  expected_rows(folder / "expected" / "answer.tsv", false), 0, 0));
    }
  }
}

TEST_CASE("facts that inputs give of a mean count as contributions") {
  wf::logic::database inputs;
  wf::logic::relation given(1, true), read(2, true);
  const wf::logic::position at[][2] = {{0, 0}, {0, 1}, {1, 0}};
  given.append(at[0], 10);
  for (const auto& row : at) read.append(row, 4);
  inputs.add("M", given);
  inputs.add("X", read);
  const auto program = wf::logic::read_program("M[i] avg= X[i,j]");
  REQUIRE(program);
  const auto strata = wf::logic::stratify(*program);
  REQUIRE(strata);
  auto solved = wf::logic::evaluate(*strata, inputs);
  REQUIRE(solved);
  const auto rows = rows_of(solved->find("M")->entries());
  CHECK(rows == answer_rows{{{0}, 6}, {{1}, 4}});
}

TEST_CASE("numeric programs give the published numbers") {
  for (const char* name : wf_test::numeric_programs) {
    const auto folder = logic_folder() / "fuse" / name;
    if (!std::filesystem::exists(folder)) {
      MESSAGE("skipped: there is no WF_DATA_DIR/logic");
      return;
    }
    CAPTURE(name);
    public_program p(folder);
    REQUIRE(logic_benchmark::add_nested(p.inputs, contents_of(folder / "facts" / "inputs.json")));
    wf::logic::database wanted;
    REQUIRE(logic_benchmark::add_nested(wanted, contents_of(folder / "expected" / "results.json")));
    const auto results = p.run();
    for (const auto& w : wanted.relations) {
      const auto found = results.find(std::string(w.name));
      REQUIRE(found != results.end());
      CHECK(agree(rows_of(found->second), rows_of(w.entries), 0, 1e-12));
    }
  }
}
